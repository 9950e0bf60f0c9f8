import { defined } from "@finality/tron/primitives";
import { object, type Read, record, text, tryRead, tryReadJson } from "@finality/tron/read";
import type { RunnerTest } from "./runner-result.ts";

const textOrNull: Read<string | undefined> = (value) => (value === null ? undefined : text(value));
const suite = object({ test_results: record });
const result = object({ status: text }, { reason: textOrNull, duration: text });

const STATES: Readonly<Record<string, RunnerTest["state"]>> = {
  Success: "passed",
  Failure: "failed",
  Skipped: "skipped",
};

/** Reads what `forge test --json` prints: one JSON object in a line of its own. Total. */
export function readForgeOutput(output: string): readonly RunnerTest[] {
  const line = output.split(/\r?\n/).findLast((it) => it.startsWith("{"));
  const suites = line === undefined ? undefined : tryReadJson(record, line);
  return Object.entries(suites ?? {}).flatMap(([name, value]) => {
    const contract = name.slice(name.lastIndexOf(":") + 1);
    const results = tryRead(suite, value)?.test_results ?? {};
    return Object.entries(results).flatMap(([signature, test]) => readTest([contract, signature], test));
  });
}

function readTest(path: readonly string[], value: unknown): readonly RunnerTest[] {
  const found = tryRead(result, value);
  const state = STATES[found?.status ?? ""];
  if (found === undefined || state === undefined) return [];
  const durationMs = milliseconds(found.duration ?? "");
  const failure = state === "failed" ? { message: found.reason ?? "" } : undefined;
  return [{ path, state, ...defined({ durationMs, failure }) }];
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, ms: 1, µs: 0.001, μs: 0.001, ns: 0.000_001 };

/** Parses a duration such as `1ms 604µs 911ns`. */
function milliseconds(written: string): number | undefined {
  const parts = [...written.matchAll(/(\d+)(s|ms|µs|μs|ns)\b/g)];
  if (parts.length === 0) return undefined;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ""] ?? 0), 0);
}
