import { setFlagsFromString } from "node:v8";
import { chainIdentity, defined, printJson } from "@finality/tron/primitives";
import { traceToJson } from "@finality/tron/traces";
import { type CommandLine, readCommandLine } from "./command-line.ts";
import { ChainFolder } from "./data/chain-folder.ts";
import { baseUrlIn, type ForkPoint, readForkPoint } from "./fork/fork-point.ts";
import { NetworkClient } from "./fork/network-client.ts";
import { NetworkOrigin } from "./fork/network-origin.ts";
import { sendThroughParent } from "./fork/parent-requests.ts";
import { LOOPBACK, listen } from "./node-server.ts";
import {
  completeOptions,
  createSimulation,
  type FundedAccount,
  type LocalChainOptions,
  type Simulation,
} from "./simulation/simulation.ts";

/** Line that the program prints once it accepts requests. */
export interface ReadyLine {
  readonly ready: true;
  readonly baseUrl: string;
  readonly faucet: FundedAccount;
  readonly accounts: readonly FundedAccount[];
  /** Secret that proves the identity of the chain: see `POST /local/prove`. No endpoint returns it. */
  readonly proof: string;
}

export interface LocalChain {
  readonly baseUrl: string;
  readonly ready: ReadyLine;
  /** Simulation behind the server, for tests in the same process. */
  readonly simulation: Simulation;
  /** Resolves when the chain has ended: by `close`, on request, or because its lease or its folder is gone. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a chain in this process, which serves the node's HTTP interface on the loopback address.
 *
 * @throws {Error} the port is taken, or an option is invalid
 */
export async function startLocalChain(options: LocalChainOptions = {}): Promise<LocalChain> {
  const forkPoint = await forkPointOf(options);
  const complete = completeOptions({ ...options, ...defined({ forkPoint }) });
  const folder = options.data === undefined ? undefined : new ChainFolder(options.data, complete);
  try {
    const used = completeOptions(folder?.options ?? complete);
    const items = folder?.networkItems();
    const origin = forkPoint && new NetworkOrigin(forkPoint, items?.values, items?.file);
    const simulation = await createSimulation(used, origin);
    folder?.resume(simulation);
    return await serve(simulation, used, folder);
  } catch (error) {
    folder?.close();
    throw error;
  }
}

/** Returns where the chain was forked: as its folder has it, or the present head of the network. */
async function forkPointOf({ fork, data, forkPoint }: LocalChainOptions): Promise<ForkPoint | undefined> {
  const stored = forkPoint ?? (data === undefined ? undefined : ChainFolder.forkPointIn(data));
  if (fork === undefined || stored?.url === baseUrlIn(fork)) return stored;
  return await readForkPoint(new NetworkClient(baseUrlIn(fork)));
}

async function serve(
  simulation: Simulation,
  { port = 0, host = LOOPBACK, allowRemote = false, log, leaseMs = 0 }: LocalChainOptions,
  folder: ChainFolder | undefined,
): Promise<LocalChain> {
  const server = await listen(simulation, { port, host, allowRemote, log });
  simulation.producer.start();
  const { baseUrl } = server;
  const { faucet, accounts, identity: self, lifetime } = simulation;
  self.baseUrl = baseUrl;
  folder?.announce({ baseUrl, chain: chainIdentity(self.secret) });
  const ended = Promise.withResolvers<void>();
  let isClosing = false;
  const close = async (): Promise<void> => {
    if (isClosing) return await ended.promise;
    isClosing = true;
    lifetime.close();
    simulation.producer.stop();
    await server.close();
    folder?.close();
    ended.resolve();
  };
  const end = (): void => void close().catch(ended.reject);
  lifetime.onEnd(end);
  lifetime.renew(leaseMs);
  folder?.onLost(end);
  return {
    baseUrl,
    simulation,
    ready: { ready: true, baseUrl, faucet, accounts, proof: self.secret },
    ended: ended.promise,
    close,
  };
}

/**
 * Starts the chain that command-line flags describe. Returns the text of the help for `--help`.
 *
 * @throws {Error} as `startLocalChain`, or a flag is invalid
 */
export async function startFromFlags(args: readonly string[]): Promise<LocalChain | string> {
  const commandLine = await readCommandLine(args);
  return commandLine.kind === "start" ? await startLocalChain(commandLine.options) : await outputOf(commandLine);
}

/** Steps of a replay with values, so that lines and keys of mappings are known. */
const REPLAY_OPTIONS = { steps: true, stack: true, memory: true, maxSteps: 200_000 } as const;

/** Returns what a run without a chain prints. @throws {Error} the network or the record does not give what it needs */
async function outputOf(commandLine: Exclude<CommandLine, { kind: "start" }>): Promise<string> {
  if (commandLine.kind === "help") return commandLine.text;
  const { recordCall, replayFailure } = await import("./records/failure-record.ts");
  const { file, isFromParent } = commandLine;
  const send = isFromParent ? sendThroughParent() : undefined;
  if (commandLine.kind === "record") {
    // The parent has checked the URL of its network.
    const network = new NetworkClient(isFromParent ? commandLine.url : baseUrlIn(commandLine.url), send);
    return `${printJson({ items: await recordCall(network, (await firstLineOfInput()).trim(), file) })}\n`;
  }
  const { trace, ...rest } = await replayFailure(file, commandLine.txId, { ...REPLAY_OPTIONS, send });
  return `${printJson({ ...rest, changed: rest.changed.map((it) => ({ ...it })), trace: traceToJson(trace) })}\n`;
}

/**
 * V8 flags that limit heap growth: under load the new space would grow to 64 MB and the rest to a multiple of its use,
 * without any gain in speed.
 */
const KEEP_SMALL = ["--semi-space-growth-factor=1", "--heap-growing-percent=20"];

/**
 * Runs the program: prints the ready line, and ends when the chain ends, with its parent or on a signal.
 *
 * @throws {Error} as `startLocalChain`, or a flag is invalid
 */
export async function runProgram(args: readonly string[]): Promise<void> {
  for (const flag of KEEP_SMALL) setFlagsFromString(flag);
  const commandLine = await readCommandLine(args);
  if (commandLine.kind !== "start") {
    process.stdout.write(await outputOf(commandLine));
    if (process.connected) process.disconnect();
    return;
  }
  const secret = commandLine.readsProof ? await firstLineOfInput() : undefined;
  const chain = await startLocalChain({ ...commandLine.options, ...defined({ secret }) });
  const end = (): void => void chain.close();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  if (commandLine.exitWithParent) {
    process.stdin.resume();
    process.stdin.once("end", end);
    process.stdin.once("error", end);
  }
  process.stdout.write(`${JSON.stringify(chain.ready)}\n`);
  await chain.ended;
  process.exit(0);
}

/** Reads the secret of the chain, which would be visible to other programs as an argument. */
async function firstLineOfInput(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.split("\n", 1)[0] ?? "";
}
