import type { Claim } from "../../../packages/client/src/runs/run-store.ts";
import type { Mutation } from "../random/mutants.ts";
import type { SimulatedRun, StoreBug } from "./run-simulation.ts";

/** A deliberate bug of the worker or of its store, and the finding of the simulation that reveals it. */
export interface RunBug {
  readonly name: string;
  readonly reveals: "twice" | "lost" | "unknown" | "unproven";
  readonly mutations: readonly Mutation[];
  readonly storeBug?: () => StoreBug;
  readonly createsAgain?: true;
}

const WORKER = "/packages/client/src/runs/run-worker.ts";
const RETRY = "/packages/client/src/runs/run-retry.ts";
const LEASE_MS = 30_000;
const NAMED = (claim: Claim): string => `${claim.run} ${claim.row}`;

/** Adds any attempt, whatever the row has; only the fence counts, if at all. */
function withoutAttemptCheck(isFenced: boolean): StoreBug {
  const newest = new Map<string, Claim>();
  return (store) =>
    new Proxy(store, {
      get: (inner, name) => {
        if (name === "claim") {
          return async (...args: Parameters<typeof inner.claim>) => {
            const claims = await inner.claim(...args);
            for (const claim of claims) newest.set(NAMED(claim), claim);
            return claims;
          };
        }
        if (name === "commitAttempt") {
          return async (...[claim, entry]: Parameters<typeof inner.commitAttempt>) => {
            const [row] = await inner.rows(claim.run, { from: claim.row, limit: 1 });
            const attempts = row?.attempts ?? [];
            const last = attempts.at(-1);
            const held = newest.get(NAMED(claim)) ?? claim;
            if (last !== undefined) await inner.permitRetry(claim.run, claim.row, last, { kind: "proof", message: "" });
            await inner.extend([held], LEASE_MS);
            const used = isFenced ? claim : held;
            return await inner.commitAttempt({ ...used, attempts }, entry);
          };
        }
        const value: unknown = Reflect.get(inner, name);
        return typeof value === "function" ? value.bind(inner) : value;
      },
    });
}

/** Gives each row to one worker only, as a queue that forgets an order once it was fetched. */
function withoutTakeover(): StoreBug {
  const taken = new Set<string>();
  return (store) =>
    new Proxy(store, {
      get: (inner, name) => {
        const value: unknown = Reflect.get(inner, name);
        if (name !== "claim") return typeof value === "function" ? value.bind(inner) : value;
        return async (...args: Parameters<typeof inner.claim>) => {
          const claims = await inner.claim(...args);
          return claims.filter((it) => {
            const isNew = !taken.has(NAMED(it));
            taken.add(NAMED(it));
            return isNew;
          });
        };
      },
    });
}

/** Forgets the keys of earlier runs. */
const withoutKeys: StoreBug = (store) =>
  new Proxy(store, {
    get: (inner, name) => {
      const value: unknown = Reflect.get(inner, name);
      if (name !== "create") return typeof value === "function" ? value.bind(inner) : value;
      return async (...[run, rows]: Parameters<typeof inner.create>) =>
        await inner.create(
          run,
          rows.map((it) => ({ ...it, key: `${it.key}#${run.id}` })),
        );
    },
  });

export const runBugs: readonly RunBug[] = [
  { name: "no fencing", reveals: "twice", mutations: [], storeBug: () => withoutAttemptCheck(false) },
  {
    name: "retry without proof",
    reveals: "twice",
    mutations: [
      {
        file: RETRY,
        from: "  const { createReplacement, doItAgain } = decideActions(last);\n  if (createReplacement.allowed)",
        to: `  if (last.state.kind === "unknown") return { kind: "permitted", isReplacement: false, reason: { kind: "proof", message: "" } };
  const { createReplacement, doItAgain } = decideActions(last);\n  if (createReplacement.allowed)`,
      },
      { file: WORKER, from: `tracked?.state.kind === "proven-absent" &&`, to: `tracked?.state.kind === "unknown" &&` },
    ],
  },
  { name: "claim before commit", reveals: "lost", mutations: [], storeBug: withoutTakeover },
  { name: "expiry of keys", reveals: "twice", mutations: [], storeBug: () => withoutKeys, createsAgain: true },
  {
    name: "broadcast before commit",
    reveals: "unknown",
    mutations: [
      {
        file: WORKER,
        from: "const result = await this.#commit(held, entry);",
        to: `await this.#options.gateway.broadcast({ txId, rawDataHex, signatures });
      const result = await this.#commit(held, entry);`,
      },
    ],
  },
  {
    name: "lost acknowledgement taken as failure",
    reveals: "unproven",
    mutations: [
      {
        file: WORKER,
        from: "if (!isUnknown && (tries === 0",
        to: `if (isUnknown) return "tx-id-used";
        if (!isUnknown && (tries === 0`,
      },
    ],
    storeBug: () => withoutAttemptCheck(true),
  },
  {
    name: "takeover signs anew",
    reveals: "twice",
    mutations: [
      { file: WORKER, from: "const isNew = last === undefined || last === retryAfter;", to: "const isNew = true;" },
      {
        file: WORKER,
        from: "last === undefined ? NO_RETRY : await",
        to: "last === undefined || last !== claim.retryAfter ? NO_RETRY : await",
      },
    ],
    storeBug: () => withoutAttemptCheck(true),
  },
];

/** Returns true if a simulated run shows the bug. */
export function isRevealed(run: SimulatedRun, { reveals }: RunBug): boolean {
  return run[reveals].length > 0;
}
