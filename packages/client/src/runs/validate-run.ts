import { isChainError } from "@finality/tron/errors";
import { type Address, blockId, sun } from "@finality/tron/primitives";
import { builtFromIntent, type Intent, partiesOf } from "@finality/tron/transaction";
import type { BindingContext } from "../call-sites/bind-call.ts";
import { bandwidthOf } from "../estimates/costs.ts";
import type { NetworkRef } from "../gateway/network.ts";
import type { KnownToken } from "../tokens.ts";
import { type EarlierRuns, findEarlierRows, type PaidAgain } from "./earlier-runs.ts";
import { type BoundRow, type BoundRows, bindCalls, bindPayments } from "./run-binding.ts";
import { measureRun } from "./run-energy.ts";
import type { RunFile } from "./run-file.ts";
import {
  balanceFindings,
  digitFindings,
  ownerBlacklisted,
  type RunFinding,
  recipientFindings,
  rowFindings,
  tokenFinding,
} from "./run-findings.ts";
import { planRun, type RunMeans, type RunNeeds, type RunPlan } from "./run-plan.ts";
import { isBlacklisted, queryRecipients, type RecipientFacts, type RunGateway } from "./run-recipients.ts";
import type { RunRefusal } from "./run-table.ts";
import { type RunTotal, totalsIn } from "./run-totals.ts";

