import { transactionLabel } from "@finality/client/labels";
import { isTraceable, type TrackedTransaction } from "@finality/client/tracking";
import { shorten } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Commands } from "../../host/commands/commands.ts";
import { notify } from "../../host/prompts/notify.ts";
import { chooseTraced } from "../../sending/traced-transaction.ts";
import { RunDebugAdapter } from "./adapter.ts";
import { callFields, parseTarget } from "./debug-target.ts";
import { loadDebuggee } from "./load-debuggee.ts";
import type { CallDebugging, DebuggerServices } from "./services.ts";

/** Type of the configurations of this debugger. */
const DEBUG_TYPE = "finality";

interface Debugging extends CallDebugging {
  readonly commands: Commands<"debugger">;
  adapter(): vscode.DebugAdapterDescriptor;
  /** Completes a configuration; undefined if the user cancels, or if it is wrong. */
  resolve(configuration: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined>;
  /** Returns the configurations of the list of Run and Debug: a choice of a transaction, then the newest ones. */
  configurations(): Promise<readonly vscode.DebugConfiguration[]>;
}

/** Most transactions in the list of configurations. */
const MOST_CONFIGURATIONS = 5;

/** Implements the debugger. Loaded with the first session. */
export function createDebugging(services: DebuggerServices): Debugging {
  const start = async (configuration: object, name: string): Promise<object> => {
    const full = { type: DEBUG_TYPE, request: "launch", name, ...configuration };
    // The editor shows the view for breakpoints alone, and a failure has none. Afterwards it would move the focus.
    await vscode.commands.executeCommand("workbench.view.debug");
    const isStarted = await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], full);
    return { isStarted };
  };
  return {
    commands: {
      "finality.debugTransaction": async (argument) => {
        const chosen = await chooseTraced(services, argument, t`Debug Transaction`);
        if (chosen === undefined) return undefined;
        const { txId, network } = chosen;
        return await start({ transaction: txId, network: network.name }, t`Debug ${shorten(txId)}`);
      },
    },
    debugCall: ({ run, network }) => start({ call: callFields(run), network }, t`Debug Call`),
    adapter: () =>
      new vscode.DebugAdapterInlineImplementation(
        new RunDebugAdapter((configuration) => loadDebuggee(services, configuration)) as vscode.DebugAdapter,
      ),
    configurations: async () => {
      const { transactions, networks, nameOf } = services;
      await transactions.ready();
      const isDebugged = (it: TrackedTransaction): boolean =>
        isTraceable(it) && networks.find(transactions.networkOf(it))?.local === true;
      const newest = transactions.list().filter(isDebugged).slice(0, MOST_CONFIGURATIONS);
      return [
        { type: DEBUG_TYPE, request: "launch", name: t`Debug Transaction…` },
        ...newest.map((it) => ({
          type: DEBUG_TYPE,
          request: "launch",
          name: t`Debug ${transactionLabel(it, nameOf)} ${shorten(it.txId)}`,
          transaction: it.txId,
          network: transactions.networkOf(it),
        })),
      ];
    },
    resolve: async (configuration) => await resolveConfiguration(services, configuration),
  };
}

async function resolveConfiguration(
  services: DebuggerServices,
  configuration: vscode.DebugConfiguration,
): Promise<vscode.DebugConfiguration | undefined> {
  const { type, request, name, ...rest } = configuration;
  const full = { ...rest, type: DEBUG_TYPE, request: "launch", name: name || t`Debug Transaction` };
  if ([rest.transaction, rest.call, rest.callFile].every((it) => it === undefined)) {
    const named = typeof rest.network === "string" ? { network: rest.network } : {};
    const chosen = await chooseTraced(services, named, t`Debug Transaction`);
    return chosen && { ...full, transaction: chosen.txId, network: chosen.network.name };
  }
  const target = parseTarget(configuration);
  if (!("problem" in target)) return full;
  void notify("error", target.problem);
  return undefined;
}
