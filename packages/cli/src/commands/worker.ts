import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Gateway } from "@finality/client/gateway";
import { TransactionTracker } from "@finality/client/tracking";
import { systemClock as clock } from "@finality/node/system-clock";
import { printJson, toBase58, visibleText } from "@finality/tron/primitives";
import { addressNamed } from "../call-context.ts";
import { CliError } from "../cli-error.ts";
import type { Context, Invocation, RunCommand } from "../command.ts";
import { type KeySource, openKeySource } from "../key-source.ts";
import { serveMetrics } from "../metrics.ts";
import { type Connection, chooseNetwork, connect } from "../network.ts";
import { openPostgresStore, storeUrl } from "../postgres-store.ts";
import { StoreWorker, type StoreWorkerOptions } from "../store-worker.ts";

/** Executes the rows of all runs of a store that belong to its network and its key, until a signal ends it. */
export const runWorker: RunCommand = async (invocation, context) => {
  const { terminal } = context;
  const options = readOptions(invocation, context);
  const end = new AbortController();
  const stop = (): void => end.abort();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  const network = await chooseNetwork(invocation, terminal, undefined);
  const { addresses } = network.configuration;
  const key = await openKeySource(invocation, terminal, (name) => addressNamed(name, addresses));
  if (key.isExternal)
    throw new CliError("USAGE", {
      cause: "A worker cannot use --signer: another program could send the bytes itself.",
    });
  const connection = connect(network);
  try {
    await workOn({ invocation, context, connection, key, options }, end.signal);
  } finally {
    await connection.close();
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, stop);
  }
  return { result: { ended: true }, text: "The worker has ended.\n" };
};

interface WorkerArguments {
  readonly invocation: Invocation;
  readonly context: Context;
  readonly connection: Connection;
  readonly key: KeySource;
  readonly options: ReturnType<typeof readOptions>;
}

async function workOn(args: WorkerArguments, signal: AbortSignal): Promise<void> {
  const { invocation, context, connection, key, options } = args;
  const { profile, gateway, sources } = connection;
  const chain = await connection.chain();
  if (chain === undefined)
    throw new CliError("USAGE", { cause: `${profile.name} does not have its first block, so its chain is unknown.` });
  const scope = { chain, owner: key.address };
  const store = await openPostgresStore(options.url, { invocation, terminal: context.terminal, scope });
  const gatewayFor = async (): Promise<Gateway> => gateway;
  const networkFor = (): string => profile.name;
  const tracker = new TransactionTracker({
    ...{ store: store.journal, gatewayFor, networkFor, sourcesFor: async () => sources, clock },
    log: (message) => options.log("warning", message),
  });
  try {
    for (const warning of await tracker.load()) options.log("warning", warning);
    const network = { network: profile.name, chain };
    const worker = new StoreWorker({ ...options, store, tracker, connection, network, key });
    const { port, host } = options;
    const metrics =
      port === undefined
        ? undefined
        : await serveMetrics(
            { port, host },
            () => worker.figures(),
            () => worker.currentIssue(),
          );
    options.log("info", "The worker is ready.", {
      worker: options.id,
      account: toBase58(key.address),
      ...(metrics && { metrics: metrics.url }),
    });
    await worker.run(signal);
    await metrics?.close();
  } finally {
    tracker.dispose();
    await store.close();
  }
}

/** @throws {CliError} `USAGE` */
function readOptions(invocation: Invocation, { terminal, output }: Context) {
  const url = storeUrl(invocation, terminal);
  if (url === undefined) throw new CliError("USAGE", { cause: "A worker needs --store, the URL of its database." });
  const log: StoreWorkerOptions["log"] = (level, message, fields = {}) => {
    const time = new Date().toISOString();
    const details = Object.entries(fields).map(([name, value]) => ` ${name}=${visibleText(printJson(value ?? null))}`);
    output("log", { time, level, message, fields }, `${time} ${level} ${visibleText(message)}${details.join("")}\n`);
  };
  return {
    url,
    log,
    id: `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`,
    concurrency: numberOf(invocation, "concurrency", { or: 16, most: 256 }),
    leaseMs: 1_000 * numberOf(invocation, "lease", { or: 30, most: 3_600 }),
    endsWhenFinished: invocation.isOn("exit-when-finished"),
    webhook: webhookOf(invocation, terminal.env),
    port:
      invocation.text("metrics") === undefined ? undefined : numberOf(invocation, "metrics", { or: 0, most: 65_535 }),
    host: invocation.text("metrics-host"),
  };
}

function numberOf(invocation: Invocation, option: string, { or, most }: { or: number; most: number }): number {
  const text = invocation.text(option);
  if (text === undefined) return or;
  const least = option === "metrics" ? 0 : 1;
  if (/^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new CliError("USAGE", { cause: `--${option} has to be a number from ${least} to ${most}, not "${text}".` });
}

/** @throws {CliError} `USAGE` without a secret, or for a URL that is not encrypted */
function webhookOf(invocation: Invocation, env: Readonly<Record<string, string | undefined>>) {
  const url = invocation.text("webhook");
  if (url === undefined) return undefined;
  const parsed = URL.parse(url);
  const isLocal = parsed !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(parsed.hostname);
  if (parsed?.protocol !== "https:" && !(isLocal && parsed.protocol === "http:"))
    throw new CliError("USAGE", { cause: "--webhook has to be a URL with https, or http on this computer." });
  const secret = env.FINALITY_WEBHOOK_SECRET ?? "";
  if (secret.length < SHORTEST_SECRET)
    throw new CliError("USAGE", {
      cause: `FINALITY_WEBHOOK_SECRET has to be a secret of at least ${SHORTEST_SECRET} characters, which signs the webhooks.`,
    });
  return { url, secret };
}

const SHORTEST_SECRET = 16;
