import fc from "fast-check";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { kindsInOrder } from "../chain/every-kind.ts";
import { type ArmedCrash, POINTS, type Vandalism } from "../simulated-host/machine.ts";
import type { OwnKind } from "../tracking/intents.ts";
import { checkEnd, checkMemory, checkPromises, isResolved } from "./oracle.ts";
import { type ModelWindow, type SharedFile, type Simulation, sendElsewhere } from "./simulation.ts";

/** One step of a schedule. */
type Step =
  | { readonly kind: "send"; window: number; userRequest: number; lifeMs: number; careless: boolean }
  | { readonly kind: "share"; window: number; lifeMs: number; careless: boolean }
  | { readonly kind: "co-sign"; window: number; file: number; key: number }
  | { readonly kind: "send-elsewhere"; file: number }
  | { readonly kind: "press"; window: number; item: number; button: number; careless: boolean }
  | { readonly kind: "wait"; ms: number }
  | { readonly kind: "mine"; blocks: number }
  | { readonly kind: "warp"; ms: number }
  | { readonly kind: "faults"; faults: readonly JsonObject[]; seed: string }
  | { readonly kind: "calm" }
  | { readonly kind: "fork"; blocks: number; transactions: "return" | "lost" }
  | { readonly kind: "arm"; crash: ArmedCrash }
  | { readonly kind: "kill"; window: number }
  | { readonly kind: "power-cut"; kept: number }
  | { readonly kind: "open" }
  | { readonly kind: "close"; window: number }
  | { readonly kind: "disk"; room: number }
  | { readonly kind: "slow"; ms: number }
  | { readonly kind: "jump"; ms: number }
  | { readonly kind: "fund" }
  | { readonly kind: "misplace"; at: number; ranges: number }
  | { readonly kind: "freeze"; window: number }
  | { readonly kind: "vandalise"; how: Vandalism };

export const STEP_KINDS: readonly Step["kind"][] = [
  ...([
    "send",
    "share",
    "co-sign",
    "send-elsewhere",
    "press",
    "wait",
    "mine",
    "warp",
    "faults",
    "calm",
    "fork",
    "arm",
  ] as const),
  ...([
    "kill",
    "power-cut",
    "open",
    "close",
    "disk",
    "slow",
    "jump",
    "fund",
    "misplace",
    "freeze",
    "vandalise",
  ] as const),
];

export interface Schedule {
  /** Error of the machine's clock; ms. */
  readonly skewMs: number;
  /** Kinds of the transactions that the user requests. */
  readonly kinds: readonly OwnKind[];
  readonly steps: readonly Step[];
}

const HOUR_MS = 3_600_000;
const rate = fc.constantFrom(1, 0.5, 0.2);
const fault = (name: string, fields: { readonly [name: string]: fc.Arbitrary<number | string> } = {}) =>
  fc.record({ name: fc.constant(name), rate, ...fields }) as fc.Arbitrary<JsonObject>;
/** The two views may come from different nodes, and reading from others than writing. */
const path = fc.constantFrom("*", "/wallet/*", "/walletsolidity/*", "*/broadcast*");

/** Every kind of fault that the local chain has. */
const anyFault: fc.Arbitrary<JsonObject> = fc.oneof(
  fault("lost-answer", { path }),
  fault("reset-before", { path }),
  fault("truncated-body", { path }),
  fault("not-json", { path }),
  fault("http-status", { path }),
  fault("http-status-after", { path }),
  fault("rate-limit", { form: fc.constantFrom("seconds", "date", "none") }),
  fault("latency", { ms: fc.constantFrom(200, 3_000, 40_000), when: fc.constantFrom("before", "after") }),
  fault("connection-refused", { ms: fc.constantFrom(1_000, 20_000) }),
  fault("stale-head", { blocks: fc.constantFrom(2, 8, 40), path }),
  fault("duplicate-answer"),
  fault("duplicate-cache"),
  fault("pool-full"),
  fault("false-refusal", {
    code: fc.constantFrom("CONTRACT_VALIDATE_ERROR", "SIGERROR", "BANDWITH_ERROR", "TRANSACTION_EXPIRATION_ERROR"),
  }),
  fault("jwt-refusal", { how: fc.constantFrom("drop", "hang", "401") }),
  fault("clock-skew", { ms: fc.constantFrom(-HOUR_MS, HOUR_MS) }),
  fault("reorganisation", { blocks: fc.integer({ min: 1, max: 3 }), transactions: fc.constantFrom("return", "lost") }),
  fault("solidification-stopped"),
);

/** Faults that would make the second answer to a repeated request differ from the first. */
const NOT_AT_ONCE = ["reorganisation", "latency", "rate-limit", "pool-full", "http-status", "jwt-refusal"];

