import { type DecodedField, type Explanation, shownSources } from "@finality/client/explain";
import { codeBlock, inlineCode, markdownText } from "@finality/tron/format";
import { visibleLine, visibleText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { describeRetry } from "./reading.view.ts";

const MAX_RAW = 20_000;
const MAX_LINES = 500;
const LONG = 2_000;

/**
 * An explanation as Markdown for a ticket or a chat. Texts of the chain are escaped or code: they can never become
 * links.
 */
export function markdownReport(explanation: Explanation): string {
  const { title, category, code, cause, fix, decoded, candidates, sources, raw } = explanation;
  const { text, detail } = describeRetry(explanation);
  const plain = (words: string): string => markdownText(words, LONG);
  return [
    `# ${plain(title)}`,
    `**${category === "none" ? t`information` : category}** · ${inlineCode(code, LONG)}`,
    t`**Cause:** ${plain(cause)}`,
    t`**Fix:** ${plain(fix)}`,
    `**${plain(text)}.** ${plain(detail ?? "")}`.trim(),
    ...listed(
      t`Fields`,
      fieldLines(decoded, (field) => `**${plain(field.name)}** ${inlineCode(field.value, LONG)}`),
    ),
    ...listed(
      t`It may also be`,
      candidates.map((it) => `- ${inlineCode(it.code, LONG)}: ${plain(it.reason)}`),
    ),
    ...listed(
      t`Sources`,
      shownSources(sources).map((it) => `- ${plain(it.text)}`),
    ),
    t`## Raw\n\n${codeBlock("text", raw, MAX_RAW)}`,
  ]
    .join("\n\n")
    .concat("\n");
}

/** The same as text without any marks. */
export function plainReport(explanation: Explanation): string {
  const { title, category, code, cause, fix, decoded, raw } = explanation;
  const { text, detail } = describeRetry(explanation);
  const line = (words: string): string => visibleLine(words, LONG);
  return [
    line(title),
    `${category === "none" ? t`information` : category}, ${line(code)}`,
    t`Cause: ${line(cause)}`,
    t`Fix: ${line(fix)}`,
    t`${line(text)}. ${line(detail ?? "")}`.trim(),
    ...fieldLines(decoded, (field) => `${line(field.name)}: ${line(field.value)}`),
    "",
    visibleText(raw, MAX_RAW),
    "",
  ].join("\n");
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}\n\n${lines.join("\n")}`];
}

/** A line for each field, indented as deep as it stands. */
function fieldLines(decoded: readonly DecodedField[], line: (field: DecodedField) => string): readonly string[] {
  const lines: string[] = [];
  const add = (fields: readonly DecodedField[], depth: number): void => {
    for (const field of fields) {
      if (lines.length > MAX_LINES) return;
      lines.push(`${"  ".repeat(depth)}- ${lines.length === MAX_LINES ? "…" : line(field)}`);
      add(field.children ?? [], depth + 1);
    }
  };
  add(decoded, 0);
  return lines;
}
