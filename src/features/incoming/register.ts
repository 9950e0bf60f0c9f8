import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { registerAll, StoredContextKey } from "../../host/commands/commands.ts";
import type { ContributedRow, ContributedRows } from "../../host/contributed-rows.ts";
import type { KnownWatches } from "./commands.ts";
import type { IncomingServices } from "./services.ts";

interface RegisteredIncoming extends vscode.Disposable {
  /** Rows of the expected payments and watched events, in the view of transactions. */
  readonly rows: ContributedRows;
}

/** Registers incoming payments and events of contracts: the commands, the rows, and a notice when a payment is final. */
export function registerIncoming(services: IncomingServices): RegisteredIncoming {
  const changed = new vscode.EventEmitter<ContributedRow | undefined>();
  let rows: readonly ContributedRow[] = [];
  const listed = new StoredContextKey<boolean>(services.state, "finality.hasWatch", false);
  const listedEvents = new StoredContextKey<boolean>(services.state, "finality.hasEvents", false);
  const watching = new StoredContextKey<boolean>(services.state, "finality.isWatching", false);
  const draw = (all: readonly ContributedRow[], row?: ContributedRow): void => {
    rows = all;
    changed.fire(row);
  };
  const stopped = new StoredContextKey<boolean>(services.state, "finality.hasStoppedWatch", false);
  const update = (has: KnownWatches): void => {
    listed.set(has.watch);
    listedEvents.set(has.events);
    watching.set(has.active);
    stopped.set(has.stopped);
  };
  const part = lazy(async () => (await import("./commands.ts")).createIncoming(services, { draw, tell: update }));
  const commands = registerAll(services.registerCommand, "incoming", part);
  const pages = vscode.window.registerWebviewPanelSerializer("finality.events", {
    deserializeWebviewPanel: async (panel) => (await part()).revive(panel),
  });
  return {
    rows: {
      onDidChange: changed.event,
      list: () => rows,
      show: (visible) => {
        if (visible) void part().then((it) => it.look());
      },
    },
    dispose: () => {
      commands.dispose();
      pages.dispose();
      changed.dispose();
      part.ifLoaded((it) => it.dispose());
    },
  };
}
