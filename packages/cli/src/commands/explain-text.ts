import {
  type Explain,
  type Explanation,
  explain,
  forPrograms,
  loadDictionary,
  type RetryVerdict,
  rangesInText,
} from "@finality/client/explain";
import { type AbiIndex, joinAbiIndexes } from "@finality/tron/abi";
import { visibleLine } from "@finality/tron/primitives";

/** Position in a text: the offset in UTF-16 units from 0, line and column from 1. */
interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** Meaning of a text, for programs. Fields may be added, and none is renamed or removed. */
interface Meaning {
  readonly category: string;
  readonly code: string;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly verdict: RetryVerdict;
  /** Pages of the documentation such as `errors#stakes`, artifacts and dictionaries. */
  readonly sources: readonly string[];
}

/** Part of a text with its meaning. */
interface ExplainedPart extends Meaning {
  readonly start: Position;
  readonly end: Position;
  readonly text: string;
}

/** Meaning of a text as a whole, and of its parts. */
export interface ExplainedText {
  readonly whole: Meaning;
  readonly findings: readonly ExplainedPart[];
}

/**
 * Explains a text with the names of the shipped dictionary.
 *
 * @param abi - Names that come before those of the dictionary.
 */
export async function explainText(text: string, abi?: AbiIndex): Promise<ExplainedText> {
  const dictionary = await loadDictionary();
  const names = abi === undefined ? dictionary : joinAbiIndexes(abi, dictionary);
  const explainHere: Explain = (input, options) => explain(input, { ...options, abi: names });
  const positionAt = positionsIn(text);
  const findings = rangesInText(text, explainHere).map(({ start, end, explanation }) => ({
    ...meaningOf(explanation),
    start: positionAt(start),
    end: positionAt(end),
    text: text.slice(start, end),
  }));
  return { whole: meaningOf(explainHere(text)), findings };
}

function meaningOf(explanation: Explanation): Meaning {
  const { category, code, title, cause, fix, retry, sources } = forPrograms(explanation);
  return { category, code, title, cause, fix, verdict: retry, sources };
}

/** Finds positions with a binary search in the starts of the lines. */
function positionsIn(text: string): (offset: number) => Position {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return (offset) => {
    let line = 1;
    for (let step = 2 ** 31; step >= 1; step /= 2) {
      if ((starts[line + step - 1] ?? Number.POSITIVE_INFINITY) <= offset) line += step;
    }
    return { offset, line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

const LONGEST = 2_000;

/** Formats an explained text for a terminal. All characters of the text are visible ones. */
export function printExplained({ whole, findings }: ExplainedText): string {
  const parts = findings.map((it) => `${rangeText(it)}  ${visibleLine(it.text, 120)}\n${meaningText(it)}`);
  return [`the whole text\n${meaningText(whole)}`, ...parts].join("\n");
}

function rangeText({ start, end }: ExplainedPart): string {
  return `${start.line}:${start.column}-${end.line}:${end.column}`;
}

function meaningText({ category, code, title, cause, fix, verdict }: Meaning): string {
  const rows = [
    ["category", category],
    ["code", code],
    ["title", title],
    ["cause", cause],
    ["fix", fix],
    ["same bytes", verdict.when === undefined ? verdict.sameBytes : `${verdict.sameBytes}: ${verdict.when}`],
  ] as const;
  return rows.map(([name, value]) => `  ${name.padEnd(10)}  ${visibleLine(value, LONGEST)}\n`).join("");
}
