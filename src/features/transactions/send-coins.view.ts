import type { TransferCost } from "@finality/client/estimates";
import type { ProofCost } from "@finality/client/proof";
import { isChainError } from "@finality/tron/errors";
import { bothUnits, type Checked, coinsText, roughly, shortAddress, sunText } from "@finality/tron/format";
import {
  type Address,
  parseAddress,
  parseCoins,
  type Sun,
  sun,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { type SigningWords, signingLines } from "../../labels/permission-words.ts";
import { describeProofCost } from "../../labels/proofs.ts";
import { costText, type Expiry, expiryWords, lookalikeLines, type Party, partyText } from "../../labels/reviews.ts";

/** An account as the steps of Send Coins show it. */
export interface ShownAccount {
  readonly address: Address;
  readonly name: string;
  /** Absent while it is not known. */
  readonly balance?: Sun;
  /** Whether its signing key is here; `maybe` where others sign for it, as far as is known. */
  readonly canSign: boolean | "maybe";
  /** The key is in a wallet outside. */
  readonly signer?: "outside";
  /** Symbol of the network's coin; absent where none is known. */
  readonly symbol?: string;
}

export interface ShownItem {
  readonly label: string;
  readonly description: string;
  readonly address: Address;
}

/** The accounts that can pay, the richest first; then those for which keys here may sign. */
export function senderItems(accounts: readonly ShownAccount[]): readonly ShownItem[] {
  const richest = accounts.toSorted((left, right) => compareAmounts(right.balance, left.balance));
  return [
    ...richest.filter(({ canSign }) => canSign === true).map(signerItem),
    ...richest.filter(({ canSign }) => canSign === "maybe").map((it) => accountItem("eye", it, WATCHED)),
  ];
}

function signerItem(account: ShownAccount): ShownItem {
  return account.signer === "outside"
    ? accountItem("browser", account, t`signs in the browser`)
    : accountItem("key", account);
}

/** Its own key is not here. */
const WATCHED = t`if keys of its permissions are here`;

/** An address that has a name here and need not be an account. */
interface NamedParty {
  readonly address: Address;
  readonly label: string;
  /** Where its name comes from. */
  readonly note?: string;
}

/** The known accounts that can be paid, then the address book. */
export function recipientItems(
  accounts: readonly ShownAccount[],
  parties: readonly NamedParty[],
  from: Address,
): readonly ShownItem[] {
  const others = parties.filter(({ address }) => !accounts.some((it) => it.address === address));
  return [
    ...accounts.map((it) => accountItem("account", it)),
    ...others.map(({ address, label: name, note }) => accountItem("book", { address, name, canSign: false }, note)),
  ].filter(({ address }) => address !== from);
}

function accountItem(icon: string, { address, name, balance, symbol }: ShownAccount, note?: string): ShownItem {
  const facts = [note, balance === undefined ? undefined : coinsText(balance, symbol), toBase58(address)];
  return { label: `$(${icon}) ${name}`, description: facts.filter((it) => it !== undefined).join(" · "), address };
}

function compareAmounts(left: Sun | undefined, right: Sun | undefined): number {
  const difference = (left ?? 0n) - (right ?? 0n);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

/** Checks a typed or pasted recipient; says the address in its other form, so that a paste can be compared. */
export function checkRecipient(text: string, from: Address): Checked<Address> {
  if (text.trim() === "") return { kind: "empty" };
  const address = readOr(() => parseAddress(text));
  if (address.kind === "wrong") return address;
  if (address.value === from) return { kind: "wrong", message: t`Sender and recipient are the same account.` };
  return { kind: "good", value: address.value, message: bothForms(address.value) };
}

/** base58 and hex of an address in one line. */
function bothForms(address: Address): string {
  return `${toBase58(address)} = ${address}`;
}

/** Checks a typed amount: says it in sun and what the sender keeps. */
export function checkAmount(text: string, balance: Sun | undefined, symbol?: string): Checked<Sun> {
  if (text.trim() === "") return { kind: "empty" };
  const amount = readOr(() => parseCoins(text));
  if (amount.kind === "wrong") return amount;
  const exact = sunText(amount.value);
  if (amount.value === 0n) return { kind: "wrong", message: t`The chain transfers at least 0.000001 (1 sun).` };
  if (balance === undefined) return { kind: "good", value: amount.value, message: exact };
  if (amount.value > balance) {
    return { kind: "wrong", message: t`${exact} is more than the ${coinsText(balance, symbol)} on this account.` };
  }
  return {
    kind: "good",
    value: amount.value,
    message: t`${exact} · ${coinsText(sun(balance - amount.value), symbol)} left, before fees`,
  };
}

function readOr<T>(read: () => T): { kind: "good"; value: T } | { kind: "wrong"; message: string } {
  try {
    return { kind: "good", value: read() };
  } catch (thrown) {
    if (!isChainError(thrown)) throw thrown;
    return { kind: "wrong", message: thrown.message };
  }
}

/** All that a person sees before anything is signed. */
export interface Review {
  readonly network: string;
  readonly production: boolean;
  /** Symbol of the network's coin; absent where none is known. */
  readonly symbol?: string | undefined;
  readonly from: Party;
  readonly signing: SigningWords;
  readonly to: Party;
  readonly amount: Sun;
  readonly memo?: string;
  readonly cost: TransferCost;
  readonly expiry: Expiry;
  /** What it would cost to prove that no block holds it. */
  readonly proofCost: ProofCost;
  readonly matchingFields: number;
  /** Accounts that look like the recipient and are others: paid before, or known here. */
  readonly lookalikes: readonly Address[];
}

/** The question before signing: all fields, what it will cost, and that the gateway built what was asked. */
export function reviewText(review: Review): { readonly title: string; readonly detail: string } {
  const { from, to, amount, memo, matchingFields, symbol } = review;
  const recipient = to.name === undefined ? shortAddress(to.address) : visibleLine(to.name, 60);
  const expiry = expiryWords(review.expiry);
  const lines = [
    ...review.lookalikes.flatMap((it) => [...lookalikeLines(to.address, it), ""]),
    ...(expiry.alarm === undefined ? [] : [`⚠ ${expiry.alarm}`, ""]),
    t`Network: ${visibleLine(review.network)}${review.production ? t` (real money)` : ""}`,
    t`From: ${partyText(from)}`,
    ...signingLines(review.signing),
    t`To: ${partyText(to)}`,
    t`Amount: ${bothUnits(amount, symbol)}`,
    ...(memo === undefined ? [] : [t`Memo: ${visibleLine(memo)}`]),
    t`Costs: ${costText(review.cost, symbol)}`,
    expiry.line,
    t`If it gets lost: proof after that time, from ${describeProofCost(review.proofCost)}`,
    "",
    t`The gateway built exactly what you asked: ${matchingFields} of ${matchingFields} fields match.`,
  ];
  return { title: t`Send ${coinsText(amount, symbol)} to ${recipient}?`, detail: lines.join("\n") };
}

/** A time for which a payment may wait for a block, as an entry of a list. */
export interface ValidityItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** Chain time from the newest block to the expiration, ms. */
  readonly expiresInMs: number;
}

const USUAL_MS = 60_000;
/** From the least that the setting allows to the most that nodes take. */
const CHOICES_MS = [30_000, USUAL_MS, 300_000, 1_800_000, 3_600_000, 86_400_000];

/** The button of the review that leads to the choice. */
export function validityButton(lifetimeMs: number): string {
  return t`Valid for ${roughly(lifetimeMs)}…`;
}

/**
 * The choice, the one that stands in the review first; each with what a proof would cost when the payment gets lost.
 */
export function validityItems(
  currentMs: number,
  proofCostFor: (lifetimeMs: number) => ProofCost,
): readonly ValidityItem[] {
  const others = CHOICES_MS.filter((it) => it !== currentMs);
  return [currentMs, ...others].map((ms) => ({
    label: roughly(ms),
    description: [ms === currentMs ? t`as it is now` : "", ms === USUAL_MS ? t`usual` : ""].filter(Boolean).join(", "),
    detail: t`If it gets lost: nothing equal can be sent safely for that long, then a proof reads ${describeProofCost(proofCostFor(ms))}.`,
    expiresInMs: ms,
  }));
}
