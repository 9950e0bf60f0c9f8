import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { endProcessGroup } from "@finality/node/process-group";
import { visibleLine, visibleText } from "@finality/tron/primitives";
import { CliError } from "./cli-error.ts";
import type { Terminal } from "./terminal.ts";

/** Exit codes of a program that a signal ended. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Runs a function with the files of a git revision, in a temporary worktree that is removed afterwards, also if a signal
 * ends the program. The current folder is the same one there.
 *
 * @param build - Shell command to run there first.
 * @throws {CliError} `REVISION_UNUSABLE`, `BUILD_FAILED`
 */
export async function withWorktree<T>(
  revision: string,
  { terminal, build }: { readonly terminal: Terminal; readonly build: string | undefined },
  run: (terminal: Terminal) => Promise<T>,
): Promise<T> {
  const root = terminal.resolve(".");
  const git = (...args: readonly string[]): string => runGit(revision, root, args);
  const commit = git("rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`).trim();
  const prefix = git("rev-parse", "--show-prefix").trim();
  const parent = mkdtempSync(join(tmpdir(), "finality-worktree-"));
  const folder = join(parent, "worktree");
  let child: ChildProcess | undefined;
  const remove = (): void => {
    if (child?.pid !== undefined && child.exitCode === null) endProcessGroup(child.pid);
    rmSync(parent, { recursive: true, force: true });
    git("worktree", "prune");
  };
  const stops = Object.entries(SIGNALS).map(([signal, exitCode]) => {
    const stop = (): void => {
      remove();
      process.exit(exitCode);
    };
    process.once(signal, stop);
    return () => void process.off(signal, stop);
  });
  try {
    git("worktree", "add", "--quiet", "--detach", folder, commit);
    const current = join(folder, prefix);
    if (build !== undefined) {
      child = spawn(build, { cwd: current, shell: true, detached: true, stdio: ["ignore", "pipe", "pipe"] });
      await ended(child, build);
    }
    return await run(inFolder(terminal, current));
  } finally {
    for (const stop of stops) stop();
    remove();
  }
}

/** Hooks of the repository do not run for the temporary worktree. @throws {CliError} `REVISION_UNUSABLE` */
function runGit(revision: string, cwd: string, args: readonly string[]): string {
  try {
    return execFileSync("git", ["-c", `core.hooksPath=${devNull}`, ...args], {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    const reason = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    throw new CliError("REVISION_UNUSABLE", { cause: `${revision}: ${visibleLine(reason)}` });
  }
}

/** Longest output of a failed build that its error has. */
const OUTPUT = 2_000;

/** @throws {CliError} `BUILD_FAILED` */
async function ended(child: ChildProcess, build: string): Promise<void> {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-OUTPUT);
    });
  await once(child, "close");
  const { exitCode } = child;
  if (exitCode === 0) return;
  const cause = `${build}: ${exitCode === null ? "it was stopped" : `exit code ${exitCode}`}.\n${visibleText(output)}`;
  throw new CliError("BUILD_FAILED", { cause: cause.trimEnd() });
}

function inFolder(terminal: Terminal, folder: string): Terminal {
  const at = (path: string): string => resolve(folder, path);
  return {
    ...terminal,
    resolve: at,
    read: (path) => terminal.read(at(path)),
    readIfPresent: (path) => terminal.readIfPresent(at(path)),
  };
}
