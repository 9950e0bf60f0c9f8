import { grouped } from "@finality/tron/format";
import type { Trace } from "@finality/tron/traces";
import type { LineSource, SourceOf } from "./line-sources.ts";
import { shareText, traceTree } from "./trace-tree.ts";
import { type TraceNames, traceLabel } from "./trace-tree-labels.ts";

/** Line of a trace as text, or as data for programs. */
export interface TraceLine {
  readonly kind: "frame" | "event" | "write" | "transfer";
  /** 0 for the outermost call. */
  readonly depth: number;
  readonly title: string;
  readonly result: string;
  readonly failed: boolean;
  /** Energy with all calls below; absent for lines without a call. */
  readonly energy?: number;
  /** `contracts/Leaf.sol:41`: where the line was written or called from. */
  readonly source?: string;
}

/** Returns the lines of a trace, in the order of the run. */
export function traceLines(trace: Trace, names: TraceNames, sourceOf: SourceOf): readonly TraceLine[] {
  return traceTree(trace).map((node) => {
    const { kind, index, depth } = node;
    const frame = kind === "frame" ? trace.frames[index] : undefined;
    const caller = frame?.parent === undefined ? undefined : trace.frames[frame.parent];
    const entry = { event: trace.logs, write: trace.writes, transfer: trace.internals, frame: [] }[kind][index];
    const source =
      entry !== undefined && "frame" in entry
        ? sourceText(sourceIn(trace, entry.frame, entry.pc, sourceOf))
        : sourceText(caller && frame?.callPc !== undefined ? sourceOf(caller, frame.callPc) : undefined);
    return {
      kind,
      depth,
      ...traceLabel(trace, node, names),
      failed: frame !== undefined && frame.outcome !== "returned",
      ...(frame && { energy: frame.energyUsed }),
      ...(source !== undefined && { source }),
    };
  });
}

function sourceIn(trace: Trace, index: number, pc: number, sourceOf: SourceOf): LineSource | undefined {
  const frame = trace.frames[index];
  return frame && sourceOf(frame, pc);
}

function sourceText(source: LineSource | undefined): string | undefined {
  return source && `${source.file}:${source.line}`;
}

/** Formats the lines as an indented tree, with the energy before each call. */
export function treeText(lines: readonly TraceLine[], whole: number): string {
  return lines
    .map(({ kind, depth, title, result, failed, energy, source }) => {
      const cost = energy === undefined ? "" : `[${grouped(energy)} ${shareText(energy, whole)}] `;
      const mark = MARKS[kind];
      const end = result === "" ? "" : failed ? ` ✗ ${result}` : ` ${kind === "frame" ? "→" : "·"} ${result}`;
      return `${"  ".repeat(depth)}${cost}${mark}${title}${end}${source === undefined ? "" : ` (${source})`}`;
    })
    .join("\n");
}

const MARKS: { readonly [K in TraceLine["kind"]]: string } = {
  frame: "",
  event: "event ",
  write: "storage ",
  transfer: "transfer ",
};
