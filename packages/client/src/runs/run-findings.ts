import type { AnyChainError } from "@finality/tron/errors";
import { coinsText, counted, formatTokenAmount } from "@finality/tron/format";
import { type Address, COIN_DECIMALS, type Sun, sun, toBase58 } from "@finality/tron/primitives";
import { addressEnds, type Intent, partiesOf } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { CallEstimate } from "../estimates/call-estimate.ts";
import { intentKey } from "../retry/conflicting-transactions.ts";
import { type KnownToken, tokenBalance } from "../tokens.ts";
import type { BoundRow } from "./run-binding.ts";
import type { RunFile } from "./run-file.ts";
import type { RunMeans } from "./run-plan.ts";
import type { RecipientFacts, RunGateway } from "./run-recipients.ts";
import type { RunTotal } from "./run-totals.ts";

/** Problem or fact of rows. `refused` stops the run; a `warning` has to be read by a user. */
export interface RunFinding {
  readonly severity: "refused" | "warning" | "note";
  /** Rows that it concerns; empty for the whole run. */
  readonly rows: readonly number[];
  readonly message: string;
}

/** Rows that a sentence names. */
const NAMED_ROWS = 5;

/** Names rows in a sentence. @example "rows 2, 3, 5, 8, 9 and 12 more" */
export function rowsText(rows: readonly number[]): string {
  const first = rows.slice(0, NAMED_ROWS).join(t`, `);
  const others = rows.length - NAMED_ROWS;
  if (rows.length === 1) return t`row ${first}`;
  return others > 0 ? t`rows ${first} and ${others} more` : t`rows ${first}`;
}

function finding(severity: RunFinding["severity"], rows: readonly number[], message: string): RunFinding {
  return { severity, rows, message };
}

/** Refuses the rows of a token that cannot be read. */
export function tokenFinding(rows: readonly number[], error: AnyChainError): RunFinding {
  return finding("refused", rows, t`The token of ${rowsText(rows)} cannot be used: ${error.message}`);
}

/** Refuses a run from an account that the contract of a token has on its blacklist. */
export function ownerBlacklisted(token: Address): RunFinding {
  return finding(
    "refused",
    [],
    t`The contract ${toBase58(token)} has the paying account on its blacklist, so it refuses each transfer.`,
  );
}

interface RowContext {
  readonly owner: Address;
  readonly history: readonly Intent[];
  readonly named: readonly Address[];
  readonly tokens: ReadonlyMap<Address, KnownToken>;
  /** Name of the column of recipients. */
  readonly column: string;
  /** Rows that earlier runs have. They have a sentence of their own. */
  readonly again: ReadonlySet<number>;
  /** Rows with a key of their own that unfinished runs have under other keys. */
  readonly planned: ReadonlySet<number>;
}

/** Compares rows with each other, with the journal and with known addresses. */
export function rowFindings(rows: readonly BoundRow[], context: RowContext): readonly RunFinding[] {
  return [
    ...ownRows(rows, context),
    ...tokenContractRows(rows, context),
    ...lookalikeRows(rows, context),
    ...paidRows(rows, context),
    ...repeatedRecipients(rows),
  ];
}

function ownRows(rows: readonly BoundRow[], { owner }: RowContext): readonly RunFinding[] {
  const own = rows.filter(({ recipient }) => recipient === owner).map(({ row }) => row);
  return own.length === 0
    ? []
    : [
        finding(
          "refused",
          own,
          t`The paying account itself is the recipient of ${rowsText(own)}. An account cannot pay itself.`,
        ),
      ];
}

function tokenContractRows(rows: readonly BoundRow[], { tokens }: RowContext): readonly RunFinding[] {
  const wrong = rows.filter(({ recipient }) => recipient !== undefined && tokens.has(recipient)).map(({ row }) => row);
  return wrong.length === 0
    ? []
    : [
        finding(
          "refused",
          wrong,
          t`The contract of a token is the recipient of ${rowsText(wrong)}: what it receives is lost.`,
        ),
      ];
}

