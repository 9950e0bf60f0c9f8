/** What a `Panic(uint256)` of Solidity means (language documentation, Panic via assert and error via require). */
const panics: { readonly [code: string]: { readonly cause: string; readonly fix: string } } = {
  "0x00": {
    cause: "a panic that the compiler inserted for its own reasons",
    fix: "Look at what inline assembly does.",
  },
  "0x01": { cause: "an assert failed", fix: "The contract's own invariant does not hold: debug the contract." },
  "0x11": {
    cause: "an arithmetic operation overflowed or underflowed",
    fix: "Compare the arguments with the balances and limits that the function computes with.",
  },
  "0x12": { cause: "a division or modulo by zero", fix: "Check the divisor that the arguments or the state give." },
  "0x21": { cause: "a number that is no value of its enum", fix: "Pass one of the values of the enum." },
  "0x22": {
    cause: "a byte array in storage is not encoded as it should be",
    fix: "Look at inline assembly and at the storage layout of proxies: two contracts may disagree about a slot.",
  },
  "0x31": { cause: "pop of an empty array", fix: "Check that the array has an item before the call." },
  "0x32": {
    cause: "an index outside of an array, of bytesN or of a slice",
    fix: "Compare the index that is passed with the length of the array.",
  },
  "0x41": {
    cause: "too much memory was asked for, or an array too large was created",
    fix: "Pass a smaller length, or process the data in parts.",
  },
  "0x51": {
    cause: "a variable of a function type that was never set was called",
    fix: "Set the internal function before it is called.",
  },
};

/** A panic in words, or undefined for a code that the language does not have. */
export function panicOf(code: bigint): { readonly cause: string; readonly fix: string } | undefined {
  return panics[panicCode(code)];
}

/** The code as the language documents it.
 *
 * @example
 * panicCode(17n); // "0x11"
 */
export function panicCode(code: bigint): string {
  return `0x${code.toString(16).padStart(2, "0")}`;
}
