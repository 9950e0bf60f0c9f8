import type { ContractResult } from "../../core/transaction/contract-result.ts";
import type { DecodedContract } from "../../core/transaction/raw-data-codec.ts";
import type { ChainAround } from "../chain/block-around.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { ChainParameters } from "../chain/parameters.ts";
import type { StakeOutcome } from "../chain/stake.ts";
import type { ChainTransaction, ContractOutcome } from "../chain/transaction.ts";

export interface Execution {
  readonly ledger: Ledger;
  readonly parameters: ChainParameters;
  readonly contract: DecodedContract;
  /** The transaction it is part of; absent while a builder only asks whether it would do. */
  readonly transaction?: ChainTransaction;
  /** Chain time in ms of the newest block. */
  readonly now: number;
  /** What code can ask of the chain; absent while a builder only asks whether it would do. */
  readonly around?: ChainAround;
}

export interface ExecutionResult {
  readonly result: ContractResult;
  /** Sun that the contract itself costs, besides the bytes. */
  readonly fee: bigint;
  /** Present when code ran; its energy fee is not in `fee`. */
  readonly outcome?: ContractOutcome;
  /** Present when a stake came back. */
  readonly stake?: StakeOutcome;
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
