import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * The extension hosts of a workbench that was opened with this mark in `FINALITY_TEST_WINDOWS`: each window has one
 * (Linux).
 */
export function extensionHosts(mark: string): readonly number[] {
  const named = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => textOf(pid, "cmdline").includes("--type=extensionHost") && textOf(pid, "environ").includes(mark));
  // A child process of a host, such as git, has the host's name until it sets its own.
  return named.filter((pid) => !named.includes(parentOf(pid))).map(Number);
}

function parentOf(pid: string): string {
  return /^PPid:\s*(\d+)/m.exec(textOf(pid, "status"))?.[1] ?? "";
}

/** Returns the process that listens on the socket of the leader; undefined without one. */
export function leaderOf(hosts: readonly number[]): number | undefined {
  const listening = readFileSync("/proc/net/unix", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , flags = "", , , , path = ""]) => flags === "00010000" && path.endsWith("tracking.sock"))
    .map(([, , , , , , inode]) => `socket:[${inode}]`);
  return hosts.find((pid) => socketsOf(pid).some((it) => listening.includes(it)));
}

function socketsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).map((name) => linkOf(join(folder, name)));
  } catch {
    return [];
  }
}

/** Empty for what was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** Empty for a process that ended meanwhile. */
function textOf(pid: string, name: string): string {
  try {
    return readFileSync(join("/proc", pid, name), "utf8");
  } catch {
    return "";
  }
}
