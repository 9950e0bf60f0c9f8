import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll } from "../../host/commands/commands.ts";
import type { ContributedRow, ContributedRows } from "../../host/contributed-rows.ts";
import { areAgentToolsOn } from "../../host/settings/feature-settings.ts";
import { onDidChangeSettings } from "../../host/settings/settings.ts";
import type { AgentServices } from "./services.ts";

interface RegisteredAgents extends vscode.Disposable {
  /** Proposals of agents, in the view of transactions. */
  readonly rows: ContributedRows;
}

/** Registers the tools for agents and the proposals. They are off until the user turns them on. */
export function registerAgents(services: AgentServices): RegisteredAgents {
  const changed = new vscode.EventEmitter<ContributedRow | undefined>();
  let rows: readonly ContributedRow[] = [];
  const part = lazy(async () =>
    (await import("./commands.ts")).createAgents(services, (drawn) => {
      rows = drawn;
      changed.fire(undefined);
    }),
  );
  const update = (): void => {
    const isOn = areAgentToolsOn() && vscode.workspace.isTrusted;
    const failed = (error: unknown): void => services.log.error("The tools for agents cannot be offered.", error);
    if (isOn)
      part()
        .then((it) => it.update(true))
        .catch(failed);
    else part.ifLoaded((it) => void it.update(false));
  };
  const soon = setImmediate(update);
  const registered = vscode.Disposable.from(
    changed,
    registerAll(services.registerCommand, "agents", part),
    onDidChangeSettings(["finality.agents.enabled"], update),
    vscode.workspace.onDidGrantWorkspaceTrust(update),
    { dispose: () => clearImmediate(soon) },
    { dispose: () => part.ifLoaded((it) => it.dispose()) },
  );
  return Object.assign(registered, {
    rows: { onDidChange: changed.event, list: () => rows, show: (visible: boolean) => visible && update() },
  });
}
