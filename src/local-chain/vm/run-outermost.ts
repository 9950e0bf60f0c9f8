import type { Address } from "../../core/primitives/address.ts";
import { hexToBytes, type TxId } from "../../core/primitives/bytes.ts";
import type { ContractResult } from "../../core/transaction/contract-result.ts";
import { Halt } from "../chain/halt.ts";
import type { Ledger } from "../chain/ledger.ts";
import { saveCode } from "./create-operations.ts";
import { Frame, type FrameEnd, type Machine, type Surroundings } from "./frame.ts";
import { newMachine } from "./machine.ts";
import { TransientStorage } from "./transient-storage.ts";

export interface OutermostCall {
  readonly kind: "call" | "create";
  readonly txId: TxId;
  readonly caller: Address;
  readonly address: Address;
  readonly code: Uint8Array;
  readonly data: Uint8Array;
  /** Sun, already moved. */
  readonly value: bigint;
  readonly energyLimit: number;
  readonly version: number;
  /** A layer of its own: it is written on when all went well. */
  readonly ledger: Ledger;
}

/** What a transaction's code did. */
export interface CodeRun {
  readonly result: ContractResult;
  /** What it returned, the data of its revert, or the code of a new contract. */
  readonly output: Uint8Array;
  readonly energy: number;
  /** Why it was ended by force. */
  readonly halt: Halt | undefined;
  readonly machine: Machine;
}

/** Runs the code of a transaction and, for a new contract, pays for what it returns. */
export function runOutermost(call: OutermostCall, surroundings: Surroundings): CodeRun {
  const { txId, caller } = call;
  const machine = newMachine(surroundings, { txId, origin: caller });
  const frame = new Frame(machine, {
    ...call,
    tokenValue: 0n,
    tokenId: 0n,
    isStatic: false,
    depth: 0,
    hash: hexToBytes(txId),
    transient: new TransientStorage(),
  });
  const forced = surroundings.endsCode?.();
  if (forced !== undefined) return halted(frame, forced, new Uint8Array());
  const end = runToEnd(frame);
  if (end.kind === "returned" && call.kind === "create") return settled(frame, end.output);
  if (end.kind === "halted") return halted(frame, end.halt, new Uint8Array());
  return {
    machine,
    energy: frame.used,
    output: end.output,
    halt: undefined,
    result: end.kind === "returned" ? "SUCCESS" : "REVERT",
  };
}

/** The text of a result as receipts have it; a success has none. */
export function messageOf({ result, halt }: Pick<CodeRun, "result" | "halt">): string {
  return halt?.message ?? (result === "REVERT" ? "REVERT opcode executed" : "");
}

function runToEnd(frame: Frame): FrameEnd {
  try {
    return frame.machine.run(frame);
  } catch (error) {
    if (error instanceof Halt) return { kind: "halted", halt: error };
    throw error;
  }
}

/** The code of a new contract stays the output even when it is too dear to keep. */
function settled(frame: Frame, code: Uint8Array): CodeRun {
  const halt = saveCode(frame, code, "save just created contract code");
  if (halt !== undefined) return halted(frame, halt, code);
  return { result: "SUCCESS", output: code, energy: frame.used, halt, machine: frame.machine };
}

function halted(frame: Frame, halt: Halt, output: Uint8Array): CodeRun {
  const energy = halt.burnsEverything ? frame.call.energyLimit : frame.used;
  return { result: halt.result, output, energy, halt, machine: frame.machine };
}
