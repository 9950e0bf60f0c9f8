import type { Blockchain } from "../chain/blockchain.ts";
import type { Halt } from "../chain/halt.ts";
import type { ChainTransaction } from "../chain/transaction.ts";
import type { Answer } from "../http/answer.ts";
import type { View } from "../routes/route.ts";
import type { FaultFields } from "./fault-fields.ts";

/** What faults may use besides the request. */
export interface FaultServices {
  readonly chain: Blockchain;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly delay: (ms: number) => Promise<void>;
}

/** Serves the request, and again each time it is called. */
export type Serve = () => Promise<Answer>;

/** The one function of a fault, at the place where it happens. */
export type Effect =
  /** Around the routes: before, after, or instead of them. */
  | { readonly seam: "request"; act(serve: Serve, services: FaultServices): Promise<Answer> }
  /** What the node knows while it answers. */
  | { readonly seam: "view"; act(view: View, path: string): View }
  /** Before a broadcast enters the pool. @throws {Refusal} */
  | { readonly seam: "admission"; act(transaction: ChainTransaction, fires: () => boolean, view: View): void }
  /** When a block could be solidified: it is not. Requests have no part in it. */
  | { readonly seam: "solidification" }
  /** When a block runs the code of a transaction: it ends like this. Requests have no part in it. */
  | { readonly seam: "execution"; readonly halt: Halt }
  /** After an answer: the server does not listen for this time. */
  | { readonly seam: "door"; readonly ms: number };

/** A fault by name. */
export interface FaultType {
  readonly name: string;
  /** The paths it can happen to at all; every one when absent. */
  readonly concerns?: (path: string) => boolean;
  /** How often it happens unless somebody says so; without an end when absent. */
  readonly count?: number;
  /** Reads its own parameters. @throws {TypeError} one does not fit */
  readonly read: (fields: FaultFields) => Effect;
}
