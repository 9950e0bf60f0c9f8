import { networkLabel } from "@finality/client/gateway";
import type { FoundPayment, IncomingWatch, PaidToken, Payment, WatchStatus } from "@finality/client/incoming";
import { ChainError, isChainError } from "@finality/tron/errors";
import {
  bothUnits,
  type Checked,
  coinsText,
  csvText,
  formatCoins,
  grouped,
  isoTime,
  type NameOf,
  shortAddress,
  sunText,
} from "@finality/tron/format";
import {
  defined,
  parseAddress,
  parseCoins,
  shorten,
  sun,
  toBase58,
  visibleLine,
  wholeNumberIn,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Watch with its payments. */
export interface IncomingState {
  readonly standing: WatchStatus;
  /** Oldest first, including reverted ones. */
  readonly payments: readonly FoundPayment[];
  /** True while blocks are read for it. */
  readonly active: boolean;
  /** Network that it watches. */
  readonly network: string;
  /** Symbol of the network's coin, if known. */
  readonly symbol?: string | undefined;
  /** Reason why its network cannot be read. */
  readonly issue: string | undefined;
}

/** Context for the rows. */
export interface IncomingContext {
  readonly nameOf: NameOf;
  /** Formats a local or chain time; Unix ms. */
  readonly timeOf: (ms: number) => string;
}

/** Row of the tree: text and icons. */
export interface IncomingRow {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly color?: string;
  readonly contextValue: string;
  /** Lines of plain text. */
  readonly tooltip: readonly string[];
  /** For screen readers. */
  readonly spoken: string;
}

/** Describes the row above all watches. */
export function incomingLabel(states: readonly IncomingState[]): string {
  return t`Incoming (${states.length})`;
}

/** Formats an amount with its asset. Token amounts are in smallest units, because decimals are a claim of the token. */
function amountText(amount: bigint, token: PaidToken, symbol?: string): string {
  return token.kind === "coins" ? coinsText(sun(amount), symbol) : t`${grouped(amount)} of ${tokenText(token)}`;
}

/** Names the asset. */
function tokenText(token: PaidToken): string {
  switch (token.kind) {
    case "coins":
      return t`coins`;
    case "trc10":
      return t`token ${token.id}`;
    case "trc20":
      return t`token ${shortAddress(token.contract)}`;
  }
}

/** Describes a watch: whom it waits for, and what arrived. */
export function describeWatch(state: IncomingState, context: IncomingContext): IncomingRow {
  const { watch } = state.standing;
  const name = watch.label ?? shortAddress(watch.address, context.nameOf);
  const label = t`${watch.token.kind === "coins" ? t`Coins` : capital(tokenText(watch.token))} to ${visibleLine(name, 60)}`;
  const { icon, color, words } = styleOf(state);
  const description = [...words, ...countText(state)].join(" · ");
  return {
    label,
    description,
    icon,
    ...defined({ color }),
    contextValue: `incoming.${state.active ? "active" : state.standing.stoppedAt === undefined ? "ended" : "stopped"}`,
    tooltip: watchTooltip(state, context),
    spoken: `${label}. ${[...words, ...countText(state)].map(capital).join(". ")}.`,
  };
}

interface RowText {
  readonly icon: string;
  readonly color?: string;
  readonly words: readonly string[];
}

function styleOf(state: IncomingState): RowText {
  const { standing, active, issue, symbol } = state;
  const { expected, token } = standing.watch;
  const received = receivedOf(state);
  const sum =
    expected === undefined || received >= expected
      ? amountText(received, token, symbol)
      : partText(received, amountText(expected, token, symbol), token);
  const texts = received === 0n && expected === undefined ? [] : [`${sum}${received > 0n ? t`, final` : ""}`];
  if (standing.stoppedAt !== undefined) return { icon: "circle-slash", words: [...texts, t`stopped`] };
  if (!active) return { icon: "pass-filled", color: "charts.green", words: texts };
  if (standing.partedAt !== undefined)
    return { icon: "warning", color: "charts.yellow", words: [...texts, t`chain not found`] };
  if (issue !== undefined) return { icon: "warning", color: "charts.yellow", words: [...texts, t`not read`] };
  return { icon: "inbox", color: "charts.blue", words: [...texts, t`watching`] };
}

function partText(received: bigint, expected: string, token: PaidToken): string {
  const part = token.kind === "coins" ? formatCoins(sun(received)) : grouped(received);
  return t`${part} of ${expected}`;
}

/** Returns the number of payments as text. @example paymentsText(2); // "2 payments" */
export function paymentsText(count: number): string {
  return count === 1 ? t`${grouped(count)} payment` : t`${grouped(count)} payments`;
}

function countText({ payments }: IncomingState): readonly string[] {
  const valid = payments.filter(({ withdrawn }) => !withdrawn).length;
  const gone = payments.length - valid;
  return [
    ...(valid === 0 ? [] : [paymentsText(valid)]),
    ...(gone === 0 ? [] : [t`${paymentsText(gone)} removed by reorganization`]),
  ];
}

/** Returns the received amount in the unit of the asset, without reverted payments. */
function receivedOf({ payments }: Pick<IncomingState, "payments">): bigint {
  return payments.reduce((sum, { payment, withdrawn }) => (withdrawn ? sum : sum + payment.amount), 0n);
}

function watchTooltip(state: IncomingState, { timeOf }: IncomingContext): readonly string[] {
  const { standing, network, issue, symbol } = state;
  const { watch, readTo, readAt, stoppedAt, partedAt, partly } = standing;
  return [
    t`Address: ${toBase58(watch.address)}`,
    t`Received: ${fullAmount(receivedOf(state), watch.token, symbol)}`,
    ...(watch.expected === undefined ? [] : [t`Expected: ${fullAmount(watch.expected, watch.token, symbol)}`]),
    ...(watch.token.kind === "coins" ? [] : [t`Amounts count the token's smallest units.`]),
    t`Network: ${network === watch.network ? networkLabel(network) : t`${watch.network}, read through ${network}`}`,
    t`Counts from block ${grouped(watch.after.number + 1)}; read up to block ${grouped(readTo.number)} at ${timeOf(readAt)}.`,
    ...(stoppedAt === undefined ? [] : [t`Stopped at ${timeOf(stoppedAt)}.`]),
    ...(partedAt === undefined ? [] : [PARTED]),
    ...(partly === undefined ? [] : [PARTLY]),
    ...(issue === undefined ? [] : [t`Cannot be read now: ${issue} Finality tries again and skips no block.`]),
  ];
}

const PARTED = t`The network does not have the blocks that were read: its chain was reset, or the gateway follows another chain. Nothing is counted until they return. If they are lost, stop this watch and watch the address from here.`;
const PARTLY = t`This gateway does not report events by block. Calls that name the address were read; payments made by contracts may be missing.`;

function fullAmount(amount: bigint, token: PaidToken, symbol: string | undefined): string {
  return token.kind === "coins" ? bothUnits(sun(amount), symbol) : amountText(amount, token);
}

/** A payment as a row below its watch. */
export function describePayment(
  { payment, withdrawn }: FoundPayment,
  { nameOf, timeOf, symbol }: IncomingContext & Pick<IncomingState, "symbol">,
): IncomingRow {
  const { amount, token, from, block, txId } = payment;
  const label = t`${amountText(amount, token, symbol)} from ${shortAddress(from, nameOf)}`;
  const where = t`block ${grouped(block.number)}`;
  const description = withdrawn ? t`removed · was in ${where}` : t`final · ${where}`;
  return {
    label,
    description,
    icon: withdrawn ? "discard" : "arrow-small-down",
    color: withdrawn ? "charts.yellow" : "charts.green",
    contextValue: "incoming.payment",
    tooltip: [
      t`Amount: ${fullAmount(amount, token, symbol)}`,
      t`From: ${toBase58(from)}`,
      t`Block: ${grouped(block.number)}, ${timeOf(block.timestamp)} by the chain's time`,
      t`txID: ${txId}`,
      wayOf(payment),
      ...(withdrawn
        ? [t`The gateway now reports other blocks, and this payment was not found in them. It is not counted.`]
        : []),
    ],
    spoken: `${label}. ${capital(description)}.`,
  };
}

/** Describes the way of payment and the source that reports it. */
function wayOf({ path, claimed }: Payment): string {
  if (claimed === undefined) return t`It is in the block itself, whose id was checked.`;
  return path.startsWith("log")
    ? t`An event of the token, as reported by the gateway: a block's id does not cover receipts.`
    : t`Paid by a contract, as reported by the gateway: a block's id does not cover receipts.`;
}

const NAMED_IN_A_NOTICE = 3;

/** Label of a watch and the symbol of its coin, if known. */
export interface WatchLabels {
  readonly label?: string | undefined;
  readonly symbol?: string | undefined;
}

/** Describes payments that became final. Several share one sentence. */
export function paymentsNotice(
  payments: readonly Payment[],
  nameOf: NameOf,
  watchOf: (payment: Payment) => WatchLabels,
): string {
  const text = payments.map((it) => {
    const { label, symbol } = watchOf(it);
    const receiver = visibleLine(label ?? shortAddress(it.to, nameOf), 60);
    return t`${amountText(it.amount, it.token, symbol)} to ${receiver}`;
  });
  const [only] = text;
  if (text.length === 1) return t`Payment received, final: ${String(only)}.`;
  const more = text.length - NAMED_IN_A_NOTICE;
  const named = [...text.slice(0, NAMED_IN_A_NOTICE), ...(more > 0 ? [t`${grouped(more)} more`] : [])];
  return t`${grouped(text.length)} payments received, final: ${named.join(t`, `)}.`;
}

/** Describes a watch in one line, for a list. */
export function watchTitle(watch: IncomingWatch, nameOf: NameOf): string {
  return t`${capital(tokenText(watch.token))} to ${watch.label ?? shortAddress(watch.address, nameOf)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const TRC10 = /^[1-9]\d{0,18}$/;
const MOST = 2n ** 256n - 1n;

/**
 * Parses the asset of a payment: `coins`, the number of a TRC-10 token, or the address of a TRC-20 contract.
 *
 * @throws {ChainError} `ADDRESS_MALFORMED` and its siblings
 */
export function readToken(text: string): PaidToken {
  const token = text.trim();
  if (token === "" || token.toLowerCase() === "coins") return { kind: "coins" };
  return TRC10.test(token) ? { kind: "trc10", id: token } : { kind: "trc20", contract: parseAddress(token) };
}

/**
 * Parses the expected amount: coins, or whole smallest units of a token.
 *
 * @throws {ChainError} `AMOUNT_MALFORMED`
 */
export function readExpected(text: string, token: PaidToken): bigint {
  const refuse = (reason: string) => new ChainError("AMOUNT_MALFORMED", { text: shorten(text), reason });
  const amount = token.kind === "coins" ? parseCoins(text) : wholeNumberIn(text);
  if (amount === undefined) throw refuse(t`write a whole number of the smallest units`);
  if (amount === 0n) throw refuse(t`an amount of 0 is not a payment`);
  if (amount > MOST) throw refuse(t`it is larger than any amount of a token`);
  return amount;
}

/** Validates the expected amount while the user types; empty means any amount. */
export function checkExpected(text: string, token: PaidToken): Checked<bigint | "all"> {
  if (text.trim() === "") return { kind: "good", value: "all", message: t`Every payment counts, until you stop it.` };
  try {
    const value = readExpected(text, token);
    const exact = token.kind === "coins" ? sunText(sun(value)) : amountText(value, token);
    return { kind: "good", value, message: t`${exact} in total, in one payment or several` };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "wrong", message: error.message };
  }
}

const COLUMNS = [
  ...["network", "chain", "watch", "label", "address", "token", "amount", "coins", "from", "txID", "path"],
  ...["block", "blockID", "blockTime", "state", "source"],
] as const;

/** Formats every payment of these watches as CSV (RFC 4180). Amounts are in sun or in the token's smallest unit. */
export function incomingCsv(states: readonly IncomingState[]): string {
  const rows = states.flatMap((state) => state.payments.map((it) => rowOf(state, it)));
  return csvText(COLUMNS, rows);
}

function rowOf(
  { standing: { watch }, network }: IncomingState,
  { payment, withdrawn }: FoundPayment,
): readonly string[] {
  const { amount, token, from, txId, path, block } = payment;
  return [
    ...[network, watch.chain ?? "", watch.id, watch.label ?? "", toBase58(watch.address), tokenName(token)],
    ...[String(amount), token.kind === "coins" ? plainCoins(amount) : "", toBase58(from), txId, path],
    ...[String(block.number), block.id, isoTime(block.timestamp), stateOf(withdrawn), sourceOf(payment)],
  ];
}

/** Formats the payments as JSON. Amounts are decimal strings, because they may exceed a number's precision. */
export function incomingJson(states: readonly IncomingState[]): string {
  const watches = states.map((state) => {
    const { watch, readTo, stoppedAt, partedAt, partly } = state.standing;
    return {
      id: watch.id,
      network: state.network,
      chain: watch.chain,
      label: watch.label,
      address: toBase58(watch.address),
      token: tokenName(watch.token),
      expected: watch.expected?.toString(),
      received: receivedOf(state).toString(),
      after: watch.after,
      readTo,
      state: stoppedAt === undefined ? (state.active ? "watching" : "complete") : "stopped",
      ...(partedAt === undefined ? {} : { chainNotFound: true }),
      ...defined({ partly }),
      payments: state.payments.map(paymentOf),
    };
  });
  return `${JSON.stringify({ version: 1, watches }, undefined, 2)}\n`;
}

function paymentOf({ payment, withdrawn }: FoundPayment) {
  const { txId: txID, path, from, amount, block } = payment;
  const [state, source] = [stateOf(withdrawn), sourceOf(payment)];
  return { txID, path, from: toBase58(from), amount: amount.toString(), block, state, source };
}

function tokenName(token: PaidToken): string {
  if (token.kind === "trc20") return toBase58(token.contract);
  return token.kind === "trc10" ? token.id : "coins";
}

function plainCoins(amount: bigint): string {
  return formatCoins(sun(amount)).replaceAll(",", "");
}

function stateOf(withdrawn: boolean): string {
  return withdrawn ? "taken back" : "final";
}

/** `block`: proven by the block ID. `receipt`: reported by the gateway. */
function sourceOf({ claimed }: FoundPayment["payment"]): string {
  return claimed === undefined ? "block" : "receipt";
}
