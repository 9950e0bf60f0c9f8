import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Start command of a chain, and the request that shows that it answers. */
export interface ChainProgram {
  readonly args: (port: number) => readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A small question. */
  readonly question: { readonly path: string; readonly body: string };
}

const POLL_MS = 2;
const START_LIMIT_MS = 60_000;

/** A chain in a process of its own, under this Node. */
export class ChainProcess implements AsyncDisposable {
  readonly url: string;
  /** From the start of the program to the first answer, in ms. */
  readonly firstAnswerMs: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string, firstAnswerMs: number) {
    this.#child = child;
    this.url = url;
    this.firstAnswerMs = firstAnswerMs;
  }

  /** @throws {Error} it ends, or does not answer within a minute */
  static async start({ args, cwd, env = {}, question }: ChainProgram): Promise<ChainProcess> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const started = performance.now();
    const child = spawn(process.execPath, args(port), { cwd, env: { ...process.env, ...env }, stdio: "ignore" });
    while (!(await answers(url, question))) {
      if (child.exitCode !== null || performance.now() - started > START_LIMIT_MS) {
        child.kill("SIGKILL");
        throw new Error(`${args(port).join(" ")} does not answer.`);
      }
      await sleep(POLL_MS);
    }
    return new ChainProcess(child, url, performance.now() - started);
  }

  /** Resident memory in bytes (Linux alone). */
  get memory(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) * 1024;
  }

  /** CPU time of the process on all cores; ms, in ticks of 10 ms (Linux only). */
  get cpuMs(): number {
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await once(this.#child, "exit");
  }
}

async function answers(url: string, { path, body }: ChainProgram["question"]): Promise<boolean> {
  try {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}${path}`, { method: "POST", body, headers });
    await answer.text();
    return answer.ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
