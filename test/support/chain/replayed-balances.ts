import assert from "node:assert/strict";
import { BLACK_HOLE } from "../../../packages/local-chain/src/chain/account.ts";
import type { Ledger } from "../../../packages/local-chain/src/chain/ledger.ts";
import { NO_TOKENS, NOTHING_ISSUED } from "../../../packages/local-chain/src/chain/token.ts";
import type { IncludedTransaction, InternalTransaction } from "../../../packages/local-chain/src/chain/transaction.ts";
import type { Vote } from "../../../packages/local-chain/src/chain/witness.ts";
import type { Simulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import { bytesToHex } from "../../../packages/tron/src/primitives/bytes.ts";
import type {
  CreateSmartContract,
  FreezeBalanceV2Contract,
  ParticipateAssetIssueContract,
  TransferContract,
  TriggerSmartContract,
} from "../../../packages/tron/src/transaction/gen/transaction_pb.js";

/**
 * Sun that a state accounts for: in balances, staked, lent, on the way back, earned, burnt, and gone with contracts,
 * without what rewards have brought.
 */
export function coinsIn(state: Ledger, addresses: Iterable<Address>): bigint {
  const { burnt, lost, minted, feePool } = state.totals;
  let sum = burnt + lost + feePool - minted;
  const witnesses = [...state.witnesses()].map(({ address }) => address);
  for (const address of new Set([...addresses, ...witnesses, BLACK_HOLE])) {
    const account = state.account(address);
    if (account === undefined) continue;
    const { balance, stake, lent, unstaking, voting } = account;
    sum += balance + stake.bandwidth + stake.energy + stake.tronPower + lent.bandwidth + lent.energy + voting.allowance;
    for (const { amount } of unstaking) sum += amount;
  }
  return sum;
}

/** @throws {AssertionError} what there is of a token is not its supply: with everybody, frozen, and gone with contracts */
export function checkTokens(state: Ledger, addresses: Iterable<Address>): void {
  const sums = new Map(state.totals.lostTokens);
  const add = (id: string, amount: bigint): void => void sums.set(id, (sums.get(id) ?? 0n) + amount);
  for (const address of new Set([...addresses, BLACK_HOLE])) {
    const { tokens = NO_TOKENS, issued = NOTHING_ISSUED } = state.account(address) ?? {};
    for (const [id, amount] of tokens) add(id, amount);
    for (const { amount } of issued.frozen) add(issued.id, amount);
  }
  for (const [id, { definition }] of state.tables.tokens.entries()) {
    assert.equal(sums.get(id), definition.totalSupply, `what there is of ${id}`);
  }
}

/** @throws {AssertionError} the votes of witnesses are not those that accounts have given, or had when they were counted */
export function checkVotes(state: Ledger): void {
  const counted = new Map<Address, bigint>();
  const add = (votes: readonly Vote[]): void => {
    for (const { witness, count } of votes) counted.set(witness, (counted.get(witness) ?? 0n) + count);
  };
  for (const [address, { voting }] of state.tables.accounts.entries()) {
    const ballot = state.tables.ballots.get(address);
    add(ballot?.before ?? voting.votes);
    if (ballot !== undefined) assert.deepEqual(ballot.after, voting.votes, `the votes of ${address}`);
  }
  for (const { address, votes, genesisVotes = 0n } of state.witnesses()) {
    assert.equal(votes - genesisVotes, counted.get(address) ?? 0n, `the votes for ${address}`);
  }
}

/** @throws {AssertionError} an account's delegations do not match what it lent or received, or the weights are not the sum of all stakes */
export function checkStakes(state: Ledger, addresses: Iterable<Address>): void {
  const accounts = [...addresses].flatMap((address) => state.account(address) ?? []);
  for (const resource of ["energy", "bandwidth"] as const) {
    const received = new Map<Address, bigint>();
    let weight = 0n;
    for (const { address, stake, lent, delegations } of accounts) {
      let sum = 0n;
      for (const { to, free, locked } of delegations) {
        const amount = free[resource] + locked[resource].amount;
        sum += amount;
        received.set(to, (received.get(to) ?? 0n) + amount);
      }
      assert.equal(lent[resource], sum, `${resource} that ${address} delegates`);
      weight += (stake[resource] + lent[resource]) / 1_000_000n;
    }
    for (const { address, borrowed } of accounts)
      assert.equal(borrowed[resource], received.get(address) ?? 0n, `${resource} that ${address} received`);
    assert.equal(state.totals.weight[resource], weight, `weight of all ${resource} stakes`);
  }
}

/** Balances as the blocks tell them, without asking the chain's own state: what was, each transaction once, its fee. */
export class ReplayedBalances {
  readonly #sums = new Map<Address, bigint>();

  constructor({ faucet, accounts }: Simulation) {
    for (const { hex, balance } of [faucet, ...accounts]) this.#add(hex, BigInt(balance));
  }

  balance(address: Address): bigint {
    return this.#sums.get(address) ?? 0n;
  }

  read({ chain }: Simulation): this {
    for (let height = 1; height <= chain.head.header.number; height += 1) {
      for (const included of chain.block(height)?.transactions ?? []) this.#apply(included);
    }
    return this;
  }

  #apply({ transaction, info }: IncludedTransaction): void {
    const { contract } = transaction;
    if (contract === undefined || info === undefined)
      throw new TypeError("A transaction of a block without a contract.");
    const owner = addressOf((contract.message as { ownerAddress?: Uint8Array }).ownerAddress);
    this.#add(owner, -info.fee + (info.stake?.withdrawn ?? 0n) + (info.reward ?? 0n));
    if (contract.type?.name === "TransferContract") {
      const { toAddress, amount } = contract.message as TransferContract;
      this.#move(owner, addressOf(toAddress), amount);
    }
    if (contract.type?.name === "ParticipateAssetIssueContract") {
      const { toAddress, amount } = contract.message as ParticipateAssetIssueContract;
      this.#move(owner, addressOf(toAddress), amount);
    }
    if (contract.type?.name === "FreezeBalanceV2Contract") {
      this.#add(owner, -(contract.message as FreezeBalanceV2Contract).frozenBalance);
    }
    if (info.outcome === undefined || info.result !== "SUCCESS") return;
    const value =
      contract.type?.name === "CreateSmartContract"
        ? ((contract.message as CreateSmartContract).newContract?.callValue ?? 0n)
        : (contract.message as TriggerSmartContract).callValue;
    this.#move(owner, info.outcome.contractAddress, value);
    this.#applyInternal(info.outcome.internal ?? []);
  }

  #applyInternal(internal: readonly InternalTransaction[]): void {
    const done = internal.filter(({ rejected }) => !rejected);
    for (const { note, from, to, value } of done) {
      if (note.startsWith("freezeBalanceV2")) this.#add(from, -value);
      if (to !== undefined && ["call", "create", "suicide"].includes(note)) this.#move(from, to, value);
    }
    for (const { note, from } of done) if (note === "suicide") this.#sums.delete(from);
  }

  #move(from: Address, to: Address, amount: bigint): void {
    this.#add(from, -amount);
    this.#add(to, amount);
  }

  #add(address: Address, amount: bigint): void {
    this.#sums.set(address, this.balance(address) + amount);
  }
}

/** Counts the transactions in blocks. @throws {AssertionError} one occurs twice */
export function executions({ chain }: Simulation): number {
  const seen = new Set<string>();
  for (let height = 1; height <= chain.head.header.number; height += 1) {
    for (const { transaction } of chain.block(height)?.transactions ?? []) {
      assert.equal(seen.has(transaction.id), false, `${transaction.id} was executed twice`);
      seen.add(transaction.id);
    }
  }
  return seen.size;
}

/** The results that there are in blocks, by what the transaction was. */
export function outcomes({ chain }: Simulation): ReadonlySet<string> {
  const seen = new Set<string>();
  for (let height = 1; height <= chain.head.header.number; height += 1) {
    for (const { transaction, info } of chain.block(height)?.transactions ?? []) {
      seen.add(`${transaction.contract?.type?.name} ${info?.result}`);
      for (const { note } of info?.outcome?.internal ?? []) seen.add(note);
    }
  }
  return seen;
}

function addressOf(bytes: Uint8Array | undefined): Address {
  return bytesToHex(bytes ?? new Uint8Array()) as string as Address;
}
