import { bytesToHex, type Hex } from "../../core/primitives/bytes.ts";
import type { Execution, ExecutionResult } from "../chain/actuator.ts";
import { type EnergyPayer, energyBudget, payEnergy, settleUsage } from "../chain/energy-bill.ts";
import { Ledger } from "../chain/ledger.ts";
import { invalidContract } from "../chain/refusal.ts";
import type { ChainTransaction } from "../chain/transaction.ts";
import { type CodeRun, messageOf, type OutermostCall, runOutermost } from "../vm/run-outermost.ts";

/** What is the same for calls and new contracts: their code runs by a budget, and is paid for whatever it did. */
export type CodeCall = Omit<OutermostCall, "txId" | "energyLimit" | "ledger"> & {
  readonly payer: EnergyPayer;
  /** Changes that are undone when the code fails: the value that is sent along, the new account. */
  readonly prepare: (ledger: Ledger) => void;
};

/**
 * Runs code as a transaction.
 *
 * @throws {Refusal} `CONTRACT_EXE_ERROR` it cannot be paid for any more
 */
export function executeCode(execution: Execution, call: CodeCall): ExecutionResult {
  const { txId, context } = codeExecution(execution);
  const budget = energyBudget(execution, call.payer);
  const ledger = new Ledger(execution.ledger);
  call.prepare(ledger);
  const limits = { txId, ledger, energyLimit: Number(budget.limit) };
  const run = runOutermost({ ...call, ...limits }, { ...context, ...execution });
  if (run.result === "SUCCESS") {
    ledger.dropZeroRows();
    ledger.commit();
    settleUsage(execution, call.payer);
  }
  const used = { total: BigInt(run.energy), penalty: BigInt(run.machine.penalty) };
  const energy = payEnergy(execution, call.payer, budget, used);
  if (run.result === "SUCCESS") for (const address of run.machine.ended) execution.ledger.removeContract(address);
  const logs = run.result === "SUCCESS" ? run.machine.logs : [];
  const answer = { contractAddress: call.address, returned: outputOf(run), logs, ...tellEnd(run) };
  return { result: run.result, fee: 0n, outcome: { ...answer, energy } };
}

/** @throws {TypeError} code runs only as a transaction of a chain */
function codeExecution({ transaction, context }: Execution): {
  txId: ChainTransaction["id"];
  context: NonNullable<Execution["context"]>;
} {
  if (transaction === undefined || context === undefined) throw new TypeError("Code runs only in a chain.");
  return { txId: transaction.id, context };
}

function outputOf({ output }: CodeRun): Hex {
  return bytesToHex(output);
}

/** A block's producer finds a transaction that took too long already marked as such, and does not run it again. */
function tellEnd(run: CodeRun): Pick<NonNullable<ExecutionResult["outcome"]>, "message" | "internal"> {
  if (run.result === "OUT_OF_TIME") return { message: "Already Time Out", internal: [] };
  const { internal } = run.machine;
  if (run.result !== "SUCCESS") internal.reject(0);
  return { message: messageOf(run), internal: internal.all };
}

/** @throws {Refusal} the fee limit is not one */
export function checkFeeLimit({ transaction, parameters }: Execution): void {
  const feeLimit = transaction?.raw.feeLimit ?? 0n;
  if (feeLimit < 0n || feeLimit > BigInt(parameters.getMaxFeeLimit)) {
    throw invalidContract(`feeLimit must be >= 0 and <= ${parameters.getMaxFeeLimit}`);
  }
}

const MIN_TOKEN_ID = 1_000_000n;

/** @throws {Refusal} the token that is sent along is none */
export function checkToken({ callTokenValue, tokenId }: { callTokenValue: bigint; tokenId: bigint }): void {
  if (tokenId <= MIN_TOKEN_ID && tokenId !== 0n) throw invalidContract(`tokenId must be > ${MIN_TOKEN_ID}`);
  if (callTokenValue > 0n && tokenId === 0n) {
    throw invalidContract(`invalid arguments with tokenValue = ${callTokenValue}, tokenId = ${tokenId}`);
  }
  if (callTokenValue > 0n) throw invalidContract("No asset !");
}
