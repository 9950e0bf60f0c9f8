import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { product } from "./product.ts";

/** A chain that wants tokens or keys, in a process of its own. */
export interface GuardedChain extends AsyncDisposable {
  readonly baseUrl: string;
}

/** Starts the built chain with flags of its command line. */
export async function startGuardedChain(...flags: readonly string[]): Promise<GuardedChain> {
  const program = join(product().extensionPath, "dist", "local-chain.js");
  const child = spawn(process.execPath, [program, "--exit-with-parent", "--block-time", "250", ...flags], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(child.stdout), "line");
  return {
    baseUrl: JSON.parse(line).baseUrl,
    async [Symbol.asyncDispose]() {
      const exited = once(child, "exit");
      child.kill();
      await exited;
    },
  };
}
