import { onlyReads } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import {
  type Address,
  bytesToHex,
  type ForeignText,
  type Hex,
  parseAddress,
  parseCoins,
  sun,
  toBase58,
} from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { type BindingContext, bindCall } from "../call-sites/bind-call.ts";
import { literalValue } from "../call-sites/call-site.ts";
import { parseTokenAmount, transferData } from "../tokens.ts";
import type { RunToken } from "./run-cell.ts";
import type { CallRow, PaymentFile, PaymentRow } from "./run-file.ts";
import type { NewRow } from "./run-store.ts";
import type { RunRefusal } from "./run-table.ts";

/** A row with its intent. */
export interface BoundRow {
  readonly row: number;
  readonly key: string;
  readonly label?: string;
  readonly intent: Intent;
  /** Undefined for a call. */
  readonly recipient: Address | undefined;
  readonly token: RunToken;
  /** Sun, or the smallest units of the token. For a call, its call value. */
  readonly units: bigint;
  /** True if a simulation chooses the `fee_limit`. */
  readonly needsFeeLimit: boolean;
}

/** The rows that can be bound, and the refusals of the others. */
export interface BoundRows {
  readonly rows: readonly BoundRow[];
  readonly refusals: readonly RunRefusal[];
}

/** Decimals and symbol of a token. */
export interface TokenUnits {
  readonly decimals: number;
  readonly symbol: ForeignText;
}

type Bound = { readonly bound: BoundRow } | { readonly refusal: RunRefusal };

/**
 * Makes the intents of payments.
 *
 * @param tokens - Every token of the file.
 */
export function bindPayments(
  { rows, columns }: Pick<PaymentFile, "rows" | "columns">,
  owner: Address,
  tokens: ReadonlyMap<Address, TokenUnits>,
): BoundRows {
  const amountColumn = columns.find(({ column }) => column === "amount")?.name ?? "amount";
  return split(
    rows.map((payment) => {
      try {
        return { bound: boundPayment(payment, owner, tokens) };
      } catch (error) {
        if (!isChainError(error) || error.code !== "AMOUNT_MALFORMED") throw error;
        const { row, range, ranges, amount } = payment;
        const message = t`Row ${row}, ${amountColumn}: “${amount}”: ${error.details.reason}.`;
        return {
          refusal: { code: "decimals", row, column: amountColumn, range: ranges.get("amount") ?? range, message },
        };
      }
    }),
  );
}

function boundPayment(payment: PaymentRow, owner: Address, tokens: ReadonlyMap<Address, TokenUnits>): BoundRow {
  const { row, key, label, recipient: to, token, amount, memo } = payment;
  const common = { row, key, recipient: to, token, ...(label === undefined ? {} : { label }) };
  switch (token.kind) {
    case "coin": {
      const units = parseCoins(amount);
      const data = memo === undefined ? {} : { memo: bytesToHex(Buffer.from(memo, "utf8")) };
      return {
        ...common,
        units,
        needsFeeLimit: false,
        intent: { kind: "transfer", owner, to, amount: units, ...data },
      };
    }
    case "trc10": {
      const units = BigInt(amount);
      const intent = { kind: "token-transfer", owner, to, tokenId: token.id, amount: units } as const;
      return { ...common, units, needsFeeLimit: false, intent };
    }
    case "trc20": {
      const known = tokens.get(token.contract);
      if (known === undefined) throw new RangeError(token.contract);
      const units = parseTokenAmount(amount, known);
      const call = { contract: token.contract, data: transferData(to, units), callValue: sun(0n), feeLimit: sun(0n) };
      return { ...common, units, needsFeeLimit: true, intent: { kind: "contract-call", owner, ...call } };
    }
  }
}

/** Transfer of a TRC-20 token: selector, recipient and amount. */
const TRANSFER = /^a9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/;

/** Returns the recipient and the units of a transfer of a TRC-20 token; undefined for another call. */
export function transferIn(data: Hex): { readonly to: Address; readonly units: bigint } | undefined {
  const [, to, units] = TRANSFER.exec(data) ?? [];
  return to === undefined ? undefined : { to: parseAddress(`41${to}`), units: BigInt(`0x${units}`) };
}

/** Returns what a stored row pays. */
export function boundRow({ row, key, label, intent }: NewRow): BoundRow {
  const common = { row, key, intent, needsFeeLimit: false, ...(label === undefined ? {} : { label }) };
  if (intent.kind === "transfer")
    return { ...common, recipient: intent.to, token: { kind: "coin" }, units: intent.amount };
  if (intent.kind === "token-transfer")
    return { ...common, recipient: intent.to, token: { kind: "trc10", id: intent.tokenId }, units: intent.amount };
  const call = intent.kind === "contract-call" ? intent : undefined;
  const transfer = call?.callValue === 0n && call.tokenId === undefined ? transferIn(call.data) : undefined;
  if (call === undefined || transfer === undefined)
    return { ...common, recipient: undefined, token: { kind: "coin" }, units: call?.callValue ?? 0n };
  const { to: recipient, units } = transfer;
  return { ...common, recipient, token: { kind: "trc20", contract: call.contract }, units };
}

/** Binds the calls of a call file. All of them have to be called by the owner. */
export function bindCalls(rows: readonly CallRow[], owner: Address, context: BindingContext): BoundRows {
  return split(rows.map((it) => boundCall(it, owner, context)));
}

function boundCall({ row, key, site, range }: CallRow, owner: Address, context: BindingContext): Bound {
  const refuse = (reason: string): Bound => ({
    refusal: { code: "call", row, column: undefined, range, message: t`Row ${row}: ${reason}.` },
  });
  const caller = site.caller ?? literalValue(site.range, toBase58(owner));
  const bound = bindCall({ ...site, caller }, context);
  if (bound.kind === "wrong") return refuse(bound.reason);
  if (bound.kind === "missing") return refuse(bound.missing.map(({ question }) => question).join("; "));
  const { intent, called, limit } = bound;
  if (intent.kind !== "contract-call") return refuse(t`a run has no deployments`);
  if (onlyReads(called)) return refuse(t`the function only reads`);
  if (intent.owner !== owner) return refuse(t`${toBase58(intent.owner)} calls, and all rows of a run have one account`);
  const label = site.label === undefined ? {} : { label: site.label };
  return {
    bound: {
      row,
      key,
      ...label,
      intent,
      recipient: undefined,
      token: { kind: "coin" },
      units: intent.callValue,
      needsFeeLimit: !limit.isReal,
    },
  };
}

function split(results: readonly Bound[]): BoundRows {
  return {
    rows: results.flatMap((it) => ("bound" in it ? [it.bound] : [])),
    refusals: results.flatMap((it) => ("refusal" in it ? [it.refusal] : [])),
  };
}
