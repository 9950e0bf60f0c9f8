import * as vscode from "vscode";
import { isChainError } from "../../core/errors/chain-error.ts";
import type { Finding } from "../../core/gateway/access/finding.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import { isCallOfProgram } from "../../host/commands/call-of-program.ts";
import type { CommandId } from "../../host/commands/command-ids.ts";
import { confirmModal, showProgress } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { chainFinding, describeFinding, summarizeFindings } from "./network.view.ts";
import type { NetworkServices } from "./services.ts";

/** Asks a network and says what stands in the way, the likeliest cause first. */
export async function testConnection(
  services: NetworkServices,
  name: string | undefined,
  raw: unknown,
): Promise<readonly Finding[]> {
  const network = services.networks.get(name);
  const findings = await whileTesting(network.name, (signal) => test(services, network, signal));
  if (!isCallOfProgram(raw)) void showFindings(services, network, findings);
  return findings;
}

/** The chain behind the URLs is looked at as soon as they answer. */
async function test(
  { gateways, chains }: NetworkServices,
  network: NetworkProfile,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const findings = await gateways.test(network, signal);
  if (findings.some(({ status }) => status === "failed")) return findings;
  try {
    return [...findings, chainFinding((await chains.askAgain(network)).chain)];
  } catch (error) {
    if (!isChainError(error)) throw error;
    return [{ check: "chain", status: "failed", sentence: error.message }, ...findings];
  }
}

function whileTesting<T>(network: string, test: (signal: AbortSignal) => Promise<T>): Thenable<T> {
  const title = vscode.l10n.t("Testing the connection to {0}", network);
  const place = { location: vscode.ProgressLocation.Window, title };
  return showProgress(place, (_progress, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    return test(controller.signal);
  });
}

interface Item extends vscode.QuickPickItem {
  readonly command?: CommandId | undefined;
  readonly accepts?: boolean;
}

async function showFindings(
  { chains }: NetworkServices,
  network: NetworkProfile,
  findings: readonly Finding[],
): Promise<void> {
  const items: readonly Item[] = [
    ...findings.map((finding) => ({ ...describeFinding(finding), command: commandFor(finding) })),
    ...(findings.some(isOtherChain) ? [ACCEPT] : []),
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    { label: "$(refresh) Test Again", command: "finality.testConnection" },
    { label: "$(output) Show Log", command: "finality.showLog" },
  ];
  const title = summarizeFindings(network.name, findings);
  const placeHolder = vscode.l10n.t("Choose a line to act on it");
  const picked = await quickPick(items, { title, placeHolder, ignoreFocusOut: true });
  if (picked?.accepts === true) return await acceptChain(chains, network);
  if (picked?.command === undefined) return;
  await vscode.commands.executeCommand(picked.command, { kind: "network", network: network.name });
}

const ACCEPT: Item = { label: "$(check) Accept Its Chain as a New One…", accepts: true };

function isOtherChain({ check, status }: Finding): boolean {
  return check === "chain" && status === "failed";
}

/** Only who knows why the chain is another one may say so. Escape leaves everything as it is. */
async function acceptChain(chains: NetworkServices["chains"], network: NetworkProfile): Promise<void> {
  const title = `Take what ${network.name} is now for its chain?`;
  if (await confirmModal({ title, detail: ACCEPT_DETAIL }, "Accept")) await chains.accept(network);
}

const ACCEPT_DETAIL =
  "Do this only when you know why its chain is another one, such as a private chain that was begun anew, or a gateway that told a wrong one at first. What was signed for the chain before is not watched here any more, and still stops an equal payment.";

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
    case "origin":
      return "finality.editNetwork";
    case "chain":
    case "clock":
      return undefined;
  }
}
