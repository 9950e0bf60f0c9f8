import fc from "fast-check";
import { digestOf } from "../../../packages/client/src/proof/evidence.ts";
import { BLOCK_INTERVAL_MS, type BlockId } from "../../../packages/tron/src/primitives/block.ts";
import { isJsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { checkEnd, checkMemory, checkPromises } from "./adversary-oracle.ts";
import { type AdversarySimulation, SETUPS, type Setup } from "./adversary-simulation.ts";
import { BROADCASTS, type Broadcast, type GatewayBehavior, HONEST_BEHAVIOR, SEALS, type Seal } from "./behavior.ts";

/** One step of a schedule. */
type AdversaryStep =
  | { readonly kind: "pay"; userRequest: number; network: number }
  | { readonly kind: "press"; item: number; button: number }
  | { readonly kind: "mine"; blocks: number }
  | { readonly kind: "expire" }
  | { readonly kind: "recheck"; item: number; network: number; forged: boolean }
  | { readonly kind: "release" }
  | { readonly kind: "change-behavior"; behavior: GatewayBehavior }
  | { readonly kind: "restart" };

export const ADVERSARY_STEPS: readonly AdversaryStep["kind"][] = [
  ...(["pay", "press", "mine", "expire", "recheck", "release", "change-behavior", "restart"] as const),
];

export interface AdversarySchedule {
  readonly setup: Setup;
  readonly behavior: GatewayBehavior;
  readonly seed: number;
  readonly steps: readonly AdversaryStep[];
}

const HOUR_MS = 3_600_000;
const seal: fc.Arbitrary<Seal> = fc.constantFrom("own", ...SEALS);
const broadcast: fc.Arbitrary<Broadcast> = fc.constantFrom("true", ...BROADCASTS);
const rarely = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

/** Unrelated forgeries, and random changes of answers. */
const muddle: fc.Arbitrary<Partial<GatewayBehavior>> = fc.record({
  hides: fc.boolean(),
  seal,
  from: fc.constantFrom("transaction" as const, "reference", "early", "genesis"),
  solid: rarely("true" as const, "frozen", "head", "future", "beyond", "other-chain"),
  shiftMs: rarely(0, 60_000, -60_000, 48 * HOUR_MS),
  broadcast,
  invents: rarely("nothing" as const, "success", "failure"),
  builder: rarely("true" as const, "earlier", "late", "other"),
  token: rarely("true" as const, "two", "eighteen", "changes", "huge"),
  energy: rarely(1, 10_000),
  abi: rarely("true" as const, "narrow"),
  noise: fc.constantFrom(0, 0, 0.03, 0.2, 0.6),
});
/** Relays the bytes and shows blocks without them. */
const hiding: fc.Arbitrary<Partial<GatewayBehavior>> = fc.record({
  hides: fc.constant(true),
  seal,
  broadcast: fc.constantFrom("true" as const, "silent", "other", "known"),
  from: fc.constantFrom("transaction" as const, "transaction", "reference", "early"),
});
/** Stores the bytes, shows future blocks without them, and relays them once their absence is relied on. */
const foretelling: fc.Arbitrary<Partial<GatewayBehavior>> = fc.record({
  seal,
  solid: fc.constantFrom("future" as const, "beyond"),
  broadcast: fc.constantFrom("swallow-late" as const, "refuse-late", "refuse-4xx-late"),
});
/** Refuses the bytes and relays them, visibly or not. */
const refusing: fc.Arbitrary<Partial<GatewayBehavior>> = fc.record({
  hides: fc.boolean(),
  seal,
  broadcast: fc.constantFrom("refuse" as const, "refuse-late", "refuse-4xx", "refuse-4xx-late"),
});
/** Reports an invented failure. */
const inventing: fc.Arbitrary<Partial<GatewayBehavior>> = fc.record({
  hides: fc.boolean(),
  seal,
  broadcast: fc.constantFrom("true" as const, "swallow-late"),
  invents: fc.constantFrom("failure" as const, "failure", "success"),
});
/**
 * Says to be another chain from the start, and shows the blocks of this one, or others while it builds on those of this
 * one.
 */
const posing: fc.Arbitrary<Partial<GatewayBehavior>> = fc.record({
  hides: fc.boolean(),
  from: fc.constant("genesis" as const),
  seal: fc.constantFrom("root" as const, "bare", "chain", "own"),
  builder: fc.constant("honest-block" as const),
  broadcast: fc.constantFrom("true" as const, "silent", "swallow-late"),
});
/** Shows honest blocks and forges other answers. */
const cheating: fc.Arbitrary<Partial<GatewayBehavior>> = fc.record({
  builder: fc.constantFrom("true" as const, "earlier", "late", "other"),
  token: fc.constantFrom("true" as const, "two", "eighteen", "changes", "huge"),
  energy: fc.constantFrom(1, 10_000),
  abi: fc.constantFrom("true" as const, "narrow"),
  shiftMs: rarely(0, 48 * HOUR_MS),
  noise: fc.constantFrom(0, 0.05),
});

const anyBehavior: fc.Arbitrary<GatewayBehavior> = fc
  .oneof(
    { weight: 4, arbitrary: muddle },
    { weight: 3, arbitrary: hiding },
    ...[foretelling, refusing, inventing, posing, cheating].map((arbitrary) => ({ weight: 1, arbitrary })),
  )
  .map((behavior) => ({ ...HONEST_BEHAVIOR, ...behavior }));

const step: fc.Arbitrary<AdversaryStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("pay" as const),
      network: fc.nat({ max: 1 }),
      userRequest: fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 5),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("press" as const), item: fc.nat({ max: 2 }), button: fc.nat({ max: 3 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.constant({ kind: "expire" as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("recheck" as const),
      item: fc.nat({ max: 2 }),
      network: fc.nat({ max: 1 }),
      forged: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "release" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("change-behavior" as const),
      behavior: fc.oneof(anyBehavior, fc.constant(HONEST_BEHAVIOR)),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "restart" as const }) },
);

