import type { CallTestResult } from "@finality/client/call-tests";
import { counted, grouped } from "@finality/tron/format";
import { defined, type JsonObject, visibleLine } from "@finality/tron/primitives";
import type { CallInFile } from "./call-context.ts";

/** Difference of a test at its position in the call file, from 1. */
interface TestDifference {
  readonly line: number;
  readonly column: number;
  /** Sentence. */
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** Result of a test in a call file. */
export interface CallTestReport extends Pick<CallInFile, "file" | "line"> {
  /** Label of the call, else its function and arguments. */
  readonly name: string;
  /** `unusable`: the call cannot be made. `unavailable`: the network gave no outcome. */
  readonly status: CallTestResult["kind"];
  readonly energy?: bigint;
  /** Empty if the test passed. */
  readonly differences: readonly TestDifference[];
}

/** Returns the report of a test for programs. */
export function testJson({ name, file, line, status, energy, differences }: CallTestReport): JsonObject {
  return {
    name,
    file,
    line,
    status,
    ...(energy !== undefined && { energy: String(energy) }),
    differences: differences.map((it) => ({ ...defined({ ...it }) })),
  };
}

/** Returns all reports for a terminal. */
export function plainTests(reports: readonly CallTestReport[]): string {
  const lines = reports.flatMap((it) => {
    const energy = it.energy === undefined ? "" : `  ${grouped(it.energy)} energy`;
    const mark = it.status === "passed" ? "ok    " : "FAILED";
    return [
      `${mark}  ${it.file}:${it.line}  ${visibleLine(it.name)}${energy}`,
      ...it.differences.map(({ line, column, message }) => `        ${it.file}:${line}:${column}  ${message}`),
    ];
  });
  return `${[...lines, totalOf(reports)].join("\n")}\n`;
}

function totalOf(reports: readonly CallTestReport[]): string {
  const passed = reports.filter(({ status }) => status === "passed").length;
  return `${counted(passed, "test", "tests")} passed, ${reports.length - passed} failed`;
}

/** Returns all reports as JUnit XML: a test suite for each file. */
export function junitXml(reports: readonly CallTestReport[]): string {
  const files = [...new Set(reports.map(({ file }) => file))];
  const suites = files.map((file) =>
    suiteXml(
      file,
      reports.filter((it) => it.file === file),
    ),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="finality" ${countsXml(reports)}>`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteXml(file: string, reports: readonly CallTestReport[]): string {
  const cases = reports.map((it) => caseXml(it));
  return [`  <testsuite name="${xml(file)}" ${countsXml(reports)}>`, ...cases, "  </testsuite>"].join("\n");
}

function countsXml(reports: readonly CallTestReport[]): string {
  const failures = reports.filter(({ status }) => status === "failed").length;
  const errors = reports.filter(({ status }) => status === "unusable" || status === "unavailable").length;
  return `tests="${reports.length}" failures="${failures}" errors="${errors}"`;
}

function caseXml({ file, line, name, status, differences }: CallTestReport): string {
  const start = `    <testcase classname="${xml(file)}" name="${xml(name)}" file="${xml(file)}" line="${line}"`;
  const [first] = differences;
  if (first === undefined) return `${start} time="0"/>`;
  const element = status === "failed" ? "failure" : "error";
  const lines = differences.map((it) => xml(`${file}:${it.line}:${it.column} ${it.message}`));
  const body = `<${element} message="${xml(first.message)}" type="${status}">${lines.join("\n")}</${element}>`;
  return `${start} time="0">\n      ${body}\n    </testcase>`;
}

/** Characters that XML 1.0 excludes even as references. */
const NO_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function xml(text: string): string {
  return text.replace(NO_XML, "\u{FFFD}").replace(/[&<>"]/g, (mark) => ENTITIES[mark] ?? mark);
}

/**
 * Returns workflow commands of GitHub that mark each difference in its file. The plain text before them is printed
 * between `stop-commands` markers, so that nothing in it is a command.
 *
 * @param token - Random text that ends the plain text.
 */
export function githubOutput(reports: readonly CallTestReport[], token: string): string {
  const text = `::stop-commands::${token}\n${plainTests(reports)}::${token}::\n`;
  const commands = reports.flatMap(({ file, name, differences }) =>
    differences.map(({ line, column, message }) => {
      const properties = { file, line: String(line), col: String(column), title: visibleLine(name) };
      const written = Object.entries(properties).map(([key, value]) => `${key}=${propertyText(value)}`);
      return `::error ${written.join(",")}::${dataText(visibleLine(message, 4_000))}\n`;
    }),
  );
  return text + commands.join("");
}

function dataText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function propertyText(text: string): string {
  return dataText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
