import { basename } from "node:path";
import { type CodeIntent, estimateCall, suggestedFeeLimit } from "@finality/client/estimates";
import { coinSymbolOf } from "@finality/client/gateway";
import { tokenUseData } from "@finality/client/reviews";
import {
  type CallsFile,
  type NewRow,
  type PaymentFile,
  type PaymentRow,
  type RunFile,
  readRunFile,
} from "@finality/client/runs";
import { type KnownToken, parseTokenAmount } from "@finality/client/tokens";
import { ChainError } from "@finality/tron/errors";
import { formatCoins, formatTokenAmount, grouped } from "@finality/tron/format";
import {
  type Address,
  bytesToHex,
  defined,
  parseCoins,
  type Sun,
  sun,
  toBase58,
  visibleText,
} from "@finality/tron/primitives";
import { type Intent, lookalikesOf, partiesOf } from "@finality/tron/transaction";
import { readCalls } from "./call-context.ts";
import { CliError } from "./cli-error.ts";
import type { Invocation } from "./command.ts";
import { orderOf } from "./send-request.ts";
import type { Sender } from "./sender.ts";
import type { Terminal } from "./terminal.ts";

/** Rows of a file with the review of the whole run. */
export interface ReviewedRows {
  readonly fileHash: string;
  readonly rows: readonly NewRow[];
  readonly title: string;
  readonly detail: string;
  /** True if the review warns, so that a user has to read it. */
  readonly isDoubtful: boolean;
}

interface RunFileContext {
  readonly invocation: Invocation;
  readonly terminal: Terminal;
  readonly owner: Address;
  readonly addresses: ReadonlyMap<string, Address>;
}

/** Refused rows that are listed. */
const LISTED = 20;

/**
 * Reads a run file and binds its rows to the network and the owner. Nothing is signed.
 *
 * @throws {CliError} `RUN_FILE_REFUSED`, `INPUT_UNREADABLE`
 * @throws {ChainError} `CALL_WOULD_FAIL`, `AMOUNT_MALFORMED`, `CONTRACT_UNKNOWN`, and the errors of the gateway
 */
export async function reviewRunFile(path: string, sender: Sender, context: RunFileContext): Promise<ReviewedRows> {
  const { profile } = sender.connection;
  const coinSymbol = coinSymbolOf(profile.baseUrl);
  const bytes = await context.terminal.readBytes(path);
  const file = readRunFile(bytes, { name: basename(path), ...defined({ coinSymbol }) });
  requireAccepted(file);
  const { rows, totals } =
    file.kind === "payments" ? await paymentRows(file, sender, context) : await callRows(path, file, sender, context);
  const { balance } = (await sender.connection.gateway.account(context.owner)) ?? {};
  const coins = rows.reduce((sum, { intent }) => sum + coinsOf(intent), 0n);
  if (balance !== undefined && balance < coins) {
    const reason = `The rows need ${formatCoins(sun(coins))} coins, and the account has ${formatCoins(balance)}`;
    throw new ChainError("CALL_WOULD_FAIL", { reason });
  }
  const lookalikes = lookalikesIn(rows, [...context.addresses.values(), context.owner]);
  const lines = [
    `Network: ${profile.name}${sender.isRealMoney ? " (real money)" : ""}`,
    `From: ${toBase58(context.owner)}`,
    `Rows: ${grouped(BigInt(rows.length))} to ${grouped(BigInt(recipientsIn(rows).size))} recipients`,
    ...totals,
    ...lookalikes.map(([row, other]) => `Warning: the recipient of row ${row} looks like ${toBase58(other)}.`),
  ];
  const title = `Send ${grouped(BigInt(rows.length))} rows of ${visibleText(basename(path), 80)}?`;
  return { fileHash: file.fileHash, rows, title, detail: lines.join("\n"), isDoubtful: lookalikes.length > 0 };
}

/** @throws {CliError} `RUN_FILE_REFUSED` */
function requireAccepted({ refusals, rows }: RunFile): void {
  if (refusals.length === 0 && rows.length > 0) return;
  const listed = refusals.slice(0, LISTED).map(({ message }) => message);
  const more = refusals.length > LISTED ? [`… and ${refusals.length - LISTED} more.`] : [];
  const cause = refusals.length === 0 ? "The file has no row." : [...listed, ...more].join("\n         ");
  throw new CliError("RUN_FILE_REFUSED", { cause });
}

interface BoundRows {
  readonly rows: readonly NewRow[];
  /** Lines of the review. */
  readonly totals: readonly string[];
}

async function paymentRows(file: PaymentFile, sender: Sender, { owner }: RunFileContext): Promise<BoundRows> {
  const tokens = new Map<Address, KnownToken>();
  for (const { token } of file.rows) {
    if (token.kind === "trc20" && !tokens.has(token.contract))
      tokens.set(token.contract, await sender.tokenAt(token.contract));
  }
  const totals = new Map<string, { units: bigint; readonly text: (units: bigint) => string }>();
  const drafts = file.rows.map((row) => {
    const known = row.token.kind === "trc20" ? tokens.get(row.token.contract) : undefined;
    const { intent, units } = paymentOf(owner, row, known);
    const total = totals.get(JSON.stringify(row.token)) ?? { units: 0n, text: totalText(row, known) };
    total.units += units;
    totals.set(JSON.stringify(row.token), total);
    return { row: row.row, key: row.key, intent, ...defined({ label: row.label }) };
  });
  const feeLimits = await feeLimitsOf(drafts, sender);
  const rows = drafts.map((row) => ({ ...row, intent: withFeeLimit(row.intent, feeLimits) }));
  return { rows, totals: [...totals.values()].map(({ units, text }) => `Total: ${text(units)}`) };
}

