import type { TrackedTransaction } from "../../../packages/client/src/transaction-state/tracked-transaction.ts";
import type { TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { effectOf, isSameEffect, type ModelWindow, type Simulation } from "./simulation.ts";

/** A broken promise. */
export class BrokenPromise extends Error {
  readonly promise: string;

  constructor(promise: string, sentence: string) {
    super(`${promise}: ${sentence}`);
    this.promise = promise;
  }
}

/**
 * Checks the promises that hold at every moment, in every window.
 *
 * @throws {BrokenPromise}
 */
export function checkPromises(simulation: Simulation): void {
  const [surprise] = simulation.surprises;
  if (surprise !== undefined) throw new BrokenPromise("no unexpected error", surprise);
  for (const [txId, times] of simulation.port.sent) {
    if (times > (simulation.pressed.get(txId) ?? 0)) {
      throw new BrokenPromise("no broadcast without a request", `${txId} was sent more often than somebody asked for.`);
    }
  }
  for (const window of simulation.windows) for (const it of window.transactions.list()) checkClaim(simulation, it);
  checkExecutions(simulation);
}

/** Compares a state with the chain. */
function checkClaim(simulation: Simulation, tracked: TrackedTransaction): void {
  const { txId, state } = tracked;
  const { chain } = simulation;
  simulation.count(`state ${state.kind}`);
  checkReason(tracked);
  const found = chain.find(txId);
  const broken = (claim: string, fact: string): BrokenPromise =>
    new BrokenPromise("states match the chain", `${txId} is shown as ${claim}, but ${fact}.`);
  if (state.kind === "solidified") {
    const solid = found !== undefined && found.block.header.number <= chain.solid.header.number;
    if (!solid) throw broken("solidified", "no solidified block holds it");
    if (found.block.id !== state.block.id)
      throw broken(`solidified in ${state.block.id}`, `it is in ${found.block.id}`);
  }
  if (state.kind === "proven-absent") {
    const { expiration = 0 } = tracked.signed ?? {};
    if (found !== undefined) throw broken("proven absent", `block ${found.block.header.number} holds it`);
    if (chain.solid.header.timestamp < expiration)
      throw broken("proven absent", "solidified time is before its expiration");
  }
}

/** Checks that the first of several refusals is the reason that is shown. */
function checkReason({ txId, state, attempts }: TrackedTransaction): void {
  const [first, second] = attempts;
  const refusals = attempts.every(({ outcome }) => outcome?.kind === "rejected" || outcome?.kind === "already-known");
  const oneByOne = (first?.answeredAt ?? 0) <= (second?.startedAt ?? 0);
  if (!refusals || !oneByOne || first?.outcome?.kind !== "rejected") return;
  if (state.kind !== "unknown" && state.kind !== "rejected") return;
  if (state.kind === "rejected" && state.message === first.outcome.message) return;
  throw new BrokenPromise(
    "the first answer stays",
    `${txId} was refused at first: ${first.outcome.message}. It is shown as ${JSON.stringify(state)}.`,
  );
}

/** Counts executions in solidified blocks, because later blocks may be reorganized. */
function checkExecutions(simulation: Simulation): void {
  const { chain } = simulation;
  for (const { intent, effect, allowed } of simulation.userRequests) {
    const executed = executionsOf(simulation, effect, chain.solid.header.number);
    if (executed <= allowed) continue;
    const sentence = `${intent.kind} ${effect} was asked for ${allowed} times and executed ${executed} times.`;
    throw new BrokenPromise("never twice", sentence);
  }
}

function executionsOf({ chain, begin }: Simulation, effect: string, until: number): number {
  let count = 0;
  for (let height = begin + 1; height <= until; height++) {
    for (const { transaction, info } of chain.block(height)?.transactions ?? []) {
      const { contract } = transaction;
      if (info?.result === "SUCCESS" && contract !== undefined && effectOf(contract.entry) === effect) count++;
    }
  }
  return count;
}

/**
 * Checks the promises that hold after the chain was reachable for long enough.
 *
 * @throws {BrokenPromise}
 */
export function checkEnd(simulation: Simulation, window: ModelWindow): void {
  checkPromises(simulation);
  for (const { intent, effect } of simulation.userRequests) {
    const executed = executionsOf(simulation, effect, simulation.chain.solid.header.number);
    simulation.count(`executed ${intent.kind}`, executed);
  }
  for (const tracked of window.transactions.list()) checkResolved(simulation, tracked);
}

export function isResolved({ product }: Simulation, tracked: TrackedTransaction): boolean {
  const { state, hidden } = tracked;
  if (hidden) return true;
  if (state.kind === "signed") return tracked.signed?.shared !== true;
  if (state.kind === "rejected")
    return product.decideActions(tracked).createReplacement.allowed && !product.isUnverifiedRejection(tracked);
  return state.kind === "solidified" || state.kind === "proven-absent" || state.kind === "replaced";
}

function checkResolved(simulation: Simulation, tracked: TrackedTransaction): void {
  const { txId, state } = tracked;
  const held = simulation.chain.find(txId as TxId);
  // Each transaction was signed here; other facts alone mean that its line was lost.
  if (tracked.signed === undefined) throw new BrokenPromise("never lost", `The signed bytes of ${txId} are not known.`);
  if (!isResolved(simulation, tracked)) {
    const { attempts, proving } = tracked;
    const connectionIssues = simulation.windows.map(({ transactions }) => transactions.trouble);
    throw new BrokenPromise(
      "every unknown is resolved",
      JSON.stringify({ txId, state, attempts, proving, connectionIssues }),
    );
  }
  if (held !== undefined && state.kind !== "solidified") {
    throw new BrokenPromise(
      "states match the chain",
      `${txId} is shown as ${state.kind}, but block ${held.block.header.number} holds it.`,
    );
  }
  if (state.kind === "signed" && (simulation.port.sent.get(txId) ?? 0) > 0) {
    throw new BrokenPromise("states match the chain", `${txId} is shown as never sent, but its bytes have left.`);
  }
  // A transaction that was refused falsely and lost by a reorganisation is in no pool.
  if (state.kind === "rejected" && simulation.port.accepted.has(txId) && !simulation.port.refusesFalsely) {
    throw new BrokenPromise(
      "states match the chain",
      `${txId} is shown as refused once and for all, but a pool took it.`,
    );
  }
}

/** Checks that each sent transaction and each signature is in the journal of a new window. @throws {BrokenPromise} */
export function checkMemory(simulation: Simulation, window: ModelWindow): void {
  for (const txId of simulation.port.sent.keys()) {
    const signed = window.transactions.get(txId as TxId)?.signed;
    if (signed === undefined) throw new BrokenPromise("never lost", `${txId} was sent and is not in the journal.`);
  }
  for (const { txId, kept } of simulation.files) {
    const known = window.transactions.get(txId)?.signed?.signatures ?? [];
    const lost = [...kept].filter((it) => !known.includes(it));
    if (lost.length > 0)
      throw new BrokenPromise("never lost", `${lost.length} signatures of ${txId} are not in the journal.`);
  }
  for (const userRequest of simulation.userRequests) {
    const known = window.transactions.list().filter((it) => isSameEffect(it, userRequest)).length;
    simulation.count("remembered", known);
  }
}
