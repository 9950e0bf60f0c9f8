import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CliError } from "./cli-error.ts";
import { ProgressLine } from "./progress-line.ts";

/** Input and output of the program. Tests pass their own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Resolves a path against the current folder. */
  resolve(path: string): string;
  /** Reads a whole file as UTF-8. `-` is standard input, `fd:N` a file descriptor. @throws {CliError} `INPUT_UNREADABLE` */
  read(path: string): Promise<string>;
  /** Reads the bytes of a file; `-` is standard input. @throws {CliError} `INPUT_UNREADABLE` */
  readBytes(path: string): Promise<Uint8Array>;
  /** Returns the text of a file, or undefined if there is no such file. @throws {CliError} `INPUT_UNREADABLE` */
  readIfPresent(path: string): Promise<string | undefined>;
  /** Prompts on the terminal. Returns true if the user types yes. @throws {CliError} `NOT_CONFIRMED` without a terminal */
  confirm(question: string): Promise<boolean>;
  /** Prompts for a secret, which is not shown. @throws {CliError} `KEY_MISSING` without a terminal */
  askSecret(question: string): Promise<string>;
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes to standard error. */
  report(text: string): void;
  /** Shows text on a terminal until something else is written. Does nothing in CI. */
  show(text: string): void;
}

/** Returns the terminal of this process. */
export function processTerminal(): Terminal {
  const { env, stdout, stderr } = process;
  const isInteractive = stderr.isTTY === true && (env.CI ?? "") === "" && env.TERM !== "dumb";
  const progress = new ProgressLine(stderr);
  return {
    env,
    resolve: (path) => resolve(path),
    read: async (path) => {
      try {
        if (path === "-") return await standardInput();
        if (/^fd:\d+$/.test(path)) return readFileSync(Number(path.slice(3)), "utf8");
        return await readFile(resolve(path), "utf8");
      } catch (cause) {
        throw unreadable(path, cause);
      }
    },
    readBytes: async (path) => {
      try {
        return path === "-" ? Buffer.from(await standardInput()) : await readFile(resolve(path));
      } catch (cause) {
        throw unreadable(path, cause);
      }
    },
    readIfPresent: async (path) => {
      try {
        return await readFile(resolve(path), "utf8");
      } catch (cause) {
        if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
        throw unreadable(path, cause);
      }
    },
    confirm: async (question) => {
      progress.erase();
      if (!process.stdin.isTTY)
        throw new CliError("NOT_CONFIRMED", { cause: "There is no terminal on which the review could be confirmed." });
      return (await ask(question, false)).trim().toLowerCase() === "yes";
    },
    askSecret: async (question) => {
      progress.erase();
      if (process.stdin.isTTY) return await ask(question, true);
      const next = "Run the command on a terminal, or use --password-fd N.";
      throw new CliError("KEY_MISSING", { cause: "There is no terminal for the password of the keystore.", next });
    },
    print: (text) => {
      progress.erase();
      stdout.write(text);
    },
    report: (text) => {
      progress.erase();
      stderr.write(text);
    },
    show: (text) => {
      if (isInteractive) progress.show(text);
    },
  };
}

async function standardInput(): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write("Reading standard input. End it with Ctrl-D.\n");
  stdin.setEncoding("utf8");
  const chunks: string[] = [];
  for await (const chunk of stdin) chunks.push(String(chunk));
  return chunks.join("");
}

/** Prompts on standard error. @param isSecret - Typed characters are not shown. */
async function ask(question: string, isSecret: boolean): Promise<string> {
  const { promise, resolve: answered } = Promise.withResolvers<string>();
  const shown = new Writable({
    write: (chunk, _encoding, done) => {
      if (!isSecret) process.stderr.write(chunk);
      done();
    },
  });
  process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, output: shown, terminal: true });
  lines.once("line", answered);
  lines.once("close", () => answered(""));
  const answer = await promise;
  lines.close();
  process.stderr.write("\n");
  return answer;
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "it may not be read",
};

function unreadable(path: string, cause: unknown): CliError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const reason = UNREADABLE[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new CliError("INPUT_UNREADABLE", { cause: `${path === "-" ? "Standard input" : path}: ${reason}.` });
}
