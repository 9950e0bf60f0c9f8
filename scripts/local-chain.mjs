import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startChild } from "./children.mjs";

const START_MS = 30_000;

/** @param {string} root */
export const localChainProgram = (root) => join(root, "dist", "local-chain.js");

/** One arena for all threads of the process: with several, glibc keeps 10 MB more of what was freed. */
export const localChainEnvironment = { MALLOC_ARENA_MAX: "1", ...process.env };

/**
 * Starts the embedded chain and waits for its ready line. Undefined when it is not built.
 *
 * @param {string} root
 * @param {number} port
 * @returns {Promise<{ baseUrl: string, readyLine: string } | undefined>}
 */
export async function startLocalChain(root, port) {
  if (!existsSync(localChainProgram(root))) return undefined;
  const child = startChild(process.execPath, [localChainProgram(root), "--port", String(port)], {
    env: localChainEnvironment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout === null) throw new Error("The local chain has no output.");
  const lines = createInterface(child.stdout);
  const readyLine = await new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`The local chain was not ready within ${START_MS / 1000} s.`)),
      START_MS,
    );
    late.unref();
    lines.on("line", (line) => (line.includes('"ready":true') ? resolve(line) : console.error(line)));
    child.once("exit", (code) => reject(new Error(`The local chain ended with code ${code}.`)));
  });
  return { baseUrl: JSON.parse(readyLine).baseUrl, readyLine };
}
