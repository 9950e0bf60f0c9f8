import type { ChainParameters } from "../chain/parameters.ts";
import type { Resource } from "../chain/stake.ts";
import { effectiveStake } from "../chain/staking.ts";
import type { Frame } from "./frame.ts";
import type { Precompile } from "./precompile.ts";
import { addressOf, bytesOfWord, wordOfBytes } from "./words.ts";

const WORD = 32;
const QUERY = 50;

/** What contracts may ask of stakes, votes and parameters. On this chain nobody votes and contracts cannot stake. */
export const chainPrecompiles: readonly (readonly [bigint, Precompile])[] = [
  [0x01000005n, votes(500)],
  [0x01000006n, votes(20)],
  [0x01000007n, votes(500)],
  [0x01000008n, votes(20)],
  [0x01000009n, votes(20)],
  [0x0100000an, votes(20)],
  [0x0100000bn, query(1, (frame, [code = 0n]) => [chainParameter(frame, code)])],
  [0x0100000cn, query(1, (frame, [who = 0n]) => [32n - BigInt(accountOf(frame, who)?.unstaking.length ?? 0)])],
  [0x0100000dn, query(2, (frame, [who = 0n, type = 0n]) => [staked(frame, who, type, "stake")])],
  [0x0100000en, query(2, () => [0n])],
  [0x0100000fn, query(2, (frame, [who = 0n, type = 0n]) => [staked(frame, who, type, "stake")])],
  [0x01000010n, query(3, (frame, [to = 0n, from = 0n, type = 0n]) => [lent(frame, { to, from, type })])],
  [0x01000011n, query(3, () => [0n, 0n, 0n])],
  [0x01000012n, query(2, () => [0n, 0n])],
  [0x01000013n, query(2, (frame, [who = 0n, type = 0n]) => [staked(frame, who, type, "all")])],
  [0x01000014n, query(2, (frame, [who = 0n, type = 0n]) => [staked(frame, who, type, "lent")])],
  [0x01000015n, query(2, (frame, [who = 0n, type = 0n]) => [staked(frame, who, type, "borrowed")])],
];

type Answer = (frame: Frame, words: readonly bigint[]) => readonly bigint[];

function votes(energy: number): Precompile {
  const when = ({ getAllowTvmVote }: ChainParameters): boolean => getAllowTvmVote === 1;
  return { energy: () => energy, run: () => new Uint8Array(WORD), when };
}

/** An input of another length is answered with zeros. */
function query(words: number, answer: Answer): Precompile {
  return {
    energy: () => QUERY,
    run: (input, { frame }) => {
      const given = Array.from({ length: words }, (_, index) =>
        wordOfBytes(input.subarray(index * WORD, (index + 1) * WORD)),
      );
      const fits = input.length === words * WORD;
      return Buffer.concat((fits ? answer(frame, given) : answer(frame, []).map(() => 0n)).map(bytesOfWord));
    },
    when: ({ getUnfreezeDelayDays }) => getUnfreezeDelayDays > 0,
  };
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

function accountOf({ ledger }: Frame, who: bigint): ReturnType<Frame["ledger"]["account"]> {
  return ledger.account(addressOf(who));
}

function resourceOf(type: bigint): Resource | undefined {
  return type === 0n ? "bandwidth" : type === 1n ? "energy" : undefined;
}

function staked(frame: Frame, who: bigint, type: bigint, what: "stake" | "all" | "lent" | "borrowed"): bigint {
  const account = accountOf(frame, who);
  const resource = resourceOf(type);
  if (account === undefined || resource === undefined) return 0n;
  return what === "all" ? effectiveStake(account, resource) : account[what][resource];
}

interface LoanQuery {
  readonly to: bigint;
  readonly from: bigint;
  readonly type: bigint;
}

function lent(frame: Frame, { to, from, type }: LoanQuery): bigint {
  const lender = accountOf(frame, from);
  const resource = resourceOf(type);
  if (lender === undefined || resource === undefined) return 0n;
  if (addressOf(to) === addressOf(from)) return lender.stake[resource];
  const loan = lender.loans.find((it) => it.to === addressOf(to));
  return loan === undefined ? 0n : loan.free[resource] + loan.locked[resource].amount;
}