function totalText({ token }: PaymentRow, known: KnownToken | undefined): (units: bigint) => string {
  if (known !== undefined) return (units) => formatTokenAmount(units, known);
  return token.kind === "trc10"
    ? (units) => `${grouped(units)} of token ${token.id}`
    : (units) => `${formatCoins(sun(units))} coins`;
}

interface BoundPayment {
  readonly intent: Intent;
  /** In the smallest unit of the coin or token. */
  readonly units: bigint;
}

/** @throws {ChainError} `AMOUNT_MALFORMED` */
function paymentOf(owner: Address, row: PaymentRow, known: KnownToken | undefined): BoundPayment {
  const { recipient: to, token, amount: written, memo } = row;
  if (token.kind === "trc10") {
    const amount = BigInt(written);
    return { units: amount, intent: { kind: "token-transfer", owner, to, tokenId: token.id, amount } };
  }
  if (known === undefined) {
    const data = memo === undefined ? undefined : bytesToHex(Buffer.from(memo, "utf8"));
    const amount = parseCoins(written);
    return { units: amount, intent: { kind: "transfer", owner, to, amount, ...defined({ memo: data }) } };
  }
  const units = parseTokenAmount(written, known);
  const use = { kind: "transfer" as const, token: known, party: to, amount: units, nameOf: () => undefined };
  const call = { contract: known.address, data: tokenUseData(use), callValue: sun(0n), feeLimit: sun(0n) };
  return { units, intent: { kind: "contract-call", owner, ...call } };
}

async function callRows(
  path: string,
  file: CallsFile,
  sender: Sender,
  { invocation, terminal, owner, addresses }: RunFileContext,
): Promise<BoundRows> {
  const calls = await readCalls([path], terminal);
  const rows: NewRow[] = [];
  for (const [index, { row, key }] of file.rows.entries()) {
    const call = calls[index];
    if (call === undefined) throw new CliError("CALL_UNUSABLE", { cause: `Row ${row} cannot be read.` });
    const order = await orderOf({ kind: "call", call }, sender, { invocation, terminal, owner, addresses });
    const draft = { row, key, intent: order.intent, ...defined({ label: call.site.label }) };
    const needsLimit = order.kind === "code" && !order.hasFeeLimit;
    rows.push(
      needsLimit ? { ...draft, intent: { ...order.intent, feeLimit: await feeLimitOf(order.intent, sender) } } : draft,
    );
  }
  return { rows, totals: [`Calls: ${rows.length}`] };
}

/** Rows that are simulated for the fee limit of a token. */
const SAMPLES = 10;

/** Returns the fee limit of each token: twice the largest of some rows, because a first holder costs more. */
async function feeLimitsOf(rows: readonly NewRow[], sender: Sender): Promise<ReadonlyMap<Address, Sun>> {
  const samples = Map.groupBy(
    rows.map(({ intent }) => intent).filter((it) => it.kind === "contract-call"),
    ({ contract }) => contract,
  );
  const limits = new Map<Address, Sun>();
  for (const [contract, calls] of samples) {
    let largest = 0n;
    for (const call of calls.slice(0, SAMPLES)) {
      const limit = await feeLimitOf(call, sender);
      if (limit > largest) largest = limit;
    }
    limits.set(contract, sun(2n * largest));
  }
  return limits;
}

const MARGIN_PERCENT = 20n;

/** @throws {ChainError} `CALL_WOULD_FAIL` */
async function feeLimitOf(intent: CodeIntent, { connection: { gateway } }: Sender): Promise<Sun> {
  const estimate = await estimateCall(gateway, intent);
  if (estimate.kind === "estimated") return suggestedFeeLimit(estimate, MARGIN_PERCENT);
  throw new ChainError("CALL_WOULD_FAIL", { reason: "A simulated row fails" });
}

function withFeeLimit(intent: Intent, limits: ReadonlyMap<Address, Sun>): Intent {
  if (intent.kind !== "contract-call") return intent;
  return { ...intent, feeLimit: limits.get(intent.contract) ?? intent.feeLimit };
}

/** Returns the coins that a row moves, without fees. */
function coinsOf(intent: Intent): bigint {
  if (intent.kind === "transfer") return intent.amount;
  return "callValue" in intent ? intent.callValue : 0n;
}

function recipientsIn(rows: readonly NewRow[]): ReadonlySet<Address> {
  return new Set(rows.flatMap(({ intent }) => partiesOf(intent)));
}

/** Returns rows whose recipient looks like a known account, with that account. */
function lookalikesIn(rows: readonly NewRow[], known: readonly Address[]): readonly (readonly [number, Address])[] {
  return rows.flatMap(({ row, intent }) =>
    partiesOf(intent).flatMap((party) => lookalikesOf(party, known).map((it) => [row, it] as const)),
  );
}
