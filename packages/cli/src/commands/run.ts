import { basename } from "node:path";
import { coinSymbolOf } from "@finality/client/gateway";
import {
  failedRows,
  finalRows,
  type NewRow,
  permitRetries,
  type RowCounts,
  RUN_VERSION,
  type RunEnd,
  type RunFile,
  RunProgress,
  type RunStore,
  RunWorker,
  readRunFile,
  requireRunAuthority,
  rowStateNames,
  runIdOf,
  type StoredRun,
} from "@finality/client/runs";
import { systemClock as clock } from "@finality/node/system-clock";
import { ChainError } from "@finality/tron/errors";
import { grouped } from "@finality/tron/format";
import { defined, type JsonObject, toBase58, visibleText } from "@finality/tron/primitives";
import { addressNamed } from "../call-context.ts";
import { CliError, EXIT, type ExitCode, withoutEditorSteps } from "../cli-error.ts";
import type { CommandResult, Context, Invocation, RunCommand } from "../command.ts";
import { readConfiguration } from "../configuration.ts";
import { journalFolder } from "../journal.ts";
import { type KeySource, openKeySource } from "../key-source.ts";
import { chooseNetwork, connect } from "../network.ts";
import { storeUrl } from "../postgres-store.ts";
import { type ReviewedRows, reviewRunFile } from "../run-rows.ts";
import { openRunStore } from "../run-store.ts";
import { countsJson, countsText, progressText } from "../run-text.ts";
import { confirmReview, openSender, type Sender } from "../sender.ts";

/** Executes the rows of a file, or goes on with a run: review, then claim, sign, commit, send and track each row. */
export const runRun: RunCommand = async (invocation, context) => {
  const { terminal } = context;
  const source = sourceOf(invocation, storeUrl(invocation, terminal) !== undefined);
  const settings = settingsOf(invocation);
  const { addresses } = await readConfiguration(invocation, terminal);
  const key = await openKeySource(invocation, terminal, (name) => addressNamed(name, addresses));
  // An external signer could send the bytes before the store has them.
  if (key.isExternal) throw new CliError("USAGE", { cause: "A run signs with --key-env or --keystore, not --signer." });
  const connection = connect(await chooseNetwork(invocation, terminal));
  let sender: Sender | undefined;
  try {
    const folder = journalFolder(invocation, terminal, connection.configuration);
    const { store, journal } = await openRunStore(invocation, terminal, folder);
    sender = await openSender(folder, connection, context.warn, journal);
    const here = { sender, store, key, settings, context, sameOptions: sameOptions(invocation) };
    if (source.kind === "file") return await runFile(source.path, here, invocation);
    const run = await storedRun(store, source.id);
    await requireOwner(here, run);
    if (source.kind === "retry") await retryFailed(here, run);
    await store.setControl(run.id, "running");
    return await execute(here, run.id);
  } finally {
    await sender?.close();
    await connection.close();
  }
};

interface RunHere {
  readonly sender: Sender;
  readonly store: RunStore;
  readonly key: KeySource;
  readonly settings: RunSettings;
  readonly context: Context;
  /** Options for the next command about the run. */
  readonly sameOptions: string;
}

interface RunSettings {
  readonly concurrency: number;
  readonly lifetimeMs: number;
}

type RunSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "resume" | "retry"; readonly id: string };

/** @throws {CliError} `USAGE` */
function sourceOf(invocation: Invocation, hasStore: boolean): RunSource {
  const [path] = invocation.positionals;
  const [resume, retry] = [invocation.text("resume"), invocation.text("retry-failed")];
  const given = [path, resume, retry].filter((it) => it !== undefined);
  if (given.length !== 1) throw new CliError("USAGE", { cause: "Use one of FILE, --resume ID and --retry-failed ID." });
  if (invocation.isOn("detach") && (path === undefined || !hasStore))
    throw new CliError("USAGE", { cause: "--detach needs FILE and --store, whose workers execute the rows." });
  if (path !== undefined) return { kind: "file", path };
  return resume === undefined ? { kind: "retry", id: retry ?? "" } : { kind: "resume", id: resume };
}

/** Returns the options that the next command about a run needs too. They name credentials and hold none. */
function sameOptions(invocation: Invocation): string {
  const texts = (["network", "config", "key-env", "keystore", "journal", "store"] as const).flatMap((name) => {
    const value = invocation.text(name);
    return value === undefined ? [] : [` --${name} ${shellWord(value)}`];
  });
  const flags = (["local", "allow-http"] as const).filter((name) => invocation.isOn(name)).map((name) => ` --${name}`);
  return [...flags, ...texts].join("");
}

function shellWord(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${visibleText(text).replaceAll("'", "'\\''")}'`;
}

