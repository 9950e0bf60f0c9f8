import * as vscode from "vscode";
import type { ContractCall, EnergyEstimate } from "../../public/api.ts";
import type { EnergyServices } from "./services.ts";

/** The energy of calls, for other extensions. */
export interface Energy extends vscode.Disposable {
  estimate(call: ContractCall): Promise<EnergyEstimate>;
}

const LANGUAGE = /^(type|java)script|^solidity$/;

/** Nothing is loaded before a document is open that may hold calls, or a command is run. */
export function registerEnergyHints(services: EnergyServices): Energy {
  const load = async () => (await import("./energy-hints.ts")).createEnergyHints(services);
  let loaded: ReturnType<typeof load> | undefined;
  const part = () => {
    loaded ??= load();
    return loaded;
  };
  const look = ({ languageId, fileName }: vscode.TextDocument): void => {
    if (LANGUAGE.test(languageId) || /\.(finality\.jsonc|sol)$/.test(fileName)) void part();
  };
  const { registerCommand: register } = services;
  const { workspace } = vscode;
  const subscriptions = vscode.Disposable.from(
    workspace.onDidOpenTextDocument(look),
    register("finality.estimateEnergy", async (place, given) => (await part()).estimateEnergy(place, given)),
    register("finality.refreshEstimates", async (place) => (await part()).refreshEstimates(place)),
    register("finality.toggleEnergyHints", async () => (await part()).toggleEnergyHints()),
    register("finality.saveCostSnapshot", async (_, given) => (await part()).saveCostSnapshot(given)),
    register("finality.chooseCaller", async (who) => (await part()).chooseCaller(who)),
    register("finality.forgetAnswers", async () => (await part()).forgetAnswers()),
    register("finality.showEstimate", async (place) => (await part()).showEstimate(place)),
    register("finality.sendCallOfFile", async (place) => (await part()).sendCallOfFile(place)),
  );
  setImmediate(() => workspace.textDocuments.forEach(look));
  return {
    estimate: async (call) => (await part()).estimateCall(call),
    dispose: () => {
      subscriptions.dispose();
      void loaded?.then((it) => it.dispose());
    },
  };
}
