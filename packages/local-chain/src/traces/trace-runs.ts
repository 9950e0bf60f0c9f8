import { isDeepStrictEqual } from "node:util";
import { addressFromBytes, type TxId } from "@finality/tron/primitives";
import type { TransferContract } from "@finality/tron/schema";
import type { Trace, TraceOptions } from "@finality/tron/traces";
import { codeActuators } from "../actuators/contract-actuators.ts";
import { type Block, blockContext, type Inclusion } from "../chain/block.ts";
import { recordParentHash } from "../chain/block-hash-history.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import { type ExecutionContext, executeTransaction } from "../chain/execution.ts";
import { Halt } from "../chain/halt.ts";
import { Ledger } from "../chain/ledger.ts";
import type { ChainParameters } from "../chain/parameters.ts";
import { Refusal } from "../chain/refusal.ts";
import type { ChainTransaction, IncludedTransaction, TransactionInfo } from "../chain/transaction.ts";
import type { NodeView } from "../node/node-view.ts";
import { type ConstantRequest, constantCall, estimateEnergy } from "../routes/contract-calls.ts";
import type { CodeRun } from "../vm/machine.ts";
import { operationsFor } from "../vm/operations.ts";
import { StepColumns } from "../vm/step-columns.ts";
import { TraceRecorder } from "../vm/trace-recorder.ts";
import { type TraceLimits, traceOf, transferTrace } from "./trace-record.ts";

/** Reason why there is no trace. */
class NoTrace extends Error {
  override readonly name = "NoTrace";
}

const MOST_ENTRIES = 100_000;
const MOST_STEPS = 2_500_000;
const USUAL_STEPS = 1_000_000;
const MOST_BYTES = 256_000_000;
const USUAL_BYTES = 32_000_000;

function recorderFor({ steps, stack = false, memory = false, maxSteps = USUAL_STEPS }: TraceOptions): TraceRecorder {
  if (steps !== true) return new TraceRecorder();
  return new TraceRecorder(new StepColumns({ stack, memory, maxSteps: Math.min(maxSteps, MOST_STEPS) }));
}

function limitsOf({ maxBytes = USUAL_BYTES }: TraceOptions): TraceLimits {
  return { entries: MOST_ENTRIES, bytes: Math.min(maxBytes, MOST_BYTES) };
}

function namesFor(parameters: ChainParameters): (opcode: number) => string {
  const operations = operationsFor(parameters);
  return (opcode) => operations[opcode]?.name ?? "INVALID";
}

/**
 * Traces an executed transaction: repeats its block up to it, on the state before the block.
 *
 * @throws {NoTrace} there is no such transaction, it runs no code, or the state before its block is not kept
 */
export function traceTransaction(chain: Blockchain, id: TxId, options: TraceOptions): Trace {
  const found = chain.find(id);
  if (found?.info === undefined) throw new NoTrace(`no block of this chain has the transaction ${id}`);
  const { block, transaction, info } = found;
  if (info.outcome === undefined) return traceTransfer(found, info);
  const before = stateBefore(chain, found);
  const recorder = recorderFor(options);
  const { after, run, repeated } = runRecorded(chain, found, before, recorder);
  const { number: blockNumber, timestamp: blockTime } = block.header;
  const { parameters } = before;
  const facts = { kind: "transaction", txId: id, blockNumber, blockTime, before, after } as const;
  return traceOf(
    recorder,
    run,
    {
      ...facts,
      feeLimit: transaction.raw.feeLimit,
      energyPrice: BigInt(parameters.getEnergyFee),
      differences: differencesOf(info, repeated),
      opcodes: namesFor(parameters),
    },
    limitsOf(options),
  );
}

/** Returns the trace of a transfer, which runs no code. @throws {NoTrace} it is another kind of transaction */
function traceTransfer({ block, transaction }: Inclusion, { result }: TransactionInfo): Trace {
  const { id, contract, raw } = transaction;
  if (contract?.type?.name !== "TransferContract") throw new NoTrace(`transaction ${id} runs no code`);
  const { ownerAddress, toAddress, amount } = contract.message as TransferContract;
  const { number: blockNumber, timestamp: blockTime } = block.header;
  const [from, to] = [addressFromBytes(ownerAddress), addressFromBytes(toAddress)];
  const header = { kind: "transaction", txId: id, blockNumber, blockTime, feeLimit: raw.feeLimit } as const;
  return transferTrace({ ...header, result }, { from, to, value: amount });
}

/** Returns the state in which a transaction ran. @throws {NoTrace} it is not kept */
function stateBefore(chain: Blockchain, { block, transaction }: Inclusion): Ledger {
  const { number, parentId } = block.header;
  const parentState = chain.stateBefore(number);
  if (parentState === undefined) {
    throw new NoTrace(`the state before block ${number} is not kept: the chain keeps that of the newest blocks`);
  }
  const ledger = new Ledger(parentState);
  recordParentHash(ledger, number, parentId);
  for (const earlier of block.transactions) {
    if (earlier.transaction.id === transaction.id) break;
    repeat(chain, earlier, ledger, block);
  }
  return ledger;
}

/** Executes a transaction of a block again. The state becomes that after it. */
function repeat(chain: Blockchain, { transaction, info }: IncludedTransaction, ledger: Ledger, block: Block): void {
  const context = contextOf(chain, block, ledger);
  const usual = new Ledger(ledger);
  const repeated = executed(usual, { transaction, ...(info && { info }) }, context);
  if (info === undefined || isDeepStrictEqual(repeated, info)) {
    usual.commit();
    return;
  }
  const forced = new Ledger(ledger);
  const asForced = executed(forced, { transaction, info }, withForcedEnd(context, info));
  if (isDeepStrictEqual(asForced, info)) forced.commit();
  else usual.commit();
}

