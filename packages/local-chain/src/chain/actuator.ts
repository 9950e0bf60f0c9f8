import type { ContractResult, DecodedContract } from "@finality/tron/transaction";
import type { ChainContext } from "./block.ts";
import type { Ledger } from "./ledger.ts";
import type { ChainParameters } from "./parameters.ts";
import { invalidContract } from "./refusal.ts";
import type { StakeOutcome } from "./stake.ts";
import type { TokenId } from "./token.ts";
import type { ChainTransaction, ContractOutcome, TradeOutcome } from "./transaction.ts";

export interface Execution {
  readonly ledger: Ledger;
  readonly parameters: ChainParameters;
  readonly contract: DecodedContract;
  /** The transaction it is part of; absent while a builder only asks whether it would do. */
  readonly transaction?: ChainTransaction;
  /** Chain time in ms of the newest block. */
  readonly now: number;
  /** What code can ask of the chain; absent while a builder only asks whether it would do. */
  readonly context?: ChainContext;
}

export interface ExecutionResult {
  readonly result: ContractResult;
  /** Sun that the contract itself costs, besides the bytes. */
  readonly fee: bigint;
  /** Present when code ran; its energy fee is not in `fee`. */
  readonly outcome?: ContractOutcome;
  /** Present when a stake came back. */
  readonly stake?: StakeOutcome;
  /** The token that was issued. */
  readonly issued?: TokenId;
  readonly trade?: TradeOutcome;
  /** Sun of rewards that are in the balance now. */
  readonly reward?: bigint;
}

/** What one contract type does; those that run code hand it to the machine in `vm/`. */
export interface Actuator {
  /**
   * What builders and broadcast check. Nothing is changed.
   *
   * @throws {Refusal} `CONTRACT_VALIDATE_ERROR`
   */
  validate(execution: Execution): void;
  /**
   * Changes the ledger.
   *
   * @throws {Refusal} `CONTRACT_EXE_ERROR`
   */
  execute(execution: Execution): ExecutionResult;
}

/** What a chain executes, by contract type. */
export interface Actuators {
  readonly [type: string]: Actuator;
}

/** @throws {Refusal} `CONTRACT_VALIDATE_ERROR` the type is one that this chain does not execute (yet) */
export function actuatorFor(actuators: Actuators, { type, entry }: DecodedContract): Actuator {
  const actuator = type === undefined ? undefined : actuators[type.name];
  if (actuator !== undefined) return actuator;
  throw invalidContract(`this local chain does not execute ${type?.name ?? `contract type ${entry.type}`} yet`);
}
