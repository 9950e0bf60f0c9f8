#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import type { LocalChain } from "./chain-server.ts";
import { STORED_CHAIN_EXIT_CODE, StoredChainError } from "./data/stored-chain-error.ts";
import type { LocalChainOptions } from "./simulation/simulation.ts";

export type { LocalChain, ReadyLine } from "./chain-server.ts";

/**
 * Starts a chain in this process, which serves the node's HTTP interface on the loopback address.
 *
 * @throws {Error} the port is taken, or an option is invalid
 */
export async function startLocalChain(options: LocalChainOptions = {}): Promise<LocalChain> {
  const chain = await import("./chain-server.ts");
  return await chain.startLocalChain(options);
}

/**
 * Starts the chain that command-line flags describe, for the command line `finality`. Returns the help for `--help`.
 *
 * @throws {Error} as `startLocalChain`, or a flag is invalid
 */
export async function startFromFlags(args: readonly string[]): Promise<LocalChain | string> {
  const chain = await import("./chain-server.ts");
  return await chain.startFromFlags(args);
}

/**
 * Runs the program. The code of the chain is a file of its own in the bundle, so that V8 finds it compiled in the cache
 * of Node from the second start on. `--help` runs little code and would store little.
 */
async function main(): Promise<void> {
  if (!process.argv.includes("--help")) enableCompileCache();
  const chain = await import("./chain-server.ts");
  await chain.runProgram(process.argv.slice(2));
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(error instanceof StoredChainError ? STORED_CHAIN_EXIT_CODE : 1);
  });
}
