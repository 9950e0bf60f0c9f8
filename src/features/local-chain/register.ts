import * as vscode from "vscode";
import type { RegisterCommand } from "../../host/commands.ts";
import type { LocalChain, LocalChainServices } from "./local-chain.ts";

/** The embedded chain, as the rest of the extension sees it. */
export interface LocalChainFeature extends vscode.Disposable {
  /** Uses a chain that runs already, or clears away what one that ended has left. */
  findRunning(): Promise<void>;
}

/** Start and stop the embedded chain. It is loaded and runs only when somebody wants it. */
export function registerLocalChain(
  services: LocalChainServices & { readonly registerCommand: RegisterCommand },
): LocalChainFeature {
  const { registerCommand } = services;
  const parts = () => import("./commands.ts");
  let chain: LocalChain | undefined;
  const loaded = async (): Promise<LocalChain> => {
    const { createLocalChain } = await parts();
    chain ??= createLocalChain(services);
    return chain;
  };
  const commands = vscode.Disposable.from(
    registerCommand("finality.startLocalChain", async () => (await parts()).start(await loaded())),
    registerCommand("finality.stopLocalChain", async ({ confirmed = false }) =>
      (await parts()).stop(await loaded(), confirmed),
    ),
    registerCommand("finality.localChainFaults", async (told) => (await parts()).faults(await loaded(), told)),
  );
  return {
    findRunning: async () => (await loaded()).findRunning(),
    dispose: () => {
      commands.dispose();
      chain?.dispose();
    },
  };
}
