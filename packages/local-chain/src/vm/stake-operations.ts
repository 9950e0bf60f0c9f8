import type { Address } from "@finality/tron/primitives";
import type { Account } from "../chain/account.ts";
import { Ledger } from "../chain/ledger.ts";
import { lend, lendable, loanTo, takeBack } from "../chain/lending.ts";
import { dueTime, MAX_UNSTAKING, PURPOSES, type Resource, type StakePurpose, SUN_PER_COIN } from "../chain/stake.ts";
import { cancelUnstaking, splitUnstaking, stakeCoins, unstakeCoins, withdrawDue } from "../chain/staking.ts";
import type { Frame } from "./frame.ts";
import { denyStatic } from "./frame-operations.ts";
import type { Instruction } from "./operation.ts";
import { addressOf, MAX_LONG } from "./words.ts";

/**
 * Operations by which a contract stakes, lends and takes back. Each leaves an internal transaction, a rejected one when
 * it could not be done; the code goes on then and finds 0 (Program.freezeBalanceV2 and its siblings).
 */

/** What an operation is about to do, as its internal transaction tells it. */
interface Plan {
  readonly note: string;
  readonly to?: Address;
  /** The word that names the amount. */
  readonly amount?: bigint;
}

/** @returns whether it was done, or the sun that it moved */
type Deed = (ledger: Ledger, own: Account) => bigint | boolean;

export const freezeBalance: Instruction = (frame) => {
  denyStatic(frame);
  const [type, amount] = [frame.stack.pop(), frame.stack.pop()];
  perform(frame, { note: `freezeBalanceV2For${nameOf(type)}`, amount }, (ledger, own) => {
    const purpose = purposeOf(frame, type);
    if (!isAmount(amount, SUN_PER_COIN) || amount > own.balance || purpose === undefined) return false;
    stakeCoins(ledger, own, purpose, amount);
    return true;
  });
};

export const unfreezeBalance: Instruction = (frame) => {
  denyStatic(frame);
  const [type, amount] = [frame.stack.pop(), frame.stack.pop()];
  const { now, parameters } = frame.machine.surroundings;
  let due = 0n;
  perform(frame, { note: `unfreezeBalanceV2For${nameOf(type)}`, amount }, (ledger, own) => {
    const purpose = purposeOf(frame, type);
    if (!isAmount(amount, 1n) || purpose === undefined || amount > own.stake[purpose]) return false;
    if (splitUnstaking(own, now).waiting.length >= MAX_UNSTAKING) return false;
    due = unstakeCoins(ledger, own, { purpose, amount, due: dueTime(now, parameters) }, now);
    return true;
  });
  tellWithdrawn(frame, due, "withdrawExpireUnfreezeWhileUnfreezing");
};

export const withdrawExpireUnfreeze: Instruction = (frame) => {
  denyStatic(frame);
  const { now } = frame.machine.surroundings;
  perform(frame, { note: "withdrawExpireUnfreeze" }, (ledger, own) => withdrawDue(ledger, own, now));
};

export const cancelAllUnfreeze: Instruction = (frame) => {
  denyStatic(frame);
  const { now } = frame.machine.surroundings;
  let due = 0n;
  perform(frame, { note: "cancelAllUnfreezeV2" }, (ledger, own) => {
    due = cancelUnstaking(ledger, own, now).withdrawn;
    return true;
  });
  tellWithdrawn(frame, due, "withdrawExpireUnfreezeWhileCanceling");
};

export const delegateResource: Instruction = (frame) => {
  denyStatic(frame);
  const [type, amount, to] = [frame.stack.pop(), frame.stack.pop(), addressOf(frame.stack.pop())];
  const { now, parameters } = frame.machine.surroundings;
  perform(frame, { note: `delegateResourceOf${nameOf(type)}`, amount, to }, (ledger, own) => {
    const [resource, receiver] = [resourceOf(type), ledger.account(to)];
    if (resource === undefined || receiver === undefined || receiver.kind === "Contract") return false;
    if (!isAmount(amount, SUN_PER_COIN) || lendable({ ledger, parameters, now }, own, resource, false) < amount) {
      return false;
    }
    lend(ledger, { owner: own, receiver, resource, amount }, now);
    return true;
  });
};

export const undelegateResource: Instruction = (frame) => {
  denyStatic(frame);
  const [type, amount, to] = [frame.stack.pop(), frame.stack.pop(), addressOf(frame.stack.pop())];
  const { now, parameters } = frame.machine.surroundings;
  perform(frame, { note: `unDelegateResourceOf${nameOf(type)}`, amount, to }, (ledger, own) => {
    const [resource, loan] = [resourceOf(type), loanTo(own, to)];
    if (resource === undefined || loan === undefined) return false;
    if (!isAmount(amount, 1n) || amount > loan.free[resource]) return false;
    takeBack({ ledger, parameters, now }, { owner: own, to, resource, amount });
    return true;
  });
};

/** There is no stake of the first version to take back. */
export const unfreezeOld: Instruction = (frame) => {
  denyStatic(frame);
  const [type, to] = [frame.stack.pop(), addressOf(frame.stack.pop())];
  perform(frame, { note: `unfreezeFor${nameOf(type)}`, to }, () => false);
};

/**
 * Tells of what an operation is about to do, and does it in a layer of its own. It leaves 1 on the stack, what it moved,
 * or 0.
 */
export function perform(frame: Frame, { note, to, amount = 0n }: Plan, deed: Deed): void {
  const { internal } = frame.machine;
  const from = frame.call.address;
  const entry = { note, from, to: to ?? from, value: BigInt.asIntN(64, amount) };
  internal.add({ ...entry, parent: frame.call.hash, data: new Uint8Array() });
  const ledger = new Ledger(frame.ledger);
  const own = ledger.account(from);
  const done = own === undefined ? false : deed(ledger, own);
  if (done === false) internal.amend({ rejected: true });
  else ledger.commit();
  if (typeof done === "bigint") internal.amend({ value: done });
  frame.stack.push(BigInt(done));
}

/** What was due came back along the way. */
function tellWithdrawn(frame: Frame, value: bigint, note: string): void {
  if (value === 0n) return;
  const own = frame.call.address;
  frame.machine.internal.add({
    note,
    from: own,
    to: own,
    value,
    parent: frame.call.hash,
    data: new Uint8Array(),
  });
}

/** The word counts as one with a sign. */
function isAmount(word: bigint, least: bigint): boolean {
  return word >= least && word <= MAX_LONG;
}

function purposeOf({ machine }: Frame, type: bigint): StakePurpose | undefined {
  const votes = machine.surroundings.parameters.getAllowNewResourceModel === 1;
  return type === 2n && !votes ? undefined : PURPOSES[Number(type)];
}

function resourceOf(type: bigint): Resource | undefined {
  return type === 0n ? "bandwidth" : type === 1n ? "energy" : undefined;
}

/** The name looks at the last four bytes only. */
function nameOf(type: bigint): string {
  return ["Bandwidth", "Energy", "TronPower"][Number(BigInt.asUintN(32, type))] ?? "UnknownType";
}
