import type { DecodedField, Explanation } from "../../core/explain/explanation.ts";
import { visibleLine, visibleText } from "../../core/primitives/plain-text.ts";
import { describeRetry } from "./explanation.view.ts";

const MAX_RAW = 20_000;
const MAX_FIELDS = 400;

/** An explanation as text to read and to pass on. What the chain said is shown as it is, and can do nothing. */
export function describeReport(explanation: Explanation, origin = ""): string {
  const { title, category, code, cause, fix, retry, decoded, candidates, sources, raw } = explanation;
  const fields = decoded.flatMap((field) => describeField(field, 1)).slice(0, MAX_FIELDS);
  return [
    visibleLine(title),
    "",
    `Category  ${category}`,
    `Code      ${visibleLine(code)}`,
    ...(origin === "" ? [] : [`From      ${visibleLine(origin)}`]),
    `Why       ${visibleLine(cause, 2_000)}`,
    `Fix       ${visibleLine(fix, 2_000)}`,
    `Same bytes again: ${visibleLine(describeRetry(retry), 1_000)}`,
    ...section("Fields", fields),
    ...section(
      "It may also be",
      candidates.map((it) => `  ${visibleLine(it.title)}: ${visibleLine(it.reason)}`),
    ),
    ...section(
      "Sources",
      sources.map((it) => `  ${visibleLine(it)}`),
    ),
    ...section("Raw", [visibleText(raw, MAX_RAW)]),
    "",
  ].join("\n");
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines];
}

function describeField({ name, value, type, children = [] }: DecodedField, depth: number): readonly string[] {
  const typed = type === undefined ? "" : ` (${type})`;
  const own = `${"  ".repeat(depth)}${visibleLine(name)}${typed}: ${visibleLine(value, 2_000)}`;
  return [own, ...children.flatMap((child) => describeField(child, depth + 1))];
}
