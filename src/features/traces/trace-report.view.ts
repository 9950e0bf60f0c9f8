import { traceLines, treeText } from "@finality/client/traces";
import { codeBlock, inlineCode, markdownLine, markdownTable } from "@finality/tron/format";
import { printJson, visibleLine } from "@finality/tron/primitives";
import { traceToJson } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import type { TraceContent, TraceSubject } from "./trace-content.view.ts";

/** Most lines of the tree in a report. */
const MOST_LINES = 2_000;
/** Longest tree of a report, in characters. */
const LONGEST = 1_000_000;

/** Formats a trace as Markdown for a ticket or a chat. Text from the chain is code, so it cannot become a link. */
export function traceReport(content: TraceContent): string {
  const { title, state, rows, notes, failure } = content.head();
  const { trace, names, sources } = content.subject;
  const lines = traceLines(trace, names, sources.sourceOf);
  const left = lines.length - MOST_LINES;
  return [
    `# ${t`Trace of ${markdownLine(title)}`}`,
    `**${markdownLine(state.text)}**${failure === null ? "" : `: ${markdownLine(failure.reason)}`}`,
    ...(failure === null || failure.sites.length === 0
      ? []
      : [failure.sites.map(({ text }) => `- ${inlineCode(text)}`).join("\n")]),
    markdownTable(rows.map(({ name, value }) => [markdownLine(name), markdownLine(value)])),
    ...notes.map((it) => markdownLine(it)),
    codeBlock(
      "",
      treeText(lines.slice(0, MOST_LINES), trace.energy)
        .split("\n")
        .map((it) => `${/^ */.exec(it)?.[0] ?? ""}${visibleLine(it, 400)}`)
        .join("\n"),
      LONGEST,
    ),
    ...(left > 0 ? [t`${left} more lines are not shown.`] : []),
  ]
    .join("\n\n")
    .concat("\n");
}

/** Formats a trace as JSON for programs: the record of the chain, and the tree with names and source lines. */
export function traceJson({ trace, names, sources }: TraceSubject): string {
  const tree = traceLines(trace, names, sources.sourceOf).map((it) => ({ ...it }));
  const sites = sources.sites.map((it) => ({ ...it }));
  return `${printJson({ trace: traceToJson(trace), tree, failure: sites }, 2)}\n`;
}
