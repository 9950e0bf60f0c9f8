import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/commands/call-of-program.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { GuestRow, GuestRows } from "../../host/guest-rows.ts";
import type { ChainCommand, OpenedChain } from "./commands.ts";
import type { LocalChainServices } from "./local-chain.ts";

/** The embedded chain, as the rest of the extension sees it. */
export interface LocalChainFeature extends vscode.Disposable {
  /** Uses a chain that runs already, or clears away what one that ended has left. */
  findRunning(): Promise<void>;
  /** @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`, `GATEWAY_UNREACHABLE` who answers is not the chain that was started */
  prove(): Promise<void>;
  /** The chain that runs, for a view to show. */
  readonly rows: GuestRows;
}

const COMMANDS = [
  "finality.startLocalChain",
  "finality.stopLocalChain",
  "finality.localChainFaults",
  "finality.localChainMine",
  "finality.localChainWarp",
  "finality.localChainSnapshot",
  "finality.localChainRestore",
  "finality.localChainReset",
] as const satisfies readonly ChainCommand[];

/** The embedded chain and what may be done with it. It is loaded and runs only when somebody wants it. */
export function registerLocalChain(
  services: LocalChainServices & { readonly registerCommand: RegisterCommand },
): LocalChainFeature {
  const view = { visible: false, changed: new vscode.EventEmitter<GuestRow | undefined>() };
  let opened: OpenedChain | undefined;
  const open = async (): Promise<OpenedChain> => {
    const { openChain } = await import("./commands.ts");
    opened ??= openChain(services, view);
    return opened;
  };
  const register = <Id extends ChainCommand>(id: Id) =>
    services.registerCommand(id, async (told, given) => (await open()).run(id, told, !isCallOfProgram(given)));
  const commands = COMMANDS.map(register);
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
    dispose: () =>
      vscode.Disposable.from(...commands, ...(opened === undefined ? [] : [opened]), view.changed).dispose(),
  };
}
