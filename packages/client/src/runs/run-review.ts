import { coinsText, counted, grouped, type NameOf, roughly, shortAddress } from "@finality/tron/format";
import { type Address, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { networkLines, partyText, type ReviewedNetwork } from "../labels/reviews.ts";
import { paidAgainText } from "./earlier-runs.ts";
import { rowsText } from "./run-findings.ts";
import type { RunPlan } from "./run-plan.ts";
import { type RunTotal, unitsText } from "./run-totals.ts";
import type { ValidatedRun } from "./validate-run.ts";

/** Names and numbers that a review shows besides the run. */
export interface RunReviewContext {
  readonly network: ReviewedNetwork;
  /** Symbol of the network's coin, if known. */
  readonly symbol: string | undefined;
  readonly owner: Address;
  readonly nameOf: NameOf;
  /** Name of the file. */
  readonly file: string;
  /** Maximum number of rows that are sent at once. */
  readonly concurrency: number;
}

/** Review of a whole run, before anything is signed. */
export interface RunReview {
  readonly title: string;
  readonly lines: readonly string[];
  /** Sentences about refused rows; if there is one, nothing of the run is sent. */
  readonly refused: readonly string[];
  /** True if the review has warnings, so that a user has to read it. */
  readonly isDoubtful: boolean;
  /** Sentences about rows that an earlier run has. If there is one, the user agrees to it apart from the review. */
  readonly paidAgain: readonly string[];
}

/** Sentences of each kind that a review shows in full. */
const SHOWN_SENTENCES = 20;

/** Returns the review of a run: parties, totals, largest amounts, new recipients, cost, time and what was refused. */
export function reviewRun(run: ValidatedRun, context: RunReviewContext): RunReview {
  const { rows, refusals, findings } = run;
  const messages = (severity: "refused" | "warning" | "note"): readonly string[] =>
    findings.filter((it) => it.severity === severity).map(({ message }) => message);
  const refused = [...refusals.map(({ message }) => message), ...messages("refused")];
  const paidAgain = run.paidAgain.map(paidAgainText);
  const warnings = [...paidAgain, ...messages("warning")];
  const lines = [
    ...shortened(refused).map((it) => `✗ ${it}`),
    ...shortened(warnings).map((it) => `⚠ ${it}`),
    ...(refused.length + warnings.length === 0 ? [] : [""]),
    ...networkLines(context.network),
    t`From: ${partyText({ address: context.owner, ...named(context) })}`,
    fileLine(run, context),
    ...run.totals.flatMap((it) => totalLines(it, context)),
    ...newRecipientLines(run, context),
    ...costLines(run, context),
    timeLine(rows.length, context.concurrency),
    ...shortened(messages("note")).map((it) => t`Note: ${it}`),
  ];
  const title =
    refused.length > 0
      ? t`The run cannot start: ${counted(refused.length, t`problem`, t`problems`)}`
      : t`Send ${counted(rows.length, t`transaction`, t`transactions`)} from ${shortAddress(context.owner, context.nameOf)}?`;
  return { title, lines, refused, isDoubtful: warnings.length > 0, paidAgain };
}

function named({ owner, nameOf }: RunReviewContext): { readonly name?: string } {
  const name = nameOf(owner);
  return name === undefined ? {} : { name };
}

function shortened(sentences: readonly string[]): readonly string[] {
  const others = sentences.length - SHOWN_SENTENCES;
  if (others <= 0) return sentences;
  return [...sentences.slice(0, SHOWN_SENTENCES), t`… and ${grouped(others)} more`];
}

function fileLine({ file, rows }: ValidatedRun, { file: name }: RunReviewContext): string {
  const source = t`File: ${visibleLine(name)}, ${counted(rows.length, t`row`, t`rows`)}, SHA-256 ${file.fileHash.slice(0, 16)}…`;
  if (file.kind === "calls") return source;
  const delimiter = { ",": t`comma`, ";": t`semicolon`, "\t": t`tab` }[file.delimiter ?? ","];
  const columns = file.columns.map(({ column, name }) => (name === column ? name : `${name} (${column})`)).join(", ");
  const keys = file.rows.every(({ hasOwnKey }) => hasOwnKey)
    ? ""
    : t`; rows without a key get one of the file and the row`;
  return t`${source}; ${delimiter} between cells; columns ${columns}${keys}`;
}

function totalLines({ token, units, rows, largest }: RunTotal, { symbol }: RunReviewContext): readonly string[] {
  const contract = typeof token === "object" ? t` · ${toBase58(token.address)}, decimals ${token.decimalsBy}` : "";
  const sum = t`Total: ${unitsText(token, units, symbol)} in ${counted(rows, t`row`, t`rows`)}${contract}`;
  const { row, recipient } = largest;
  if (recipient === undefined) return [sum];
  return [sum, t`Largest: ${unitsText(token, largest.units, symbol)} to ${toBase58(recipient)} in ${rowsText([row])}`];
}

/** New recipients that a review names. */
const NAMED_RECIPIENTS = 3;

function newRecipientLines({ newRecipients }: ValidatedRun, { nameOf }: RunReviewContext): readonly string[] {
  if (newRecipients.length === 0) return [];
  const first = newRecipients.slice(0, NAMED_RECIPIENTS).map((it) => nameOf(it) ?? toBase58(it));
  const others =
    newRecipients.length > NAMED_RECIPIENTS ? [t`… and ${grouped(newRecipients.length - NAMED_RECIPIENTS)} more`] : [];
  const names = [...first, ...others].join(t`, `);
  return [
    t`New: ${counted(newRecipients.length, t`recipient`, t`recipients`)} that this journal has not paid: ${names}`,
  ];
}

function costLines({ needs, plans }: ValidatedRun, { symbol }: RunReviewContext): readonly string[] {
  const { energy, bandwidth, activations, isUpperBound } = needs;
  const parts = [
    energy === undefined ? t`unknown energy` : t`${grouped(energy)} energy`,
    t`${grouped(bandwidth)} bytes of bandwidth`,
    ...(activations === 0 ? [] : [counted(activations, t`account to create`, t`accounts to create`)]),
  ].join(t`, `);
  const needed = isUpperBound ? t`Needs at most: ${parts}` : t`Needs: ${parts}`;
  return [needed, ...(plans.length === 0 ? [t`Costs: unknown`] : plans.map((it) => planText(it, symbol)))];
}

function planText({ kind, fee, energyStake, bandwidthStake }: RunPlan, symbol: string | undefined): string {
  const coins = coinsText(fee, symbol);
  if (kind === "burn") return t`Costs: ${coins} with today's resources`;
  const stakes = [
    ...(energyStake === 0n ? [] : [t`${coinsText(energyStake, symbol)} for energy`]),
    ...(bandwidthStake === 0n ? [] : [t`${coinsText(bandwidthStake, symbol)} for bandwidth`]),
  ].join(t` and `);
  return kind === "stake"
    ? t`Or stake first: ${stakes}; the run then costs ${coins}`
    : t`Or with a delegation of ${stakes} by another account; the run then costs ${coins}`;
}

/** A row takes about a second: build, sign, store and send. */
const ROW_MS = 1_000;
/** Time from the last row to its solidified block; ms. */
const FINAL_MS = 60_000;

function timeLine(rows: number, concurrency: number): string {
  const ms = Math.ceil(rows / concurrency) * ROW_MS;
  return t`Time: about ${roughly(ms)} to send with ${concurrency} at once, and ${roughly(FINAL_MS)} more until all are final`;
}
