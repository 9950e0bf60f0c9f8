import type { Address } from "@finality/tron/primitives";
import type { Account } from "../chain/account.ts";
import type { ChainParameters } from "../chain/parameters.ts";
import { MAX_UNSTAKING, type Resource, SUN_PER_COIN } from "../chain/stake.ts";
import { effectiveStake, splitUnstaking } from "../chain/staking.ts";
import { FULL_WINDOW, stakeUsedAt } from "../chain/usage.ts";
import { rewardOf, votingPower } from "../chain/voting.ts";
import { sumOf } from "../chain/witness.ts";
import type { Frame } from "./frame.ts";
import type { Precompile } from "./operation.ts";
import { addressOf, bytesOfWord, MAX_LONG, wordOfBytes } from "./words.ts";

const WORD = 32;
const QUERY = 50;
const SLOT_SECONDS = 3n;
const SLOT_THOUSANDTHS = 1000n;

/** What contracts may ask of stakes, votes and parameters. */
export const chainPrecompiles: readonly (readonly [bigint, Precompile])[] = [
  [0x01000005n, { ...voting(500, 0, () => 0n), run: (_input, { frame, caller }) => reward(frame, caller) }],
  [0x01000006n, voting(20, 1, ({ ledger }, [who = 0n]) => (ledger.witness(addressOf(who)) === undefined ? 0n : 1n))],
  [0x01000007n, voting(500, 2, (frame, [who = 0n, witness = 0n]) => votesFor(frame, who, witness))],
  [0x01000008n, voting(20, 1, (frame, [who = 0n]) => sumOf(accountOf(frame, who)?.voting.votes ?? []))],
  [0x01000009n, voting(20, 1, ({ ledger }, [who = 0n]) => ledger.witness(addressOf(who))?.votes ?? 0n)],
  [0x0100000an, voting(20, 1, (frame, [who = 0n]) => powerOf(frame, who))],
  [0x0100000bn, query(1, 1, (frame, [code = 0n]) => [chainParameter(frame, code)])],
  [0x0100000cn, query(1, 1, (frame, [who = 0n]) => [placesLeft(frame, who)])],
  [0x0100000dn, query(2, 1, (frame, [who = 0n, type = 0n]) => [ownStake(frame, who, type)])],
  [0x0100000en, query(2, 1, (frame, [who = 0n, time = 0n]) => [dueUntil(frame, who, time)])],
  [0x0100000fn, query(2, 1, (frame, [who = 0n, type = 0n]) => [lendable(frame, who, type)])],
  [0x01000010n, query(3, 1, (frame, [to = 0n, from = 0n, type = 0n]) => [lent(frame, { to, from, type })])],
  [0x01000011n, query(3, 3, (frame, [who = 0n, amount = 0n, type = 0n]) => returned(frame, { who, amount, type }))],
  [0x01000012n, query(2, 2, (frame, [who = 0n, type = 0n]) => usage(frame, who, type))],
  [0x01000013n, query(2, 1, (frame, [who = 0n, type = 0n]) => [staked(frame, who, type, "all")])],
  [0x01000014n, query(2, 1, (frame, [who = 0n, type = 0n]) => [staked(frame, who, type, "lent")])],
  [0x01000015n, query(2, 1, (frame, [who = 0n, type = 0n]) => [staked(frame, who, type, "borrowed")])],
];

type Answer = (frame: Frame, words: readonly bigint[]) => readonly bigint[];

/** @param words - of the input; one of another length is answered with 0 */
function voting(energy: number, words: number, answer: (frame: Frame, words: readonly bigint[]) => bigint): Precompile {
  const when = ({ getAllowTvmVote }: ChainParameters): boolean => getAllowTvmVote === 1;
  return { ...query(words, 1, (frame, input) => [answer(frame, input)]), energy: () => energy, when };
}

/** An input of another length is answered with zeros. */
function query(words: number, answers: number, answer: Answer): Precompile {
  return {
    energy: () => QUERY,
    run: (input, { frame }) => {
      const inputs = Array.from({ length: words }, (_, index) =>
        wordOfBytes(input.subarray(index * WORD, (index + 1) * WORD)),
      );
      const fits = input.length === words * WORD;
      return Buffer.concat((fits ? answer(frame, inputs) : new Array<bigint>(answers).fill(0n)).map(bytesOfWord));
    },
    when: ({ getUnfreezeDelayDays }) => getUnfreezeDelayDays > 0,
  };
}

/** Sun that the caller could withdraw, whatever it says. */
function reward({ ledger }: Frame, caller: Address): Uint8Array {
  const account = ledger.account(caller);
  return bytesOfWord(account === undefined ? 0n : rewardOf(ledger, account));
}

/** Votes of one account for one witness. */
function votesFor(frame: Frame, who: bigint, witness: bigint): bigint {
  const votes = accountOf(frame, who)?.voting.votes ?? [];
  return sumOf(votes.filter((it) => it.witness === addressOf(witness)));
}

function powerOf(frame: Frame, who: bigint): bigint {
  const account = accountOf(frame, who);
  return account === undefined ? 0n : votingPower(frame.ledger, account) / SUN_PER_COIN;
}

