import * as vscode from "vscode";
import type { TaskServices } from "./tasks.ts";

/** Registers the provider of tasks with `"type": "finality"`. */
export function registerTasks(services: TaskServices): vscode.Disposable {
  return vscode.tasks.registerTaskProvider("finality", {
    provideTasks: async () => (await import("./tasks.ts")).offeredTasks(services),
    resolveTask: async (task) => (await import("./tasks.ts")).resolveTask(services, task),
  });
}