/** @throws {CliError} `USAGE` */
function settingsOf(invocation: Invocation): RunSettings {
  const number = (name: string, usual: string, most: number): number => {
    const text = invocation.text(name) ?? usual;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
    throw new CliError("USAGE", { cause: `--${name} has to be a number from 1 to ${most}, not "${text}".` });
  };
  return { concurrency: number("concurrency", "8", 256), lifetimeMs: 1_000 * number("expiry", "60", 86_400) };
}

async function runFile(path: string, here: RunHere, invocation: Invocation): Promise<CommandResult> {
  const { sender, store, key, context } = here;
  const owner = key.address;
  const { network, connection } = sender;
  const { chain } = network;
  if (chain === undefined) {
    const reason = "the network does not report its first block";
    throw new ChainError("RUN_STORE_UNAVAILABLE", { store: path, reason });
  }
  const coinSymbol = coinSymbolOf(connection.profile.baseUrl);
  const title = basename(path);
  const file = readRunFile(await context.terminal.readBytes(path), { name: title, ...defined({ coinSymbol }) });
  const { fileHash } = file;
  const id = runIdOf(chain, owner, fileHash);
  const known = await store.run(id);
  if (known === undefined) {
    const rows = await acceptedRows(file, here, { id, name: title, invocation });
    const run = { id, network: { ...network, chain }, owner, title, fileHash };
    await store.create({ ...run, version: RUN_VERSION, createdAt: clock.now() }, rows);
  } else {
    // A new run keeps an order to pause or stop that came right after its creation.
    await store.setControl(id, "running");
    context.warn(`Run ${id} goes on: ${grouped(known.attempted)} of ${grouped(known.rows)} rows were signed before.`);
  }
  if (invocation.isOn("detach")) return detached(id, file.rows.length);
  return await execute(here, id);
}

/** Leaves the rows to the workers of the store. */
function detached(run: string, rows: number): CommandResult {
  const text = `Stored ${grouped(rows)} rows for the workers of the store.\nNext: finality runs --store URL\n`;
  return { result: { run, end: "stored", rows }, text };
}

interface NewFile {
  readonly id: string;
  readonly name: string;
  readonly invocation: Invocation;
}

/**
 * Validates and reviews the rows of a file, and returns them if the user agrees.
 *
 * @throws {CliError} `RUN_FILE_REFUSED`, `RUN_PAYS_AGAIN`, `NOT_CONFIRMED`
 * @throws {ChainError} `PERMISSION_REFUSED`, and the errors of the gateway
 */
async function acceptedRows(file: RunFile, here: RunHere, newFile: NewFile): Promise<readonly NewRow[]> {
  const { sender, store, key, settings, context } = here;
  const { invocation, name } = newFile;
  const { addresses } = sender.connection.configuration;
  const { concurrency } = settings;
  const reviewing = { invocation, context, store, owner: key.address, addresses, name, concurrency };
  context.show("checking the rows");
  const reviewed = await reviewRunFile(file, sender, reviewing);
  showReview(reviewed, newFile.id, context);
  requireAccepted(reviewed);
  await requireRunAuthority(sender.connection.gateway, key.address, reviewed.rows);
  requireNewPayments(reviewed, invocation);
  const isDoubtful = reviewed.run.findings.some(({ severity }) => severity === "warning");
  await confirmReview(sender, { question: "Send all rows? Type yes: ", isDoubtful }, invocation, context.terminal);
  return reviewed.rows;
}

/** Prints the review. Refusals follow in the error, and as lines for programs. */
function showReview({ review, run, rows }: ReviewedRows, id: string, { output }: Context): void {
  const { title, lines, refused } = review;
  const shown = lines.filter((it) => !refused.includes(it.slice(REFUSAL_MARK.length)));
  const text = `${visibleText(`${title}\n\n${shown.join("\n").trim()}`)}\n\nRun: ${id}\n`;
  const paidAgain = run.paidAgain.map((it) => ({ run: it.run, rows: [...it.rows] }));
  output("review", { run: id, title, detail: lines.join("\n"), rows: rows.length, paidAgain }, text);
  for (const { row, column, message } of run.refusals)
    output("refusal", { rows: [row], message, ...defined({ column }) }, "");
  for (const { severity, rows: numbers, message } of run.findings)
    if (severity === "refused") output("refusal", { rows: [...numbers], message }, "");
}

/** Begins the sentences of a review about refused rows. */
const REFUSAL_MARK = "✗ ";

/** Refused rows that an error lists. */
const LISTED = 20;

/** @throws {CliError} `RUN_FILE_REFUSED` */
function requireAccepted({ run, review: { refused } }: ReviewedRows): void {
  if (run.canStart) return;
  const more = refused.length > LISTED ? [`… and ${refused.length - LISTED} more.`] : [];
  const cause =
    refused.length === 0 ? "The file has no row." : [...refused.slice(0, LISTED), ...more].join("\n         ");
  throw new CliError("RUN_FILE_REFUSED", { cause });
}

