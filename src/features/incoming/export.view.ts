import type { FoundPayment, PaidToken } from "@finality/client/incoming";
import { formatCoins } from "@finality/tron/format";
import { sun, toBase58 } from "@finality/tron/primitives";
import { type IncomingState, receivedOf } from "./incoming.view.ts";

const COLUMNS = [
  ...["network", "chain", "watch", "label", "address", "token", "amount", "coins", "from", "txID", "path"],
  ...["block", "blockID", "blockTime", "state", "source"],
] as const;

/** Every payment of these watches as a line of CSV (RFC 4180), amounts in sun or in the token's smallest units. */
export function incomingCsv(states: readonly IncomingState[]): string {
  const rows = states.flatMap((state) => state.payments.map((it) => rowOf(state, it)));
  return [COLUMNS, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function rowOf(
  { standing: { watch }, network }: IncomingState,
  { payment, withdrawn }: FoundPayment,
): readonly string[] {
  const { amount, token, from, txId, path, block } = payment;
  return [
    ...[network, watch.chain ?? "", watch.id, watch.label ?? "", toBase58(watch.address), tokenName(token)],
    ...[String(amount), token.kind === "coins" ? plainCoins(amount) : "", toBase58(from), txId, path],
    ...[String(block.number), block.id, timeText(block.timestamp), stateOf(withdrawn), sourceOf(payment)],
  ];
}

/** A spreadsheet runs what begins like a formula; with an apostrophe before it, it shows it. */
function cell(text: string): string {
  const guarded = /^\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** The same as JSON; amounts are decimal text, for they may be larger than a number can be. */
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
      ...(partly === undefined ? {} : { partly }),
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

/** `block`: its id vouches for it. `receipt`: the gateway's word. */
function sourceOf({ claimed }: FoundPayment["payment"]): string {
  return claimed === undefined ? "block" : "receipt";
}

function timeText(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}
