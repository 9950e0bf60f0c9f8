import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { onOrphaned } from "./orphan.mjs";

const GRACE_MS = 3000;
const MARK = "FINALITY_RUN";
/** The name of this run, which a run inside it takes over. */
const RUN = process.env[MARK] ?? `${process.pid}-${Date.now()}`;

/** Process groups that this process started and has to end. @type {Set<number>} */
const groups = new Set();
/** Ends what the children left behind in processes of its own. @type {Set<() => Promise<void>>} */
const cleanUps = new Set();

/**
 * Starts a program in a process group of its own, so that it and all that it starts can be ended together.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
export function startChild(program, args, options = {}) {
  const env = { ...(options.env ?? process.env), [MARK]: RUN };
  const child = spawn(program, args, { ...options, env, detached: true });
  if (child.pid !== undefined) groups.add(child.pid);
  return child;
}

/**
 * Ends the group of a child: politely, and after a grace period without mercy.
 *
 * @param {import("node:child_process").ChildProcess} child
 */
export async function endChild(child) {
  if (child.pid !== undefined) await endGroup(child.pid);
}

/** Adds a step that follows the end of all children. @param {() => Promise<void>} cleanUp */
export function afterChildren(cleanUp) {
  cleanUps.add(cleanUp);
}

/** Ends everything that was started here. */
export async function endChildren() {
  await Promise.all([...groups].map(endGroup));
  await Promise.all([...cleanUps].map((cleanUp) => cleanUp()));
}

/** Ends every child before this process ends, by a signal or because the process that started it is gone. */
export function endChildrenOnSignals() {
  let ending = false;
  const end = async (/** @type {number} */ code) => {
    if (ending) return;
    ending = true;
    await endChildren();
    process.exit(code);
  };
  process.on("SIGINT", () => end(130));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => end(143));
  onOrphaned(() => end(143));
}

/**
 * The processes of this run that are still alive although they should not be (Linux only; elsewhere none is seen).
 * A process belongs to a run by an environment variable, so one that left its process group is found, too.
 *
 * @returns {{ pid: number, command: string }[]}
 */
export function survivors() {
  const mark = `${MARK}=${RUN}\0`;
  return processIds()
    .filter((pid) => pid !== process.pid && fileOfProcess(pid, "environ").includes(mark))
    .map((pid) => ({ pid, command: fileOfProcess(pid, "cmdline").replaceAll("\0", " ").trim() }))
    .filter(({ command }) => command !== "");
}

function processIds() {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/**
 * @param {number} pid
 * @param {"environ" | "cmdline"} file
 */
function fileOfProcess(pid, file) {
  try {
    return `${readFileSync(`/proc/${pid}/${file}`, "utf8")}\0`;
  } catch {
    return "";
  }
}

/** @param {number} group */
async function endGroup(group) {
  groups.delete(group);
  signalGroup(group, "SIGTERM");
  for (const end = Date.now() + GRACE_MS; Date.now() < end && signalGroup(group, 0); ) await sleep(20);
  signalGroup(group, "SIGKILL");
}

/**
 * @param {number} group
 * @param {NodeJS.Signals | 0} signal
 * @returns {boolean} whether the group still has a process
 */
function signalGroup(group, signal) {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}