/** A gateway repeats a request at once. A wait until a date takes an hour if the clock is an hour off. */
function isBelievable(faults: readonly JsonObject[]): boolean {
  const names = faults.map(({ name }) => name);
  const repeatsAtOnce = !names.includes("duplicate-answer") || !NOT_AT_ONCE.some((it) => names.includes(it));
  const obeyable = !(names.includes("rate-limit") && names.includes("clock-skew"));
  return repeatsAtOnce && obeyable;
}

const window = fc.nat({ max: 1 });
const careless = fc.boolean();
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("send" as const),
      window,
      userRequest: fc.nat({ max: 2 }),
      careless,
      lifeMs: fc.constantFrom(6_000, 3_000, 9_000, 30_000, 60_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("share" as const),
      window,
      careless,
      lifeMs: fc.constantFrom(9_000, 30_000, 60_000),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("co-sign" as const),
      window,
      file: fc.nat({ max: 2 }),
      key: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("send-elsewhere" as const), file: fc.nat({ max: 2 }) }),
  },
  {
    weight: 16,
    arbitrary: fc.record({
      kind: fc.constant("press" as const),
      window,
      careless,
      item: fc.nat({ max: 5 }),
      button: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(50, 1_000, 5_000, 40_000) }),
  },
  { weight: 9, arbitrary: fc.record({ kind: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("warp" as const), ms: fc.constantFrom(6_000, 60_000) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("faults" as const),
      faults: fc.array(anyFault, { minLength: 1, maxLength: 3 }).filter(isBelievable),
      seed: fc.nat({ max: 99 }).map(String),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: "calm" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("fork" as const),
      blocks: fc.integer({ min: 1, max: 4 }),
      transactions: fc.constantFrom("return" as const, "lost" as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("arm" as const),
      crash: fc.record({
        point: fc.constantFrom(...POINTS),
        after: fc.integer({ min: 1, max: 4 }),
        how: fc.constantFrom("kill" as const, "power-cut" as const),
        kept: fc.constantFrom(0, 0.5, 1),
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("kill" as const), window }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("power-cut" as const), kept: fc.constantFrom(0, 0.5, 1) }) },
  { weight: 4, arbitrary: fc.constant({ kind: "open" as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const), window }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("disk" as const), room: fc.constantFrom(0, 300, 1e9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("slow" as const), ms: fc.constantFrom(0, 5, 30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("jump" as const), ms: fc.constantFrom(-HOUR_MS, HOUR_MS) }) },
  { weight: 1, arbitrary: fc.constant({ kind: "fund" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("misplace" as const),
      at: fc.nat({ max: 9 }),
      ranges: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("freeze" as const), window }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("vandalise" as const),
      how: fc.constantFrom("removed" as const, "emptied" as const, "replaced" as const),
    }),
  },
);

/** Two payments, which can be repeated, or two of all kinds of transactions. */
const kinds: fc.Arbitrary<readonly OwnKind[]> = fc.oneof(fc.constant<readonly OwnKind[]>(["transfer", "transfer"]), {
  weight: 2,
  arbitrary: fc.uniqueArray(fc.constantFrom(...kindsInOrder), { minLength: 2, maxLength: 2 }),
});

export const anySchedule: fc.Arbitrary<Schedule> = fc
  .record({
    skewMs: fc.constantFrom(0, HOUR_MS, -HOUR_MS),
    kinds,
    steps: fc.array(step, { minLength: 8, maxLength: 30, size: "max" }),
  })
  .map((it) => (it.steps.some(refusesFalsely) ? { ...it, steps: it.steps.map(withoutStaleViews) } : it));

function refusesFalsely(it: Step): boolean {
  return it.kind === "faults" && it.faults.some(({ name }) => name === "false-refusal");
}

/**
 * A gateway that accepts bytes, refuses them and then shows an old view is the forgery `refusal` of
 * docs/security.md.
 */
function withoutStaleViews(it: Step): Step {
  return it.kind === "faults" ? { ...it, faults: it.faults.filter(({ name }) => name !== "stale-head") } : it;
}

/** Plays a schedule and checks the promises after each step and at the end. @throws {BrokenPromise} */
export async function play(simulation: Simulation, { steps }: Schedule): Promise<void> {
  for (const it of steps) {
    await perform(simulation, it);
    await simulation.clock.settle();
    simulation.count(`step ${it.kind}`);
    checkPromises(simulation);
  }
  await heal(simulation);
  const window = simulation.windows.find((it) => !simulation.isFrozen(it));
  if (window !== undefined) checkEnd(simulation, window);
  await remember(simulation);
}

