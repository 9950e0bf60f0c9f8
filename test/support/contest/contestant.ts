import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { hexToBytes } from "../../../packages/tron/src/primitives/bytes.ts";

export type Kind = "coins" | "tokens";

/** A running chain to measure. Its transactions are signed beforehand. */
export interface Contestant extends AsyncDisposable {
  readonly name: string;
  readonly firstAnswerMs: number;
  readonly memory: number;
  readonly cpuMs: number;
  /** Signs so many transfers, shared among all senders. */
  sign(kind: Kind, count: number): readonly Sender[];
  /**
   * Sends them until all are in blocks.
   *
   * @param blockEach - a block for each of them, where a chain does not do so by itself
   * @returns the time that it took, in ms
   */
  send(senders: readonly Sender[], blockEach?: boolean): Promise<number>;
  /** The height of the newest block. */
  height(): Promise<number>;
  /** Returns the receiver's balance of the token or the coin. */
  received(kind: Kind): Promise<bigint>;
}

export const SENDERS = 8;

/** Deals out what is made, one to each sender in turn. */
export function deal(count: number, make: (sender: number) => Step): readonly Sender[] {
  const senders: Step[][] = Array.from({ length: SENDERS }, () => []);
  for (let made = 0; made < count; made += 1) senders[made % SENDERS]?.push(make(made % SENDERS));
  return senders;
}

/** One request, and a text that its answer holds when it went well. */
export interface Step {
  readonly path: string;
  readonly body: string;
  readonly success: string;
}

/** Requests in the order in which one sender sends them: the next one goes when the one before is answered. */
export type Sender = readonly Step[];

/**
 * Sends what each sender has side by side over connections that stay open.
 *
 * @returns how long it took, in ms
 * @throws {Error} an answer without the text of success
 */
export async function sendSideBySide(url: string, senders: readonly Sender[]): Promise<number> {
  const pool = new Pool(url, { connections: senders.length });
  const headers = { "content-type": "application/json" };
  const started = performance.now();
  try {
    await Promise.all(
      senders.map(async (sender) => {
        for (const { path, body, success } of sender) {
          const answer = await (await pool.request({ path, method: "POST", headers, body })).body.text();
          if (!answer.includes(success)) throw new Error(`${url} answered ${answer}`);
        }
      }),
    );
    return performance.now() - started;
  } finally {
    await pool.close();
  }
}

const samples = join(import.meta.dirname, "../../../samples");

/** The token of the sample workspace, compiled: each chain runs the same bytes. */
export function tokenBytecode(supply: bigint): Uint8Array {
  const { bytecode } = JSON.parse(readFileSync(join(samples, "build/contracts/Leaf.json"), "utf8"));
  return hexToBytes(String(bytecode).slice(2) + word(supply));
}

/** @param to - 20 bytes as hex */
export const transferData = (to: string, value: bigint): string => `a9059cbb${to.padStart(64, "0")}${word(value)}`;

/** @param holder - 20 bytes as hex */
export const balanceData = (holder: string): string => `70a08231${holder.padStart(64, "0")}`;

const word = (value: bigint): string => value.toString(16).padStart(64, "0");

/** Start command of a chain, and the request that shows that it answers. */
export interface ChainProgram {
  /** Path of a native binary from `cwd`; without it this Node runs `args`. */
  readonly program?: string;
  readonly args: (port: number) => readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A small question. */
  readonly question: { readonly path: string; readonly body: string };
}

const POLL_MS = 2;
const START_LIMIT_MS = 60_000;

/** A chain in a process of its own. */
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
  static async start({
    program = process.execPath,
    args,
    cwd,
    env = {},
    question,
  }: ChainProgram): Promise<ChainProcess> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const started = performance.now();
    const child = spawn(program, args(port), { cwd, env: { ...process.env, ...env }, stdio: "ignore" });
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
