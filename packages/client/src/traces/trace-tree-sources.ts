import { type AbiIndex, candidateFromJson, createAbiIndex } from "@finality/tron/abi";
import { grouped, type NameOf, namesIn } from "@finality/tron/format";
import { type Address, addressIn, isForeignText, toBase58, visibleLine } from "@finality/tron/primitives";
import type { Trace, TraceFrame } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import type { SourceLocation, TraceSources } from "./code-sources.ts";
import { entriesOfBlock, failureCode } from "./code-walk.ts";
import { hashPreimages } from "./hash-preimages.ts";
import type { CodeFlow, LineSource, LineSources } from "./line-sources.ts";
import { readStorageLayout, type StorageLayout, type VariableChange, variableChanges } from "./storage-variables.ts";
import { siteText, sourcesOfFrame, traceSites } from "./trace-sites.ts";
import type { TraceNames } from "./trace-tree-labels.ts";

/** Line of the stack of a failure; file and line are absent if the source does not decide them. */
export interface FailureLine {
  /** `Leaf._move (contracts/Leaf.sol:41)`. */
  readonly text: string;
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
}

/** Returns the source lines of instructions, as the source maps of the compiled contracts have them. */
export function lineSources(trace: Trace, sources: TraceSources): LineSources {
  const sourceOf = (frame: TraceFrame, pc: number): LineSource | undefined => {
    const code = sourcesOfFrame(trace, frame, sources);
    const location = code?.locationAt(pc);
    if (code === undefined || location === undefined) return undefined;
    const index = code.instructions.indexAt(pc);
    return {
      file: location.path,
      line: location.start.line + 1,
      functionName: location.function,
      jump: index < 0 ? "-" : code.instructions.range(index).jump,
    };
  };
  const flowOf = (frame: TraceFrame, pc: number): CodeFlow | undefined => {
    const code = sourcesOfFrame(trace, frame, sources);
    const index = code?.instructions.indexAt(pc) ?? -1;
    if (code === undefined || index < 0) return undefined;
    const several = failureCode(code, index) === undefined ? "several" : "failing";
    return { jump: code.instructions.range(index).jump, entries: entriesOfBlock(code, pc) > 1 ? several : "one" };
  };
  return { sourceOf, flowOf };
}

/** Returns the stack of the failure of a run, the failing function first; empty if the run did not fail. */
export function failureLines(trace: Trace, sources: TraceSources): readonly FailureLine[] {
  return (traceSites(trace, sources)?.stack ?? []).map((site) => ({
    text: siteText(site),
    ...fileAndLine(site.location),
  }));
}

function fileAndLine(location: SourceLocation | undefined): Pick<FailureLine, "file" | "line"> {
  return location === undefined ? {} : { file: location.path, line: location.start.line + 1 };
}

/** Contract whose code equals that of an artifact. */
export interface CompiledContract {
  readonly name: string;
  readonly abi: AbiIndex;
}

/** Returns the compiled contracts of a trace by the address of their code. */
export function compiledContracts(trace: Trace, sources: TraceSources): ReadonlyMap<Address, CompiledContract> {
  const named = new Map<Address, CompiledContract>();
  for (const frame of trace.frames) {
    if (named.has(frame.codeAddress)) continue;
    const found = sourcesOfFrame(trace, frame, sources)?.compiled;
    if (found === undefined) continue;
    const origin = `${found.contract} (${found.path})`;
    const abi = createAbiIndex(found.abi.flatMap((it) => candidateFromJson(it, origin) ?? []));
    named.set(frame.codeAddress, { name: found.contract, abi });
  }
  return named;
}

/** Returns the variable of a written slot, by the storage layout of the code that wrote it. */
export function storageVariables(trace: Trace, sources: TraceSources, nameOf: NameOf): TraceNames["variableOf"] {
  const preimages = hashPreimages(trace);
  const layouts = new Map<number, StorageLayout | undefined>();
  const layoutOf = (frame: TraceFrame): StorageLayout | undefined => {
    const { code = -1 } = frame;
    if (!layouts.has(code))
      layouts.set(code, readStorageLayout(sourcesOfFrame(trace, frame, sources)?.compiled.storageLayout));
    return layouts.get(code);
  };
  return (write) => {
    const frame = trace.frames[write.frame];
    const layout = frame === undefined || write.isTransient ? undefined : layoutOf(frame);
    const changes = layout === undefined ? [] : variableChanges(layout, write, preimages);
    if (changes.length === 0 || changes.some(({ before, after }) => before === undefined || after === undefined))
      return undefined;
    const joined = (text: (change: VariableChange) => string): string => changes.map(text).join(", ");
    return {
      name: joined(({ name }) => namesIn(name, nameOf)),
      before: joined(({ type, before }) => variableText(type, before, nameOf)),
      after: joined(({ type, after }) => variableText(type, after, nameOf)),
    };
  };
}

function variableText(type: string, value: VariableChange["before"], nameOf: NameOf): string {
  if (typeof value === "bigint") return grouped(value);
  if (typeof value === "boolean") return `${value}`;
  if (isForeignText(value)) return JSON.stringify(visibleLine(value));
  if (typeof value === "object" && "bytes" in value) return `0x${value.bytes}`;
  if (typeof value !== "string") return t`not available`;
  if (!/^(?:address|contract)\b/.test(type)) return `0x${value}`;
  const address = addressIn(value) ?? addressIn(`41${value}`);
  return address === undefined ? value : (nameOf(address) ?? toBase58(address));
}
