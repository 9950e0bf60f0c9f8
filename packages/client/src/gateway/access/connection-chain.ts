import { isChainError, shortChainId } from "@finality/tron/errors";
import { decodeNodeMessage } from "@finality/tron/node-messages";
import { isJsonObject, type JsonObject, parseJson } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Block } from "../gateway.ts";
import type { ChainId } from "../network.ts";
import { type AnswerParser, readAnswer } from "../wire/answer.ts";
import { parseGenesis, parseOptionalBlock } from "../wire/block.ts";
import { isGatewayAnswer } from "./connection-authentication.ts";
import {
  type CheckResult,
  documentedPaths,
  ESTIMATE,
  GENESIS,
  HEAD_BLOCK,
  HEAD_BY_HEIGHT,
  optionalPaths,
  SOLID_BLOCK,
  SOLID_BY_HEIGHT,
  type TestedPath,
} from "./connection-checks.ts";
import { ANSWER_MS, type ConnectionClient, isLimited, type TestResponse } from "./connection-client.ts";
import {
  type CheckMessage,
  chainMessages,
  originMessages,
  otherUrlMessages,
  pathMessages,
  skippedMessages,
} from "./connection-messages.ts";
import { checkRoute, type RouteContext } from "./connection-route.ts";

/** Chain data that a connection test reads; undefined where the gateway does not report it. */
export interface ObservedChain {
  readonly head: Block | undefined;
  readonly solid: Block | undefined;
  readonly headChain: ChainId | undefined;
  readonly solidChain: ChainId | undefined;
  /** Block of the head view at the height of the solidified block. */
  readonly headAtSolid: Block | undefined;
}

/**
 * Reads the chain data of the head view and the solidified view.
 *
 * @param searchSolid - For a gateway that does not return its newest solidified block directly.
 * @throws the reason of the signal
 */
export async function readChain(
  asker: ConnectionClient,
  searchSolid: () => Promise<Block | undefined>,
): Promise<ObservedChain> {
  const read = <T>(path: string, body: JsonObject, parse: AnswerParser<T>) =>
    readOptional(asker, { path, body }, parse);
  const [newest, head] = await Promise.all([
    read(SOLID_BLOCK, {}, parseOptionalBlock),
    read(HEAD_BLOCK, {}, parseOptionalBlock),
  ]);
  const solid = newest ?? (await searchSolid());
  const [headChain, solidChain, headAtSolid] = await Promise.all([
    read(HEAD_BY_HEIGHT, GENESIS, parseGenesis),
    read(SOLID_BY_HEIGHT, GENESIS, parseGenesis),
    solid && read(HEAD_BY_HEIGHT, { num: solid.number }, parseOptionalBlock),
  ]);
  return { head, solid, headChain, solidChain, headAtSolid };
}

/** Returns the parsed answer, or undefined if it is missing or malformed. The check of the path reports the failure. */
async function readOptional<T>(
  asker: ConnectionClient,
  { path, body }: { readonly path: string; readonly body: JsonObject },
  parse: AnswerParser<T>,
): Promise<T | undefined> {
  const { verdict } = await asker.request(path, body);
  if (verdict.kind !== "body") return undefined;
  try {
    return readAnswer({ endpoint: path, body: verdict.body }, parse);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return undefined;
  }
}

/** Reference time for ages. */
export interface TimeReference {
  /** Time of the gateway if known; Unix ms. */
  readonly now: number;
  /** True if the gateway reported the time; otherwise it is the time of this computer. */
  readonly isMeasured: boolean;
  /** True for the embedded chain, whose time is independent: no block is old there. */
  readonly local: boolean;
}

/** Checks the chain data: identity first, then state. */
export function checkChain(seen: ObservedChain, time: TimeReference): readonly CheckResult[] {
  const same = checkSameChain(seen);
  const isOther = same.status === "failed";
  const later = isOther ? [] : [checkFork(seen), checkHead(seen, time), checkSolidified(seen, time)];
  return [same, ...later];
}

function checkSameChain({ headChain, solidChain }: ObservedChain): CheckResult {
  const check = "same-chain";
  if (headChain === undefined) return { check, status: "skipped", ...chainMessages.notCompared(HEAD_BY_HEIGHT) };
  if (solidChain === undefined) return { check, status: "skipped", ...chainMessages.notCompared(SOLID_BY_HEIGHT) };
  const [head, solid] = [shortChainId(headChain), shortChainId(solidChain)];
  return headChain === solidChain
    ? { check, status: "ok", ...chainMessages.sameChain(head) }
    : { check, status: "failed", ...chainMessages.otherChain(head, solid) };
}

function checkFork({ solid, headAtSolid }: ObservedChain): CheckResult {
  const check = "fork";
  if (solid === undefined || headAtSolid === undefined)
    return { check, status: "skipped", ...chainMessages.forkUnknown };
  return headAtSolid.id === solid.id
    ? { check, status: "ok", ...chainMessages.sameFork(solid.number) }
    : { check, status: "failed", ...chainMessages.otherFork(solid.number) };
}

