import { isChainError } from "../../core/errors/chain-error.ts";
import type { Address } from "../../core/primitives/address.ts";
import { parseCoins, type Sun } from "../../core/primitives/amount.ts";
import type { StakePurpose } from "../../core/transaction/intent.ts";
import { sunText } from "../../words/forms/coins.ts";
import { type SystemFacts, type SystemIntent, systemWords } from "../../words/sentences/system-review.ts";

/** What typing led to so far, said below the input. */
export type Checked<T> =
  | { readonly kind: "good"; readonly value: T; readonly message: string }
  | { readonly kind: "wrong"; readonly message: string }
  | { readonly kind: "empty" };

export type StakeKind = SystemIntent["kind"];

/** What is known so far. `lockPeriod` counts blocks; absent is not locked. */
export interface StakeAnswers {
  readonly from?: Address;
  readonly resource?: StakePurpose;
  readonly to?: Address;
  readonly amount?: Sun;
  readonly lockPeriod?: bigint;
}

export const TITLES: { readonly [K in StakeKind]: string } = {
  stake: "Stake",
  unstake: "Unstake",
  withdraw: "Withdraw Unstaked",
  "cancel-unstakes": "Cancel All Unstakes",
  delegate: "Delegate",
  undelegate: "Undelegate",
};

export type Question = Exclude<keyof StakeAnswers, "lockPeriod">;

/** What each command needs. */
export const QUESTIONS: { readonly [K in StakeKind]: readonly Question[] } = {
  stake: ["from", "resource", "amount"],
  unstake: ["from", "resource", "amount"],
  withdraw: ["from"],
  "cancel-unstakes": ["from"],
  delegate: ["from", "resource", "to", "amount"],
  undelegate: ["from", "resource", "to", "amount"],
};

/** Whether nothing is left to be asked, so that no dialog is needed to know what to do. */
export function isAnswered(kind: StakeKind, known: StakeAnswers): boolean {
  return QUESTIONS[kind].every((it) => known[it] !== undefined);
}

/** What the answers say; undefined when they do not say all of it. */
export function intentOf(kind: StakeKind, answers: StakeAnswers): SystemIntent | undefined {
  const { from: owner, resource, to: receiver, amount, lockPeriod } = answers;
  if (owner === undefined) return undefined;
  if (kind === "withdraw" || kind === "cancel-unstakes") return { kind, owner };
  if (resource === undefined || amount === undefined) return undefined;
  if (kind === "stake" || kind === "unstake") return { kind, owner, resource, amount };
  if (resource === "TRON_POWER" || receiver === undefined) return undefined;
  const lock = kind === "delegate" && lockPeriod !== undefined && lockPeriod > 0n ? { lockPeriod } : {};
  return { kind, owner, resource, receiver, amount, ...lock };
}

/** Checks a typed amount: says what it brings, or why the chain would refuse it. */
export function checkAmount(
  text: string,
  intentFor: (amount: Sun) => SystemIntent | undefined,
  facts: SystemFacts,
): Checked<Sun> {
  if (text.trim() === "") return { kind: "empty" };
  try {
    const amount = parseCoins(text);
    const intent = intentFor(amount);
    const words = intent && systemWords(intent, facts);
    const [doubt] = words?.doubts ?? [];
    if (doubt !== undefined) return { kind: "wrong", message: doubt };
    if (amount === 0n) return { kind: "wrong", message: "Write more than 0." };
    return { kind: "good", value: amount, message: `${sunText(amount)} · ${words?.effect ?? ""}` };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "wrong", message: error.message };
  }
}
