import { type Address, addressToBytes, bytesToHex } from "@finality/tron/primitives";
import type {
  ProposalApproveContract,
  ProposalCreateContract,
  ProposalDeleteContract,
  UpdateBrokerageContract,
  VoteWitnessContract,
  WithdrawBalanceContract,
  WitnessCreateContract,
  WitnessUpdateContract,
} from "@finality/tron/schema";
import { type Account, defaultWitnessPermission } from "../chain/account.ts";
import type { Actuator, Execution } from "../chain/execution.ts";
import { burn } from "../chain/ledger.ts";
import type { Proposal } from "../chain/parameters.ts";
import { decidedAt, proposalError } from "../chain/proposals.ts";
import { invalidContract } from "../chain/refusal.ts";
import { SUN_PER_COIN } from "../chain/stake.ts";
import { validAddress } from "../chain/transaction.ts";
import {
  rewardOf,
  settleReward,
  setVotes,
  votingPower,
  withdrawAllowance,
  withOldPowerFixed,
} from "../chain/voting.ts";
import { newWitness, type Vote, type Witness } from "../chain/witness.ts";
import { ownerAccount } from "./stake-actuators.ts";

const MAX_LONG = (1n << 63n) - 1n;
const MAX_VOTES = 30;

/** Replaces the votes of an account (VoteWitnessActuator). */
export const voteWitness: Actuator = {
  validate(execution) {
    const { ownerAddress, votes } = execution.contract.message as VoteWitnessContract;
    if (validAddress(ownerAddress) === undefined) throw invalidContract("Invalid address");
    if (votes.length === 0) throw invalidContract("VoteNumber must more than 0");
    if (votes.length > MAX_VOTES) throw invalidContract(`VoteNumber more than maxVoteNumber ${MAX_VOTES}`);
    const sum = checkedSum(execution);
    const account = ownerAccount(execution, ownerAddress, notExisting("Account", ownerAddress));
    const power = votingPower(execution.ledger, account);
    if (sum * SUN_PER_COIN > MAX_LONG) throw invalidContract(`overflow: checkedMultiply(${sum}, 1000000)`);
    if (sum * SUN_PER_COIN > power) {
      throw invalidContract(`The total number of votes[${sum * SUN_PER_COIN}] is greater than the tronPower[${power}]`);
    }
  },

  execute(execution) {
    const { ledger } = execution;
    const { ownerAddress } = execution.contract.message as VoteWitnessContract;
    const account = settleReward(ledger, ownerAccount(execution, ownerAddress, "Invalid address"));
    setVotes(ledger, withOldPowerFixed(ledger, account), votesIn(execution));
    return { result: "SUCCESS", fee: 0n };
  },
};

function notExisting(what: string, address: Uint8Array): string {
  return `${what}[${bytesToHex(address)}] not exists`;
}

/** @returns whole coins @throws {Refusal} */
function checkedSum({ ledger, contract }: Execution): bigint {
  let sum = 0n;
  for (const { voteAddress, voteCount } of (contract.message as VoteWitnessContract).votes) {
    const address = validAddress(voteAddress);
    if (address === undefined) throw invalidContract("Invalid vote address!");
    if (voteCount <= 0n) throw invalidContract("vote count must be greater than 0");
    if (ledger.account(address) === undefined) throw invalidContract(notExisting("Account", voteAddress));
    if (ledger.witness(address) === undefined) throw invalidContract(notExisting("Witness", voteAddress));
    if (sum + voteCount > MAX_LONG) throw invalidContract(`overflow: checkedAdd(${sum}, ${voteCount})`);
    sum += voteCount;
  }
  return sum;
}

function votesIn({ contract }: Execution): readonly Vote[] {
  return (contract.message as VoteWitnessContract).votes.flatMap(({ voteAddress, voteCount: count }) => {
    const witness = validAddress(voteAddress);
    return witness === undefined ? [] : [{ witness, count }];
  });
}

const DAY_MS = 86_400_000;

/** Moves rewards into the balance, at most once a day (WithdrawBalanceActuator). */
export const withdrawBalance: Actuator = {
  validate(execution) {
    const { ledger, now } = execution;
    const account = withdrawer(execution);
    const hexAddress = account.address;
    if (ledger.witness(account.address)?.genesisVotes !== undefined) {
      throw invalidContract(`Account[${hexAddress}] is a guard representative and is not allowed to withdraw Balance`);
    }
    const { withdrawnAt, allowance } = account.voting;
    if (now - withdrawnAt < DAY_MS) {
      throw invalidContract(`The last withdraw time is ${withdrawnAt}, less than 24 hours`);
    }
    if (allowance <= 0n && rewardOf(ledger, account) <= 0n) {
      throw invalidContract("witnessAccount does not have any reward");
    }
  },

  execute(execution) {
    const { ledger, now } = execution;
    const reward = withdrawAllowance(ledger, settleReward(ledger, withdrawer(execution)), now);
    return { result: "SUCCESS", fee: 0n, reward };
  },
};

function withdrawer(execution: Execution): Account {
  const { ownerAddress } = execution.contract.message as WithdrawBalanceContract;
  return ownerAccount(execution, ownerAddress, notExisting("Account", ownerAddress));
}

const MAX_URL_BYTES = 256;

