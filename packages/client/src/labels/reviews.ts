import { coinsText, roughly } from "@finality/tron/format";
import { type Address, type ForeignText, nameText, toBase58, visibleLine } from "@finality/tron/primitives";
import { lookalikesOf } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { CostPart, TransferCost } from "../estimates/costs.ts";
import type { NetworkProfile } from "../gateway/network.ts";
import type { Approval } from "../tokens.ts";

/** An address with the user's name for it. */
export interface Party {
  readonly address: Address;
  readonly name?: string;
}

const NAME = 60;

/** Returns a full address, so that it can be compared, after its name. */
export function partyText({ address, name }: Party): string {
  return name === undefined ? toBase58(address) : `${visibleLine(name, NAME)} · ${toBase58(address)}`;
}

/** The fields of a network that every review shows. */
export type ReviewedNetwork = Pick<NetworkProfile, "name" | "production">;

/** Describes the network, for every review before a signature. */
export function networkLines({ name, production }: ReviewedNetwork): readonly string[] {
  return [t`Network: ${visibleLine(name)}${production ? t` (real money)` : ""}`];
}

/** Lifetime of signed bytes. All times in ms. */
export interface Expiry {
  /** Time from the newest block, as the gateway reports it, to the expiration, ms of chain time. */
  readonly lifetimeMs: number;
  /** Chain time. */
  readonly expiration: number;
  /** Local clock. */
  readonly now: number;
  /** Set for the embedded chain, whose time the user can change. */
  readonly isLocalChain: boolean;
  /** Formats a time in the user's locale. */
  readonly timeOf: (ms: number) => string;
}

/** Tolerance: blocks come every 3 s, and local clocks are rarely minutes off. */
const CLOCKS_APART_MS = 300_000;

/**
 * Describes the lifetime of signed bytes. A head that is far from this computer's clock is an alarm, because the
 * lifetime counts from it.
 */
export function expiryText(expiry: Expiry): { readonly line: string; readonly alarm?: string } {
  const { lifetimeMs, expiration, now, isLocalChain, timeOf } = expiry;
  const apart = expiration - lifetimeMs - now;
  const line = expiresText(lifetimeMs);
  if (Math.abs(apart) <= CLOCKS_APART_MS) return { line };
  const by = roughly(Math.abs(apart));
  const way = apart > 0 ? t`${by} ahead of this computer's clock` : t`${by} behind this computer's clock`;
  const absolute = t`${line}, at ${timeOf(expiration)}`;
  if (isLocalChain) return { line: t`${absolute}; the time of the local chain is ${way}` };
  const left = expiration - now;
  const until = t`The transaction can be executed until ${timeOf(expiration)}`;
  const meaning =
    apart > 0
      ? t`${until}, ${roughly(left)} from now by the clock of this computer.`
      : t`${until} by the chain's time.`;
  return {
    line: absolute,
    alarm: t`This gateway's head is ${way}. ${meaning} Check the clock; if it is right, use another gateway.`,
  };
}

/** Returns the lifetime text, by chain time in ms. */
function expiresText(lifetimeMs: number): string {
  return t`Expires: ${roughly(lifetimeMs)} after the chain's last block`;
}

/** Returns the warning with both full addresses, one per line. */
export function lookalikeLines(address: Address, other: Address): readonly string[] {
  return [
    t`⚠ This is not the account that it looks like: only the ends are the same. Compare each character.`,
    t`now ${toBase58(address)}`,
    t`known ${toBase58(other)}`,
  ];
}

/** Returns the warning below an address that looks like a named one. */
export function likenessOf(
  address: Address,
  named: readonly { readonly address: Address; readonly label: string }[],
): { readonly detail?: string } {
  const [other] = lookalikesOf(
    address,
    named.map((it) => it.address),
  );
  const label = named.find((it) => it.address === other)?.label;
  if (other === undefined || label === undefined) return {};
  return { detail: t`⚠ Not ${visibleLine(label, NAME)}, ${toBase58(other)}: only the ends are the same` };
}

/** Approvals from this amount on count as unlimited. */
const UNLIMITED = 2n ** 255n;

/**
 * Returns the warning of an approval, as a sentence; undefined if the owner has that much.
 *
 * @param balance - Balance of the holder in the smallest unit, as reported by the gateway; undefined if not reported.
 * @param formatted - Formatted amount.
 */
export function approvalWarning(
  { spender, amount, adds }: Approval,
  balance: bigint | undefined,
  formatted: (amount: bigint) => string,
): string | undefined {
  const who = toBase58(spender);
  if (amount >= UNLIMITED) {
    return t`This allows ${who} to spend every token of this kind that you have or will ever have, until you approve 0.`;
  }
  if (balance === undefined || amount <= balance) return undefined;
  return adds
    ? t`This allows ${who} to spend ${formatted(amount)} more, and you have ${formatted(balance)}: it can also spend what you receive later.`
    : t`This allows ${who} to spend ${formatted(amount)}, and you have ${formatted(balance)}: it can also spend what you receive later.`;
}

/** Describes the fee of a transfer and its parts. */
export function costText({ parts, fee }: TransferCost, symbol?: string): string {
  const reasons = parts.map((part) => partText(part, symbol)).join(" + ");
  return fee === 0n ? t`nothing (${reasons})` : t`${coinsText(fee, symbol)} (${reasons})`;
}

function partText(part: CostPart, symbol: string | undefined): string {
  switch (part.kind) {
    case "staked-bandwidth":
      return t`${String(part.bytes)} bytes of staked bandwidth`;
    case "free-bandwidth":
      return t`${String(part.bytes)} bytes of free bandwidth`;
    case "burned-bandwidth":
      return t`${coinsText(part.amount, symbol)} for ${String(part.bytes)} bytes of bandwidth`;
    case "account-creation-bandwidth":
      return t`${coinsText(part.amount, symbol)} for the bandwidth of a new account`;
    case "account-creation":
      return t`${coinsText(part.amount, symbol)} to create the account`;
    case "multi-sign":
      return t`${coinsText(part.amount, symbol)} for several signatures`;
    case "permissions":
      return t`${coinsText(part.amount, symbol)} to change permissions`;
    case "memo":
      return t`${coinsText(part.amount, symbol)} for the memo`;
  }
}

/** Quotes foreign text, with quotes inside replaced. */
export function quoted(name: ForeignText, otherwise = ""): string {
  return `“${nameText(name, otherwise).replace(/[“”]/g, '"')}”`;
}
