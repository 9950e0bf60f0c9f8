import type { InputValue } from "@finality/tron/abi";

/** Offsets into a source text: `start` is the first character, `end` the one after the last. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Expression in the source: its range, and its value, which is `undefined` if only running the code would give it. */
export interface SourceValue {
  readonly range: TextRange;
  readonly value: InputValue | undefined;
}

/**
 * Form of a script's call. `send` and `call` follow a contract's method; the others are functions of TronWeb's
 * transaction builder. `send` and `triggerSmartContract` change state and cost energy.
 */
export type CallForm = "send" | "call" | "triggerSmartContract" | "triggerConstantContract" | "estimateEnergy";

/** Options that cost or move coins, as written in the source (`feeLimit` and `callValue` in sun). */
export interface CallOptions {
  readonly feeLimit?: SourceValue;
  readonly callValue?: SourceValue;
  readonly tokenId?: SourceValue;
  readonly tokenValue?: SourceValue;
  readonly from?: SourceValue;
  /** Expression that may hold further options and cannot be read: a variable or `...rest`. */
  readonly unread?: TextRange;
}

/** Target of a script's call: a variable that holds a contract, or a literal address. */
export type CallTarget =
  | { readonly kind: "variable"; readonly name: string; readonly address: SourceValue | undefined }
  | { readonly kind: "address"; readonly address: SourceValue }
  | { readonly kind: "expression" };

/** One call of a contract in a script. `method` is a name, or a signature such as `transfer(address,uint256)`. */
export interface ScriptCallSite {
  readonly form: CallForm;
  /** From the method's name, or the builder's function, to the closing bracket. */
  readonly range: TextRange;
  readonly method: SourceValue & { readonly value: string | undefined };
  readonly target: CallTarget;
  /** `undefined` if the list itself is not in the source, as in `f(...rest)` or a variable. */
  readonly arguments: readonly SourceValue[] | undefined;
  readonly options: CallOptions;
}

/** Expression with its source text, which is shown to users and identifies stored answers. */
export interface CallSiteValue extends SourceValue {
  readonly text: string;
}

/** Contract of a call, as far as the source names it. */
export type ContractReference =
  | { readonly kind: "address"; readonly address: CallSiteValue }
  /** Name of an artifact, or an address. */
  | { readonly kind: "named"; readonly name: string }
  /** Variable; `madeFrom` is the expression that created its contract. */
  | { readonly kind: "variable"; readonly name: string; readonly madeFrom: string };

/** Call or deployment found in a source file of any language, before it is bound to a network. */
export interface CallSite {
  readonly kind: "call" | "deployment";
  readonly language: "script" | "solidity" | "call-file";
  /** Range from the first to the last character. */
  readonly range: TextRange;
  /** Label given by the author. */
  readonly label: string | undefined;
  /** Name of the network; `undefined` for the active one. */
  readonly network: string | undefined;
  readonly contract: ContractReference;
  /** Name or signature; `undefined` if only running the code would give it. */
  readonly method: string | undefined;
  /** Types of the parameters if the source has them, as in Solidity. */
  readonly types?: readonly string[];
  /** `undefined` if the source has no list of them. */
  readonly arguments: readonly CallSiteValue[] | undefined;
  /** Name or address of an account. */
  readonly caller: CallSiteValue | undefined;
  readonly feeLimit: CallSiteValue | undefined;
  /** Limit that the library sends if the source has none; `undefined` if it sends none. */
  readonly defaultFeeLimit: bigint | undefined;
  readonly callValue: CallSiteValue | undefined;
  /** The library omits the value if the function is not payable, as TronWeb's contract methods do. */
  readonly omitsValue?: boolean;
  /** Source text of an expression that may hold more options and cannot be read. */
  readonly unread?: string;
  readonly tokenId: CallSiteValue | undefined;
  readonly tokenValue: CallSiteValue | undefined;
  /** Reason for which the call must not be made: an unusable field. A sentence. */
  readonly problem?: string | undefined;
}

/** Returns a value that is not written in the source. */
export function literalValue(range: TextRange, value: InputValue): CallSiteValue {
  return { range, value, text: String(value) };
}

/** Returns an expression with its source text. */
export function valueWithText(text: string, value: SourceValue): CallSiteValue;
export function valueWithText(text: string, value: SourceValue | undefined): CallSiteValue | undefined;
export function valueWithText(text: string, value: SourceValue | undefined): CallSiteValue | undefined {
  if (value === undefined) return undefined;
  return { ...value, text: text.slice(value.range.start, value.range.end) };
}
