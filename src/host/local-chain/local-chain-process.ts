import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { setInterval as every } from "node:timers";
import { draftOf } from "@finality/node/storage";
import { ChainError } from "@finality/tron/errors";
import { chainProof, isJsonObject, type JsonObject, parseJson, printJson } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Log } from "../log/log.ts";
import { type LocalChainReady, parseReadyLine } from "./local-chain-ready.ts";

const START_MS = 60_000;
/** Exit code of the program if it cannot read the stored chain. */
const UNREADABLE_DATA = 65;
/** One malloc arena for all threads: with several, glibc retains 10 MB more. */
const LEAN = { MALLOC_ARENA_MAX: "1" };
/** Interval at which the process is checked; ms. */
const CHECK_INTERVAL_MS = 2_000;
/** Interval at which each window renews the lease; ms. */
const RENEWAL_MS = 20_000;

interface LocalChainOptions {
  /** dist/local-chain.js */
  readonly program: string;
  /** Folder with the data of the chain. */
  readonly data: string;
  /** URL of the network that the chain is a fork of. */
  readonly fork: string | undefined;
  /** Secret that will prove the identity of the chain: 32 bytes in hex. */
  readonly secret: string;
  /** URL that the chain should have again, if its port is free. */
  readonly baseUrl: string | undefined;
  readonly blockTimeMs: number;
  /** Time after which the chain ends without a renewed lease, ms; 0 for never. */
  readonly leaseMs: number;
  readonly log: Log;
}

/**
 * Starts the embedded chain in a process that outlives this one, and continues the chain in its folder.
 *
 * @throws {ChainError} `LOCAL_CHAIN_FAILED`
 */
export async function startLocalChainProcess(options: LocalChainOptions): Promise<LocalChainReady> {
  if (options.baseUrl === undefined) return await startOnPort(options, "0");
  try {
    return await startOnPort(options, new URL(options.baseUrl).port);
  } catch (error) {
    if (!(error instanceof ChainError && error.message.includes("EADDRINUSE"))) throw error;
    return await startOnPort(options, "0");
  }
}

/** @param port - 0 for any free port */
async function startOnPort(options: LocalChainOptions, port: string): Promise<LocalChainReady> {
  const { program, data, fork, secret, blockTimeMs, leaseMs, log } = options;
  const args = [
    ...[program, "--data", data, "--port", port],
    ...(fork === undefined ? ["--like-mainnet"] : ["--fork", fork]),
    ...["--block-time", String(blockTimeMs), "--lease", String(leaseMs), "--proof-from-input"],
  ];
  const env = { ...LEAN, ...process.env, ELECTRON_RUN_AS_NODE: "1", NODE_OPTIONS: "" };
  const cwd = dirname(data);
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  // Other windows may start a chain at the same time.
  const errors = draftOf(`${data}.log`);
  try {
    const output = openSync(errors, "w", 0o600);
    const child = spawn(process.execPath, args, {
      ...{ cwd, env, detached: true, windowsHide: true },
      stdio: ["pipe", "pipe", output],
    });
    closeSync(output);
    // The process may end before it has read the secret.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(`${secret}\n`);
    const ready = parseReadyLine(await firstLine(child, errors).catch((error) => abandon(child, error)));
    if (ready.proof !== secret) throw failed(t`it sent no proof of its identity`);
    renameSync(errors, `${data}.log`);
    child.stdout?.destroy();
    child.unref();
    return ready;
  } catch (error) {
    log.warn(`Local chain: ${readFileSync(errors, "utf8").trimEnd()}`);
    rmSync(errors);
    throw error instanceof ChainError ? error : failed(error instanceof Error ? error.message : String(error));
  }
}

function abandon(child: ChildProcess, error: unknown): never {
  child.kill();
  throw error;
}

function failed(reason: string, isDataUnreadable = false): ChainError {
  return new ChainError("LOCAL_CHAIN_FAILED", { reason, isDataUnreadable });
}

/** Returns the last line of the errors that a process wrote, without its period. */
function lastLine(file: string): string | undefined {
  return readFileSync(file, "utf8").trim().split("\n").at(-1)?.replace(/\.$/, "");
}