async function perform(simulation: Simulation, step: Step): Promise<void> {
  const { machine, chain, clock } = simulation;
  switch (step.kind) {
    case "send": {
      const userRequest = simulation.userRequests[step.userRequest];
      if (userRequest !== undefined) simulation.send(windowAt(simulation, step.window), userRequest, step);
      return;
    }
    case "share": {
      const userRequest = simulation.userRequests[SHARED];
      if (userRequest !== undefined) simulation.share(windowAt(simulation, step.window), userRequest, step);
      return;
    }
    case "co-sign": {
      const file = fileAt(simulation, step.file);
      if (file !== undefined) simulation.coSign(windowAt(simulation, step.window), file, step.key);
      return;
    }
    case "send-elsewhere": {
      const file = fileAt(simulation, step.file);
      if (file !== undefined) sendElsewhere(simulation, file);
      return;
    }
    case "press": {
      const at = windowAt(simulation, step.window);
      const list = at.transactions.list();
      const tracked = list[step.item % Math.max(1, list.length)];
      if (tracked !== undefined) simulation.press(at, tracked, step.button, step.careless);
      return;
    }
    case "wait":
      return await clock.advance(step.ms);
    case "mine":
      for (let made = 0; made < step.blocks; made++) await tick(simulation, 1_000);
      return;
    case "warp":
      chain.warp(step.ms);
      return;
    case "faults":
      return simulation.port.setFaults(step.faults, step.seed);
    case "calm":
      return calm(simulation);
    case "fork":
      if (chain.unsolidified > 0) chain.fork(Math.min(step.blocks, chain.unsolidified), step.transactions);
      return;
    case "arm":
      return machine.arm(step.crash);
    case "kill": {
      const victim = simulation.windows[step.window];
      if (victim !== undefined) machine.kill(victim.id);
      return;
    }
    case "power-cut":
      return machine.powerCut(step.kept);
    case "open":
      if (simulation.windows.length < 2) simulation.open();
      return;
    case "close": {
      const closing = simulation.windows[step.window];
      if (closing !== undefined) simulation.close(closing);
      return;
    }
    case "disk":
      machine.room = step.room;
      return;
    case "slow":
      machine.delay = step.ms;
      return;
    case "jump":
      return clock.jump(step.ms);
    case "misplace":
      return simulation.port.misplace(step.at, step.ranges);
    case "freeze": {
      const vanished = simulation.windows[step.window];
      if (vanished !== undefined) simulation.freeze(vanished);
      return;
    }
    case "vandalise":
      return await vandalise(simulation, step.how);
    case "fund":
      return await simulation.port.control("fund", {
        address: String(simulation.userRequests[2]?.intent.owner),
        amount: "5000001",
      });
  }
}

/**
 * Longer than windows take to read a journal with a torn line and each other's lines, and shorter than a user
 * action; ms.
 */
const HEARD_MS = 100;
const WRITTEN_AGAIN_MS = 300;

/**
 * Changes the journal once all live windows know each other's entries and the disk takes their writes. Entries that no
 * window remembers cannot be written again.
 */
async function vandalise({ machine, clock, windows }: Simulation, how: Vandalism): Promise<void> {
  if (windows.length === 0) return;
  machine.arm(undefined);
  [machine.room, machine.delay] = [Number.POSITIVE_INFINITY, 0];
  await clock.advance(HEARD_MS);
  machine.vandalise("/journal.jsonl", how);
  await clock.advance(WRITTEN_AGAIN_MS);
}

/** Index of the request that needs several signatures. */
const SHARED = 3;

function fileAt({ files }: Simulation, index: number): SharedFile | undefined {
  return files[index % Math.max(1, files.length)];
}

/** Returns the window with this index, and opens it if needed. */
function windowAt(simulation: Simulation, index: number): ModelWindow {
  return simulation.windows[index] ?? simulation.windows[0] ?? simulation.open();
}

function calm(simulation: Simulation): void {
  const { faults } = simulation.port.simulation.faults.report() as {
    faults: readonly { name: string; hits: number }[];
  };
  for (const { name, hits } of faults) simulation.count(`fault ${name}`, hits);
  simulation.port.setFaults([], "");
}

async function tick(simulation: Simulation, ms: number): Promise<void> {
  simulation.chain.produceBlock();
  await simulation.clock.advance(ms);
}

const LONG_ENOUGH_BLOCKS = 200;
const BLOCK_MS = 3_000;

/** Ends all faults and mines blocks with a window open until each transaction is resolved, or up to a limit. */
async function heal(simulation: Simulation): Promise<void> {
  calm(simulation);
  simulation.machine.arm(undefined);
  simulation.machine.room = Number.POSITIVE_INFINITY;
  simulation.machine.delay = 0;
  if (simulation.windows.every((it) => simulation.isFrozen(it))) simulation.open();
  for (let made = 0; made < LONG_ENOUGH_BLOCKS; made++) {
    await tick(simulation, BLOCK_MS);
    if (
      made > 2 &&
      simulation.windows.every(({ transactions }) => transactions.list().every((it) => isResolved(simulation, it)))
    )
      return;
  }
}

/** Cuts the power and checks that a new window knows every transaction. */
async function remember(simulation: Simulation): Promise<void> {
  simulation.machine.powerCut(0);
  const window = simulation.open();
  await simulation.clock.advance(100);
  checkMemory(simulation, window);
}
