import * as vscode from "vscode";
import type { Finding } from "../../core/gateway/access/finding.ts";
import { isCallOfProgram } from "../../host/call-of-program.ts";
import type { CommandId } from "../../host/command-ids.ts";
import { describeFinding, summarizeFindings } from "./network.view.ts";
import type { NetworkServices } from "./services.ts";

/** Asks a network and says what stands in the way, the likeliest cause first. */
export async function testConnection(
  { networks, gateways }: NetworkServices,
  name: string | undefined,
  given: unknown,
): Promise<readonly Finding[]> {
  const network = networks.get(name);
  const findings = await whileTesting(network.name, (signal) => gateways.test(network, signal));
  if (!isCallOfProgram(given)) void showFindings(network.name, findings);
  return findings;
}

function whileTesting<T>(network: string, test: (signal: AbortSignal) => Promise<T>): Thenable<T> {
  const title = vscode.l10n.t("Testing the connection to {0}", network);
  const place = { location: vscode.ProgressLocation.Window, title };
  return vscode.window.withProgress(place, (_progress, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    return test(controller.signal);
  });
}

interface Item extends vscode.QuickPickItem {
  readonly command?: CommandId | undefined;
}

async function showFindings(network: string, findings: readonly Finding[]): Promise<void> {
  const items: readonly Item[] = [
    ...findings.map((finding) => ({ ...describeFinding(finding), command: commandFor(finding) })),
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    { label: "$(refresh) Test Again", command: "finality.testConnection" },
    { label: "$(output) Show Log", command: "finality.showLog" },
  ];
  const title = summarizeFindings(network, findings);
  const placeHolder = vscode.l10n.t("Choose a line to act on it");
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true });
  if (picked?.command === undefined) return;
  await vscode.commands.executeCommand(picked.command, { kind: "network", network });
}

/** What a person can do about a finding. */
function commandFor({ check, status }: Finding): CommandId | undefined {
  if (status === "ok") return undefined;
  switch (check) {
    case "api-key":
      return "finality.setApiKey";
    case "jwt-key":
    case "public-key":
      return "finality.createJwtKey";
    case "gateway":
    case "key-id":
    case "audience":
    case "token":
      return "finality.editNetwork";
    case "clock":
      return undefined;
  }
}
