import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import { type LocalChainReady, parseReadyLine } from "./local-chain-ready.ts";

const START_MS = 60_000;

/** Chain of one test run. Its accounts, contracts and transactions end with it. */
export interface TestChain extends Pick<LocalChainReady, "baseUrl" | "accounts"> {
  /** Resolves when the process has ended. */
  close(): Promise<void>;
}

/**
 * Starts a chain for one test run, in memory. It ends with this process.
 *
 * @param program - dist/local-chain.js
 * @param flags - flags of the local chain
 * @throws {ChainError} `LOCAL_CHAIN_FAILED`
 */
export async function startTestChain(program: string, flags: readonly string[]): Promise<TestChain> {
  const child = spawn(process.execPath, [program, ...flags, "--exit-with-parent"], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: "1", NODE_OPTIONS: "" },
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  const exited = once(child, "exit").catch(() => undefined);
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  // The process may end before the pipe closes.
  child.stdin.on("error", () => undefined);
  const close = async (): Promise<void> => {
    child.kill();
    await exited;
  };
  try {
    const signal = AbortSignal.timeout(START_MS);
    const line = once(createInterface(child.stdout), "line", { signal });
    const first = await Promise.race([line, exited.then(() => undefined)]);
    if (first === undefined) throw failed(errors.trim().split("\n").at(-1)?.replace(/\.$/, "") || t`it has ended`);
    const { baseUrl, accounts } = parseReadyLine(String(first[0]));
    child.stdout.resume();
    return { baseUrl, accounts, close };
  } catch (error) {
    await close();
    throw error instanceof ChainError ? error : failed(error instanceof Error ? error.message : String(error));
  }
}

function failed(reason: string): ChainError {
  return new ChainError("LOCAL_CHAIN_FAILED", { reason });
}
