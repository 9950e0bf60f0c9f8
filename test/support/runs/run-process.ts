import { createDispatcher } from "../../../packages/client/src/gateway/http/http-dispatcher.ts";
import { createHttpGateway } from "../../../packages/client/src/gateway/http/http-gateway.ts";
import { parseNetworkProfile } from "../../../packages/client/src/gateway/network-settings.ts";
import { RUN_VERSION, type RunStore } from "../../../packages/client/src/runs/run-store.ts";
import { RunWorker } from "../../../packages/client/src/runs/run-worker.ts";
import { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
import { FileRunStore } from "../../../packages/node/src/runs/file-run-store.ts";
import { RunJournal } from "../../../packages/node/src/runs/run-journal.ts";
import { systemClock as clock } from "../../../packages/node/src/system-clock.ts";
import { addSignature } from "../../../packages/tron/src/transaction/sign-transaction.ts";
import { parsePrivateKey } from "../../../packages/tron/src/transaction/signature.ts";

/** Steps of a row, after each of which the process can be killed. */
export const KILL_STEPS = [
  ...(["claim", "sign", "attempt-line", "commit", "broadcast-started", "send", "broadcast-answered"] as const),
] as const;

export type KillStep = (typeof KILL_STEPS)[number];

/** Arguments of a process that executes a run; JSON in the first argument. */
export interface RunProcessOptions {
  readonly folder: string;
  readonly url: string;
  readonly run: string;
  readonly key: string;
  /** Step after which the process kills itself; undefined for a process that finishes the run. */
  readonly killAfter?: KillStep;
  readonly concurrency: number;
}

async function main(options: RunProcessOptions): Promise<void> {
  const { folder, url, run, killAfter, concurrency } = options;
  const after = (step: KillStep): void => {
    if (step === killAfter) process.kill(process.pid, "SIGKILL");
  };
  const files = new FileRunStore(folder, clock);
  const dispatcher = createDispatcher({});
  const profile = parseNetworkProfile({ name: "test", baseUrl: url }, "test");
  const http = createHttpGateway(profile, { clock, dispatcher });
  const gateway = intercept(http, {
    broadcast: async (...args) => {
      const answer = await http.broadcast(...args);
      after("send");
      return answer;
    },
  });
  const appendSigned = RunJournal.prototype.appendSigned;
  RunJournal.prototype.appendSigned = async function (entry) {
    after("attempt-line");
    await appendSigned.call(this, entry);
  };
  const journal = files.journal;
  const store: RunStore = intercept<RunStore>(files, {
    claim: async (...args) => {
      const claims = await files.claim(...args);
      if (claims.length > 0) after("claim");
      return claims;
    },
    commitAttempt: async (...args) => {
      const result = await files.commitAttempt(...args);
      after("commit");
      return result;
    },
  });
  const afterEntries = (entries: readonly { readonly kind: string }[]): void => {
    for (const { kind } of entries) if (kind === "broadcast-started" || kind === "broadcast-answered") after(kind);
  };
  const tracker = new TransactionTracker({
    store: intercept(journal, {
      append: async (entries) => {
        await journal.append(entries);
        afterEntries(entries);
      },
      appendInOrder: async (entries) => {
        const behind = await journal.appendInOrder(entries);
        afterEntries(entries);
        return behind;
      },
    }),
    gatewayFor: async () => gateway,
    networkFor: () => "test",
    clock,
  });
  await tracker.load();
  const stored = await store.run(run);
  if (stored === undefined) throw new Error(`There is no run ${run}.`);
  const key = parsePrivateKey(options.key);
  const started = clock.now();
  // The timers of the clock do not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  const end = await new RunWorker({
    ...{ run, worker: { id: String(process.pid), version: RUN_VERSION }, store, tracker, gateway, clock, concurrency },
    network: stored.network,
    sources: { urlsOf: async () => [gateway], networkOf: () => "test", clock, signal: new AbortController().signal },
    signer: {
      address: stored.owner,
      sign: async ({ txId, rawDataHex }) => {
        const signed = addSignature({ txId, rawDataHex, signatures: [] }, key);
        after("sign");
        return signed;
      },
    },
    lifetimeMs: 36_000_000,
    leaseMs: 10_000,
    warn: (message) => process.stderr.write(`${message}\n`),
  }).run(new AbortController().signal);
  process.stdout.write(`${JSON.stringify({ ...end, ms: clock.now() - started })}\n`);
  clearInterval(alive);
  tracker.dispose();
  await store.close();
  await dispatcher.close();
}

/** Returns an object with other methods; the rest is bound to the original. */
function intercept<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(object, name, object);
      return typeof value === "function" ? value.bind(object) : value;
    },
  });
}

const [, file, json] = process.argv;
if (file === import.meta.filename && json !== undefined) await main(JSON.parse(json));
