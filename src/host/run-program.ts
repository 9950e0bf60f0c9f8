import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { endProcessGroup } from "@finality/node/process-group";
import { t } from "@vscode/l10n";

/** Program to run in a folder. */
export interface ProgramRun {
  /** Name of a program in `node_modules/.bin` of the folders, or in the path. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** Folder of the program's work, then folders above it. */
  readonly folders: readonly [string, ...string[]];
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly onOutput: (text: string) => void;
  readonly signal: AbortSignal;
}

/** A program that ended. */
export interface ProgramEnd {
  /** Undefined if a signal ended it. */
  readonly code: number | undefined;
  /** Standard output, without parts before the last million characters. */
  readonly output: string;
}

const LONGEST_OUTPUT = 1_000_000;
const IS_WINDOWS = process.platform === "win32";
/** Arguments that the shell of Windows cannot interpret. */
const PLAIN = /^[\w./\\:=@-]+$/;

/**
 * Runs a program without a shell until it ends. Cancelling ends it with its children.
 *
 * @throws {Error} `ENOENT` if there is no such program; the reason of the signal
 */
export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  const { program, arguments: words, folders, env, onOutput, signal } = run;
  signal.throwIfAborted();
  // Programs of npm are scripts there, which only a shell starts.
  if (IS_WINDOWS && !words.every((word) => PLAIN.test(word)))
    throw new Error(t`The shell of this computer may misread an argument: ${words.join(" ")}`);
  const bins = folders.map((folder) => join(folder, "node_modules", ".bin"));
  const path = [...bins, process.env.PATH ?? ""].join(delimiter);
  const child = spawn(program, words, {
    cwd: folders[0],
    env: { ...process.env, ...env, PATH: path },
    stdio: ["ignore", "pipe", "pipe"],
    detached: !IS_WINDOWS,
    shell: IS_WINDOWS,
    windowsHide: true,
  });
  const end = (): void => {
    if (IS_WINDOWS) child.kill();
    else if (child.pid !== undefined) endProcessGroup(child.pid);
    // A program that left the group may keep the output open.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  signal.addEventListener("abort", end, { once: true });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-LONGEST_OUTPUT);
    onOutput(text);
  });
  child.stderr.setEncoding("utf8").on("data", onOutput);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    signal.throwIfAborted();
    return { code: code ?? undefined, output };
  } finally {
    signal.removeEventListener("abort", end);
  }
}
