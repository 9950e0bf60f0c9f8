import type { Address } from "../../core/primitives/address.ts";
import type { TxId } from "../../core/primitives/hash.ts";
import type { ChainAround } from "../chain/block-around.ts";
import type { ChainParameters } from "../chain/parameters.ts";
import type { ContractLog } from "../chain/transaction.ts";
import { InternalTransactions } from "./internal-transactions.ts";
import type { Operations } from "./operation.ts";
import { operationsFor } from "./operations.ts";

/** What code can know of the chain around it. */
export interface Surroundings extends ChainAround {
  /** Chain time in ms of the newest block. */
  readonly now: number;
  readonly parameters: ChainParameters;
}

/** Steps of code in one ms on the machine that this chain pretends to be: the CPU limit is counted, never measured. */
const STEPS_PER_MS = 25_000;

/** Everything that the frames of one transaction share. */
export class Machine {
  readonly surroundings: Surroundings;
  readonly operations: Operations;
  readonly txId: TxId;
  readonly origin: Address;
  /** A constant call changes nothing, whatever its code does. */
  readonly isConstant: boolean;
  readonly internal = new InternalTransactions();
  readonly logs: ContractLog[] = [];
  /** Contracts that have ended themselves: they are gone when the transaction ends. */
  readonly ended: Address[] = [];
  /** Energy that was added because contracts are used much. */
  penalty = 0;
  stepsLeft: number;

  constructor(surroundings: Surroundings, transaction: Pick<Machine, "txId" | "origin" | "isConstant">) {
    this.surroundings = surroundings;
    this.operations = operationsFor(surroundings.parameters);
    this.txId = transaction.txId;
    this.origin = transaction.origin;
    this.isConstant = transaction.isConstant;
    this.stepsLeft = surroundings.parameters.getMaxCpuTimeOfOneTx * STEPS_PER_MS;
  }
}
