import { decodeNodeMessage } from "@finality/tron/node-messages";
import { isJsonObject, parseJson } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { pathWords, skippedWords } from "./connection-answer-messages.ts";
import { ANSWER_MS, type Answered, type Asker, isLimited } from "./connection-asker.ts";
import { isGatewayAnswer } from "./connection-diagnosis.ts";
import { type AskedPath, documentedPaths, ESTIMATE, optionalPaths } from "./connection-paths.ts";
import type { Finding } from "./finding.ts";

export interface PathContext {
  readonly asker: Asker;
  /** Whether solidified data have a URL of their own. */
  readonly hasOwnSolid: boolean;
  readonly begin: (check: "path" | "optional-path", of: string) => void;
  readonly tell: (finding: Finding) => void;
}

/** How many questions are under way at once: gateways count requests a second. */
const AT_ONCE = 3;
const OPTIONAL_AT_ONCE = 5;
/** How long an answer of a path may take that need not be there; ms. */
const OPTIONAL_MS = 3_000;
/** A gateway that stays silent to so many paths is not asked for the others. */
const SILENT_ENOUGH = 3;

/**
 * Looks at each path: first the ten that every gateway promises, then those that some have.
 *
 * @throws the reason of the signal
 */
export async function checkPaths(context: PathContext): Promise<void> {
  await inTurns(documentedPaths, AT_ONCE, (asked) => checkDocumented(asked, context));
  const silent: string[] = [];
  await inTurns(optionalPaths, OPTIONAL_AT_ONCE, (asked) => checkOptional(asked, silent, context));
}

async function checkDocumented(asked: AskedPath, { asker, hasOwnSolid, begin, tell }: PathContext): Promise<void> {
  const { path, body } = asked;
  if (asker.isLimited) return tell({ check: "path", of: path, status: "skipped", ...skippedWords.limited });
  begin("path", path);
  tell(judgeDocumented(asked, await asker.ask(path, body, ANSWER_MS), hasOwnSolid));
}

function judgeDocumented({ path, loss }: AskedPath, answered: Answered, hasOwnSolid: boolean): Finding {
  const [check, of, { ms }] = ["path", path, answered] as const;
  if (path === ESTIMATE && isSwitchedOff(answered))
    return { check, of, status: "warning", ...pathWords.estimatesMissing(path, loss ?? "") };
  if (isGatewayAnswer(answered)) return { check, of, status: "ok", ...pathWords.served(path, ms), ms };
  const missing = missingStatus(answered);
  if (missing === undefined) {
    if (isLimited(answered.verdict)) return { check, of, status: "skipped", ...skippedWords.limited };
    return { check, of, status: "failed", ...pathWords.failed(path, whyNot(answered)) };
  }
  if (loss !== undefined) return { check, of, status: "warning", ...pathWords.estimatesMissing(path, loss) };
  const isSolid = path.startsWith("/walletsolidity/");
  const said = isSolid ? pathWords.solidityMissing(path, missing, hasOwnSolid) : pathWords.missing(path, missing);
  return { check, of, status: "failed", ...said };
}

async function checkOptional(
  { path, body, loss = "" }: AskedPath,
  silent: string[],
  { asker, begin, tell }: PathContext,
): Promise<void> {
  const line = { check: "optional-path", of: path } as const;
  if (asker.isLimited) return tell({ ...line, status: "skipped", ...skippedWords.limited });
  if (silent.length >= SILENT_ENOUGH) return tell({ ...line, status: "skipped", ...pathWords.optionalSilent(path) });
  begin("optional-path", path);
  const answered = await asker.ask(path, body, OPTIONAL_MS);
  const { exchange, ms } = answered;
  if (exchange.kind === "no-answer") silent.push(path);
  if (isGatewayAnswer(answered)) return tell({ ...line, status: "ok", ...pathWords.served(path, ms), ms });
  const isMissing = missingStatus(answered) !== undefined || exchange.kind === "no-answer";
  const said = isMissing ? pathWords.optionalMissing(path, loss) : pathWords.optionalFailed(path, whyNot(answered));
  tell({ ...line, status: "skipped", ...said });
}

function missingStatus({ exchange }: Answered): number | undefined {
  if (exchange.kind !== "answer") return undefined;
  return exchange.status === 404 || exchange.status === 405 ? exchange.status : undefined;
}

function whyNot({ verdict }: Answered): string {
  return verdict.kind === "failure" ? verdict.error.message : t`the answer is not JSON.`;
}

/** A node that could estimate and may not says so in the words of a refusal. */
function isSwitchedOff(answered: Answered): boolean {
  const { exchange } = answered;
  if (!isGatewayAnswer(answered) || exchange.kind !== "answer") return false;
  const json = parseJson(exchange.body);
  const result = isJsonObject(json) ? json.result : undefined;
  const message = isJsonObject(result) && typeof result.message === "string" ? decodeNodeMessage(result.message) : "";
  return /not support (?:constant|estimate)/.test(message);
}

/** Does the same with each, so many at once, in their order. */
async function inTurns<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const one = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}
