import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { buildCliIfStale } from "../../../scripts/build/cli.mjs";

const root = join(import.meta.dirname, "..", "..", "..");

/** The bundled command line, which starts faster than its sources. */
const cliProgram = await buildCliIfStale(root);

/** A process of the tests: its lines of output, and its end. */
export interface Started {
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly ended: Promise<number | null>;
}

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const child = spawn(process.execPath, [resolve(root, program), ...args], { env, stdio: ["pipe", "pipe", "pipe"] });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on("line", (line) => lines.push(line));
  return { child, lines, ended: once(child, "exit").then(([code]) => code as number | null) };
}

/** A chain in a process of its own. */
export interface ChainProcess extends Started {
  readonly url: string;
  readonly accounts: readonly { readonly address: string; readonly hex: string; readonly privateKey: string }[];
}

export async function startChain(...flags: readonly string[]): Promise<ChainProcess> {
  const started = start(
    "packages/local-chain/src/main.ts",
    ["--port", "0", "--exit-with-parent", ...flags],
    process.env,
  );
  while (started.lines.length === 0 && started.child.exitCode === null)
    await Promise.race([once(started.child.stdout ?? started.child, "data"), started.ended]);
  const ready = JSON.parse(started.lines[0] ?? "{}") as {
    url: string;
    baseUrl?: string;
    accounts: ChainProcess["accounts"];
  };
  return { ...started, url: ready.baseUrl ?? ready.url, accounts: ready.accounts };
}

/** Starts `finality worker` with this password of the database and this private key. */
export function startWorker(
  args: readonly string[],
  { password, privateKey }: { readonly password: string; readonly privateKey: string },
): Started {
  const { PATH } = process.env;
  const env = { ...(PATH !== undefined && { PATH }), PGPASSWORD: password, PAYER_KEY: privateKey };
  return start(cliProgram, ["worker", ...args, "--key-env", "PAYER_KEY", "--json"], env);
}
