import type { Trace, TraceFrame } from "@finality/tron/traces";

/** Kind of a node. A transfer moves coins or tokens without a frame of its own. */
type TraceNodeKind = "frame" | "event" | "write" | "transfer";

/** Entry of the tree, in the order of the run. */
export interface TraceNode {
  /** Position among all nodes of the tree. */
  readonly id: number;
  readonly kind: TraceNodeKind;
  /** Index in `frames`, `logs`, `writes` or `internals` of the trace. */
  readonly index: number;
  /** Undefined for the outermost frame. */
  readonly parent: number | undefined;
  /** 0 for the outermost frame. */
  readonly depth: number;
  /** Position among the nodes of the same parent, from 0, and their number. */
  readonly position: number;
  readonly siblings: number;
  /** Id after the last node below this one. */
  readonly end: number;
}

/** Parts of the tree that a filter keeps. */
export type TraceTreeFilter = "all" | "calls" | "failed" | "storage" | "events" | "transfers";

interface Entry {
  readonly kind: TraceNodeKind;
  readonly index: number;
  readonly order: number;
}

/**
 * Returns the tree of a trace as a list: each node is followed by the nodes below it. Writes that change nothing are left
 * out, and internal transactions that start a frame are part of it.
 */
export function traceTree(trace: Trace): readonly TraceNode[] {
  const below = entriesByFrame(trace);
  const nodes: TraceNode[] = [];
  // A list of work instead of a recursion, because calls nest as deeply as the chain allows.
  const [outermost] = trace.frames;
  if (outermost === undefined) return nodes;
  interface Open {
    readonly id: number;
    readonly entries: readonly Entry[];
    next: number;
  }
  const open: Open[] = [];
  const ends: number[] = [];
  const add = (entry: Entry, parent: Open | undefined): void => {
    const id = nodes.length;
    nodes.push({
      id,
      kind: entry.kind,
      index: entry.index,
      parent: parent?.id,
      depth: open.length,
      position: (parent?.next ?? 1) - 1,
      siblings: parent?.entries.length ?? 1,
      end: id + 1,
    });
    if (entry.kind === "frame") open.push({ id, entries: below.get(entry.index) ?? [], next: 0 });
  };
  add({ kind: "frame", index: 0, order: outermost.start }, undefined);
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    const entry = current.entries[current.next];
    if (entry === undefined) {
      ends[current.id] = nodes.length;
      open.pop();
      continue;
    }
    current.next += 1;
    add(entry, current);
  }
  return nodes.map((node) => ({ ...node, end: ends[node.id] ?? node.end }));
}

function entriesByFrame({ frames, logs, writes, internals }: Trace): ReadonlyMap<number, readonly Entry[]> {
  const below = new Map<number, Entry[]>();
  const add = (frame: number | undefined, entry: Entry): void => {
    if (frame === undefined) return;
    const entries = below.get(frame);
    if (entries === undefined) below.set(frame, [entry]);
    else entries.push(entry);
  };
  for (const [index, { parent, start }] of frames.entries()) add(parent, { kind: "frame", index, order: start });
  for (const [index, { frame, order }] of logs.entries()) add(frame, { kind: "event", index, order });
  for (const [index, { frame, order, before, after }] of writes.entries())
    if (before !== after) add(frame, { kind: "write", index, order });
  for (const [index, { frame, order, starts }] of internals.entries())
    if (starts === undefined) add(frame, { kind: "transfer", index, order });
  for (const entries of below.values()) entries.sort((left, right) => left.order - right.order);
  return below;
}

/** Returns true for a node that a filter keeps. */
export function passesFilter(trace: Trace, { kind, index }: TraceNode, filter: TraceTreeFilter): boolean {
  switch (filter) {
    case "all":
      return true;
    case "calls":
      return kind === "frame";
    case "failed":
      return kind === "frame" && trace.frames[index]?.outcome !== "returned";
    case "storage":
      return kind === "write";
    case "events":
      return kind === "event";
    case "transfers": {
      const frame = kind === "frame" ? trace.frames[index] : undefined;
      return kind === "transfer" || (frame !== undefined && movesValue(frame));
    }
  }
}

/** Returns true for a frame that sends coins or tokens. A delegate call repeats the value of the calling frame. */
export function movesValue({ kind, value, tokenValue = 0n }: TraceFrame): boolean {
  return kind !== "delegate" && (value > 0n || tokenValue > 0n);
}

/**
 * Returns the frames from the outermost to the one in which the failure of the run began; empty if the run did not fail.
 * A frame fails because of the last frame that it called, if that one failed with the same data.
 */
export function failingFrames({ frames }: Trace): readonly number[] {
  const path: number[] = [];
  const last = new Map<number, number>();
  for (const [index, { parent }] of frames.entries()) if (parent !== undefined) last.set(parent, index);
  for (let at: number | undefined = 0; at !== undefined; ) {
    const frame: TraceFrame | undefined = frames[at];
    if (frame === undefined || frame.outcome === "returned") return path;
    path.push(at);
    const next: number | undefined = last.get(at);
    const below: TraceFrame | undefined = next === undefined ? undefined : frames[next];
    at = below !== undefined && isPassedOn(below, frame) ? next : undefined;
  }
  return path;
}

/** A revert of a callee is passed on with its data. */
function isPassedOn(below: TraceFrame, above: TraceFrame): boolean {
  if (below.outcome === "returned" || above.outcome === "halted") return false;
  return below.output === above.output;
}

/** Energy of a frame without the frames below it. */
export function ownEnergy({ energyOwn, energyForCode, energyLost }: TraceFrame): number {
  return energyOwn + energyForCode + energyLost;
}

/**
 * Returns a share as a percentage with one decimal.
 *
 * @example shareText(1, 3); // "33.3 %"
 */
export function shareText(part: number, whole: number): string {
  return `${(whole === 0 ? 0 : (part / whole) * 100).toFixed(1)} %`;
}

/** Returns the sun that the energy of a run costs at most, if nothing is staked for it. */
export function energyCost({ energy, energyPrice }: Pick<Trace, "energy" | "energyPrice">): bigint {
  return BigInt(energy) * energyPrice;
}