/** Recipients that look like a known address, an address that was paid before, or another recipient. */
function lookalikeRows(
  rows: readonly BoundRow[],
  { history, named, owner, column }: RowContext,
): readonly RunFinding[] {
  const byEnds = new Map<string, Address>();
  for (const it of [owner, ...named, ...history.flatMap(partiesOf)]) byEnds.set(addressEnds(it), it);
  const findings: RunFinding[] = [];
  for (const { row, recipient } of rows) {
    if (recipient === undefined) continue;
    const ends = addressEnds(recipient);
    const other = byEnds.get(ends);
    if (other === undefined) byEnds.set(ends, recipient);
    else if (other !== recipient)
      findings.push(
        finding(
          "warning",
          [row],
          t`Row ${row}, ${column}: ${toBase58(recipient)} looks like ${toBase58(other)}, and only the ends are the same. Compare each character.`,
        ),
      );
  }
  return findings;
}

function paidRows(rows: readonly BoundRow[], context: RowContext): readonly RunFinding[] {
  const paid = new Set(context.history.map(intentKey));
  const again = rows
    .filter(({ row, intent }) => !context.again.has(row) && (context.planned.has(row) || paid.has(intentKey(intent))))
    .map(({ row }) => row);
  return again.length === 0
    ? []
    : [
        finding(
          "warning",
          again,
          t`The journal or an unfinished run has equal payments for ${rowsText(again)}: the same recipient, amount and token. Check that you want to pay them again.`,
        ),
      ];
}

function repeatedRecipients(rows: readonly BoundRow[]): readonly RunFinding[] {
  const seen = new Set<Address>();
  const again: number[] = [];
  for (const { row, recipient } of rows) {
    if (recipient === undefined) continue;
    if (seen.has(recipient)) again.push(row);
    seen.add(recipient);
  }
  return again.length === 0
    ? []
    : [finding("note", again, t`The recipient of ${rowsText(again)} is in an earlier row too.`)];
}

/** Reports what the chain says about recipients. */
export function recipientFindings(
  rows: readonly BoundRow[],
  facts: ReadonlyMap<Address, RecipientFacts>,
): readonly RunFinding[] {
  const numbers = (test: (facts: RecipientFacts, row: BoundRow) => boolean): readonly number[] =>
    rows.flatMap((row) => {
      const known = row.recipient === undefined ? undefined : facts.get(row.recipient);
      return known !== undefined && test(known, row) ? [row.row] : [];
    });
  const contracts = numbers(({ isContract }) => isContract === true);
  const inactive = numbers(({ isActive }, { token }) => isActive === false && token.kind !== "trc20");
  const listed = numbers(
    ({ blacklistedBy }, { token }) => token.kind === "trc20" && blacklistedBy.includes(token.contract),
  );
  const unchecked = rows
    .filter(({ recipient }) => recipient !== undefined && !facts.has(recipient))
    .map(({ row }) => row);
  return [
    ...(contracts.length === 0
      ? []
      : [
          finding(
            "warning",
            contracts,
            t`A contract is the recipient of ${rowsText(contracts)}. Many contracts cannot return what they receive.`,
          ),
        ]),
    ...(listed.length === 0
      ? []
      : [
          finding(
            "warning",
            listed,
            t`The token has the recipient of ${rowsText(listed)} on its blacklist: the amount would be frozen there.`,
          ),
        ]),
    ...(inactive.length === 0
      ? []
      : [
          finding(
            "note",
            inactive,
            inactive.length === 1
              ? t`The recipient of ${rowsText(inactive)} is not activated. The payment creates the account, which costs a fee.`
              : t`The recipients of ${rowsText(inactive)} are not activated. The payments create the accounts, which costs a fee each.`,
          ),
        ]),
    ...(unchecked.length === 0
      ? []
      : [
          finding(
            "note",
            unchecked,
            t`The chain was not asked about the recipient of ${rowsText(unchecked)}. The cost counts them as new accounts.`,
          ),
        ]),
  ];
}

/** Failure of a simulated row. */
type SimulationFailure = Exclude<CallEstimate["kind"], "estimated"> | "returned-false" | "fee-limit";