function executed(
  ledger: Ledger,
  { transaction }: IncludedTransaction,
  context: ExecutionContext,
): TransactionInfo | undefined {
  try {
    return executeTransaction(ledger, transaction, context);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** A run that is recorded, and its effects. */
interface RecordedRun {
  readonly run: CodeRun;
  readonly after: Ledger;
  readonly repeated: TransactionInfo;
}

/** @throws {NoTrace} the code does not run again */
function runRecorded(chain: Blockchain, found: Inclusion, before: Ledger, recorder: TraceRecorder): RecordedRun {
  const after = new Ledger(before);
  const runs: CodeRun[] = [];
  const context = contextOf(chain, found.block, before);
  const watched = { ...context.actuators, ...codeActuators({ recorder, onRun: (it) => runs.push(it) }) };
  const repeated = executed(after, found, { ...context, actuators: watched });
  const [run] = runs;
  if (repeated === undefined || run === undefined) {
    throw new NoTrace(`transaction ${found.transaction.id} does not run again: a development method changed the state`);
  }
  return { run, after, repeated };
}

/** Returns the context of the transactions of a block. @param ledger - state before them */
function contextOf(chain: Blockchain, { header }: Block, ledger: Ledger): ExecutionContext {
  const parent = chain.block(header.number - 1);
  return {
    actuators: chain.actuators,
    parameters: ledger.parameters,
    now: parent?.header.timestamp ?? 0,
    context: chain.context(blockContext(header)),
  };
}

/** Returns a context in which code ends as a simulated fault ended it. */
function withForcedEnd(context: ExecutionContext, { result, outcome }: TransactionInfo): ExecutionContext {
  const endsCode = (): Halt => new Halt(result, "", outcome?.message ?? "");
  return { ...context, context: { ...context.context, endsCode } };
}

/** Returns the fields of a receipt that a repeated run did not reproduce. */
function differencesOf(info: TransactionInfo, repeated: TransactionInfo): readonly string[] {
  const fields = (it: TransactionInfo): readonly (readonly [string, unknown])[] =>
    Object.entries({ ...it, ...it.outcome, outcome: undefined });
  const others = new Map(fields(repeated));
  return fields(info).flatMap(([name, value]) => (isDeepStrictEqual(value, others.get(name)) ? [] : [name]));
}

/**
 * Traces a call or a creation on the state of a view: a constant call, or the last run of an estimate.
 *
 * @throws {Refusal | JavaError} the node refuses the call
 */
export function traceCall(
  view: NodeView,
  { kind, ...request }: Omit<ConstantRequest, "recorder"> & { readonly kind: "call" | "estimate" },
  options: TraceOptions,
): Trace {
  const { parameters } = view.chain;
  const energyPrice = BigInt(parameters.getEnergyFee);
  const feeLimit = kind === "estimate" ? estimatedLimit(view, request, energyPrice) : request.feeLimit;
  const recorder = recorderFor(options);
  const { run, ledger } = constantCall(view, { ...request, feeLimit, recorder });
  const { number: blockNumber, timestamp: blockTime } = view.newest.header;
  const before = view.state;
  const after = run.result === "SUCCESS" ? ledger : before;
  const facts = { kind, blockNumber, blockTime, feeLimit, energyPrice, differences: [], before, after };
  return traceOf(recorder, run, { ...facts, opcodes: namesFor(parameters) }, limitsOf(options));
}

/** Returns the fee limit of an estimate in sun; that of the chain if the call fails. */
function estimatedLimit(view: NodeView, request: Omit<ConstantRequest, "recorder">, price: bigint): bigint {
  const estimate = estimateEnergy(view, request);
  return estimate.kind === "energy" ? estimate.required * price : BigInt(view.chain.parameters.getMaxFeeLimit);
}

/** A transaction of another chain, which runs on a state of it. */
export interface ForeignRun {
  readonly transaction: ChainTransaction;
  readonly before: Ledger;
  readonly block: { readonly number: number; readonly timestamp: number };
  readonly context: Omit<ExecutionContext, "actuators">;
}

/**
 * Executes a transaction of another chain, and traces it. Signatures are not checked.
 *
 * @throws {NoTrace} it runs no code on this state
 */
export function traceForeign(
  { transaction, before, block, context }: ForeignRun,
  options: TraceOptions,
): { readonly trace: Trace; readonly info: TransactionInfo } {
  const recorder = recorderFor(options);
  const runs: CodeRun[] = [];
  const after = new Ledger(before);
  const actuators = { ...codeActuators({ recorder, onRun: (it) => runs.push(it) }) };
  const info = executed(after, { transaction }, { ...context, actuators });
  const [run] = runs;
  if (info === undefined || run === undefined) throw new NoTrace(`transaction ${transaction.id} runs no code here`);
  const { parameters } = context;
  const facts = {
    ...({ kind: "transaction", txId: transaction.id, blockNumber: block.number, blockTime: block.timestamp } as const),
    ...{ feeLimit: transaction.raw.feeLimit, energyPrice: BigInt(parameters.getEnergyFee), differences: [] },
    ...{ before, after, opcodes: namesFor(parameters) },
  };
  return { trace: traceOf(recorder, run, facts, limitsOf(options)), info };
}
