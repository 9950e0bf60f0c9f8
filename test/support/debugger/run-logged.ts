import assert from "node:assert/strict";
import { type DebugFrame, type DebugValue, evaluate, scopesAt } from "../../../packages/client/src/debugger/values.ts";
import { elementaryType, selectorOf, tryDecode } from "../../../packages/tron/src/abi.ts";
import { isChainError } from "../../../packages/tron/src/errors.ts";
import { foreignText, hexToBytes, isForeignText, rawText } from "../../../packages/tron/src/primitives.ts";
import type { Trace } from "../../../packages/tron/src/traces.ts";
import { contractFixture } from "../chain/contract-fixture.ts";
import {
  compileForDebugger,
  type DebugBuild,
  type DebugSetting,
  debugFrame,
  traceWithValues,
} from "./debugged-contract.ts";
import { loggedContract } from "./logged-contracts.ts";

/** Comparison of shown values with logged ones. */
export interface LogCounts {
  equal: number;
  /** Descriptions of values that differ. */
  readonly wrong: string[];
  /** Values that are not available, by their reason. */
  readonly missing: Map<string, number>;
  /** Contracts that the compiler refused for their number of variables. */
  tooDeep: number;
  contracts: number;
}

export function noCounts(): LogCounts {
  return { equal: 0, wrong: [], missing: new Map(), tooDeep: 0, contracts: 0 };
}

const CONSOLE = "41000000000000000000636f6e736f6c652e6c6f67";
const KINDS = ["uint256", "bool", "address", "string"] as const;
const RUN = "run(uint256,uint8,bytes,uint256[],string)";
const word = (value: number): string => value.toString(16).padStart(64, "0");
const padded = (text: string): string => Buffer.from(text).toString("hex").padEnd(64, "0");
const ARGUMENTS = [
  ...[word(17), word(5), word(160), word(224), word(352)],
  ...[word(3), padded("abc"), word(3), word(11), word(22), word(33), word(5), padded("hello")],
].join("");

/** Compiles random contracts, runs them, and compares each logged value with that of the debugger. */
export async function runLogged(
  seeds: readonly number[],
  setting: DebugSetting,
  compiler: string,
  counts: LogCounts,
): Promise<void> {
  for (const seed of seeds)
    await runSource({ source: loggedContract(seed, setting), name: `seed ${seed}` }, setting, compiler, counts);
}

/** Does the same for a contract `Main` with the constructor and the function `run` of random contracts. */
export async function runSource(
  { source, name }: { readonly source: string; readonly name: string },
  setting: DebugSetting,
  compiler: string,
  counts: LogCounts,
): Promise<void> {
  const fixture = await contractFixture({ getEnergyFee: 10, getMaxCpuTimeOfOneTx: 10_000 });
  const build = compileForDebugger({ "Main.sol": source }, setting, compiler);
  counts.contracts += 1;
  if (build === undefined) {
    counts.tooDeep += 1;
    return;
  }
  const creation = build.bytecode("Main.sol", "Main") + word(43) + word(6);
  const label = `${settingText(setting)}, ${name}`;
  const { address, result, message } = await fixture.deploy(creation);
  assert.equal(result, "SUCCESS", `${label}: ${message} ${creation.length / 2} bytes`);
  const data = selectorOf(RUN) + ARGUMENTS;
  const traces = [
    await traceWithValues(fixture, { data: creation }),
    await traceWithValues(fixture, { to: address, data, value: 9 }),
  ];
  for (const trace of traces) compareLogs({ trace, build, source, name: label }, counts);
}

function settingText({ version, isOptimized, isViaIr, hasEthdebug }: DebugSetting): string {
  const pipeline = hasEthdebug === true ? " ETHDebug" : isViaIr ? " via IR" : "";
  return `${version}${pipeline}${isOptimized ? " optimized" : ""}`;
}

interface LoggedRun {
  readonly trace: Trace;
  readonly build: DebugBuild;
  readonly source: string;
  readonly name: string;
}

function compareLogs({ trace, build, source, name }: LoggedRun, counts: LogCounts): void {
  assert.ok(trace.result === "SUCCESS" || trace.result === "REVERT", `${name}: ${trace.result} ${trace.message}`);
  const statements = [...source.matchAll(/Log\.l\([^;]*/g)].map(({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
    text,
  }));
  for (const { to, parent = 0, callStep = 0, input } of trace.frames) {
    if (to !== CONSOLE) continue;
    const logged = readLog(input);
    const frame = debugFrame(trace, parent, build.sources);
    for (const step of statementSteps(frame, callStep, logged.label, statements)) {
      const shown = evaluate(logged.label, scopesAt(frame, step));
      if (isChainError(shown)) {
        const kind = shown.message.replace(/^.*not available: /, "").replaceAll(/ \S*\d\S* /g, " … ");
        counts.missing.set(kind, (counts.missing.get(kind) ?? 0) + 1);
        continue;
      }
      const { raw, text } = shown as DebugValue;
      if (isSame(raw, logged.value)) counts.equal += 1;
      else counts.wrong.push(`${name}, step ${step}: ${logged.label} is ${logged.value}, shown as ${raw} (${text})`);
    }
  }
}

function isSame(shown: unknown, logged: bigint | boolean | string): boolean {
  return shown === logged || (typeof shown === "boolean" && BigInt(shown) === logged);
}

function readLog(input: string): { readonly label: string; readonly value: bigint | boolean | string } {
  for (const kind of KINDS) {
    if (!input.startsWith(selectorOf(`log(string,${kind})`))) continue;
    const types = ["string", kind].map((it) => ({ name: foreignText(""), type: elementaryType(it) }));
    const [label, value] = tryDecode(types, hexToBytes(input.slice(8))) ?? [];
    assert.ok(isForeignText(label));
    if (kind === "address") return { label: rawText(label), value: BigInt(`0x${String(value).slice(2)}`) };
    if (isForeignText(value)) return { label: rawText(label), value: rawText(value) };
    if (typeof value === "bigint" || typeof value === "boolean") return { label: rawText(label), value };
  }
  throw new Error(`unknown log: ${input}`);
}

interface LogStatement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the first instruction of the statement that logged, and another one of it. */
function statementSteps(
  { trace, frame, code }: DebugFrame,
  callStep: number,
  label: string,
  statements: readonly LogStatement[],
): readonly number[] {
  const { steps } = trace;
  if (steps === undefined || code === undefined) return [];
  let statement: LogStatement | undefined;
  let first: number | undefined;
  let last: number | undefined;
  for (let step = callStep; step >= 0; step -= 1) {
    if (steps.frame[step] !== frame) continue;
    const source = code.sourceAt(steps.pc[step] ?? 0);
    if (source.kind === "none") continue;
    const { range } = source;
    const at = statements.find((it) => it.start <= range.start && range.end <= it.end);
    if (statement === undefined) statement = at;
    if (statement === undefined) continue;
    if (at !== statement) break;
    first = step;
    last ??= step;
  }
  // Optimizers merge equal code of several statements, and name another one.
  const isNamed = statement?.text.startsWith(`Log.l(${JSON.stringify(label)},`) === true;
  if (first === undefined || last === undefined || !isNamed) return [];
  return first === last ? [first] : [first, last];
}
