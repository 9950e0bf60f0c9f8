import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { type RegisterCommand, registerAll } from "../../host/commands/commands.ts";
import type { ContributedRow, ContributedRows } from "../../host/contributed-rows.ts";
import type { OpenedChain } from "./commands.ts";
import type { LocalChainServices } from "./local-chain.ts";

/** The embedded chain, as the rest of the extension sees it. */
export interface LocalChainFeature extends vscode.Disposable {
  /** Uses a chain that runs already, or clears away what one that ended has left. */
  findRunning(): Promise<void>;
  /**
   * @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`, `GATEWAY_UNREACHABLE` who answers is not the chain that was started
   */
  prove(): Promise<void>;
  /** The chain that runs, for a view to show. */
  readonly rows: ContributedRows;
}

/** Registers the embedded chain and its commands. It is loaded and started on demand. */
export function registerLocalChain(
  services: LocalChainServices & { readonly registerCommand: RegisterCommand },
): LocalChainFeature {
  const view = { visible: false, changed: new vscode.EventEmitter<ContributedRow | undefined>() };
  let opened: OpenedChain | undefined;
  const open = lazy(async () => {
    const { openChain } = await import("./commands.ts");
    opened = openChain(services, view);
    return opened;
  });
  const commands = registerAll(services.registerCommand, "localChain", open);
  return {
    findRunning: async () => (await open()).chain.findRunning(),
    prove: async () => (await open()).chain.prove(),
    rows: {
      onDidChange: view.changed.event,
      list: () => opened?.section.list() ?? [],
      show: (visible) => {
        view.visible = visible;
        void opened?.section.look();
      },
    },
    dispose: () => {
      commands.dispose();
      open.ifLoaded((it) => it.dispose());
      view.changed.dispose();
    },
  };
}
