import { join } from "node:path";
import { ProposalFolder, type StoredProposal } from "@finality/agent-tools/proposals";
import { coinSymbolOf } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { formatTime } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { watchFolder } from "../../host/agents/proposal-watcher.ts";
import { calledByProgram } from "../../host/caller.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { notifyWithSteps } from "../../host/commands/show-error.ts";
import type { ContributedRow } from "../../host/contributed-rows.ts";
import { confirmForProgram, confirmModal, notify, programNote, reportDone } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { areAgentToolsOn, writeAgentTools } from "../../host/settings/feature-settings.ts";
import { agentPorts } from "./agent-ports.ts";
import { registerLanguageTools } from "./language-tools.ts";
import { registerMcpServer } from "./mcp-provider.ts";
import { describeProposal, discardQuestion, type ProposalContext, toolsQuestion } from "./proposals.view.ts";
import { reviewProposal } from "./review-proposal.ts";
import type { AgentServices } from "./services.ts";

/** Reports the rows of the view. */
export type DrawProposals = (rows: readonly ContributedRow[]) => void;

export interface AgentPart extends vscode.Disposable {
  readonly commands: Commands<"agents">;
  /** Offers or withdraws the tools, and draws the proposals. Called when the setting or the trust changes. */
  update(isOn: boolean): Promise<void>;
}

/** Creates the commands, the tools and the rows of this feature. Loaded when the tools are on, or with a command. */
export function createAgents(services: AgentServices, draw: DrawProposals): AgentPart {
  const { networks, nameOf, clock, log, context: window } = services;
  // The folder of the journal is the one that the command line shares.
  const path = join(window.globalStorageUri.fsPath, "proposals");
  const folder = new ProposalFolder(path);
  const context: ProposalContext = {
    nameOf,
    symbolOf: (network) => coinSymbolOf(networks.find(network)?.baseUrl),
    timeOf: (ms) => formatTime(ms, clock.now()),
  };
  let offered: vscode.Disposable | undefined;
  const show = async (): Promise<void> => draw(offered === undefined ? [] : (await folder.list()).map(rowOf(context)));
  const look = (): void => void show().catch((error: unknown) => log.error("Proposals cannot be read.", error));
  const offer = (): vscode.Disposable => {
    const ports = agentPorts(services, folder);
    const failed = (error: unknown): void => log.error("The MCP server failed.", error);
    const program = window.asAbsolutePath("dist/agent-pipe.js");
    const version = String(window.extension.packageJSON.version);
    return vscode.Disposable.from(
      registerLanguageTools(ports),
      registerMcpServer({ ports, program, version, failed }),
      watchFolder(path, look),
    );
  };
  const choose = async (id: string | undefined, title: string): Promise<StoredProposal | undefined> => {
    const open = await folder.list();
    const found = open.find((it) => it.id === id);
    if (found !== undefined) return found;
    if (id !== undefined) throw new ChainError("PROPOSAL_REFUSED", { proposal: id, why: "gone" });
    if (open.length === 0) {
      reportNoProposals();
      return undefined;
    }
    const items = open.map((proposal) => ({ ...itemOf(describeProposal(proposal, context)), proposal }));
    return (await quickPick(items, { title, placeHolder: t`Which proposal?` }))?.proposal;
  };
  return {
    commands: {
      "finality.agentTools": async () => await switchTools(),
      "finality.reviewProposal": async ({ id }) => {
        const proposal = await choose(id, t`Review Proposal`);
        if (proposal === undefined) return undefined;
        const sent = await reviewProposal(services, folder, proposal);
        look();
        return sent;
      },
      "finality.discardProposal": async ({ id }, raw) => {
        const proposal = await choose(id, t`Discard Proposal`);
        if (proposal === undefined) return undefined;
        if (!(await confirmForProgram({ title: discardQuestion(proposal, context) }, t`Discard`))) return undefined;
        await folder.discard(proposal.id);
        look();
        return reportDone(raw, { id: proposal.id }, () => t`Discarded. It cannot be used any more.`);
      },
    },
    update: async (isOn) => {
      if (isOn) offered ??= offer();
      else {
        offered?.dispose();
        offered = undefined;
      }
      await show();
    },
    dispose: () => offered?.dispose(),
  };
}

function reportNoProposals(): void {
  if (areAgentToolsOn()) void notify("information", t`No proposal waits for a review.`);
  else {
    const steps = [{ title: t`Agent Tools…`, command: "finality.agentTools" } as const];
    void notifyWithSteps("information", t`No proposal waits for a review: the tools for agents are off.`, steps);
  }
}

/** Turns the tools on or off after a confirmation, for every caller. */
async function switchTools(): Promise<{ readonly enabled: boolean } | undefined> {
  const isOn = areAgentToolsOn();
  const { title, detail, yes } = toolsQuestion(isOn);
  const note = calledByProgram() ? `\n\n${programNote()}` : "";
  if (!(await confirmModal({ title, detail: `${detail}${note}` }, yes))) return undefined;
  await writeAgentTools(!isOn);
  return { enabled: !isOn };
}

function itemOf({ label, description }: ReturnType<typeof describeProposal>): vscode.QuickPickItem {
  return { label, description };
}

function rowOf(context: ProposalContext): (proposal: StoredProposal) => ContributedRow {
  return (proposal) => {
    const { label, description, tooltip, spoken } = describeProposal(proposal, context);
    const item = new vscode.TreeItem(label);
    item.id = `proposal ${proposal.id} ${proposal.hash}`;
    item.description = description;
    item.tooltip = tooltip;
    item.iconPath = new vscode.ThemeIcon("comment-draft");
    item.contextValue = "proposal";
    item.accessibilityInformation = { label: spoken };
    return { kind: "proposal", id: proposal.id, item, children: [] } as ContributedRow;
  };
}
