import { isChainError } from "@finality/tron/errors";
import { type Checked, coinsText, sunText } from "@finality/tron/format";
import { type Address, parseAddress, parseCoins, type Sun, sun, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Account in the lists of Send Coins. */
export interface ShownAccount {
  readonly address: Address;
  readonly name: string;
  /** Undefined while unknown. */
  readonly balance?: Sun;
  /** True if its signing key is stored here; `maybe` if others may sign for it. */
  readonly canSign: boolean | "maybe";
  /** True if an external wallet holds the key. */
  readonly signer?: "outside";
  /** Symbol of the network's coin; undefined if unknown. */
  readonly symbol?: string;
}

export interface ShownItem {
  readonly label: string;
  readonly description: string;
  readonly address: Address;
}

/** Returns the accounts that can pay, the highest balance first; then those that local keys may sign for. */
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

/** True if its own key is not stored here. */
const WATCHED = t`if you have keys of its permissions`;

/** Named address that need not be an account. */
interface NamedParty {
  readonly address: Address;
  readonly label: string;
  /** Source of the name. */
  readonly note?: string;
}

/** Returns the known accounts that can be paid, followed by the address book. */
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

/** Validates a recipient while the user types. Shows the address in its other form, to compare a pasted one. */
export function checkRecipient(text: string, from: Address): Checked<Address> {
  if (text.trim() === "") return { kind: "empty" };
  const address = readOr(() => parseAddress(text));
  if (address.kind === "wrong") return address;
  if (address.value === from) return { kind: "wrong", message: t`Sender and recipient are the same account.` };
  return { kind: "good", value: address.value, message: bothForms(address.value) };
}

/** Formats the base58 and hex form of an address in one line. */
function bothForms(address: Address): string {
  return `${toBase58(address)} = ${address}`;
}

/** Validates an amount while the user types. Shows it in sun, and what the sender has left. */
export function checkAmount(text: string, balance: Sun | undefined, symbol?: string): Checked<Sun> {
  if (text.trim() === "") return { kind: "empty" };
  const amount = readOr(() => parseCoins(text));
  if (amount.kind === "wrong") return amount;
  const exact = sunText(amount.value);
  if (amount.value === 0n) return { kind: "wrong", message: t`The minimum transfer is 0.000001 (1 sun).` };
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