/** @param errors - file that receives the errors of the process */
function firstLine(child: ChildProcess, errors: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => fail(t`it did not answer within ${START_MS / 1000} s`), START_MS);
    const fail = (reason: string, isDataUnreadable = false): void => {
      clearTimeout(late);
      reject(failed(reason, isDataUnreadable));
    };
    child.once("error", (error) => fail(error.message));
    const onExit = (code: number | null): void =>
      fail(lastLine(errors) || t`it exited with code ${String(code)}`, code === UNREADABLE_DATA);
    child.once("exit", onExit);
    if (child.stdout === null) return fail(t`it has no output`);
    createInterface(child.stdout).once("line", (line) => {
      clearTimeout(late);
      child.off("exit", onExit);
      resolve(line);
    });
  });
}

/** Returns whether a process exists. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** A running chain that a window uses. */
interface UsedChain {
  readonly baseUrl: string;
  /** Its process; undefined if it has ended already. */
  readonly pid: number | undefined;
  /** Returns the time after which it ends without a renewal; ms. */
  leaseMs(): number;
  /** Called once when its process has ended. */
  onGone(): void;
}

/** Renews the lease of a chain, and watches its process, which is no child. */
export function holdLocalChain({ baseUrl, pid, leaseMs, onGone }: UsedChain): { dispose(): void } {
  const renew = (): void => {
    // The process is watched, so a failed renewal needs no message.
    askLocalChain(baseUrl, "lease", { ms: leaseMs() }).catch(() => undefined);
  };
  const dispose = (): void => {
    clearInterval(renewals);
    clearInterval(checks);
  };
  const renewals = every(renew, RENEWAL_MS).unref();
  const checks = every(() => {
    if (pid !== undefined && isProcessRunning(pid)) return;
    dispose();
    onGone();
  }, CHECK_INTERVAL_MS).unref();
  renew();
  return { dispose };
}

/** Returns a new secret for a chain: 32 bytes in hex. */
export function newChainSecret(): string {
  return randomBytes(32).toString("hex");
}

const TIMEOUT_MS = 10_000;

/**
 * Sends one request to the control API of the local chain. A refusal is returned too: its `error` is a sentence.
 *
 * @param body - absent for a query, which changes nothing
 * @throws {ChainError} `GATEWAY_UNREACHABLE` the local chain does not answer
 */
export async function askLocalChain(
  baseUrl: string,
  control: string,
  body?: JsonObject,
  method: "POST" | "DELETE" = "POST",
): Promise<JsonObject> {
  const request = body === undefined ? {} : { method, body: printJson(body) };
  try {
    const answer = await fetch(`${baseUrl}/local/${control}`, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const json = parseJson(await answer.text());
    if (isJsonObject(json)) return json;
  } catch (error) {
    throw unreachable(baseUrl, error instanceof Error ? error.message : String(error));
  }
  throw unreachable(baseUrl, t`its answer is not an object`);
}

function unreachable(endpoint: string, reason: string): ChainError {
  return new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason });
}

/**
 * Verifies that the URL is answered by the chain whose ready line had this secret. Ports, files and process IDs can be
 * reused, so only the secret counts.
 *
 * @throws {ChainError} `LOCAL_CHAIN_UNPROVEN` another process answers; `GATEWAY_UNREACHABLE` no answer
 */
export async function proveLocalChain(baseUrl: string, secret: string): Promise<void> {
  const challenge = randomBytes(32).toString("hex");
  const { proof } = await askLocalChain(baseUrl, "prove", { challenge });
  if (isSame(proof, chainProof(secret, baseUrl, challenge))) return;
  throw new ChainError("LOCAL_CHAIN_UNPROVEN", { baseUrl });
}

function isSame(proof: unknown, expected: string): boolean {
  return (
    typeof proof === "string" &&
    /^[0-9a-f]{64}$/.test(proof) &&
    timingSafeEqual(Buffer.from(proof), Buffer.from(expected))
  );
}
