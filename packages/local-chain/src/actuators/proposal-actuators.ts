import { type Address, bytesToHex } from "@finality/tron/primitives";
import type { ProposalApproveContract, ProposalCreateContract, ProposalDeleteContract } from "@finality/tron/schema";
import type { Actuator, Execution } from "../chain/actuator.ts";
import type { Proposal } from "../chain/chain-rules.ts";
import { complaintAbout } from "../chain/proposable.ts";
import { decidedAt } from "../chain/proposal.ts";
import { invalidContract } from "../chain/refusal.ts";
import { ownAccount } from "./stake-actuators.ts";

/** A witness proposes other values of chain parameters (ProposalCreateActuator). */
export const createProposal: Actuator = {
  validate(execution) {
    checkWitness(execution, (execution.contract.message as ProposalCreateContract).ownerAddress);
    const parameters = parametersIn(execution);
    if (parameters.size === 0) throw invalidContract("This proposal has no parameter.");
    for (const [number, value] of parameters) {
      const complaint = complaintAbout(number, value, execution.parameters);
      if (complaint !== undefined) throw invalidContract(complaint);
    }
  },

  execute(execution) {
    const { ledger, now } = execution;
    const { ownerAddress } = execution.contract.message as ProposalCreateContract;
    const id = ledger.totals.newestProposal + 1;
    ledger.changeTotals({ newestProposal: id });
    ledger.tables.proposals.set(id, {
      id,
      proposer: ownAccount(execution, ownerAddress, "Invalid address").address,
      parameters: parametersIn(execution),
      createdAt: now,
      expiresAt: decidedAt(ledger, now),
      approvals: [],
      state: "PENDING",
    });
    return { result: "SUCCESS", fee: 0n };
  },
};

/** A number that comes twice keeps its first place and gets the last value. */
function parametersIn({ contract }: Execution): ReadonlyMap<bigint, bigint> {
  const { parameters } = contract.message as ProposalCreateContract;
  return new Map(parameters.map(({ key = 0n, value = 0n }) => [key, value]));
}

/** A witness agrees to a proposal, or does not any more (ProposalApproveActuator). */
export const approveProposal: Actuator = {
  validate(execution) {
    const { ownerAddress, proposalId, isAddApproval } = execution.contract.message as ProposalApproveContract;
    const owner = checkWitness(execution, ownerAddress);
    const { approvals } = openProposal(execution, proposalId);
    const before = approvals.includes(owner);
    if (before !== isAddApproval) return;
    const has = isAddApproval ? "has" : "has not";
    throw invalidContract(`Witness[${owner}]${has} approved proposal[${proposalId}] before`);
  },

  execute(execution) {
    const { ownerAddress, proposalId, isAddApproval } = execution.contract.message as ProposalApproveContract;
    const { address } = ownAccount(execution, ownerAddress, "Invalid address");
    const proposal = existing(execution, proposalId);
    const others = proposal.approvals.filter((it) => it !== address);
    const approvals = isAddApproval ? [...others, address] : others;
    execution.ledger.tables.proposals.set(proposal.id, { ...proposal, approvals });
    return { result: "SUCCESS", fee: 0n };
  },
};

/** A witness takes its proposal back (ProposalDeleteActuator). */
export const deleteProposal: Actuator = {
  validate(execution) {
    const { ownerAddress, proposalId } = execution.contract.message as ProposalDeleteContract;
    const { address } = ownAccount(execution, ownerAddress, notExisting("Account", ownerAddress));
    if (existing(execution, proposalId).proposer !== address) {
      throw invalidContract(`Proposal[${proposalId}] is not proposed by ${address}`);
    }
    openProposal(execution, proposalId);
  },

  execute(execution) {
    const proposal = existing(execution, (execution.contract.message as ProposalDeleteContract).proposalId);
    execution.ledger.tables.proposals.set(proposal.id, { ...proposal, state: "CANCELED" });
    return { result: "SUCCESS", fee: 0n };
  },
};

function notExisting(what: string, address: Uint8Array): string {
  return `${what}[${bytesToHex(address)}] not exists`;
}

/** @throws {Refusal} no account, or no witness */
function checkWitness(execution: Execution, ownerAddress: Uint8Array): Address {
  const { address } = ownAccount(execution, ownerAddress, notExisting("Account", ownerAddress));
  if (execution.ledger.witness(address) === undefined) throw invalidContract(notExisting("Witness", ownerAddress));
  return address;
}

/** @throws {Refusal} there is none of this number */
function existing({ ledger }: Execution, id: bigint): Proposal {
  const proposal = ledger.tables.proposals.get(Number(id));
  if (proposal === undefined) throw invalidContract(`Proposal[${id}] not exists`);
  return proposal;
}

/** @throws {Refusal} none, or one that is decided or taken back */
function openProposal(execution: Execution, id: bigint): Proposal {
  const proposal = existing(execution, id);
  if (execution.now >= proposal.expiresAt) throw invalidContract(`Proposal[${id}] expired`);
  if (proposal.state === "CANCELED") throw invalidContract(`Proposal[${id}] canceled`);
  return proposal;
}
