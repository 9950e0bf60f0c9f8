import { withoutStop } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import { CALL_FILE_KEYS, type CallFileCall, readCallFile } from "../call-sites/call-file.ts";
import type { TextRange } from "../call-sites/call-site.ts";
import { type Explain, type ExplainedRange, failedAnswersIn } from "./explained-range.ts";
import { readableMessage } from "./messages/message-text.ts";

/** Problem in a document to show to the user. */
export interface TextProblem {
  readonly range: TextRange;
  readonly message: string;
  readonly code: string;
  /** Text that the decoder shows for the problem. */
  readonly input?: string;
  readonly fixes: readonly TextFix[];
}

/** Change that solves it. */
export interface TextFix {
  readonly title: string;
  readonly range: TextRange;
  readonly text: string;
}

const SPECIFIC_FIELD =
  /"(?:code|Error|error|message|contractRet|result|resMessage)"\s{0,8}:\s{0,8}(?:"(?:[^"\\]|\\.){0,80000}"|\d+)/;
const HEX_MESSAGE = /"(?:message|resMessage)"\s{0,8}:\s{0,8}("(?:[0-9a-fA-F]{2}){2,40000}")/;

/** Returns the problems in a document of one or more saved answers of a node. */
export function answerProblems(text: string, explain: Explain): readonly TextProblem[] {
  return failedAnswersIn(text, explain).map((range) => problemOf(text, range));
}

function problemOf(text: string, { start, end, input, explanation }: ExplainedRange): TextProblem {
  const { title, cause, fix, code } = explanation;
  const field = SPECIFIC_FIELD.exec(input);
  const from = start + (field?.index ?? 0);
  const to = field === null ? Math.min(end, lineEnd(text, start)) : from + field[0].length;
  return {
    range: { start: from, end: to },
    message: t`${withoutStop(title)}. ${cause} ${fix}`,
    code,
    input,
    fixes: fixesOf(start, input),
  };
}

/** Offers to replace a message in hex by its text. */
function fixesOf(start: number, input: string): readonly TextFix[] {
  const match = HEX_MESSAGE.exec(input);
  const quoted = match?.[1];
  const decoded = quoted === undefined ? undefined : readableMessage(quoted.slice(1, -1));
  if (match === null || quoted === undefined || decoded === undefined) return [];
  const from = start + match.index + match[0].length - quoted.length;
  const range = { start: from, end: from + quoted.length };
  return [{ title: t`Write the message as text`, range, text: JSON.stringify(decoded) }];
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** Names that a call file may use. */
export interface CallNames {
  /** Names of the contracts in artifacts. */
  readonly contracts: readonly string[];
  /** Returns the functions of a contract by its name. */
  functionsOf(contract: string): readonly { readonly name: string; readonly arity: number }[];
}

/** Deploys the contract. Its parameters are checked with the artifact. */
const CONSTRUCTOR = "constructor";

/**
 * Returns the problems of a call file: its form, and names that no artifact has. Names are not checked while there are
 * no artifacts.
 */
export function callFileProblems(text: string, names: CallNames): readonly TextProblem[] {
  const { setup, calls, problems } = readCallFile(text);
  const form = problems.map(({ range, message }) => ({
    range,
    message,
    code: "call-file",
    fixes: keyFixes(text, range),
  }));
  if (names.contracts.length === 0) return form;
  const deployments = setup.filter((step) => "deploy" in step);
  const artifacts = new Map(deployments.map(({ name, deploy }) => [name ?? deploy.value, deploy.value]));
  const called = [...setup.filter((step) => "contract" in step), ...calls];
  return [
    ...form,
    ...deployments.flatMap(({ deploy }) => contractProblems(deploy, deploy.value, names)),
    ...called.flatMap((call) => nameProblems(call, artifacts.get(call.contract.value) ?? call.contract.value, names)),
  ];
}

function keyFixes(text: string, range: TextRange): readonly TextFix[] {
  const key = /^"(\w{1,40})"$/.exec(text.slice(range.start, range.end))?.[1];
  return key === undefined ? [] : fixTo(nearestName(key, CALL_FILE_KEYS), range);
}

function fixTo(name: string | undefined, range: TextRange): readonly TextFix[] {
  return name === undefined ? [] : [{ title: t`Change to "${name}"`, range, text: JSON.stringify(name) }];
}

/** @param value - Name of the artifact; a setup can give its deployments other names. */
function nameProblems(
  { contract, method, arguments: inputs }: CallFileCall,
  value: string,
  names: CallNames,
): readonly TextProblem[] {
  const unknown = contractProblems(contract, value, names);
  if (unknown.length > 0 || isAddress(value)) return unknown;
  const functions = names.functionsOf(value);
  const [name = ""] = method.value.split("(");
  if (name === CONSTRUCTOR) return [];
  const found = functions.filter((one) => one.name === name);
  if (found.length === 0) {
    const near = nearestName(
      name,
      functions.map((one) => one.name),
    );
    const message = t`${value} has no function "${name}".`;
    return [{ range: method.range, message, code: "unknown-function", fixes: fixTo(near, method.range) }];
  }
  if (found.some(({ arity }) => arity === inputs.length)) return [];
  const arities = [...new Set(found.map(({ arity }) => arity))].join(t` or `);
  const message =
    arities === "1"
      ? t`${name} of ${value} takes ${arities} argument; ${inputs.length} are given.`
      : t`${name} of ${value} takes ${arities} arguments; ${inputs.length} are given.`;
  return [{ range: method.range, message, code: "argument-count", fixes: [] }];
}

function contractProblems(
  { range }: { readonly range: TextRange },
  value: string,
  names: CallNames,
): readonly TextProblem[] {
  if (isAddress(value) || names.contracts.includes(value)) return [];
  const message = t`No artifact has a contract "${value}". Compile it, write an address, or change finality.abi.globs.`;
  return [{ range, message, code: "unknown-contract", fixes: fixTo(nearestName(value, names.contracts), range) }];
}

function isAddress(text: string): boolean {
  return /^(?:T[1-9A-HJ-NP-Za-km-z]{33}|(?:0x)?41[0-9a-fA-F]{40})$/.test(text);
}

const LONGEST = 64;

/** Returns the candidate that the user meant, at most two typing errors away; undefined if there is none. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > 2 || candidate.length > LONGEST) continue;
    const distance = distanceBetween(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= 2 && distance < (best?.distance ?? 3)) best = { candidate, distance };
  }
  return best !== undefined && best.distance < name.length ? best.candidate : undefined;
}

/** Returns the number of letters to insert, remove or change. */
function distanceBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...left].entries()) {
    const next = [at + 1];
    for (let column = 0; column < right.length; column++) {
      const change = (row[column] ?? 0) + (letter === right[column] ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
