import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { type RegisterCommand, registerAll } from "../../host/commands/commands.ts";
import type { ContributedRow, ContributedRows } from "../../host/contributed-rows.ts";
import type { OpenedChain } from "./commands.ts";
import type { LocalChainServices } from "./local-chain.ts";

/** The embedded chain as other features use it. */
export interface LocalChainFeature extends vscode.Disposable {
  /** Connects to a running chain, or removes the remains of one that ended. */
  findRunning(): Promise<void>;
  /** @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`; `GATEWAY_UNREACHABLE` if another process answers */
  prove(): Promise<void>;
  /** Running chain, to show in a view. */
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
