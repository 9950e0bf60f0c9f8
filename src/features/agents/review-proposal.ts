import { intentHash, type ProposalFolder, type StoredProposal } from "@finality/agent-tools/proposals";
import type { NetworkProfile } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { expirySeconds } from "../../host/settings/feature-settings.ts";
import { coinTransfer } from "../../sending/coin-transfer.ts";
import { systemContract } from "../../sending/system-contract.ts";
import type { ProposalClaim, SentTransaction } from "../../sending/transaction-kind.ts";
import { proposalLabel, reviewRemark } from "./proposals.view.ts";
import type { AgentServices } from "./services.ts";

/**
 * Builds the transaction of a proposal and shows the usual review, also on the local chain. Returns undefined if the
 * user cancels.
 *
 * @throws {ChainError} `PROPOSAL_REFUSED`, and what sending throws
 */
export async function reviewProposal(
  services: AgentServices,
  folder: ProposalFolder,
  proposal: StoredProposal,
): Promise<SentTransaction | undefined> {
  const { networks, transactions, gateways, keys, nameOf, sender, contracts } = services;
  const { intent } = proposal;
  const network = networks.get(proposal.network);
  await transactions.ready();
  await requireOpen(services, folder, proposal, network);
  const claim = claimOf(services, folder, proposal);
  const label = proposalLabel(proposal);
  if (intent.kind === "contract-call") {
    const order = { network: network.name, intent, label, proposal: claim };
    return await contracts.replaceCode({ ...order, acknowledgeFailure: false, unattended: false });
  }
  const request = {
    network,
    gateway: await gateways.for(network),
    nameOf,
    label,
    proposal: claim,
    unattended: false,
    expiresInMs: expirySeconds(undefined, keys.isOutside(intent.owner)) * 1000,
  };
  const pipeline = await sender();
  if (intent.kind === "transfer") return await pipeline.send(coinTransfer, { ...request, intent });
  return await pipeline.send(systemContract, { ...request, intent });
}

/** Refuses a proposal that was used, and one for another chain than the network of its name. */
async function requireOpen(
  { chains, transactions }: AgentServices,
  folder: ProposalFolder,
  { id, chain }: StoredProposal,
  network: NetworkProfile,
): Promise<void> {
  if (isInJournal(transactions, id) || (await folder.stateOf(id)) !== "open")
    throw new ChainError("PROPOSAL_REFUSED", { proposal: id, why: "gone" });
  const here = (await chains.networkRefOf(network)).chain;
  if (chain !== undefined && here !== undefined && chain !== here)
    throw new ChainError("PROPOSAL_REFUSED", { proposal: id, why: "chain" });
}

/** Returns the claim that binds the approval to exactly this proposal. */
function claimOf({ transactions }: AgentServices, folder: ProposalFolder, proposal: StoredProposal): ProposalClaim {
  const { id } = proposal;
  const approved = intentHash(proposal.intent);
  return {
    id,
    remark: reviewRemark(proposal),
    claim: async (intent) => {
      if (intentHash(intent) !== approved) throw new ChainError("PROPOSAL_REFUSED", { proposal: id, why: "changed" });
      if (isInJournal(transactions, id)) throw new ChainError("PROPOSAL_REFUSED", { proposal: id, why: "gone" });
      await folder.claim(proposal);
    },
    release: async () => await folder.release(id),
  };
}

function isInJournal(transactions: Pick<AgentServices["transactions"], "list">, id: string): boolean {
  return transactions.list().some(({ signed }) => signed?.proposal === id);
}
