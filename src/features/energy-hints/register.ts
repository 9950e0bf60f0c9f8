import type { RunCallTests } from "@finality/client/call-tests";
import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { ContractCall, EnergyEstimate } from "../../public/api.ts";
import type { CallTestServices } from "./call-tests.ts";
import type { EnergyPart } from "./commands.ts";
import type { EstimateFiles } from "./estimate-files.ts";

/** Energy estimates for other extensions and for tasks. */
export interface Energy extends vscode.Disposable {
  callOfFile(location: Parameters<EnergyPart["callOfFile"]>[0]): ReturnType<EnergyPart["callOfFile"]>;
  estimate(call: ContractCall): Promise<EnergyEstimate>;
  readonly estimateFiles: EstimateFiles;
  readonly runCallTests: RunCallTests;
}

const LANGUAGE = /^(type|java)script|^solidity$/;

/** Loads the feature when a document with calls is opened or one of its commands runs. */
export function registerEnergyHints(services: CallTestServices): Energy {
  const part = lazy(async () => (await import("./commands.ts")).createEnergyHints(services));
  const refresh = ({ languageId, fileName }: vscode.TextDocument): void => {
    if (LANGUAGE.test(languageId) || /\.(finality\.jsonc|sol)$/.test(fileName)) void part();
  };
  const { workspace } = vscode;
  const subscriptions = vscode.Disposable.from(
    workspace.onDidOpenTextDocument(refresh),
    registerAll(services.registerCommand, "energyHints", part),
  );
  setImmediate(() => workspace.textDocuments.forEach(refresh));
  return {
    callOfFile: async (location) => (await part()).callOfFile(location),
    estimate: async (call) => (await part()).estimateCall(call),
    estimateFiles: async function* (...input) {
      yield* (await part()).estimateFiles(...input);
    },
    runCallTests: async function* (...input) {
      yield* (await part()).runCallTests(...input);
    },
    dispose: () => {
      subscriptions.dispose();
      part.ifLoaded((it) => it.dispose());
    },
  };
}