/** Unusual and faulty age of the newest block; ms. A block comes every 3 s. */
const LATE_MS = 20_000;
const OLD_MS = 60_000;

function checkHead({ head }: ObservedChain, { now, isMeasured, local }: TimeReference): CheckResult {
  const check = "head";
  if (head === undefined) return { check, status: "skipped", ...chainMessages.noHead(HEAD_BLOCK) };
  const [{ number }, age] = [head, now - head.timestamp];
  if (local) return { check, status: "ok", ...chainMessages.headLocal(number) };
  if (age < -OLD_MS) return { check, status: "warning", ...chainMessages.headAhead(number, -age) };
  if (age <= LATE_MS) return { check, status: "ok", ...chainMessages.headFresh(number, age) };
  return { check, status: age > OLD_MS ? "failed" : "warning", ...chainMessages.headOld(number, age, isMeasured) };
}

/** Distances to the newest block that are unusual and faulty; blocks. About 19 are usual with 27 witnesses. */
const FAR_BEHIND = 40;
const TOO_FAR_BEHIND = 100;
/** Allowance for the time between both requests; blocks. */
const APART = 3;
/** Maximum age of a solidified block if there is no head to compare with; ms. */
const SOLID_OLD_MS = 300_000;

function checkSolidified({ head, solid }: ObservedChain, { now, local }: TimeReference): CheckResult {
  const check = "solidified";
  if (solid === undefined) return { check, status: "skipped", ...chainMessages.noSolid(SOLID_BLOCK) };
  const age = now - solid.timestamp;
  if (head === undefined)
    return age > SOLID_OLD_MS && !local
      ? { check, status: "failed", ...chainMessages.solidOld(solid.number, age) }
      : { check, status: "ok", ...chainMessages.solidAlone(solid.number, age) };
  const behind = head.number - solid.number;
  if (behind < -APART) return { check, status: "failed", ...chainMessages.solidAhead(solid.number, -behind) };
  if (behind <= FAR_BEHIND || local)
    return { check, status: "ok", ...chainMessages.solid(solid.number, Math.max(0, behind)) };
  return {
    check,
    status: behind > TOO_FAR_BEHIND ? "failed" : "warning",
    ...chainMessages.solidBehind(solid.number, behind),
  };
}

export interface PathContext {
  readonly asker: ConnectionClient;
  /** True if solidified data have their own URL. */
  readonly hasOwnSolid: boolean;
  readonly begin: (check: "path" | "optional-path", of: string) => void;
  readonly tell: (result: CheckResult) => void;
}

/** Concurrent requests. Gateways limit requests per second. */
const AT_ONCE = 3;
const OPTIONAL_AT_ONCE = 5;
/** Time limit for an optional path; ms. */
const OPTIONAL_MS = 3_000;
/** After this many unanswered optional paths the remaining ones are skipped. */
const SILENT_ENOUGH = 3;

/**
 * Checks each path: first the ten that every gateway promises, then the optional ones.
 *
 * @throws the reason of the signal
 */
export async function checkPaths(context: PathContext): Promise<void> {
  await forEachConcurrently(documentedPaths, AT_ONCE, (tested) => checkDocumented(tested, context));
  const silent: string[] = [];
  await forEachConcurrently(optionalPaths, OPTIONAL_AT_ONCE, (tested) => checkOptional(tested, silent, context));
}

async function checkDocumented(tested: TestedPath, { asker, hasOwnSolid, begin, tell }: PathContext): Promise<void> {
  const { path, body } = tested;
  if (asker.isLimited) return tell({ check: "path", of: path, status: "skipped", ...skippedMessages.limited });
  begin("path", path);
  tell(checkDocumentedPath(tested, await asker.request(path, body, ANSWER_MS), hasOwnSolid));
}

function checkDocumentedPath(
  { path, effectOfAbsence }: TestedPath,
  answered: TestResponse,
  hasOwnSolid: boolean,
): CheckResult {
  const [check, of, { ms }] = ["path", path, answered] as const;
  if (path === ESTIMATE && isSwitchedOff(answered))
    return { check, of, status: "warning", ...pathMessages.estimatesMissing(path, effectOfAbsence ?? "") };
  if (isGatewayAnswer(answered)) return { check, of, status: "ok", ...pathMessages.served(path, ms), ms };
  const missing = missingStatus(answered);
  if (missing === undefined) {
    if (isLimited(answered.verdict)) return { check, of, status: "skipped", ...skippedMessages.limited };
    return { check, of, status: "failed", ...pathMessages.failed(path, whyNot(answered)) };
  }
  if (effectOfAbsence !== undefined)
    return { check, of, status: "warning", ...pathMessages.estimatesMissing(path, effectOfAbsence) };
  const isSolid = path.startsWith("/walletsolidity/");
  const message = isSolid
    ? pathMessages.solidityMissing(path, missing, hasOwnSolid)
    : pathMessages.missing(path, missing);
  return { check, of, status: "failed", ...message };
}

