import { t } from "@vscode/l10n";
import { readableMessage } from "../explain/decode/message-text.ts";
import { failedAnswersIn } from "./failed-answers.ts";
import type { Explain, Reading } from "./reading.ts";
import type { TextFix, TextProblem } from "./text-problem.ts";

const TELLING_FIELD =
  /"(?:code|Error|error|message|contractRet|result|resMessage)"\s{0,8}:\s{0,8}(?:"(?:[^"\\]|\\.){0,80000}"|\d+)/;
const HEX_MESSAGE = /"(?:message|resMessage)"\s{0,8}:\s{0,8}("(?:[0-9a-fA-F]{2}){2,40000}")/;

/** Returns the problems in a document of one or more saved answers of a node. */
export function answerProblems(text: string, explain: Explain): readonly TextProblem[] {
  return failedAnswersIn(text, explain).map((reading) => problemOf(text, reading));
}

function problemOf(text: string, { start, end, input, explanation }: Reading): TextProblem {
  const { title, cause, fix, code } = explanation;
  const field = TELLING_FIELD.exec(input);
  const from = start + (field?.index ?? 0);
  const to = field === null ? Math.min(end, lineEnd(text, start)) : from + field[0].length;
  return {
    range: { start: from, end: to },
    message: t`${title}. ${cause} ${fix}`,
    code,
    input,
    fixes: fixesOf(start, input),
  };
}

/** A message in hex may be written as the text that it is. */
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
