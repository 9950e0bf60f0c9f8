import type { StoredProposal } from "@finality/agent-tools/proposals";
import { describeIntent, quoted } from "@finality/client/labels";
import type { NameOf } from "@finality/tron/format";
import { foreignText, isBlank, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Names and symbols for the text of proposals. */
export interface ProposalContext {
  readonly nameOf: NameOf;
  /** Returns the symbol of the coin of a network; undefined if it is not known. */
  readonly symbolOf: (network: string) => string | undefined;
  /** Formats a local time, Unix ms. */
  readonly timeOf: (ms: number) => string;
}

/** Text of a row. */
export interface ProposalText {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly spoken: string;
}

/** Describes a proposal. Everything in it is a claim of the agent. */
export function describeProposal(proposal: StoredProposal, context: ProposalContext): ProposalText {
  const { intent, network } = proposal;
  const label = t`Proposed by ${agentOf(proposal)}: ${describeIntent(intent, context.nameOf, context.symbolOf(network))}`;
  const description = t`claim of an agent · on ${visibleLine(network, 60)}`;
  const lines = [
    label,
    t`From: ${toBase58(intent.owner)}`,
    t`Network: ${visibleLine(network, 60)}`,
    t`Time: ${context.timeOf(proposal.at)}`,
    noteOf(proposal),
    t`A program wrote all of this. Nothing is signed before you review it.`,
  ];
  const tooltip = lines.filter((it) => it !== "").join("\n");
  return { label, description, tooltip, spoken: `${label}. ${description}.` };
}

/** Returns the last line of the review. */
export function reviewRemark(proposal: StoredProposal): string {
  const parts = [
    t`Proposed by ${agentOf(proposal)}, a program. Check each line: the values are its claim.`,
    noteOf(proposal),
  ];
  return parts.filter((it) => it !== "").join(" ");
}

/** Returns the label of the transaction that a proposal becomes. */
export function proposalLabel(proposal: StoredProposal): string {
  return t`Proposed by ${agentOf(proposal)}`;
}

/** Returns the question before a program discards a proposal. */
export function discardQuestion(proposal: StoredProposal, context: ProposalContext): string {
  return t`Discard this proposal? ${describeProposal(proposal, context).label}`;
}

/** Question and explanation before the tools are turned on or off. */
export function toolsQuestion(isOn: boolean): {
  readonly title: string;
  readonly detail: string;
  readonly yes: string;
} {
  if (isOn)
    return {
      title: t`Turn off the tools for agents?`,
      detail: t`Agents can no longer read, estimate or propose through Finality. Proposals that wait stay in their folder.`,
      yes: t`Turn Off`,
    };
  return {
    title: t`Turn on the tools for agents?`,
    detail: t`Agents in this editor can then list and explain your transactions, read accounts and chain parameters of your networks, estimate, control the local chain, and propose transactions. They cannot sign or send: each proposal waits for your review.`,
    yes: t`Turn On`,
  };
}

function agentOf({ agent }: StoredProposal): string {
  return quoted(foreignText(agent), t`an agent`);
}

function noteOf({ note }: StoredProposal): string {
  const text = foreignText(note);
  return isBlank(text) ? "" : t`Its reason: ${quoted(text)}`;
}
