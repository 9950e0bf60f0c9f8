/** Compilers end the code with what they know of the sources, in CBOR, and its length in 2 bytes. */
const LENGTH_DIGITS = 4;
/** Longer than any compiler's: what looks like a length is code then. */
const LONGEST_METADATA = 512;

/**
 * Whether a contract was created from the code of an artifact: the creation code of the chain begins with it, and the
 * arguments of the constructor follow. What the compiler adds about sources, where a comment or a path makes a
 * difference, does not count.
 *
 * @param created - `smart_contract.bytecode` of the chain, hex; nobody but the gateway vouches for it
 * @param bytecode - the creation code of the artifact, hex
 */
export function isCreatedFrom(created: string, bytecode: string): boolean {
  return created.toLowerCase().startsWith(withoutMetadata(bytecode.toLowerCase()));
}

/** The part of the code that runs; all of it where no metadata are at its end. */
function withoutMetadata(bytecode: string): string {
  const length = Number.parseInt(bytecode.slice(-LENGTH_DIGITS), 16);
  const end = bytecode.length - LENGTH_DIGITS - 2 * length;
  // The metadata are a CBOR map: its first byte says so.
  const isMap = /^[ab]/.test(bytecode.slice(end, end + 1));
  return length > 0 && length <= LONGEST_METADATA && end > 0 && isMap ? bytecode.slice(0, end) : bytecode;
}