const steps = fc.array(step, { minLength: 1, maxLength: 4, size: "max" });
const firstPayment = (network: number): AdversaryStep => ({ kind: "pay", userRequest: 0, network });

const ordinary: fc.Arbitrary<AdversarySchedule> = fc.record({
  setup: fc.constantFrom(...SETUPS),
  behavior: anyBehavior,
  seed: fc.nat({ max: 1_000_000 }),
  steps: fc.tuple(fc.nat({ max: 1 }), steps).map(([network, more]) => [firstPayment(network), ...more]),
});

/** The same payment through the honest network and through one that claims to be another chain, in either order. */
const twoNames: fc.Arbitrary<AdversarySchedule> = fc.record({
  setup: fc.constant("twin" as const),
  behavior: posing.map((behavior) => ({ ...HONEST_BEHAVIOR, ...behavior })),
  seed: fc.nat({ max: 1_000_000 }),
  steps: fc
    .tuple(fc.nat({ max: 1 }), steps)
    .map(([network, more]) => [firstPayment(network), firstPayment(1 - network), ...more]),
});

export const anyAdversarySchedule: fc.Arbitrary<AdversarySchedule> = fc.oneof(
  { weight: 15, arbitrary: ordinary },
  { weight: 1, arbitrary: twoNames },
);

/** One run in this many ends with a power cut and a new window, because that costs as much as a payment. */
const REOPENED = 4;
/** Validity of transactions, built by nodes or by Finality; ms. */
const LIFE_MS = 60_000;

/** Plays a schedule and checks the promises after each step and at the end. @throws {BrokenPromise} */
export async function play(
  simulation: AdversarySimulation,
  { steps, seed, behavior }: AdversarySchedule,
): Promise<void> {
  simulation.count(`setup ${simulation.setup}`);
  simulation.count(`seal ${behavior.seal}`);
  simulation.count(`broadcast ${behavior.broadcast}`);
  await simulation.open();
  for (const it of steps) {
    await perform(simulation, it);
    simulation.count(`step ${it.kind}`);
    checkPromises(simulation);
  }
  await finish(simulation, seed);
}

/**
 * Lets time pass until all transactions have expired, replaces what may be replaced, and relays stored bytes as late as
 * possible.
 */
async function finish(simulation: AdversarySimulation, seed: number): Promise<void> {
  await expire(simulation);
  await pressAll(simulation);
  await simulation.adversary.release();
  await mine(simulation, 4);
  checkPromises(simulation);
  await recheck(simulation, { item: 0, network: 0, forged: false });
  checkEnd(simulation);
  if (seed % REOPENED !== 0) return;
  simulation.powerCut();
  simulation.count("reopened");
  await simulation.open();
  await simulation.readJournal();
  checkMemory(simulation);
}

async function perform(simulation: AdversarySimulation, step: AdversaryStep): Promise<void> {
  switch (step.kind) {
    case "pay":
      return await pay(simulation, step);
    case "press":
      return await press(simulation, step.item, step.button);
    case "mine":
      return await mine(simulation, step.blocks);
    case "expire":
      return await expire(simulation);
    case "recheck":
      return await recheck(simulation, step);
    case "release":
      return await simulation.adversary.release();
    case "change-behavior":
      return simulation.changeBehavior(step.behavior);
    case "restart":
      return await simulation.open();
  }
}

async function pay(
  simulation: AdversarySimulation,
  { userRequest: index, network }: { userRequest: number; network: number },
): Promise<void> {
  const userRequest = simulation.userRequests[index];
  const name = simulation.networks[network % simulation.networks.length];
  if (userRequest === undefined || name === undefined) return;
  const done = simulation.transactionsFor(userRequest).filter(({ state }) => isDone(state)).length;
  const before = simulation.signed.size;
  await command(simulation, userRequest.command, { ...userRequest.argument, network: name });
  if (simulation.signed.size === before) return;
  userRequest.allowed = Math.max(userRequest.allowed, done + 1);
  simulation.count(`signed ${userRequest.command}`);
}