async function checkOptional(
  { path, body, effectOfAbsence = "" }: TestedPath,
  silent: string[],
  { asker, begin, tell }: PathContext,
): Promise<void> {
  const line = { check: "optional-path", of: path } as const;
  if (asker.isLimited) return tell({ ...line, status: "skipped", ...skippedMessages.limited });
  if (silent.length >= SILENT_ENOUGH) return tell({ ...line, status: "skipped", ...pathMessages.optionalSilent(path) });
  begin("optional-path", path);
  const answered = await asker.request(path, body, OPTIONAL_MS);
  const { exchange, ms } = answered;
  if (exchange.kind === "no-answer") silent.push(path);
  if (isGatewayAnswer(answered)) return tell({ ...line, status: "ok", ...pathMessages.served(path, ms), ms });
  const isMissing = missingStatus(answered) !== undefined || exchange.kind === "no-answer";
  const message = isMissing
    ? pathMessages.optionalMissing(path, effectOfAbsence)
    : pathMessages.optionalFailed(path, whyNot(answered));
  tell({ ...line, status: "skipped", ...message });
}

function missingStatus({ exchange }: TestResponse): number | undefined {
  if (exchange.kind !== "answer") return undefined;
  return exchange.status === 404 || exchange.status === 405 ? exchange.status : undefined;
}

function whyNot({ verdict }: TestResponse): string {
  return verdict.kind === "failure" ? verdict.error.message : t`the answer is not JSON.`;
}

/** A node that has disabled estimates reports it in its refusal. */
function isSwitchedOff(answered: TestResponse): boolean {
  const { exchange } = answered;
  if (!isGatewayAnswer(answered) || exchange.kind !== "answer") return false;
  const json = parseJson(exchange.body);
  const result = isJsonObject(json) ? json.result : undefined;
  const message = isJsonObject(result) && typeof result.message === "string" ? decodeNodeMessage(result.message) : "";
  return /not support (?:constant|estimate)/.test(message);
}

/** Runs the task for each item with limited concurrency. Results keep the order. */
async function forEachConcurrently<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const one = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

type UrlContext = Pick<RouteContext, "probe" | "now" | "signal" | "plainHttp">;

/** Checks the route to a further URL, as one line. @returns the problem; undefined if a request can be sent */
async function obstacleTo(url: string, context: UrlContext): Promise<CheckMessage | undefined> {
  const found: CheckResult[] = [];
  const isOpen = await checkRoute(url, { ...context, begin: () => undefined, report: (it) => found.push(it) });
  return isOpen ? undefined : (found.find(({ status }) => status === "failed") ?? originMessages.noKeys);
}

/**
 * Checks that the URL of solidified data serves them.
 *
 * @param asker - Client of the network, which sends `/walletsolidity/…` there.
 * @throws the reason of the signal
 */
export async function checkSolidityUrl(
  url: string,
  asker: ConnectionClient,
  context: UrlContext,
): Promise<CheckResult> {
  const check = "solidity-url";
  const obstacle = await obstacleTo(url, context);
  if (obstacle !== undefined) return { check, status: "failed", ...otherUrlMessages.failed(url, obstacle) };
  const { exchange, verdict, ms } = await asker.request(SOLID_BY_HEIGHT, GENESIS);
  if (exchange.kind === "answer" && (exchange.status === 404 || exchange.status === 405))
    return { check, status: "failed", ...otherUrlMessages.notSolid(url, exchange.status) };
  if (verdict.kind === "failure")
    return { check, status: "failed", ...otherUrlMessages.failed(url, { sentence: verdict.error.message }) };
  return { check, status: "ok", ...otherUrlMessages.solid(url), ms };
}

/**
 * Checks that a fallback URL is reachable and serves the same chain.
 *
 * @param asker - Client of that URL alone.
 * @param chain - Chain of the network, if known.
 * @throws the reason of the signal
 */
export async function checkOtherUrl(
  url: string,
  asker: ConnectionClient,
  { chain, ...context }: UrlContext & { readonly chain: ChainId | undefined },
): Promise<CheckResult> {
  const line = { check: "other-url", of: url } as const;
  const obstacle = await obstacleTo(url, context);
  if (obstacle !== undefined) return { ...line, status: "warning", ...otherUrlMessages.failed(url, obstacle) };
  const { verdict } = await asker.request(SOLID_BY_HEIGHT, GENESIS);
  if (verdict.kind === "failure")
    return { ...line, status: "warning", ...otherUrlMessages.failed(url, { sentence: verdict.error.message }) };
  const own = await readOptional(asker, { path: SOLID_BY_HEIGHT, body: GENESIS }, parseGenesis);
  if (own === undefined) return { ...line, status: "warning", ...otherUrlMessages.noFirstBlock(url) };
  if (chain !== undefined && chain !== own) {
    return { ...line, status: "failed", ...otherUrlMessages.otherChain(url, shortChainId(own), shortChainId(chain)) };
  }
  const solid = await readOptional(asker, { path: SOLID_BLOCK, body: {} }, parseOptionalBlock);
  return { ...line, status: "ok", ...otherUrlMessages.fine(url, solid?.number) };
}
