import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setInterval as every } from "node:timers";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import type { Log } from "../log/log.ts";
import { type LocalChainReady, parseReadyLine } from "./local-chain-ready.ts";

const START_MS = 20_000;
/** One arena for all threads of the process: with several, glibc keeps 10 MB more of what was freed. */
const LEAN = { MALLOC_ARENA_MAX: "1" };
/** How often a process that another window started is looked for. */
const LOOK_MS = 2_000;

/** A local chain in a process of its own. */
export interface LocalChainProcess {
  readonly pid: number;
  readonly ready: LocalChainReady;
  /** Resolves when the process is gone, whoever ended it. */
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
 * Starts the embedded chain. It ends with this process, however this ends: its standard input is a pipe that we hold.
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
    child.once("exit", (code) => fail(t`it ended with code ${String(code)}`));
    if (child.stdout === null) return fail(t`it has no output`);
    createInterface(child.stdout).once("line", (line) => {
      clearTimeout(late);
      resolve(line);
    });
  });
}

/** Whether a process is there. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Calls once when a process is gone that is no child of ours. */
export function watchProcess(pid: number, onGone: () => void): { dispose(): void } {
  const timer = every(() => {
    if (isProcessAlive(pid)) return;
    clearInterval(timer);
    onGone();
  }, LOOK_MS);
  timer.unref();
  return { dispose: () => clearInterval(timer) };
}
