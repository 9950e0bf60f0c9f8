import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { CallDebugging, DebuggerServices } from "./services.ts";

const TYPE = "finality";

/** Registers the debugger. Loads its code on first use. */
export function registerDebugger(services: DebuggerServices): CallDebugging & vscode.Disposable {
  const part = lazy(async () => (await import("./debugging.ts")).createDebugging(services));
  const { registerDebugAdapterDescriptorFactory, registerDebugConfigurationProvider } = vscode.debug;
  const subscriptions = vscode.Disposable.from(
    registerAll(services.registerCommand, "debugger", part),
    registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: async () => (await part()).adapter(),
    }),
    registerDebugConfigurationProvider(TYPE, {
      resolveDebugConfiguration: async (_, configuration) => (await part()).resolve(configuration),
    }),
    registerDebugConfigurationProvider(
      TYPE,
      { provideDebugConfigurations: async () => [...(await (await part()).configurations())] },
      vscode.DebugConfigurationProviderTriggerKind.Dynamic,
    ),
  );
  return {
    debugCall: async (call) => (await part()).debugCall(call),
    dispose: () => subscriptions.dispose(),
  };
}
