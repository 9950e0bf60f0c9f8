import assert from "node:assert/strict";
import type { TransactionInfo } from "../../../packages/local-chain/src/chain/transaction.ts";
import { printJson } from "../../../packages/tron/src/primitives/json.ts";
import { readTrace, type Trace, type TraceFrame, traceToJson } from "../../../packages/tron/src/traces.ts";

/** Energy that a callee with coins gets for free. */
const STIPEND = 2300;

/** Checks that a trace agrees with itself: energy, order and JSON form. */
export function checkTrace(trace: Trace, name: string): void {
  const { frames } = trace;
  assert.deepEqual(trace.truncated, [], name);
  assert.equal(frames[0]?.energyUsed ?? trace.energy, trace.energy, name);
  assert.equal(sumOf(frames.map((it) => ownEnergy(it) - it.stipend)), trace.energy, `${name}: sum of the frames`);
  for (const [index, frame] of frames.entries()) checkFrame(trace, frame, `${name}: frame ${index}`);
  const orders = [trace.frames.map((it) => it.start), ...entriesOf(trace)].flat();
  for (const list of [trace.frames.map((it) => it.start), ...entriesOf(trace)]) {
    assert.deepEqual(
      list,
      [...list].sort((a, b) => a - b),
      `${name}: order`,
    );
  }
  assert.ok(
    orders.every((it) => it >= 0),
    name,
  );
  if (trace.steps !== undefined) checkSteps(trace, name);
  assert.deepEqual(readTrace(JSON.parse(printJson(traceToJson(trace)))), trace, `${name}: JSON`);
}

function entriesOf({ logs, writes }: Trace): readonly (readonly number[])[] {
  return [logs, writes].map((list) => list.map((it) => it.order));
}

function ownEnergy({ energyOwn, energyForCode, energyLost }: TraceFrame): number {
  return energyOwn + energyForCode + energyLost;
}

function checkFrame({ frames }: Trace, frame: TraceFrame, name: string): void {
  assert.ok(frame.start < frame.end, `${name} ends after its start`);
  const parent = frame.parent === undefined ? undefined : frames[frame.parent];
  if (parent !== undefined) {
    assert.ok(parent.start < frame.start && frame.end < parent.end, `${name} is within its caller`);
    assert.equal(frame.depth, parent.depth + 1, name);
  }
  const mayLose = frame.outcome === "halted";
  const least = frame.result === "TRANSFER_FAILED" ? -STIPEND : 0;
  if (mayLose) assert.ok(frame.energyLost >= least, `${name} loses ${frame.energyLost}`);
  else assert.equal(frame.energyLost, 0, `${name} loses energy only by a forced end`);
  if (frame.energyForCode > 0) assert.match(frame.kind, /create/, name);
  if (frame.outcome === "cancelled") assert.equal(frame.energyUsed, 0, name);
  assert.ok(frame.energyUsed <= frame.energyGiven, `${name} uses at most what it was given`);
}

/** Checks that the instructions of each frame cost what the frame has used for them. */
function checkSteps({ steps, frames, instructions }: Trace, name: string): void {
  if (steps === undefined) return;
  assert.equal(steps.pc.length, instructions, name);
  const costs = new Array<number>(frames.length).fill(0);
  const counts = new Array<number>(frames.length).fill(0);
  for (const [step, frame] of steps.frame.entries()) {
    costs[frame] = (costs[frame] ?? 0) + (steps.cost[step] ?? 0);
    counts[frame] = (counts[frame] ?? 0) + 1;
  }
  const own = frames.map((it) => (it.isPrecompile ? 0 : it.energyOwn));
  assert.deepEqual(costs, own, `${name}: costs of the instructions`);
  assert.deepEqual(
    counts,
    frames.map((it) => it.instructions),
    name,
  );
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, it) => sum + it, 0);
}

/** Checks a trace of a transaction against its receipt. */
export function checkAgainstReceipt(trace: Trace, { result, outcome }: TransactionInfo, name: string): void {
  assert.deepEqual(trace.differences, [], `${name} is reproduced`);
  assert.equal(trace.result, result, name);
  assert.equal(BigInt(trace.energy), outcome?.energy.total, `${name}: energy of the receipt`);
  assert.equal(BigInt(trace.penalty), outcome?.energy.penalty, name);
  if (result === "OUT_OF_TIME") return;
  checkInternals(trace, outcome?.internal ?? [], name);
  const logs = trace.logs.filter(({ frame }) => succeeded(trace, frame));
  const shown = logs.map(({ address, topics, data }) => ({ address, topics, data }));
  assert.deepEqual(shown, outcome?.logs, `${name}: events`);
}

type Internals = NonNullable<NonNullable<TransactionInfo["outcome"]>["internal"]>;

function checkInternals({ frames, internals, result }: Trace, receipt: Internals, name: string): void {
  const listed = internals.map(({ note, from, to, value, isRejected }) => ({ note, from, to, value, isRejected }));
  const expected = receipt.map(({ note, from, to, value, rejected: isRejected }) => ({
    note,
    from,
    to,
    value,
    isRejected,
  }));
  assert.deepEqual(listed, expected, `${name}: internal transactions`);
  const started = frames.flatMap((it, index) =>
    it.parent === undefined || it.isPrecompile || it.outcome === "cancelled" ? [] : [{ it, index }],
  );
  const calls = internals.filter(({ starts }) => starts !== undefined);
  assert.deepEqual(
    calls.map((it) => it.starts),
    started.map(({ index }) => index),
    `${name}: frames`,
  );
  for (const [at, { it, index }] of started.entries()) {
    const call = calls[at];
    assert.equal(call?.from, it.kind === "delegate" ? frames[it.parent ?? 0]?.to : it.from, `${name}: frame ${index}`);
    assert.equal(call?.to, it.to, `${name}: frame ${index}`);
    assert.equal(call?.isRejected, result !== "SUCCESS" || !succeededIn(frames, index), `${name}: frame ${index}`);
  }
}

/** Returns whether a frame and all that called it returned. */
function succeeded({ frames, result }: Trace, frame: number): boolean {
  return result === "SUCCESS" && succeededIn(frames, frame);
}

function succeededIn(frames: readonly TraceFrame[], index: number): boolean {
  const frame = frames[index];
  if (frame === undefined) return true;
  return frame.outcome === "returned" && (frame.parent === undefined || succeededIn(frames, frame.parent));
}
