import type { InputValue } from "../abi/input-value.ts";

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
