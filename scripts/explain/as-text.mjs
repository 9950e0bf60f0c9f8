import { visibleLine } from "../../packages/tron/src/primitives/plain-text.ts";

const LONGEST = 2_000;

/**
 * What was explained, for people: the whole first, then each part with its place. Nothing of the text reaches the
 * terminal as anything but text.
 *
 * @param {import("./explain-text.mjs").Explained} explained
 */
export function asText({ whole, findings }) {
  const parts = findings.map((one) => `${placeOf(one)}  ${visibleLine(one.text, 120)}\n${lines(one)}`);
  return [`the whole text\n${lines(whole)}`, ...parts].join("\n");
}

/** @param {import("./explain-text.mjs").Finding} finding */
function placeOf({ start, end }) {
  return `${start.line}:${start.column}-${end.line}:${end.column}`;
}

/** @param {import("./explain-text.mjs").Meaning} meaning */
function lines({ category, code, title, cause, fix, verdict }) {
  const rows = [
    ["category", category],
    ["code", code],
    ["title", title],
    ["cause", cause],
    ["fix", fix],
    ["same bytes", verdict.when === undefined ? verdict.sameBytes : `${verdict.sameBytes}: ${verdict.when}`],
  ];
  return rows.map(([name = "", value = ""]) => `  ${name.padEnd(10)}  ${visibleLine(value, LONGEST)}\n`).join("");
}