function chainParameter({ machine, ledger }: Frame, code: bigint): bigint {
  const { parameters } = machine.surroundings;
  const { weight } = ledger.totals;
  const values = [
    0n,
    BigInt(parameters.getTotalNetLimit),
    weight.bandwidth,
    BigInt(parameters.getTotalEnergyCurrentLimit),
    weight.energy,
    BigInt(parameters.getUnfreezeDelayDays),
  ];
  return code < BigInt(values.length) ? (values[Number(code)] ?? 0n) : 0n;
}

/** How many parts of a stake may still be taken back at the same time. */
function placesLeft(frame: Frame, who: bigint): bigint {
  const account = accountOf(frame, who);
  if (account === undefined) return 0n;
  const left = MAX_UNSTAKING - splitUnstaking(account, frame.machine.surroundings.now).waiting.length;
  return BigInt(Math.max(0, left));
}

/** Sun of a stake that was taken back and is due by a time in seconds. */
function dueUntil(frame: Frame, who: bigint, seconds: bigint): bigint {
  const account = accountOf(frame, who);
  if (account === undefined) return 0n;
  const time = seconds >= MAX_LONG / 1000n ? Number.POSITIVE_INFINITY : Number(seconds * 1000n);
  return splitUnstaking(account, time).due;
}

function accountOf({ ledger }: Frame, who: bigint): Account | undefined {
  return ledger.account(addressOf(who));
}

function resourceOf(type: bigint): Resource | undefined {
  return type === 0n ? "bandwidth" : type === 1n ? "energy" : undefined;
}

function ownStake(frame: Frame, who: bigint, type: bigint): bigint {
  const account = accountOf(frame, who);
  const purpose = type === 2n ? "tronPower" : resourceOf(type);
  return account === undefined || purpose === undefined ? 0n : account.stake[purpose];
}

function staked(frame: Frame, who: bigint, type: bigint, what: "all" | "lent" | "borrowed"): bigint {
  const account = accountOf(frame, who);
  const resource = resourceOf(type);
  if (account === undefined || resource === undefined) return 0n;
  return what === "all" ? effectiveStake(account, resource) : account[what][resource];
}

/** The sun of stake that what is used now stands for, and the seconds until nothing is used any more. */
function usage({ ledger, machine }: Frame, who: bigint, type: bigint): readonly [sun: bigint, seconds: bigint] {
  const account = ledger.account(addressOf(who));
  const resource = resourceOf(type);
  if (account === undefined || resource === undefined) return [0n, 0n];
  const { getTotalNetLimit, getTotalEnergyCurrentLimit } = machine.surroundings.parameters;
  const total = resource === "bandwidth" ? getTotalNetLimit : getTotalEnergyCurrentLimit;
  const used = account.used[resource];
  const now = ledger.slotAt(machine.surroundings.now);
  const slots =
    BigInt(used.slot - now) + (used.window < SLOT_THOUSANDTHS ? FULL_WINDOW : used.window) / SLOT_THOUSANDTHS;
  if (slots <= 0n) return [0n, 0n];
  const weight = Number(ledger.totals.weight[resource]);
  const sun = ((Number(stakeUsedAt(used, now)) * weight) / total) * Number(SUN_PER_COIN);
  return [BigInt(Math.trunc(sun)), slots * SLOT_SECONDS];
}

function lendable(frame: Frame, who: bigint, type: bigint): bigint {
  const account = accountOf(frame, who);
  const resource = resourceOf(type);
  if (account === undefined || resource === undefined) return 0n;
  const [sun] = usage(frame, who, type);
  const own = sun - account.borrowed[resource];
  const left = account.stake[resource] - (own > 0n ? own : 0n);
  return left > 0n ? left : 0n;
}

interface ReturnQuery {
  readonly who: bigint;
  /** Sun. */
  readonly amount: bigint;
  readonly type: bigint;
}

/** What of a stake that is taken back from a borrower is unused, what is used, and the seconds until that recovers. */
function returned(frame: Frame, { who, amount, type }: ReturnQuery): readonly [bigint, bigint, bigint] {
  const account = accountOf(frame, who);
  const resource = resourceOf(type);
  if (account === undefined || resource === undefined || amount === 0n) return [0n, 0n, 0n];
  const all = effectiveStake(account, resource);
  const [used, seconds] = usage(frame, who, type);
  const part = amount < all ? amount : all;
  if (all <= used) return [0n, part, seconds];
  const clean = BigInt(Math.trunc(Number(part) * (Number(all - used) / Number(all))));
  return [clean, part - clean, seconds];
}

interface LoanQuery {
  readonly to: bigint;
  readonly from: bigint;
  readonly type: bigint;
}

function lent(frame: Frame, { to, from, type }: LoanQuery): bigint {
  if (addressOf(to) === addressOf(from)) return ownStake(frame, from, type);
  const lender = accountOf(frame, from);
  const resource = resourceOf(type);
  if (lender === undefined || resource === undefined) return 0n;
  const loan = lender.loans.find((it) => it.to === addressOf(to));
  return loan === undefined ? 0n : loan.free[resource] + loan.locked[resource].amount;
}
