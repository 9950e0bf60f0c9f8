import type { InputValue } from "@finality/tron/abi";

/** Offsets into a source text: `start` is the first character, `end` the one after the last. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * An expression of the source: where it is, and its value, which is `undefined` where only running the code would tell.
 */
export interface SourceValue {
  readonly range: TextRange;
  readonly value: InputValue | undefined;
}

/**
 * How a script reaches the chain. `send` and `call` follow a contract's method; the others are functions of TronWeb's
 * transaction builder. `send` and `triggerSmartContract` change state and cost energy when they are sent.
 */
export type CallForm = "send" | "call" | "triggerSmartContract" | "triggerConstantContract" | "estimateEnergy";

/** The options that cost or move coins, as they stand in the source (`feeLimit` and `callValue` in sun). */
export interface CallOptions {
  readonly feeLimit?: SourceValue;
  readonly callValue?: SourceValue;
  readonly tokenId?: SourceValue;
  readonly tokenValue?: SourceValue;
  readonly from?: SourceValue;
  /** What may hold any option that is not here, and cannot be read: a variable, `...rest`. */
  readonly unread?: TextRange;
}

/** What a script calls: a variable that holds a contract, or the address that stands in the call. */
export type CallTarget =
  | { readonly kind: "variable"; readonly name: string; readonly address: SourceValue | undefined }
  | { readonly kind: "address"; readonly address: SourceValue }
  | { readonly kind: "expression" };

/** One call of a contract in a script. `method` is a name, or a signature such as `transfer(address,uint256)`. */
export interface ScriptCallSite {
  readonly form: CallForm;
  /** From the method's name, or the builder's function, to the last bracket. */
  readonly range: TextRange;
  readonly method: SourceValue & { readonly value: string | undefined };
  readonly target: CallTarget;
  /** `undefined` where the list itself is not in the source, as in `f(...rest)` or a variable. */
  readonly arguments: readonly SourceValue[] | undefined;
  readonly options: CallOptions;
}

/** An expression of a source with its own words, for people and for answers that are remembered by them. */
export interface CallSiteValue extends SourceValue {
  readonly text: string;
}

/** What a call is made on, as far as its source tells. */
export type ContractReference =
  | { readonly kind: "address"; readonly address: CallSiteValue }
  /** The name of an artifact, or an address. */
  | { readonly kind: "named"; readonly name: string }
  /** A variable; `madeFrom` is the expression that says where its contract is. */
  | { readonly kind: "variable"; readonly name: string; readonly madeFrom: string };

/**
 * A call or a deployment that somebody wrote down, in whichever language, before anybody knows whether it can be made.
 */
export interface CallSite {
  readonly kind: "call" | "deployment";
  readonly language: "script" | "solidity" | "call-file";
  /** From its first to its last character. */
  readonly range: TextRange;
  /** What its author calls it. */
  readonly label: string | undefined;
  /** By name; `undefined` is the active one. */
  readonly network: string | undefined;
  readonly contract: ContractReference;
  /** A name or a signature; `undefined` where only running the code would tell. */
  readonly method: string | undefined;
  /** The types of the parameters where the source has them, as in Solidity. */
  readonly types?: readonly string[];
  /** `undefined` where the source has no list of them. */
  readonly arguments: readonly CallSiteValue[] | undefined;
  /** The name or the address of an account. */
  readonly caller: CallSiteValue | undefined;
  readonly feeLimit: CallSiteValue | undefined;
  /** What is sent along where no `fee_limit` is written; `undefined` where nothing is sent. */
  readonly defaultFeeLimit: bigint | undefined;
  readonly callValue: CallSiteValue | undefined;
  /** Who sends it leaves a value out where the function takes none, as TronWeb's methods of a contract do. */
  readonly omitsValue?: boolean;
  /** The words of what may hold more options and cannot be read. */
  readonly unread?: string;
  readonly tokenId: CallSiteValue | undefined;
  readonly tokenValue: CallSiteValue | undefined;
  /** Says why the call must not be made: something that is written for it cannot be used. A sentence. */
  readonly problem?: string | undefined;
}

/** A value that nobody wrote in the source at that place. */
export function literalValue(range: TextRange, value: InputValue): CallSiteValue {
  return { range, value, text: String(value) };
}

/** An expression with its words. */
export function valueWithText(text: string, value: SourceValue): CallSiteValue;
export function valueWithText(text: string, value: SourceValue | undefined): CallSiteValue | undefined;
export function valueWithText(text: string, value: SourceValue | undefined): CallSiteValue | undefined {
  if (value === undefined) return undefined;
  return { ...value, text: text.slice(value.range.start, value.range.end) };
}
