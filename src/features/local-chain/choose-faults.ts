import * as vscode from "vscode";
import { sayInStatusBar } from "../../host/prompts/notify.ts";
import { quickPickMany } from "../../host/prompts/quick-input.ts";
import { type FaultItem, faultItems, summarizeFaults } from "./fault.view.ts";
import { activeFaults, type FaultReport, setFaults } from "./fault-control.ts";

type Item = vscode.QuickPickItem & { readonly fault?: FaultItem["fault"] };

/**
 * Shows the faults with check marks at those that are on, and makes it so.
 *
 * @returns undefined when the person left
 */
export async function chooseFaults(baseUrl: string): Promise<FaultReport | undefined> {
  const items = grouped(faultItems((await activeFaults(baseUrl)).faults));
  const picked = await quickPickMany(items, {
    matchOnDetail: true,
    title: vscode.l10n.t("Local Chain Faults"),
    placeHolder: vscode.l10n.t("What should go wrong from now on?"),
  });
  if (picked === undefined) return undefined;
  const chosen = picked.flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
  const report = await setFaults(baseUrl, chosen);
  sayInStatusBar("zap", summarizeFaults(report.faults), 5_000);
  return report;
}

/** With a line above each group. */
function grouped(items: readonly FaultItem[]): readonly Item[] {
  return items.flatMap((item, index): Item[] => {
    const { label, description, detail, picked, fault, group } = item;
    const line = { label, description, detail, picked, fault };
    const first = items[index - 1]?.group !== group;
    return first ? [{ label: group, kind: vscode.QuickPickItemKind.Separator }, line] : [line];
  });
}
