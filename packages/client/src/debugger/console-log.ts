import { type AbiParameter, type AbiValue, parseSignature, selectorOf, tryDecode } from "@finality/tron/abi";
import { type Address, addressIn, hexToBytes, isForeignText, toBase58, visibleText } from "@finality/tron/primitives";
import type { Trace } from "@finality/tron/traces";

/** Address to which the `console.sol` of Hardhat and Foundry sends its messages: `console.log` in ASCII. */
const CONSOLE = "41000000000000000000636f6e736f6c652e6c6f67" as Address;

const TYPES = ["uint256", "string", "bool", "address"] as const;
const MOST_ARGUMENTS = 4;
const LARGEST_BYTES = 32;

/** Message of a contract. */
export interface ConsoleMessage {
  /** Instruction that sends it. */
  readonly step: number;
  readonly text: string;
}

/** Returns the messages that a run sends to the console, in their order. Unknown forms are left out. */
export function consoleMessages(trace: Trace): readonly ConsoleMessage[] {
  return trace.frames.flatMap(({ to, callStep, input }) => {
    if (to !== CONSOLE || callStep === undefined) return [];
    const parameters = signatures().get(input.slice(0, 8));
    const values = parameters && tryDecode(parameters, hexToBytes(input.slice(8)));
    return values === undefined ? [] : [{ step: callStep, text: formatted(values) }];
  });
}

let known: ReadonlyMap<string, readonly AbiParameter[]> | undefined;

function signatures(): ReadonlyMap<string, readonly AbiParameter[]> {
  known ??= signatureTable();
  return known;
}

/** Returns the parameters of the functions of `console.sol` by their selector. */
function signatureTable(): ReadonlyMap<string, readonly AbiParameter[]> {
  let lists: readonly string[] = [""];
  const texts = ["log(int256)", "logBytes(bytes)", "logInt(int256)", "logUint(uint256)", "logString(string)"];
  for (let count = 0; count <= MOST_ARGUMENTS; count += 1) {
    texts.push(...lists.map((it) => `log(${it})`));
    lists = lists.flatMap((it) => TYPES.map((type) => (it === "" ? type : `${it},${type}`)));
  }
  texts.push("logBool(bool)", "logAddress(address)", "log(string,int256)", "log(bytes)");
  for (let size = 1; size <= LARGEST_BYTES; size += 1) texts.push(`logBytes${size}(bytes${size})`);
  return new Map(
    texts.flatMap((text) => {
      const { parameters } = parseSignature(text);
      // Older libraries compute the selector with `uint` and `int`, which is no canonical type.
      return [text, text.replaceAll("int256", "int")].map((it) => [selectorOf(it), parameters] as const);
    }),
  );
}

const DIRECTIVE = /%[%sdiox]/g;

/** Formats the values as `console.log` of Node.js does: directives in the first text, the rest behind it. */
function formatted(values: readonly AbiValue[]): string {
  const [first, ...rest] = values;
  if (first === undefined) return "";
  if (!isForeignText(first)) return values.map(valueText).join(" ");
  let used = 0;
  const text = visibleText(first).replace(DIRECTIVE, (directive) => {
    const value = rest[used];
    if (directive === "%%") return "%";
    if (value === undefined) return directive;
    used += 1;
    return directive === "%x" && typeof value === "bigint" ? `0x${value.toString(16)}` : valueText(value);
  });
  return [text, ...rest.slice(used).map(valueText)].join(" ");
}

function valueText(value: AbiValue): string {
  if (isForeignText(value)) return visibleText(value);
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value === "string") {
    const address = addressIn(value);
    return address === undefined ? `0x${value}` : toBase58(address);
  }
  return "bytes" in value ? `0x${value.bytes}` : "";
}
