import { type Address, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { DebugValue } from "./debug-value.ts";
import { packedBytes, type SolidityType } from "./solidity-type.ts";

const WORD_DIGITS = 64;
const ADDRESS_DIGITS = 40;
/** Longest shown text and bytes. */
const LONGEST_TEXT = 400;
const LONGEST_BYTES = 128;

type ShownValue = Pick<DebugValue, "text" | "raw">;

/** Returns a value of one word on the stack or in memory; undefined for types that are not one. */
export function wordValue(type: SolidityType, word: bigint): ShownValue | undefined {
  const bytes = packedBytes(type);
  if (bytes === undefined) return undefined;
  const digits = BigInt.asUintN(256, word).toString(16).padStart(WORD_DIGITS, "0");
  const isLeft = type.kind === "fixed-bytes" || (type.kind === "function" && type.isExternal);
  return packedValue(type, isLeft ? digits.slice(0, 2 * bytes) : digits.slice(-2 * bytes));
}

/** Returns a value from its bytes in a slot, as hex. */
export function packedValue(type: SolidityType, digits: string): ShownValue | undefined {
  const number = BigInt(`0x${digits === "" ? "0" : digits}`);
  switch (type.kind) {
    case "uint":
      return { text: `${number}`, raw: number };
    case "int": {
      const signed = BigInt.asIntN(type.bits, number);
      return { text: `${signed}`, raw: signed };
    }
    case "bool":
      return { text: `${number !== 0n}`, raw: number !== 0n };
    case "enum":
      return { text: enumText(type, number), raw: number };
    case "address":
      return { text: toBase58(`41${digits.padStart(ADDRESS_DIGITS, "0")}` as Address), raw: number };
    case "fixed-bytes":
      return { text: `0x${digits}`, raw: `0x${digits}` };
    case "function":
      return { text: type.isExternal ? externalFunction(digits) : type.label, raw: number };
    default:
      return undefined;
  }
}

function enumText({ label, members }: SolidityType & { readonly kind: "enum" }, number: bigint): string {
  const member = members[Number(number)];
  return member === undefined ? `${number}` : `${label.replace(/^enum (?:.*\.)?/, "")}.${member}`;
}

/** An address and a selector. */
function externalFunction(digits: string): string {
  const address = `41${digits.slice(0, ADDRESS_DIGITS)}` as Address;
  return `${toBase58(address)}.0x${digits.slice(ADDRESS_DIGITS)}`;
}

/** Returns a text or bytes of any length. */
export function bytesValue(type: SolidityType, bytes: Uint8Array): ShownValue {
  const hex = `0x${Buffer.from(bytes).toString("hex")}`;
  if (type.kind === "string") {
    const text = Buffer.from(bytes).toString("utf8");
    const isText = Buffer.from(text, "utf8").equals(bytes);
    if (isText) return { text: JSON.stringify(visibleLine(text, LONGEST_TEXT)), raw: text };
  }
  const isLong = bytes.length > LONGEST_BYTES;
  return { text: isLong ? t`${hex.slice(0, 2 + 2 * LONGEST_BYTES)}… (${bytes.length} bytes)` : hex, raw: hex };
}

/** Returns the text of a value with parts: its first ones. */
export function previewOf(children: readonly DebugValue[], isList: boolean): string {
  const shown = children.slice(0, 6).map(({ name, text }) => (isList ? text : `${name}: ${text}`));
  const line = [...shown, ...(children.length > shown.length ? ["…"] : [])].join(", ");
  const cut = line.length > 120 ? `${line.slice(0, 120)}…` : line;
  return isList ? `[${cut}]` : `{${cut}}`;
}
