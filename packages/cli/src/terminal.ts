import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CliError } from "./cli-error.ts";

/** Input and output of the program. Tests pass their own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if a user reads standard error on a terminal: progress is shown there. False in CI. */
  readonly isInteractive: boolean;
  /** Resolves a path against the current folder. */
  resolve(path: string): string;
  /** Reads a whole file as UTF-8. `-` is standard input, `fd:N` a file descriptor. @throws {CliError} `INPUT_UNREADABLE` */
  read(path: string): Promise<string>;
  /** Returns the text of a file, or undefined if there is no such file. @throws {CliError} `INPUT_UNREADABLE` */
  readIfPresent(path: string): Promise<string | undefined>;
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes to standard error. */
  report(text: string): void;
}

/** Returns the terminal of this process. */
export function processTerminal(): Terminal {
  const { env, stdout, stderr } = process;
  const isInteractive = stderr.isTTY === true && (env.CI ?? "") === "" && env.TERM !== "dumb";
  return {
    env,
    isInteractive,
    resolve: (path) => resolve(path),
    read: async (path) => {
      try {
        if (path === "-" && process.stdin.isTTY) stderr.write("Reading standard input. End it with Ctrl-D.\n");
        if (path === "-") return readFileSync(0, "utf8");
        if (/^fd:\d+$/.test(path)) return readFileSync(Number(path.slice(3)), "utf8");
        return await readFile(resolve(path), "utf8");
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
    print: (text) => void stdout.write(text),
    report: (text) => void stderr.write(text),
  };
}

function unreadable(path: string, cause: unknown): CliError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CliError("INPUT_UNREADABLE", { cause: `${path === "-" ? "Standard input" : path}: ${reason}` });
}
