import type { TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { BrokenPromise } from "../model/oracle.ts";
import { acceptedForgeryFor } from "./accepted-forgeries.ts";
import type { AdversarySimulation } from "./adversary-simulation.ts";
import { type DecodedEffect, decodeEffect, isSameEffect, type UserRequest } from "./user-requests.ts";

/** Longest time from the local clock to an expiration: the requested minute, and minutes for clocks that are off. */
const LONGEST_LIFE_MS = 10 * 60_000;
/** Upper bound of the cost of each call in a run; sun. */
const HONEST_FEE_LIMIT = 5_000_000n;

/**
 * Checks the promises that hold at every moment.
 *
 * @throws {BrokenPromise}
 */
export function checkPromises(simulation: AdversarySimulation): void {
  const [surprise] = simulation.surprises;
  if (surprise !== undefined) throw new BrokenPromise("no unexpected error", surprise);
  const [leak] = simulation.leaks;
  if (leak !== undefined) throw new BrokenPromise("no secret leaks", `An API key is in ${leak}.`);
  checkSigned(simulation);
  for (const it of simulation.transactions) checkClaim(simulation, it);
  checkRechecks(simulation);
  checkExecutions(simulation);
}

/**
 * Checks the promises that hold at the end of a run.
 *
 * @throws {BrokenPromise}
 */
export function checkEnd(simulation: AdversarySimulation): void {
  simulation.searchWhatStays();
  checkPromises(simulation);
}

/** Checks that each sent transaction is in the journal of a window that opens after a power cut. @throws {BrokenPromise} */
export function checkMemory(simulation: AdversarySimulation): void {
  const known = new Set(simulation.transactions.map(({ txId }) => txId));
  for (const txId of simulation.sent) {
    if (!known.has(txId)) throw new BrokenPromise("never lost", `${txId} was sent and is not in the list.`);
  }
}

/** Compares the bytes of each signed transaction with the requests of the user. */
function checkSigned(simulation: AdversarySimulation): void {
  for (const txId of simulation.signedAgain) report(simulation, "no unrequested signature", "signed again", txId);
  for (const entry of simulation.journal()) {
    if (entry.kind !== "signed" || simulation.requestByTxId.has(entry.txId)) continue;
    const { txId, rawDataHex, at } = entry;
    const signedEffect = decodeEffect(rawDataHex);
    const userRequest = simulation.userRequests.find(({ effect }) => isSameEffect(effect, signedEffect));
    simulation.requestByTxId.set(txId, userRequest);
    const reportUnrequested = (what: string): void =>
      report(simulation, "no unrequested signature", what, `${txId}: ${printEffect(signedEffect)}`);
    if (signedEffect.hasExtras) reportUnrequested("extra fields");
    if (userRequest === undefined) reportUnrequested(describeDifference(simulation, signedEffect));
    if (signedEffect.feeLimit > HONEST_FEE_LIMIT) reportUnrequested("the fee limit");
    if (signedEffect.expiration > at + LONGEST_LIFE_MS) reportUnrequested("the expiration");
  }
}

/** Names the part of a signed transaction that no request has. */
function describeDifference({ userRequests }: AdversarySimulation, signed: DecodedEffect): string {
  const matches = (names: readonly (keyof DecodedEffect & keyof UserRequest["effect"])[]) =>
    userRequests.some(({ effect }) => names.every((it) => effect[it] === signed[it]));
  if (!matches(["type", "owner", "to", "value"])) return "the effect";
  const isTransfer = userRequests.some(({ effect }) => signed.data.slice(0, 72) === effect.data.slice(0, 72));
  if (isTransfer) return "the decimals";
  return userRequests.some(({ effect }) => signed.data.slice(8) === effect.data.slice(8)) ? "the function" : "the data";
}

function printEffect(effect: DecodedEffect): string {
  return JSON.stringify(effect, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
}

/** Compares a state with the chain. */
function checkClaim(
  simulation: AdversarySimulation,
  { txId, state }: AdversarySimulation["transactions"][number],
): void {
  simulation.count(`state ${state.kind}`);
  if (state.kind !== "proven-absent") return;
  const height = heightOf(simulation, txId);
  if (height !== undefined) report(simulation, "no false absence", "a proof", `${txId} is in block ${height}.`);
}

function checkRechecks(simulation: AdversarySimulation): void {
  for (const { txId, network } of simulation.confirmed) {
    const height = heightOf(simulation, txId);
    if (height !== undefined)
      report(simulation, "no false absence", "a recheck", `${network}: ${txId} is in block ${height}.`);
  }
}

function heightOf(simulation: AdversarySimulation, txId: string): number | undefined {
  return simulation.stage.chain.chain.find(txId as TxId)?.block.header.number;
}

function checkExecutions(simulation: AdversarySimulation): void {
  for (const userRequest of simulation.userRequests) {
    const executed = simulation.executionsOf(userRequest);
    if (executed <= userRequest.allowed) continue;
    const what = JSON.stringify(userRequest.argument);
    report(
      simulation,
      "never twice",
      "twice",
      `${what} was asked for ${userRequest.allowed} times and done ${executed} times.`,
    );
  }
}

/** Reports a broken promise. Without a second source it counts as a documented kind; any other is a failure. */
function report(simulation: AdversarySimulation, promise: string, what: string, sentence: string): void {
  const kind = acceptedForgeryFor(simulation, what);
  if (kind === undefined) throw new BrokenPromise(promise, `${what}: ${sentence}`);
  simulation.acceptForgery(kind);
}
