import type { Address } from "@finality/tron/primitives";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type Account, BLACK_HOLE } from "../chain/account.ts";
import { addBalance, createdAccount } from "../chain/ledger.ts";
import { addStakeUsage, NO_STAKE, type Resource, takeOverUsage, UNUSED_WINDOW } from "../chain/stake.ts";
import { splitUnstaking } from "../chain/staking.ts";
import { NO_TOKENS, sumOfTokens } from "../chain/token.ts";
import { leaveVoting } from "../chain/voting.ts";
import type { Frame, Instruction } from "./frame.ts";
import { denyStatic } from "./frame-operations.ts";
import { addressOf, wholeSeconds, wordOfBytes } from "./words.ts";

/** SLOAD. */

export const load: Instruction = ({ stack, ledger, storage }) => {
  stack.push(ledger.row(storage, stack.pop()) ?? 0n);
};

export const store: Instruction = (frame) => {
  denyStatic(frame);
  const slot = frame.stack.pop();
  const word = frame.stack.pop();
  frame.ledger.putRow(frame.storage, slot, word);
};

export const loadTransient: Instruction = ({ stack, call }) => {
  stack.push(call.transient.get(call.address, stack.pop()));
};

export const storeTransient: Instruction = (frame) => {
  denyStatic(frame);
  const slot = frame.stack.pop();
  const word = frame.stack.pop();
  frame.call.transient.put(frame.call.address, slot, word);
};

export const codeSizeOf: Instruction = (frame) => {
  frame.stack.push(BigInt(codeAt(frame, addressOf(frame.stack.pop())).length));
};

export const copyCodeOf: Instruction = (frame) => {
  const { stack, memory } = frame;
  const code = codeAt(frame, addressOf(stack.pop()));
  const [to, offset, size] = [stack.pop(), stack.pop(), Number(stack.pop())];
  const copy = new Uint8Array(size);
  if (offset < BigInt(code.length)) copy.set(code.subarray(Number(offset), Number(offset) + size));
  memory.write(Number(to), size, copy);
};

/** EXTCODEHASH: hash of empty code for an account without code, 0 for a missing account. */
export const codeHashOf: Instruction = (frame) => {
  const address = addressOf(frame.stack.pop());
  const known = frame.ledger.account(address) !== undefined;
  frame.stack.push(known ? wordOfBytes(keccak_256(codeAt(frame, address))) : 0n);
};

export const isContract: Instruction = ({ stack, ledger }) => {
  stack.push(ledger.contract(addressOf(stack.pop())) === undefined ? 0n : 1n);
};

export function codeAt({ ledger }: Frame, address: Address): Uint8Array {
  return ledger.contract(address)?.code ?? new Uint8Array();
}

/**
 * SELFDESTRUCT: coins, tokens and stake move to the beneficiary at once; code and account are removed when the
 * transaction ends (Program.suicide). If it names itself they go to the black hole. With proposal 94 (TIP-6780) only a
 * contract of the same transaction is removed, and any other that names itself keeps all.
 */
export const suicide: Instruction = (frame) => {
  denyStatic(frame);
  if (holdsStake(frame)) {
    frame.ending = "reverted";
    return;
  }
  const heir = addressOf(frame.stack.pop());
  const { machine, call, ledger } = frame;
  const stays = isRestricted(frame) && !machine.created.includes(call.address);
  const keepsAll = stays && heir === call.address;
  if (!keepsAll) giveUpVotes(frame);
  const { balance: value, tokens } = ledger.account(call.address) ?? { balance: 0n, tokens: NO_TOKENS };
  const due = dueOf(frame);
  const entry = { from: call.address, to: heir, parent: call.hash, data: new Uint8Array() } as const;
  machine.internal.add({ ...entry, note: "suicide", value, tokens });
  frame.ending = "returned";
  if (keepsAll) return;
  if (due > 0n) machine.internal.amend({ value: value + due });
  transferToBeneficiary(frame, { heir, value: value + due, stays });
  if (due > 0n) machine.internal.add({ ...entry, note: "withdrawExpireUnfreezeWhileSuiciding", value: due });
  if (!stays && !machine.ended.includes(call.address)) machine.ended.push(call.address);
};

function isRestricted({ machine }: Frame): boolean {
  return machine.environment.parameters.getAllowTvmSelfdestructRestriction === 1;
}

/** Removes votes after paying out the rewards. */
function giveUpVotes({ ledger, call, machine }: Frame): void {
  const own = ledger.account(call.address);
  if (own === undefined || machine.environment.parameters.getAllowTvmVote !== 1) return;
  leaveVoting(ledger, own, wholeSeconds(machine.environment.block.timestamp));
}

/** Returns the withdrawable unstaked sun. */
function dueOf({ ledger, call, machine }: Frame): bigint {
  const own = ledger.account(call.address);
  return own === undefined ? 0n : splitUnstaking(own, machine.environment.now).due;
}

/** Coins of an ended contract, and the account that gets them. */
interface Inheritance {
  readonly heir: Address;
  /** Sun. */
  readonly value: bigint;
  /** True if the contract is not removed. */
  readonly stays: boolean;
}

function transferToBeneficiary({ ledger, call, machine }: Frame, { heir: to, value, stays }: Inheritance): void {
  const own = ledger.account(call.address);
  if (own === undefined) return;
  const { now } = machine.environment;
  const unused = stays ? { ...UNUSED_WINDOW, slot: ledger.slotAt(now) } : UNUSED_WINDOW;
  const used = { bandwidth: unused, energy: unused };
  const tokens = own.tokens.size === 0 ? NO_TOKENS : new Map([...own.tokens.keys()].map((id) => [id, 0n]));
  ledger.put({
    ...own,
    balance: 0n,
    tokens,
    stake: NO_STAKE,
    unstaking: [],
    used,
    ...(stays && { clearedOldStake: stays }),
  });
  const heir = to === call.address ? BLACK_HOLE : to;
  const before = ledger.account(heir) ?? createdAccount(ledger, heir, now);
  addBalance(ledger, inherited(before, own, ledger.slotAt(now)), value);
}

/** Returns the beneficiary with the contract's stake and usage. */
function inherited(heir: Account, own: Account, slot: number): Account {
  const stake = {
    bandwidth: heir.stake.bandwidth + own.stake.bandwidth,
    energy: heir.stake.energy + own.stake.energy,
    tronPower: heir.stake.tronPower + own.stake.tronPower,
  };
  const used = (resource: Resource): Account["used"][Resource] => {
    const left = addStakeUsage(own.used[resource], 0n, slot);
    return left.amount > 0n ? takeOverUsage(heir.used[resource], left.amount, left, slot) : heir.used[resource];
  };
  return {
    ...heir,
    stake,
    tokens: sumOfTokens(heir.tokens, own.tokens),
    used: { bandwidth: used("bandwidth"), energy: used("energy") },
  };
}

/** Returns whether delegated or unstaking resources prevent the end of a contract. */
function holdsStake({ ledger, call, machine }: Frame): boolean {
  const account = ledger.account(call.address);
  if (account === undefined) return false;
  const { lent, unstaking } = account;
  const waits = unstaking.some(({ due }) => due > machine.environment.now);
  return lent.bandwidth > 0n || lent.energy > 0n || waits;
}
