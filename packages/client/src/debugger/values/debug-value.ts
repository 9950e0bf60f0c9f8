import type { Address } from "@finality/tron/primitives";
import type { Trace, Word } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import type { CodeSources } from "../../traces/code-sources.ts";

/** Group of variables, such as the local ones. */
export interface DebugScope {
  readonly kind: "locals" | "state" | "call-data" | "return-data" | "global";
  readonly name: string;
  variables(): readonly DebugValue[];
}

/** Value of a variable, or of a part of one. */
export interface DebugValue {
  readonly name: string;
  /** As Solidity writes it: `uint256`, `struct Shop.Order`. */
  readonly type: string;
  /** Value for people. It holds text of contracts only in quotes, without control characters. */
  readonly text: string;
  /** Members, elements, or keys of this run. */
  children?(): readonly DebugValue[];
  /** Returns an element by its index or key; undefined beyond the end. */
  element?(key: ElementKey): DebugValue | undefined;
  /** Number of elements of an array. */
  readonly length?: bigint;
  /** Expression with this value: `orders[3].price`. */
  readonly evaluateName?: string;
  /** Offset in the memory of the frame, of a value that is there. */
  readonly memory?: number;
  /** Reason why there is no value, as a phrase without a full stop. */
  readonly notAvailable?: string;
  /** The value for expressions: numbers and addresses as bigint, strings as text, bytes as hex with 0x. */
  readonly raw?: RawValue;
}

export type RawValue = bigint | boolean | string;

/** Index of an array, or key of a mapping. */
export interface ElementKey {
  readonly type: string;
  readonly raw: RawValue;
}

/** Returns a storage slot before the run; undefined if it is not known. */
export type ReadStorage = (address: Address, slot: Word) => Word | undefined;

/** Frame whose values are read. */
export interface DebugFrame {
  /** With instructions, stack and memory. */
  readonly trace: Trace;
  /** Index of the frame in the trace. */
  readonly frame: number;
  /** Sources of the code of the frame; undefined if no artifact has it. */
  readonly code: CodeSources | undefined;
  /** Reads slots that the run did not touch. */
  readonly readStorage?: ReadStorage;
}

/** Returns a value that is not available. @param reason - a phrase without a full stop */
export function missingValue(name: string, type: string, reason: string): DebugValue {
  return { name, type, text: t`not available: ${reason}`, notAvailable: reason };
}

/** Returns a name that fits into an expression, or nothing. */
export function memberName(parent: string | undefined, name: string): { readonly evaluateName?: string } {
  return parent === undefined || name === "" ? {} : { evaluateName: `${parent}.${name}` };
}
