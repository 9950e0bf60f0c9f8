import type { ContractFunction, InputValue, JsonAbiEntry } from "@finality/tron/abi";
import type { Address, Sun } from "@finality/tron/primitives";
import type { CodeIntent } from "../estimates/call-estimate.ts";
import type { TextRange } from "./call-site.ts";

/** A contract of the workspace, and where it is on the network of the call. */
export interface KnownContract {
  readonly name: string;
  /** For people: `Leaf (build/contracts/Leaf.json)`. */
  readonly origin: string;
  /** `undefined` when nobody knows of a deployment on this network. */
  readonly address: Address | undefined;
  /** Who says where it is. */
  readonly placedBy: string;
  readonly functions: readonly ContractFunction[];
  /** As its artifact has it; a deployment carries it. */
  readonly abi: readonly JsonAbiEntry[];
  /** What a deployment takes. */
  /** Absent where its parameters have types that cannot be encoded. */
  readonly creation: ContractFunction | undefined;
  /** Creation code as hex without 0x, once it was read. */
  readonly bytecode: string | undefined;
}

/** What is known around a call: contracts, accounts, and what a person answered before. */
export interface BindingContext {
  contractsNamed(name: string): readonly KnownContract[];
  contractsAt(address: Address): readonly KnownContract[];
  /** Contracts that have a function of this name. */
  contractsWith(functionName: string): readonly KnownContract[];
  /** Of an account or a contract by its name, or of an address in any form. */
  addressOf(name: string): Address | undefined;
  /** The account that calls when the source names none. */
  readonly caller: { readonly name: string; readonly address: Address } | undefined;
  /** What a person answered to a question of this key, in this workspace. */
  answer(key: string): string | undefined;
}

/** Something that only a person can tell: asked once, remembered by its key. */
export type Missing =
  | { readonly kind: "contract"; readonly key: string; readonly question: string; readonly names: readonly string[] }
  | { readonly kind: "argument"; readonly key: string; readonly question: string; readonly type: string }
  | { readonly kind: "amount"; readonly key: string; readonly question: string }
  /** The creation code stands in a file: nobody has to be asked. */
  | { readonly kind: "bytecode"; readonly key: string; readonly question: string };

/** Why a call cannot be tied to a chain. */
export type Unbound =
  | { readonly kind: "missing"; readonly missing: readonly Missing[] }
  /** The source has to be changed; a sentence without its full stop. */
  | { readonly kind: "wrong"; readonly reason: string };

/** The `fee_limit` of a call, and where it stands; `undefined` where nobody wrote one. */
export interface BoundLimit {
  readonly feeLimit: Sun;
  /** Whether the limit is what would be sent, so that it can be too small. */
  readonly isReal: boolean;
  readonly range: TextRange | undefined;
}

export interface Bound {
  readonly kind: "bound";
  readonly intent: CodeIntent;
  readonly contract: KnownContract;
  readonly called: ContractFunction;
  readonly arguments: readonly InputValue[];
  readonly limit: BoundLimit;
  /** What the source does not say and was taken for granted; sentences. */
  readonly assumptions: readonly string[];
}

/** A part of a binding. */
export type Part<T> = { readonly kind: "found"; readonly value: T; readonly assumptions: readonly string[] } | Unbound;

/** A part that was found. */
export function found<T>(value: T, ...assumptions: readonly string[]): Part<T> {
  return { kind: "found", value, assumptions };
}
