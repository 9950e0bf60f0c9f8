import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createInterface } from "node:readline";
import { setInterval as every } from "node:timers";
import { ChainError } from "@finality/tron/errors";
import { chainProof, isJsonObject, type JsonObject, parseJson, printJson } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Log } from "../log/log.ts";
import { type LocalChainReady, parseReadyLine } from "./local-chain-ready.ts";

const START_MS = 20_000;
/** One malloc arena for all threads: with several, glibc retains 10 MB more. */
const LEAN = { MALLOC_ARENA_MAX: "1" };
/** Interval at which a process of another window is checked; ms. */
const CHECK_INTERVAL_MS = 2_000;

/** A local chain in a process of its own. */
export interface LocalChainProcess {
  readonly pid: number;
  readonly ready: LocalChainReady;
  /** Resolves when the process has ended, for any reason. */
  readonly exited: Promise<void>;
  /** Ends the process. */
  stop(): void;
}

export interface LocalChainOptions {
  /** dist/local-chain.js */
  readonly program: string;
  readonly blockTimeMs: number;
  readonly log: Log;
}

/**
 * Starts the embedded chain. It ends with this process, because its standard input is a pipe of this process.
 *
 * @throws {ChainError} `LOCAL_CHAIN_FAILED`
 */
export async function startLocalChainProcess(options: LocalChainOptions): Promise<LocalChainProcess> {
  const { program, blockTimeMs, log } = options;
  const args = [program, "--port", "0", "--block-time", String(blockTimeMs), "--like-mainnet", "--exit-with-parent"];
  const env = { ...LEAN, ...process.env, ELECTRON_RUN_AS_NODE: "1", NODE_OPTIONS: "" };
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.stderr.setEncoding("utf8").on("data", (text: string) => log.info(`Local chain: ${text.trimEnd()}`));
  try {
    const ready = parseReadyLine(await firstLine(child));
    return { pid: child.pid ?? 0, ready, exited, stop: () => void child.kill() };
  } catch (error) {
    child.kill();
    throw error;
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => fail(t`it did not answer within ${START_MS / 1000} s`), START_MS);
    const fail = (reason: string): void => {
      clearTimeout(late);
      reject(new ChainError("LOCAL_CHAIN_FAILED", { reason }));
    };
    child.once("error", (error) => fail(error.message));
    child.once("exit", (code) => fail(t`it exited with code ${String(code)}`));
    if (child.stdout === null) return fail(t`it has no output`);
    createInterface(child.stdout).once("line", (line) => {
      clearTimeout(late);
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

/** Calls once when a process that is not a child has ended. */
export function watchProcess(pid: number, onGone: () => void): { dispose(): void } {
  const timer = every(() => {
    if (isProcessRunning(pid)) return;
    clearInterval(timer);
    onGone();
  }, CHECK_INTERVAL_MS);
  timer.unref();
  return { dispose: () => clearInterval(timer) };
}

const PATIENCE_MS = 10_000;

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
    const answer = await fetch(`${baseUrl}/local/${control}`, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) });
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
