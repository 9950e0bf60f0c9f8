import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";

/** Program that reads its input and writes its output, and has no other files. */
export interface ProgramWithInput {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly longestMs: number;
  /** Answers a message that the program sends over its IPC channel. The program has a channel only with this. */
  readonly answer?: (message: unknown) => Promise<object>;
}

/** A program that ended. */
interface ProgramResult {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

const LONGEST_OUTPUT = 256 * 1024 * 1024;

/**
 * Returns a process of Node that runs a function. The functions stand alone: the process has no other code.
 *
 * @param argument - second of `process.argv`
 * @param parts - functions that it is called with
 */
export function scriptProcess<P extends readonly unknown[]>(
  run: (...parts: P) => void,
  argument: string,
  ...parts: P
): Omit<ProgramWithInput, "longestMs"> {
  return {
    program: process.execPath,
    arguments: ["-e", `(${String(run)})(${parts.map(String).join(", ")})`, argument],
    env: { ELECTRON_RUN_AS_NODE: "1", NODE_OPTIONS: "" },
  };
}

/** Runs a program without a shell until it ends. @throws {Error} it did not start; the reason of the signal */
export async function runWithInput(
  { program, arguments: words, env, longestMs, answer }: ProgramWithInput,
  input: string,
  signal?: AbortSignal,
): Promise<ProgramResult> {
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(longestMs);
  const child = spawn(program, words, {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe", ...(answer === undefined ? [] : (["ipc"] as const))],
    windowsHide: true,
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    killSignal: "SIGKILL",
    // The types do not know a fourth stream.
  }) as ChildProcessWithoutNullStreams;
  child.on("message", (message) => {
    // The program may have ended before its answer is there.
    void answer?.(message).then((reply) => child.connected && child.send(reply, () => undefined));
  });
  const [output, errors]: [Buffer[], Buffer[]] = [[], []];
  let size = 0;
  child.stdout.on("data", (bytes: Buffer) => {
    size += bytes.length;
    if (size > LONGEST_OUTPUT) child.kill("SIGKILL");
    else output.push(bytes);
  });
  child.stderr.on("data", (bytes: Buffer) => errors.push(bytes));
  // The process may end before it has read its input.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  signal?.throwIfAborted();
  const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString("utf8");
  return { code, output: text(output), errors: text(errors) };
}
