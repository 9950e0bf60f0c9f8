import type { Address } from "@finality/tron/primitives";
import type { BlockHeader } from "@finality/tron/transaction";
import type { Ledger } from "./ledger.ts";
import { decideProposals } from "./proposals.ts";
import { slotOf } from "./stake.ts";
import { allow } from "./voting.ts";
import { chosen, EARNING_PRECISION, earningKey, sharesOf, type Witness, witnessShare } from "./witness.ts";

/** A block after its transactions. */
export type FinishedBlock = Pick<BlockHeader, "number" | "timestamp"> & { readonly witness: Address };

/**
 * Ends a block: rewards, producer statistics and, when due, maintenance with proposals and vote count
 * (Manager.processBlock, MaintenanceManager.applyBlock).
 *
 * @param parentTime - chain time in ms of the block before
 */
export function endBlock(ledger: Ledger, block: FinishedBlock, parentTime: number): void {
  payRewards(ledger, block.witness);
  const due = ledger.totals.nextMaintenance <= block.timestamp;
  if (due) decideProposals(ledger);
  countBlock(ledger, block, parentTime);
  if (!due) return;
  if (block.number !== 1) maintain(ledger);
  ledger.changeTotals({ nextMaintenance: followingMaintenance(ledger, block.timestamp) });
}

function followingMaintenance({ totals, parameters }: Ledger, now: number): number {
  const interval = parameters.getMaintenanceTimeInterval;
  const rounds = Math.floor((now - totals.nextMaintenance) / interval);
  return totals.nextMaintenance + (rounds + 1) * interval;
}

function payRewards(ledger: Ledger, producer: Address): void {
  const { parameters } = ledger;
  const block = BigInt(parameters.getWitnessPayPerBlock);
  const fees = takeProducerFees(ledger);
  if (parameters.getChangeDelegation !== 1) {
    allowTo(ledger, producer, block + fees);
    return;
  }
  payReward(ledger, producer, block);
  payReward(ledger, producer, fees);
  const shares = sharesOf(ledger.witnesses(), parameters.getWitness127PayPerBlock);
  for (const [witness, share] of shares) payReward(ledger, witness, share);
}

/** Takes the producer's fees of a block, if the chain rules grant any. @returns sun */
function takeProducerFees(ledger: Ledger): bigint {
  const { feePool, minted } = ledger.totals;
  if (feePool === 0n || ledger.parameters.getAllowTransactionFeePool !== 1) return 0n;
  ledger.changeTotals({ feePool: 0n, minted: minted - feePool });
  return feePool;
}

/** Pays a reward: the brokerage to the witness, the rest to its voters at the end of the cycle. */
function payReward(ledger: Ledger, address: Address, reward: bigint): void {
  const witness = ledger.witness(address);
  if (witness === undefined) return;
  const stored = witnessShare(witness, reward);
  ledger.putWitness({ ...witness, reward: witness.reward + reward - stored });
  allowTo(ledger, address, stored);
}

function allowTo(ledger: Ledger, address: Address, amount: bigint): void {
  const account = ledger.account(address);
  if (account !== undefined) allow(ledger, account, amount);
}

/** Counts the block, and missed turns since its parent. */
function countBlock(ledger: Ledger, { number, timestamp, witness: address }: FinishedBlock, parentTime: number): void {
  const witness = ledger.witness(address);
  if (witness === undefined) return;
  const produced = witness.produced + 1;
  ledger.putWitness({ ...witness, produced, latestBlock: number, latestSlot: slotOf(timestamp) });
  countAbsent(ledger, number, address);
  if (number !== 1) countMissed(ledger, number, slotOf(timestamp) - slotOf(parentTime) - 1);
}

/** Counts a missed block for each witness without a key up to the producer. */
function countAbsent(ledger: Ledger, number: number, producer: Address): void {
  const { active } = ledger.totals;
  for (let turn = 0; turn < active.length; turn += 1) {
    const address = turnOf(active, number + turn);
    const witness = ledger.witness(address);
    if (witness === undefined || address === producer) return;
    ledger.putWitness({ ...witness, missed: witness.missed + 1 });
  }
}

/** Counts missed blocks for the witnesses after the producer. */
function countMissed(ledger: Ledger, number: number, slots: number): void {
  const { active } = ledger.totals;
  for (let turn = 0; turn < Math.min(slots, active.length); turn += 1) {
    const witness = ledger.witness(turnOf(active, number + turn));
    const missed = Math.ceil((slots - turn) / active.length);
    if (witness !== undefined) ledger.putWitness({ ...witness, missed: witness.missed + missed });
  }
}

