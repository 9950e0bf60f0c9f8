import type { TrackedTransaction } from "@finality/client/tracking";
import { csvText, formatCoins, isoTime } from "@finality/tron/format";
import { type Address, type Sun, sun, toBase58 } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import {
  accountOf,
  contractOf,
  type FactContext,
  functionOf,
  memoOf,
  recipientOf,
  stateOf,
  tagsIn,
} from "./transaction-facts.view.ts";

/** Transaction in an export. Amounts are decimal text; an absent field is undefined, and an empty cell in CSV. */
interface ExportedTransaction {
  readonly txID: string;
  readonly network: string;
  /** Id of the genesis block, if it was known. */
  readonly chain: string | undefined;
  /** State as in the journal; `failed` is final and failed. */
  readonly state: string;
  /** Result of a failed execution. */
  readonly result: string | undefined;
  readonly block: string | undefined;
  readonly blockTime: string | undefined;
  /** Times of the local clock. */
  readonly createdAt: string;
  readonly changedAt: string;
  /** Kind of the intent. */
  readonly kind: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly contract: string | undefined;
  readonly function: string | undefined;
  /** Coins that leave the account or are staked, in sun, and the same in coins. */
  readonly amountSun: string | undefined;
  readonly amountCoins: string | undefined;
  readonly token: string | undefined;
  /** In the smallest unit of the token. */
  readonly tokenAmount: string | undefined;
  readonly feeLimitSun: string | undefined;
  readonly attempts: string;
  readonly replaces: string | undefined;
  readonly replacedBy: string | undefined;
  readonly label: string | undefined;
  readonly memo: string | undefined;
  readonly note: string | undefined;
  readonly tags: readonly string[];
}

const COLUMNS = [
  ...["txID", "network", "chain", "state", "result", "block", "blockTime", "createdAt", "changedAt", "kind"],
  ...["from", "to", "contract", "function", "amountSun", "amountCoins", "token", "tokenAmount", "feeLimitSun"],
  ...["attempts", "replaces", "replacedBy", "label", "memo", "note", "tags"],
] as readonly (keyof ExportedTransaction)[];

/** Formats transactions as CSV, newest first. */
export function transactionsCsv(all: readonly TrackedTransaction[], context: FactContext): string {
  const rows = all.map((it) => {
    const exported = exportOf(it, context);
    return COLUMNS.map((column) => {
      const value = exported[column];
      return typeof value === "string" ? value : (value?.join(" ") ?? "");
    });
  });
  return csvText(COLUMNS, rows);
}

/** Formats transactions as JSON, newest first. */
export function transactionsJson(all: readonly TrackedTransaction[], context: FactContext): string {
  return `${JSON.stringify({ version: 1, transactions: all.map((it) => exportOf(it, context)) }, undefined, 2)}\n`;
}

function exportOf(tracked: TrackedTransaction, context: FactContext): ExportedTransaction {
  const { txId, chain, state, signed, attempts, replaces, replacedBy, label, createdAt, changedAt } = tracked;
  const intent = signed?.intent;
  const note = context.noteOf(txId);
  const amount = intent && coinsOf(intent);
  const block = "block" in state ? state.block : undefined;
  const outcome = "outcome" in state ? state.outcome : undefined;
  return {
    txID: txId,
    network: context.networkOf(tracked),
    chain,
    state: stateOf(tracked),
    result: outcome?.kind === "failed" ? outcome.result : undefined,
    block: block && String(block.number),
    blockTime: block && isoTime(block.timestamp),
    createdAt: isoTime(createdAt),
    changedAt: isoTime(changedAt),
    kind: intent?.kind,
    from: base58(accountOf(tracked)),
    to: intent && base58(recipientOf(intent)),
    contract: base58(contractOf(tracked)),
    function: functionOf(tracked, context),
    amountSun: amount?.toString(),
    amountCoins: amount === undefined ? undefined : formatCoins(amount).replaceAll(",", ""),
    ...tokenOf(intent),
    feeLimitSun: intent !== undefined && "feeLimit" in intent ? String(intent.feeLimit) : undefined,
    attempts: String(attempts.length),
    replaces,
    replacedBy,
    label,
    memo: memoOf(tracked),
    note,
    tags: tagsIn(note),
  };
}

function coinsOf(intent: Intent): Sun | undefined {
  if (intent.kind === "token-transfer") return undefined;
  if ("callValue" in intent) return intent.callValue;
  return "amount" in intent ? sun(intent.amount) : undefined;
}

function tokenOf(intent: Intent | undefined): Pick<ExportedTransaction, "token" | "tokenAmount"> {
  if (intent?.kind === "token-transfer") return { token: intent.tokenId, tokenAmount: String(intent.amount) };
  if (intent?.kind !== "contract-call" || intent.tokenId === undefined)
    return { token: undefined, tokenAmount: undefined };
  return { token: String(intent.tokenId), tokenAmount: String(intent.tokenValue ?? 0n) };
}

function base58(address: Address | undefined): string | undefined {
  return address && toBase58(address);
}
