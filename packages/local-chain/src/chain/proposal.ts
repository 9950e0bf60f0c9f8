import type { Proposal } from "./chain-rules.ts";
import type { Ledger } from "./ledger.ts";
import { changedRules } from "./proposable.ts";

/** How long a proposal can be approved, in ms (`block.proposalExpireTime`). */
const OPEN_FOR = 259_200_000;

/** The maintenance that decides about a proposal of now (ProposalCreateActuator). */
export function decidedAt({ parameters, totals }: Ledger, now: number): number {
  const interval = parameters.getMaintenanceTimeInterval;
  const rounds = Math.trunc((now + OPEN_FOR - totals.nextMaintenance) / interval);
  return totals.nextMaintenance + (rounds + 1) * interval;
}

/** Of the witnesses that make blocks, so many of a hundred have to approve. */
const MAJORITY = 70;

/** Decides about proposals whose time is over, the newest first (ProposalController). */
export function decideProposals(ledger: Ledger): void {
  const { proposals } = ledger.tables;
  for (let id = ledger.totals.newestProposal; id > 0; id -= 1) {
    const proposal = proposals.get(id);
    if (proposal?.state === "APPROVED" || proposal?.state === "DISAPPROVED") return;
    if (proposal?.state === "PENDING" && proposal.expiresAt <= ledger.totals.nextMaintenance) decide(ledger, proposal);
  }
}

function decide(ledger: Ledger, proposal: Proposal): void {
  const { active } = ledger.totals;
  const count = proposal.approvals.filter((it) => active.includes(it)).length;
  const approved = count >= Math.floor((active.length * MAJORITY) / 100);
  if (approved) ledger.changeTotals(changedRules(ledger.totals, proposal.parameters, proposal.expiresAt));
  ledger.tables.proposals.set(proposal.id, { ...proposal, state: approved ? "APPROVED" : "DISAPPROVED" });
}