/** Account, chain, journal and names that a run is validated against. */
export interface RunValidation {
  /** Account that all rows pay from. */
  readonly owner: Address;
  readonly gateway: RunGateway;
  /** @throws {ChainError} `CONTRACT_UNKNOWN`, `TOKEN_DECIMALS_DIFFER`, and the errors of the gateway */
  readonly tokenAt: (contract: Address, signal: AbortSignal) => Promise<KnownToken>;
  /** Names and contracts of calls. */
  readonly calls: BindingContext;
  /** Intents of the journal's transactions on this chain. */
  readonly history: readonly Intent[];
  /** Store of runs, and the chain, to recognize payments of earlier runs. */
  readonly earlier: { readonly store: EarlierRuns; readonly chain: NetworkRef["chain"] };
  /** Addresses that the user knows. */
  readonly named: readonly Address[];
  /** Maximum number of recipients that are queried; the others count as new accounts. */
  readonly queries: number;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/** A run with everything that its review shows. */
export interface ValidatedRun {
  readonly file: RunFile;
  /** Rows with their final intents, in order. */
  readonly rows: readonly BoundRow[];
  /** Cells and rows that cannot be used, with their ranges in the file. */
  readonly refusals: readonly RunRefusal[];
  readonly findings: readonly RunFinding[];
  /** False if anything is refused: then nothing of the run may be sent. */
  readonly canStart: boolean;
  /** Rows that earlier runs have: they need an agreement of their own, which a general "yes" does not include. */
  readonly paidAgain: readonly PaidAgain[];
  readonly totals: readonly RunTotal[];
  /** Recipients that the journal has not paid. */
  readonly newRecipients: readonly Address[];
  readonly needs: RunNeeds;
  readonly plans: readonly RunPlan[];
}

/**
 * Validates all rows of a run against the chain, the journal and each other, and measures its cost. Sends no transaction.
 *
 * @throws {ChainError} the errors of the gateway
 */
export async function validateRun(file: RunFile, validation: RunValidation): Promise<ValidatedRun> {
  const { owner, gateway, signal, queries, progress } = validation;
  const { tokens, findings: tokenFindings } = await readTokens(file, validation);
  const bound = bind(file, tokens, validation);
  const refusals = [...file.refusals, ...bound.refusals].sort((a, b) => a.row - b.row);
  const blacklists = await blacklistsOf(tokens, validation);
  const facts = await queryRecipients(bound.rows, {
    gateway,
    blacklists: blacklists.has,
    limit: queries,
    signal,
    progress,
  });
  const measured = await measureRun(bound.rows, { gateway, facts, signal });
  const { rows } = measured;
  const needs = needsOf(measured, facts);
  const means = await readMeans(owner, gateway, signal);
  const plans = planRun(needs, means);
  const totals = totalsIn(rows, tokens);
  const { paidAgain, planned } = await findEarlierRows({ file, rows }, owner, validation.earlier);
  const again = new Set(paidAgain.flatMap((it) => it.rows));
  const findings = [
    ...tokenFindings,
    ...blacklists.findings,
    ...rowFindings(rows, { ...validation, tokens, again, planned, column: recipientColumn(file) }),
    ...recipientFindings(rows, facts),
    ...digitFindings(file, tokens),
    ...measured.findings,
    ...(await balanceFindings({ owner, totals, means, fee: plans[0]?.fee ?? sun(0n) }, gateway, signal)),
  ];
  const canStart = refusals.length === 0 && rows.length > 0 && findings.every(({ severity }) => severity !== "refused");
  const newRecipients = newIn(rows, validation.history);
  return { file, rows, refusals, findings, canStart, paidAgain, totals, newRecipients, needs, plans };
}

/** Returns the name that the file has for the column of recipients. */
function recipientColumn(file: RunFile): string {
  const columns = file.kind === "payments" ? file.columns : [];
  return columns.find(({ column }) => column === "recipient")?.name ?? "recipient";
}

type Tokens = ReadonlyMap<Address, KnownToken>;

async function readTokens(
  file: RunFile,
  { tokenAt, signal }: RunValidation,
): Promise<{ readonly tokens: Tokens; readonly findings: readonly RunFinding[] }> {
  const tokens = new Map<Address, KnownToken>();
  const findings: RunFinding[] = [];
  for (const [contract, rows] of contractsIn(file)) {
    try {
      tokens.set(contract, await tokenAt(contract, signal));
    } catch (error) {
      if (!isChainError(error)) throw error;
      if (error.code !== "CONTRACT_UNKNOWN" && error.code !== "TOKEN_DECIMALS_DIFFER") throw error;
      findings.push(tokenFinding(rows, error));
    }
  }
  return { tokens, findings };
}

/** Rows of each token contract. */
function contractsIn(file: RunFile): ReadonlyMap<Address, readonly number[]> {
  const contracts = new Map<Address, number[]>();
  for (const { token, row } of file.kind === "payments" ? file.rows : []) {
    if (token.kind !== "trc20") continue;
    const rows = contracts.get(token.contract);
    if (rows === undefined) contracts.set(token.contract, [row]);
    else rows.push(row);
  }
  return contracts;
}

function bind(file: RunFile, tokens: Tokens, { owner, calls }: RunValidation): BoundRows {
  if (file.kind === "calls") return bindCalls(file.rows, owner, calls);
  const rows = file.rows.filter(({ token }) => token.kind !== "trc20" || tokens.has(token.contract));
  return bindPayments({ rows, columns: file.columns }, owner, tokens);
}

/** Returns the tokens that have a blacklist, and a finding for each that has the owner on it. */
async function blacklistsOf(
  tokens: Tokens,
  { gateway, owner, signal }: RunValidation,
): Promise<{ readonly has: ReadonlySet<Address>; readonly findings: readonly RunFinding[] }> {
  const answers = await Promise.all(
    [...tokens.keys()].map(async (it) => [it, await isBlacklisted(gateway, it, owner, signal)] as const),
  );
  const has = answers.filter(([, answer]) => answer !== undefined).map(([token]) => token);
  const listing = answers.filter(([, answer]) => answer === true).map(([token]) => token);
  return { has: new Set(has), findings: listing.map(ownerBlacklisted) };
}

async function readMeans(owner: Address, gateway: RunGateway, signal: AbortSignal): Promise<RunMeans> {
  const [account, resources, parameters] = await Promise.all([
    gateway.account(owner, signal),
    gateway.accountResources(owner, signal),
    gateway.chainParameters(signal),
  ]);
  return { account, resources, parameters };
}

/** Size does not depend on these values. */
const VALIDITY = {
  referenceBlock: blockId("0".repeat(64)),
  expiration: 2_000_000_000_000,
  timestamp: 2_000_000_000_000,
};
const SIGNATURES = 1;

function needsOf(
  { rows, energy }: Awaited<ReturnType<typeof measureRun>>,
  facts: ReadonlyMap<Address, RecipientFacts>,
): RunNeeds {
  const activated = new Set<Address>();
  let bandwidth = 0n;
  let isUpperBound = false;
  for (const { intent, recipient, token } of rows) {
    const isNew = recipient !== undefined && token.kind !== "trc20" && facts.get(recipient)?.isActive !== true;
    if (recipient !== undefined && facts.get(recipient) === undefined) isUpperBound = true;
    // The bytes of a transfer that creates its recipient are paid by a fee of their own.
    if (isNew && !activated.has(recipient)) activated.add(recipient);
    else bandwidth += bandwidthOf(builtFromIntent(intent, VALIDITY).rawDataHex.length / 2, SIGNATURES);
  }
  const memos = rows.filter(({ intent }) => intent.memo !== undefined).length;
  return { rows: rows.length, energy, bandwidth, activations: activated.size, memos, isUpperBound };
}

/** Returns the recipients that no intent of the journal pays, in the order of the rows. */
function newIn(rows: readonly BoundRow[], history: readonly Intent[]): readonly Address[] {
  const paid = new Set(history.flatMap(partiesOf));
  const recipients = new Set(rows.map(({ recipient }) => recipient).filter((it) => it !== undefined));
  return [...recipients].filter((it) => !paid.has(it));
}