/** Returns whether the chain has the key of a witness. */
export type HasKey = (witness: Address) => boolean;

/**
 * Returns the producer of a height: the witness in turn, or the next one with a key. Without any key it is the first
 * one.
 */
export function producerOf(active: readonly Address[], height: number, hasKey: HasKey): Address {
  const turns = active.map((_, turn) => turnOf(active, height + turn));
  return turns.find(hasKey) ?? turnOf(active, height);
}

/** Returns the witness in turn. Turns depend on the height only, not on missed blocks. */
function turnOf(active: readonly Address[], height: number): Address {
  const witness = active[height % active.length];
  if (witness === undefined) throw new TypeError("A chain needs at least one witness.");
  return witness;
}

/** Ends a cycle: distributes rewards, counts votes and activates the first 27 witnesses. */
function maintain(ledger: Ledger): void {
  forgetGenesisVotes(ledger);
  for (const witness of ledger.witnesses()) closeCycle(ledger, witness);
  if (countBallots(ledger)) {
    activate(ledger);
    payStandbyAllowance(ledger);
  }
  if (ledger.parameters.getChangeDelegation === 1) beginCycle(ledger);
}

/** Removes genesis votes once, when a proposal is in force. */
function forgetGenesisVotes(ledger: Ledger): void {
  const { parameters } = ledger;
  if (parameters.getRemoveThePowerOfTheGr !== 1) return;
  for (const witness of ledger.witnesses()) {
    ledger.putWitness({ ...witness, votes: witness.votes - (witness.genesisVotes ?? 0n) });
  }
  ledger.changeTotals({ parameters: { ...parameters, getRemoveThePowerOfTheGr: -1 } });
}

/** Adds the cycle's reward per vote to the cumulative reward (DelegationStore.accumulateWitnessVi). */
function closeCycle({ tables, totals }: Ledger, { address, votes, reward }: Witness): void {
  const before = tables.earnings.get(earningKey(address, totals.cycle - 1)) ?? 0n;
  const grown = votes === 0n ? before : before + (reward * EARNING_PRECISION) / votes;
  if (grown !== 0n) tables.earnings.set(earningKey(address, totals.cycle), grown);
}

/** Counts changed votes. @returns true if there were any */
function countBallots(ledger: Ledger): boolean {
  const { ballots } = ledger.tables;
  const cast = [...ballots.entries()];
  for (const [voter, { before, after }] of cast) {
    for (const { witness, count } of before) addVotes(ledger, witness, -count);
    for (const { witness, count } of after) addVotes(ledger, witness, count);
    ballots.set(voter, undefined);
  }
  return cast.some(([, { before, after }]) => before.length + after.length > 0);
}

function addVotes(ledger: Ledger, address: Address, count: bigint): void {
  const witness = ledger.witness(address);
  if (witness !== undefined) ledger.putWitness({ ...witness, votes: witness.votes + count });
}

/** Activates the witnesses with most votes (DposService.updateWitness). */
export function activate(ledger: Ledger): void {
  const active = chosen(ledger.witnesses());
  ledger.changeTotals({ active });
  for (const witness of ledger.witnesses()) {
    const isActive = active.includes(witness.address);
    if (witness.active !== isActive) ledger.putWitness({ ...witness, active: isActive });
  }
}

/** Pays the first 127 witnesses by the rule before voters got rewards (IncentiveManager). */
function payStandbyAllowance(ledger: Ledger): void {
  const { parameters } = ledger;
  if (parameters.getChangeDelegation === 1) return;
  const shares = sharesOf(ledger.witnesses(), parameters.getWitnessStandbyAllowance);
  for (const [witness, share] of shares) allowTo(ledger, witness, share);
}

function beginCycle(ledger: Ledger): void {
  ledger.changeTotals({ cycle: ledger.totals.cycle + 1 });
  for (const witness of ledger.witnesses()) {
    ledger.putWitness({ ...witness, reward: 0n, brokerageNow: witness.brokerage });
  }
}

/** Returns the newest height of each active witness, 0 without a block. */
export function latestHeights(ledger: Ledger, hasKey: HasKey): readonly number[] {
  const { active } = ledger.totals;
  const able = active.filter(hasKey);
  return (able.length === 0 ? active : able).map((it) => ledger.witness(it)?.latestBlock ?? 0);
}
