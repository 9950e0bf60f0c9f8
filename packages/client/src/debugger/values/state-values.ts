import { t } from "@vscode/l10n";
import { contractFacts } from "./contract-facts.ts";
import { type DebugFrame, type DebugValue, missingValue } from "./debug-value.ts";
import { unorderedSteps } from "./function-calls.ts";
import { runIndex } from "./run-index.ts";
import { packedBytes } from "./solidity-type.ts";
import { type StorageView, storageValue } from "./storage-values.ts";
import { wordValue } from "./word-value.ts";

/** Returns the storage of a frame before an instruction. */
export function storageView(frame: DebugFrame, step: number, isTransient: boolean): StorageView | undefined {
  const address = frame.trace.frames[frame.frame]?.to;
  if (address === undefined) return undefined;
  const { trace, readStorage } = frame;
  const unordered = unorderedSteps(frame, step);
  return { index: runIndex(trace), frame: frame.frame, step, address, isTransient, readStorage, unordered };
}

/** Returns the state variables and immutables of the contract whose code runs. */
export function stateValues(frame: DebugFrame, step: number): readonly DebugValue[] {
  const { code } = frame;
  if (code === undefined) return [];
  const { state, contracts } = contractFacts(code.compiled);
  if (state.length === 0 && contracts.length === 0)
    return [missingValue("…", "", t`the artifact has no syntax tree and no storage layout`)];
  const views = [storageView(frame, step, false), storageView(frame, step, true)];
  const stored = state.flatMap((variable) => {
    const view = views[variable.isTransient ? 1 : 0];
    return view === undefined ? [] : [storageValue(view, { ...variable, evaluateName: variable.name })];
  });
  return [...stored, ...immutableValues(frame)];
}

/** Immutables are in the runtime code; while the contract is created, they are in memory. */
function immutableValues({ trace, frame, code }: DebugFrame): readonly DebugValue[] {
  if (code === undefined) return [];
  const { compiled } = code;
  const { immutables, types } = contractFacts(compiled);
  const bytes = trace.codes[trace.frames[frame]?.code ?? -1]?.bytes ?? "";
  return immutables.map(({ id, name, type: node }) => {
    const type = types.typeOf(node);
    const [first] = compiled.immutables.get(id) ?? [];
    if (compiled.kind === "creation") return missingValue(name, type.label, t`the contract is being created`);
    if (first === undefined) return missingValue(name, type.label, t`the code does not contain it`);
    const word = bytes.slice(2 * first.start, 2 * (first.start + first.length));
    const value = packedBytes(type) === undefined ? undefined : wordValue(type, BigInt(`0x${word}`));
    if (value === undefined) return missingValue(name, type.label, t`the type is unknown`);
    return { name, type: type.label, evaluateName: name, ...value };
  });
}