/** Reports a row whose simulation failed. */
export function simulationFinding(row: number, failure: SimulationFailure): RunFinding {
  switch (failure) {
    case "reverted":
      return finding("refused", [row], t`Row ${row} would fail: the contract reverts.`);
    case "halted":
      return finding("refused", [row], t`Row ${row} would fail: the node stops the simulation.`);
    case "returned-false":
      return finding("refused", [row], t`Row ${row} would move nothing: the token returns false.`);
    case "fee-limit":
      return finding(
        "refused",
        [row],
        t`The fee limit of row ${row} is too low, or the call needs more than nodes accept.`,
      );
    case "unpriced":
      return finding(
        "warning",
        [row],
        t`The gateway reports no price of energy, so the cost of row ${row} is unknown.`,
      );
    case "unavailable":
      return finding("refused", [row], t`Row ${row} cannot be simulated, so its cost and its fee limit are unknown.`);
  }
}

interface Payer {
  readonly owner: Address;
  readonly totals: readonly RunTotal[];
  readonly means: RunMeans;
  /** Coins besides the amounts, if they are burned. */
  readonly fee: Sun;
}

/** Compares the balances of the payer with the totals. */
export async function balanceFindings(
  { owner, totals, means: { account }, fee }: Payer,
  gateway: RunGateway,
  signal: AbortSignal,
): Promise<readonly RunFinding[]> {
  if (account === undefined)
    return [finding("refused", [], t`The paying account ${toBase58(owner)} is not activated.`)];
  const coins = totals.find(({ token }) => token === undefined)?.units ?? 0n;
  const findings = [coinFinding(sun(coins + fee), account.balance)];
  for (const { token, units } of totals) {
    if (token === undefined) continue;
    if (typeof token === "string") findings.push(trc10Finding(token, units, account.trc10?.get(token)));
    else findings.push(tokenShortage(token, units, await tokenBalance(gateway, token.address, owner, signal)));
  }
  return findings.filter((it) => it !== undefined);
}

function coinFinding(needed: Sun, balance: Sun | undefined): RunFinding | undefined {
  if (balance === undefined)
    return finding("warning", [], t`The gateway does not report the balance of the paying account.`);
  if (balance >= needed) return undefined;
  return finding(
    "refused",
    [],
    t`The account has ${coinsText(balance)}, and the run needs ${coinsText(needed)} with its fees.`,
  );
}

function trc10Finding(id: string, units: bigint, balance: bigint | undefined): RunFinding | undefined {
  if (balance === undefined || balance >= units) return undefined;
  return finding(
    "refused",
    [],
    t`The account has ${counted(balance, t`unit`, t`units`)} of the token ${id}, and the run needs ${counted(units, t`unit`, t`units`)}.`,
  );
}

function tokenShortage(token: KnownToken, units: bigint, balance: bigint): RunFinding | undefined {
  if (balance >= units) return undefined;
  const has = formatTokenAmount(balance, token);
  return finding("refused", [], t`The account has ${has}, and the run needs ${formatTokenAmount(units, token)}.`);
}

/** Significant digits that a spreadsheet keeps. */
const SPREADSHEET_DIGITS = 15;

/** Reports amounts that may have been rounded to the digits of a spreadsheet, because the token allows more decimals. */
export function digitFindings(file: RunFile, tokens: ReadonlyMap<Address, KnownToken>): readonly RunFinding[] {
  if (file.kind === "calls") return [];
  const rounded = file.rows.filter(({ amount, token }) => {
    const decimals = token.kind === "trc20" ? (tokens.get(token.contract)?.decimals ?? 0) : COIN_DECIMALS;
    const [, fraction = ""] = amount.split(".");
    return (
      amount.replace(".", "").replace(/^0+/, "").length === SPREADSHEET_DIGITS &&
      fraction !== "" &&
      fraction.length < decimals
    );
  });
  const rows = rounded.map(({ row }) => row);
  return rows.length === 0
    ? []
    : [
        finding(
          "warning",
          rows,
          t`The amount of ${rowsText(rows)} has 15 digits, as many as a spreadsheet keeps. Check that no digit was rounded.`,
        ),
      ];
}