/** @throws {CliError} `RUN_PAYS_AGAIN` if rows equal those of an earlier run, unless `--pay-again` is given */
function requireNewPayments({ review: { paidAgain } }: ReviewedRows, invocation: Invocation): void {
  if (paidAgain.length > 0 && !invocation.isOn("pay-again"))
    throw new CliError("RUN_PAYS_AGAIN", { cause: paidAgain.join("\n         ") });
}

/** @throws {CliError} `RUN_MISSING` */
async function storedRun(store: RunStore, id: string): Promise<StoredRun> {
  const run = await store.run(id);
  if (run !== undefined) return run;
  throw new CliError("RUN_MISSING", { cause: `The journal has no run ${visibleText(id, 40)}.` });
}

/** @throws {CliError} `USAGE` if the key is of another account */
async function requireOwner({ key }: RunHere, { owner, id }: StoredRun): Promise<void> {
  if (key.address === owner) return;
  const cause = `Run ${id} pays from ${toBase58(owner)}, and the key is of ${toBase58(key.address)}.`;
  throw new CliError("USAGE", { cause, next: "Use the key of that account." });
}

/** Permits another attempt of failed rows, where the retry policy does. */
async function retryFailed({ sender, store, context }: RunHere, run: StoredRun): Promise<void> {
  const { tracker, sources } = sender;
  const progress = await RunProgress.load(store, tracker, run.id);
  const { permitted, refused } = await permitRetries(progress, store, tracker, sources);
  for (const { row, why } of refused) context.warn(`Row ${row} is not tried again: ${why}`);
  progress.dispose();
  context.warn(`Rows that are tried again: ${permitted}.`);
}

/** Executes a stored run until it ends, or until the user interrupts it. */
async function execute(here: RunHere, id: string): Promise<CommandResult> {
  const { sender, store, key, settings, context } = here;
  const { tracker, connection, network, sources } = sender;
  const progress = await RunProgress.load(store, tracker, id);
  const stop = new AbortController();
  const interrupt = (): void => {
    if (!stop.signal.aborted) context.warn("Interrupted. The answers of what was sent are awaited.");
    stop.abort();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.once(name, interrupt);
  const startedAt = clock.now();
  const before = finalRows(progress.counts());
  const position = (): string =>
    progressText({ counts: progress.counts(), total: progress.size, before, elapsedMs: clock.now() - startedAt });
  const following = progress.onDidChange((rows) => {
    for (const row of rows) context.progress("row", rowJson(progress, row), position());
  });
  context.show(position());
  const worker = new RunWorker({
    ...{ run: id, worker: { id: `${process.pid}`, version: RUN_VERSION }, store, tracker, network, sources, clock },
    ...{ gateway: connection.gateway, signer: key, ...settings },
    warn: warnOnce((message) => context.warn(withoutEditorSteps(message))),
  });
  try {
    const end = await worker.run(stop.signal);
    return resultOf(id, end, progress, { elapsedMs: clock.now() - startedAt, sameOptions: here.sameOptions });
  } finally {
    following.dispose();
    progress.dispose();
    for (const name of signals) process.off(name, interrupt);
  }
}

/** Returns a row in its new state, for programs. */
function rowJson(progress: RunProgress, number: number): JsonObject {
  const row = progress.row(number);
  if (row === undefined) return { row: number };
  const { key, state, last } = row;
  const block = last?.state.kind === "solidified" ? last.state.block.number : undefined;
  return { row: number, key, state: rowStateNames[state], ...defined({ txId: last?.txId, block }) };
}

/** A problem that lasts is reported once. */
function warnOnce(warn: (message: string) => void): (message: string) => void {
  let last: string | undefined;
  return (message) => {
    if (message !== last) warn(message);
    last = message;
  };
}

function resultOf(
  run: string,
  { kind, reason }: RunEnd,
  progress: RunProgress,
  { elapsedMs, sameOptions: options }: { readonly elapsedMs: number; readonly sameOptions: string },
): CommandResult {
  const counts = progress.counts();
  const seconds = Math.round(elapsedMs / 100) / 10;
  const result = { run, end: kind, rows: progress.size, seconds, counts: countsJson(counts), ...defined({ reason }) };
  const title = kind === "finished" ? "Finished" : kind === "stopped" ? "Stopped" : "Interrupted";
  const next = kind === "finished" ? nextOf(run, counts, options) : `Next: finality run --resume ${run}${options}\n`;
  const text = `${title}: ${countsText(counts)} (${seconds} s).\n${reason === undefined ? "" : `${reason}\n`}${next}`;
  return { result, text, exitCode: exitCodeOf(kind, counts) };
}

function nextOf(run: string, counts: RowCounts, options: string): string {
  return failedRows(counts) === 0 ? "" : `Next: finality run --retry-failed ${run}${options}\n`;
}

function exitCodeOf(kind: RunEnd["kind"], counts: RowCounts): ExitCode {
  if (kind !== "finished") return EXIT.unknown;
  return finalRows(counts) === counts.succeeded ? EXIT.ok : EXIT.negative;
}
