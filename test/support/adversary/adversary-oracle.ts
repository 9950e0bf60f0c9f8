import type { TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { BrokenPromise } from "../model/oracle.ts";
import { convinced } from "./accepted-forgeries.ts";
import type { AdversarySimulation } from "./adversary-simulation.ts";
import { isSame, type Reading, readDeed, type Wish } from "./user-requests.ts";

/** Longest time from the local clock to an expiration: the requested minute, and minutes for clocks that are off. */
const LONGEST_LIFE_MS = 10 * 60_000;
/** Nothing that is called here costs more; sun. */
const HONEST_FEE_LIMIT = 5_000_000n;

/**
 * Checks the promises that hold at every moment.
 *
 * @throws {BrokenPromise}
 */
export function checkPromises(simulation: AdversarySimulation): void {
  const [surprise] = simulation.surprises;
  if (surprise !== undefined) throw new BrokenPromise("no surprises", surprise);
  const [leak] = simulation.leaks;
  if (leak !== undefined) throw new BrokenPromise("no secret leaves", `An API key is in ${leak}.`);
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

/** Whatever was signed and left is in the journal of a window that opens after a power cut. @throws {BrokenPromise} */
export function checkMemory(simulation: AdversarySimulation): void {
  const known = new Set(simulation.transactions.map(({ txId }) => txId));
  for (const txId of simulation.sent) {
    if (!known.has(txId)) throw new BrokenPromise("never lost", `${txId} was sent and is not in the list.`);
  }
}

/** The bytes of each signature, held against what the person asked for. */
function checkSigned(simulation: AdversarySimulation): void {
  for (const txId of simulation.signedAgain) tell(simulation, "nothing unasked", "signed again", txId);
  for (const entry of simulation.journal()) {
    if (entry.kind !== "signed" || simulation.judged.has(entry.txId)) continue;
    const { txId, rawDataHex, at } = entry;
    const reading = readDeed(rawDataHex);
    const wish = simulation.wishes.find(({ asked }) => isSame(asked, reading));
    simulation.judged.set(txId, wish);
    const unasked = (what: string): void => tell(simulation, "nothing unasked", what, `${txId}: ${printed(reading)}`);
    if (reading.besides) unasked("something besides");
    if (wish === undefined) unasked(whatDiffers(simulation, reading));
    if (reading.feeLimit > HONEST_FEE_LIMIT) unasked("the fee limit");
    if (reading.expiration > at + LONGEST_LIFE_MS) unasked("the expiration");
  }
}

function whatDiffers({ wishes }: AdversarySimulation, reading: Reading): string {
  const alike = (names: readonly (keyof Reading & keyof Wish["asked"])[]) =>
    wishes.some(({ asked }) => names.every((it) => asked[it] === reading[it]));
  if (!alike(["type", "owner", "to", "value"])) return "the deed";
  const isTransfer = wishes.some(({ asked }) => reading.data.slice(0, 72) === asked.data.slice(0, 72));
  if (isTransfer) return "the decimals";
  return wishes.some(({ asked }) => reading.data.slice(8) === asked.data.slice(8)) ? "the function" : "the data";
}

function printed(reading: Reading): string {
  return JSON.stringify(reading, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
}

/** A state is a claim about the chain. */
function checkClaim(
  simulation: AdversarySimulation,
  { txId, state }: AdversarySimulation["transactions"][number],
): void {
  simulation.count(`state ${state.kind}`);
  if (state.kind !== "proven-absent") return;
  const height = heightOf(simulation, txId);
  if (height !== undefined) tell(simulation, "no false absence", "a proof", `${txId} is in block ${height}.`);
}

function checkRechecks(simulation: AdversarySimulation): void {
  for (const { txId, network } of simulation.confirmed) {
    const height = heightOf(simulation, txId);
    if (height !== undefined)
      tell(simulation, "no false absence", "a recheck", `${network}: ${txId} is in block ${height}.`);
  }
}

function heightOf(simulation: AdversarySimulation, txId: string): number | undefined {
  return simulation.stage.chain.chain.find(txId as TxId)?.block.header.number;
}

function checkExecutions(simulation: AdversarySimulation): void {
  for (const wish of simulation.wishes) {
    const executed = simulation.executionsOf(wish);
    if (executed <= wish.allowed) continue;
    const what = JSON.stringify(wish.argument);
    tell(simulation, "never twice", "twice", `${what} was asked for ${wish.allowed} times and done ${executed} times.`);
  }
}

/** Reports a broken promise. Without a second source it counts as a documented kind; any other is a failure. */
function tell(simulation: AdversarySimulation, promise: string, what: string, sentence: string): void {
  const kind = convinced(simulation, what);
  if (kind === undefined) throw new BrokenPromise(promise, `${what}: ${sentence}`);
  simulation.trust(kind);
}
