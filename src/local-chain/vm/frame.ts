import type { Address } from "../../core/primitives/address.ts";
import { bytesToHex } from "../../core/primitives/bytes.ts";
import type { TxId } from "../../core/primitives/hash.ts";
import type { ChainContext } from "../chain/block-context.ts";
import { type Halt, outOfEnergy } from "../chain/halt.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { ChainParameters } from "../chain/parameters.ts";
import type { ContractLog } from "../chain/transaction.ts";
import { type AnalysedCode, analyseCode } from "./code-analysis.ts";
import type { InternalTransactions } from "./internal-transactions.ts";
import { Memory } from "./memory.ts";
import type { TransientStorage } from "./transient-storage.ts";
import { WordStack } from "./word-stack.ts";

/** What code can know of the chain around it. */
export interface Surroundings extends ChainContext {
  /** Chain time in ms of the newest block. */
  readonly now: number;
  readonly parameters: ChainParameters;
}

/** Everything that the frames of one transaction share. */
export interface Machine {
  readonly surroundings: Surroundings;
  readonly txId: TxId;
  readonly origin: Address;
  readonly internal: InternalTransactions;
  readonly logs: ContractLog[];
  /** Contracts that have ended themselves: they are gone when the transaction ends. */
  readonly ended: Address[];
  /** Energy that was added because contracts are used much. */
  penalty: number;
  /** Operations until the CPU limit. */
  stepsLeft: number;
  /** Runs the code of a frame to its end. */
  readonly run: (frame: Frame) => FrameEnd;
}

/** How a frame ended. Its energy is in the frame. */
export type FrameEnd =
  | { readonly kind: "returned" | "reverted"; readonly output: Uint8Array }
  | { readonly kind: "halted"; readonly halt: Halt };

/** What a frame is called with. */
export interface Call {
  /** Whose storage and balance it works on. */
  readonly address: Address;
  readonly caller: Address;
  readonly code: Uint8Array;
  readonly data: Uint8Array;
  /** Sun. */
  readonly value: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
  readonly isStatic: boolean;
  /** 0 for the outermost frame. */
  readonly depth: number;
  readonly energyLimit: number;
  /** 1 for contracts that keep 1/64 of their energy when they call. */
  readonly version: number;
  /** The internal transaction that it is, or the transaction. */
  readonly hash: Uint8Array;
  readonly ledger: Ledger;
  readonly transient: TransientStorage;
}

/** How an operation ended the frame. */
export type Ending = "returned" | "reverted";

/**
 * One run of code. The fields with the library's names (`programCounter`, `opCode`, `stack`, `memory`, `code`,
 * `cachedPushes`, `shouldDoJumpAnalysis`, `interpreter`) are what its instructions work on.
 */
export class Frame {
  readonly machine: Machine;
  readonly call: Call;
  readonly stack = new WordStack();
  readonly memory = new Memory();
  readonly code: Uint8Array;
  readonly analysis: AnalysedCode;
  readonly cachedPushes: AnalysedCode["pushes"];
  readonly shouldDoJumpAnalysis = false;
  readonly interpreter: { getCallData(): Uint8Array; getCallDataSize(): bigint; getCode(): Uint8Array };
  programCounter = 0;
  opCode = 0;
  /** Energy. */
  used = 0;
  /** What the last call gave to its callee, and the penalty in its price. */
  callEnergy = 0;
  callPenalty = 0;
  /** In parts of 10,000: more than that when the contract is used much. */
  factor = 10_000;
  returnData: Uint8Array = new Uint8Array();
  output: Uint8Array = new Uint8Array();
  ending: Ending | undefined;
  #storage: string | undefined;

  constructor(machine: Machine, call: Call) {
    this.machine = machine;
    this.call = call;
    this.code = call.code;
    this.analysis = analyseCode(call.code);
    this.cachedPushes = this.analysis.pushes;
    const { data, code } = call;
    this.interpreter = {
      getCallData: () => data,
      getCallDataSize: () => BigInt(data.length),
      getCode: () => code,
    };
  }

  get left(): number {
    return this.call.energyLimit - this.used;
  }

  /** Where its words are kept: a contract that was made by CREATE2 again does not find those of the one before. */
  get storage(): string {
    this.#storage ??= storageOf(this.call.ledger, this.call.address);
    return this.#storage;
  }

  get ledger(): Ledger {
    return this.call.ledger;
  }

  /** @throws {Halt} `OUT_OF_ENERGY` */
  spend(energy: number, operation: string): void {
    if (this.left < energy) throw this.#exhausted(operation, energy, "");
    this.used += energy;
  }

  /** @throws {Halt} `OUT_OF_ENERGY` */
  spendWithPenalty(energy: number, penalty: number, operation: string): void {
    const total = energy + penalty;
    if (this.left < total) throw this.#exhausted(operation, energy, ` penaltyEnergy[${penalty}],`);
    this.used += total;
    this.machine.penalty += penalty;
  }

  #exhausted(operation: string, energy: number, penalty: string): Error {
    const limits = `curInvokeEnergyLimit[${this.call.energyLimit}], curOpEnergy[${energy}],${penalty} usedEnergy[${this.used}]`;
    return outOfEnergy(`Not enough energy for '${operation}' operation executing: ${limits}`);
  }
}

function storageOf(ledger: Ledger, address: Address): string {
  const madeBy = ledger.contract(address)?.definition.trxHash;
  return madeBy === undefined || madeBy.length === 0 ? address : `${address}.${bytesToHex(madeBy)}`;
}
