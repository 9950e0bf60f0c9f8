import { codeOf } from "./storage/durable-file.ts";

/** Ends a process that leads its group, with its children. They may have ended already. Not for Windows. */
export function endProcessGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGTERM");
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}