/** Makes an account a witness, for a fee (WitnessCreateActuator). */
export const createWitness: Actuator = {
  validate(execution) {
    const { ledger, parameters } = execution;
    const { ownerAddress, url } = execution.contract.message as WitnessCreateContract;
    if (validAddress(ownerAddress) === undefined) throw invalidContract("Invalid address");
    checkUrl(url);
    const account = ownerAccount(execution, ownerAddress, notExisting("account", ownerAddress));
    if (ledger.witness(account.address) !== undefined) {
      throw invalidContract(`Witness[${account.address}] has existed`);
    }
    if (account.balance < BigInt(parameters.getAccountUpgradeCost)) {
      throw invalidContract("balance < AccountUpgradeCost");
    }
  },

  execute(execution) {
    const { ledger, parameters } = execution;
    const { ownerAddress, url } = execution.contract.message as WitnessCreateContract;
    const account = ownerAccount(execution, ownerAddress, "Invalid address");
    const { address } = account;
    ledger.putWitness(newWitness(address, textOf(url)));
    const witnessPermission = defaultWitnessPermission(addressToBytes(address));
    const fee = BigInt(parameters.getAccountUpgradeCost);
    burn(ledger, { ...account, ...(parameters.getAllowMultiSign === 1 && { witnessPermission }) }, fee);
    return { result: "SUCCESS", fee };
  },
};

/** Updates the URL of a witness (WitnessUpdateActuator). */
export const updateWitness: Actuator = {
  validate(execution) {
    const { ownerAddress, updateUrl } = execution.contract.message as WitnessUpdateContract;
    const { address } = ownerAccount(execution, ownerAddress, "account does not exist");
    checkUrl(updateUrl);
    witnessOf(execution, address, "Witness does not exist");
  },

  execute(execution) {
    const { ownerAddress, updateUrl } = execution.contract.message as WitnessUpdateContract;
    const { address } = ownerAccount(execution, ownerAddress, "account does not exist");
    const witness = witnessOf(execution, address, "Witness does not exist");
    execution.ledger.putWitness({ ...witness, url: textOf(updateUrl) });
    return { result: "SUCCESS", fee: 0n };
  },
};

function checkUrl(url: Uint8Array): void {
  if (url.length === 0 || url.length > MAX_URL_BYTES) throw invalidContract("Invalid url");
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function witnessOf({ ledger }: Execution, address: Address, unknown: string): Witness {
  const witness = ledger.witness(address);
  if (witness === undefined) throw invalidContract(unknown);
  return witness;
}

const WHOLE = 100;

/** Sets the brokerage of a witness from the next cycle on (UpdateBrokerageActuator). */
export const updateBrokerage: Actuator = {
  validate(execution) {
    const { parameters, ledger, contract } = execution;
    if (parameters.getChangeDelegation !== 1) {
      throw invalidContract("contract type error, unexpected type [UpdateBrokerageContract]");
    }
    const { ownerAddress, brokerage } = contract.message as UpdateBrokerageContract;
    const owner = validAddress(ownerAddress);
    if (owner === undefined) throw invalidContract("Invalid ownerAddress");
    if (brokerage < 0 || brokerage > WHOLE) throw invalidContract("Invalid brokerage");
    witnessOf(execution, owner, `Not existed witness:${bytesToHex(ownerAddress)}`);
    if (ledger.account(owner) === undefined) throw invalidContract("Account does not exist");
  },

  execute(execution) {
    const { ownerAddress, brokerage } = execution.contract.message as UpdateBrokerageContract;
    const { address } = ownerAccount(execution, ownerAddress, "Account does not exist");
    execution.ledger.putWitness({ ...witnessOf(execution, address, "Invalid ownerAddress"), brokerage });
    return { result: "SUCCESS", fee: 0n };
  },
};

/** Proposes new values of chain parameters; witnesses only (ProposalCreateActuator). */
export const createProposal: Actuator = {
  validate(execution) {
    checkWitness(execution, (execution.contract.message as ProposalCreateContract).ownerAddress);
    const parameters = parametersIn(execution);
    if (parameters.size === 0) throw invalidContract("This proposal has no parameter.");
    for (const [number, value] of parameters) {
      const complaint = proposalError(number, value, execution.parameters);
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
      proposer: ownerAccount(execution, ownerAddress, "Invalid address").address,
      parameters: parametersIn(execution),
      createdAt: now,
      expiresAt: decidedAt(ledger, now),
      approvals: [],
      state: "PENDING",
    });
    return { result: "SUCCESS", fee: 0n };
  },
};

/** A repeated parameter keeps its first position and its last value. */
function parametersIn({ contract }: Execution): ReadonlyMap<bigint, bigint> {
  const { parameters } = contract.message as ProposalCreateContract;
  return new Map(parameters.map(({ key = 0n, value = 0n }) => [key, value]));
}

/** Approves a proposal or withdraws the approval (ProposalApproveActuator). */
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
    const { address } = ownerAccount(execution, ownerAddress, "Invalid address");
    const proposal = existing(execution, proposalId);
    const others = proposal.approvals.filter((it) => it !== address);
    const approvals = isAddApproval ? [...others, address] : others;
    execution.ledger.tables.proposals.set(proposal.id, { ...proposal, approvals });
    return { result: "SUCCESS", fee: 0n };
  },
};

/** Cancels a proposal (ProposalDeleteActuator). */
export const deleteProposal: Actuator = {
  validate(execution) {
    const { ownerAddress, proposalId } = execution.contract.message as ProposalDeleteContract;
    const { address } = ownerAccount(execution, ownerAddress, notExisting("Account", ownerAddress));
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

/** @throws {Refusal} no account, or no witness */
function checkWitness(execution: Execution, ownerAddress: Uint8Array): Address {
  const { address } = ownerAccount(execution, ownerAddress, notExisting("Account", ownerAddress));
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
