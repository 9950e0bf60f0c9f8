import type { InputValue } from "../abi/input-value.ts";
import type { SourceValue, TextRange } from "./call-site.ts";

/** An expression of a source with its own words, for people and for answers that are remembered by them. */
export interface WantedValue extends SourceValue {
  readonly text: string;
}

/** What a call is made on, as far as its source tells. */
export type WantedContract =
  | { readonly kind: "address"; readonly address: WantedValue }
  /** The name of an artifact, or an address. */
  | { readonly kind: "named"; readonly name: string }
  /** A variable; `madeFrom` is the expression that says where its contract is. */
  | { readonly kind: "variable"; readonly name: string; readonly madeFrom: string };

/**
 * A call or a deployment that somebody wrote down, in whichever language, before anybody knows whether it can be made.
 */
export interface WantedCall {
  readonly kind: "call" | "deployment";
  readonly language: "script" | "solidity" | "call-file";
  /** From its first to its last character. */
  readonly range: TextRange;
  /** What its author calls it. */
  readonly label: string | undefined;
  /** By name; `undefined` is the active one. */
  readonly network: string | undefined;
  readonly contract: WantedContract;
  /** A name or a signature; `undefined` where only running the code would tell. */
  readonly method: string | undefined;
  /** The types of the parameters where the source has them, as in Solidity. */
  readonly types?: readonly string[];
  /** `undefined` where the source has no list of them. */
  readonly arguments: readonly WantedValue[] | undefined;
  /** The name or the address of an account. */
  readonly caller: WantedValue | undefined;
  readonly feeLimit: WantedValue | undefined;
  /** What is sent along where no `fee_limit` is written; `undefined` where nothing is sent. */
  readonly usualFeeLimit: bigint | undefined;
  readonly callValue: WantedValue | undefined;
  /** Who sends it leaves a value out where the function takes none, as TronWeb's methods of a contract do. */
  readonly omitsValue?: boolean;
  /** The words of what may hold more options and cannot be read. */
  readonly unread?: string;
  readonly tokenId: WantedValue | undefined;
  readonly tokenValue: WantedValue | undefined;
}

/** A value that nobody wrote in the source at that place. */
export function wantedLiteral(range: TextRange, value: InputValue): WantedValue {
  return { range, value, text: String(value) };
}

/** An expression with its words. */
export function wantedValue(text: string, value: SourceValue): WantedValue;
export function wantedValue(text: string, value: SourceValue | undefined): WantedValue | undefined;
export function wantedValue(text: string, value: SourceValue | undefined): WantedValue | undefined {
  if (value === undefined) return undefined;
  return { ...value, text: text.slice(value.range.start, value.range.end) };
}
