import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { CallTraces, TraceServices } from "./services.ts";

/** Registers the commands of traces. Loads their code on first use. */
export function registerTraces(services: TraceServices): CallTraces & vscode.Disposable {
  const part = lazy(async () => (await import("./commands.ts")).createTraces(services));
  const subscriptions = vscode.Disposable.from(registerAll(services.registerCommand, "traces", part));
  return {
    traceCall: async (call) => (await part()).traceCall(call),
    thrownSite: async (call) => (await part()).thrownSite(call),
    dispose: () => {
      subscriptions.dispose();
      part.ifLoaded((it) => it.dispose());
    },
  };
}