function isDone(state: AdversarySimulation["transactions"][number]["state"]): boolean {
  return state.kind === "solidified" && state.outcome.kind === "success";
}

const BUTTONS = [
  "finality.createReplacement",
  "finality.sendSameBytesAgain",
  "finality.lookNow",
  "finality.sendToAnotherNode",
] as const;

async function press(simulation: AdversarySimulation, item: number, button: number): Promise<void> {
  const list = simulation.transactions;
  const tracked = list[item % Math.max(1, list.length)];
  const name = BUTTONS[button % BUTTONS.length];
  if (tracked === undefined || name === undefined) return;
  const url = name === "finality.sendToAnotherNode" ? { url: "http://127.0.0.1:2" } : {};
  await command(simulation, name, { txId: tracked.txId, ...url });
}

/** Replaces each transaction that may be replaced and repeats the request of each failed one. */
async function pressAll(simulation: AdversarySimulation): Promise<void> {
  for (const { txId, state } of simulation.transactions) {
    const userRequest = simulation.requestByTxId.get(txId);
    const failed = state.kind === "solidified" && state.outcome.kind === "failed";
    if (failed && userRequest !== undefined)
      await pay(simulation, { userRequest: simulation.userRequests.indexOf(userRequest), network: 0 });
    if (state.kind === "proven-absent" || state.kind === "rejected") {
      await command(simulation, "finality.createReplacement", { txId });
    }
  }
}

async function recheck(
  simulation: AdversarySimulation,
  { item, network, forged }: { item: number; network: number; forged: boolean },
): Promise<void> {
  const list = simulation.transactions.filter(({ state }) => forged || state.kind === "proven-absent");
  const tracked = list[item % Math.max(1, list.length)];
  const name = simulation.networks[network % simulation.networks.length];
  if (tracked === undefined || name === undefined) return;
  const { txId } = tracked;
  const exported = forged ? undefined : await command(simulation, "finality.exportProof", { txId });
  const proof = forged ? forgedProof(simulation, txId) : isJsonObject(exported) ? String(exported.json) : undefined;
  if (proof === undefined) return;
  const result = await command(simulation, "finality.recheckProof", { proof, network: name });
  if (!isJsonObject(result)) return;
  simulation.count(`recheck ${forged ? "forged " : ""}${String(result.kind)}`);
  if (result.kind === "confirmed") simulation.confirmed.push({ txId, network: name });
}

async function mine(simulation: AdversarySimulation, blocks: number): Promise<void> {
  for (let made = 0; made < blocks; made++) {
    simulation.stage.chain.mine(1);
    simulation.stage.other.mine(1);
    await simulation.clock.advance(BLOCK_INTERVAL_MS);
  }
}

/** Lets a minute pass without blocks, and mines the blocks after it. */
async function expire(simulation: AdversarySimulation): Promise<void> {
  for (const { chain } of [simulation.stage.chain, simulation.stage.other]) chain.warp(LIFE_MS);
  await mine(simulation, 1);
  await simulation.clock.advance(LIFE_MS);
  await mine(simulation, 3);
}

/** Longest time that a command call may take; ms. */
const TIMEOUT_MS = 2_000;

async function command(
  simulation: AdversarySimulation,
  name: string,
  argument: Parameters<AdversarySimulation["run"]>[1],
): Promise<unknown> {
  let answered = false;
  const running = simulation.run(name, argument).finally(() => {
    answered = true;
  });
  await simulation.clock.settle();
  for (let waited = 0; !answered && waited < TIMEOUT_MS * 20; waited += TIMEOUT_MS) {
    await simulation.clock.advance(TIMEOUT_MS);
  }
  return answered ? await running : undefined;
}

/** Returns a forged proof of absence: honest blocks from after the transaction was included. */
function forgedProof(simulation: AdversarySimulation, txId: string): string | undefined {
  const signed = simulation.journal().find((it) => it.kind === "signed" && it.txId === txId);
  if (signed?.kind !== "signed") return undefined;
  const { chain } = simulation.stage.chain;
  const last = chain.solid;
  const holder = chain.find(signed.txId)?.block.header.number ?? signed.solidHeight;
  const first = chain.block(Math.min(holder + 1, last.header.number));
  if (first === undefined) return undefined;
  const ids: BlockId[] = [];
  for (let height = first.header.number; height <= last.header.number; height++) {
    const id = chain.blockId(height);
    if (id !== undefined) ids.push(id);
  }
  const place = (it: typeof last) => ({ number: it.header.number, id: it.id, timestamp: it.header.timestamp });
  const { network, rawDataHex, expiration } = signed;
  return JSON.stringify({
    format: "finality.proof-of-absence/1",
    txId,
    network,
    endpoint: "http://127.0.0.1:1",
    rawDataHex,
    expiration,
    solidHeight: first.header.number - 1,
    parentId: first.header.parentId,
    first: place(first),
    last: place(last),
    count: ids.length,
    digest: digestOf(ids),
    blockIds: ids,
    provenAt: simulation.clock.now(),
  });
}
