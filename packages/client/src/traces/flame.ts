import type { Trace, TraceFrame } from "@finality/tron/traces";
import type { LineSource, LineSources } from "./line-sources.ts";
import { sharedSteps } from "./shared-code.ts";
import { failingFrames, ownEnergy } from "./trace-tree.ts";

type FlameBy = "function" | "line";

/** Node of the flame chart: equal calls of the same parent are one node. */
export interface FlameNode {
  readonly name: string;
  readonly source: { readonly file: string; readonly line: number } | undefined;
  /** Energy with all nodes below. */
  total: number;
  own: number;
  /** Number of own instructions; 0 if the trace has none. */
  count: number;
  /** True if the failure of the run began here or below. */
  isFailing: boolean;
  readonly children: Map<string, FlameNode>;
}

interface FlameOptions extends LineSources {
  readonly by: FlameBy;
  /** Name of the call of a frame, without arguments. */
  readonly nameOf: (frame: TraceFrame, index: number) => string;
}

/**
 * Returns the energy of a trace by function, or by function and line. Calls of other contracts have it from the frames;
 * internal functions and lines need the instructions of the trace and source maps.
 */
export function flameTree(trace: Trace, options: FlameOptions): FlameNode | undefined {
  const nodes = frameNodes(trace, options);
  const [root] = nodes;
  if (root === undefined) return undefined;
  if (trace.steps === undefined) {
    for (const [index, frame] of trace.frames.entries()) {
      const node = nodes[index];
      if (node === undefined) continue;
      node.own += ownEnergy(frame);
      node.count += frame.instructions;
    }
  } else new StepWalk(trace, nodes, options).addAll();
  sumUp(root);
  return root;
}

function newNode(name: string, source: FlameNode["source"]): FlameNode {
  return { name, source, total: 0, own: 0, count: 0, isFailing: false, children: new Map() };
}

function childOf(parent: FlameNode, key: string, make: () => FlameNode): FlameNode {
  const known = parent.children.get(key);
  if (known !== undefined) return known;
  const made = make();
  parent.children.set(key, made);
  return made;
}

/** Returns the node of each frame. Instructions move the frames below internal functions later. */
function frameNodes(trace: Trace, { nameOf }: FlameOptions): FlameNode[] {
  const failing = new Set(failingFrames(trace));
  const nodes: FlameNode[] = [];
  for (const [index, frame] of trace.frames.entries()) {
    const parent = frame.parent === undefined ? undefined : nodes[frame.parent];
    const name = nameOf(frame, index);
    const isNested = parent !== undefined && trace.steps === undefined;
    const node = isNested ? childOf(parent, `call ${name}`, () => newNode(name, undefined)) : newNode(name, undefined);
    if (failing.has(index)) node.isFailing = true;
    nodes.push(node);
  }
  return nodes;
}

/** Walks through the instructions and keeps the internal calls of each frame. */
class StepWalk {
  readonly #trace: Trace;
  readonly #options: FlameOptions;
  /** Nodes of frames, and the internal functions that each frame is in. */
  readonly #stacks: FlameNode[][];
  readonly #isAttached: boolean[];
  /** Sources by code and program counter; null if there is none. */
  readonly #sources: (LineSource | null)[][] = [];
  /** Nodes of lines by the node of their function and their source, so that a step creates no text. */
  readonly #lines = new Map<FlameNode, Map<LineSource, FlameNode>>();
  readonly #jumped: ("i" | "o" | "-")[];

  constructor(trace: Trace, nodes: readonly FlameNode[], options: FlameOptions) {
    this.#trace = trace;
    this.#options = options;
    this.#stacks = nodes.map((it) => [it]);
    this.#isAttached = nodes.map((_, index) => index === 0);
    this.#jumped = nodes.map(() => "-");
  }

  addAll(): void {
    const { steps, frames } = this.#trace;
    if (steps === undefined) return;
    const listed = frames.map(() => 0);
    const shared = this.#options.by === "line" ? sharedSteps(this.#trace, this.#options) : undefined;
    const called = new Map(frames.map(({ callStep }, index) => [callStep, index]));
    for (let step = 0; step < steps.pc.length; step += 1) {
      const index = steps.frame[step] ?? 0;
      const cost = steps.cost[step] ?? 0;
      this.#add(index, steps.pc[step] ?? 0, cost, shared?.[step] === 1);
      listed[index] = (listed[index] ?? 0) + cost;
      const callee = called.get(step);
      if (callee !== undefined) this.#attach(callee);
    }
    this.#addRest(listed);
  }

  /** Adds what no instruction has: prices of precompiled contracts, code, lost energy, and truncated instructions. */
  #addRest(listed: readonly number[]): void {
    for (const [index, frame] of this.#trace.frames.entries()) {
      this.#attach(index);
      const [node] = this.#stacks[index] ?? [];
      if (node !== undefined) node.own += Math.max(0, ownEnergy(frame) - (listed[index] ?? 0));
    }
  }

  /** Puts the node of a frame below the internal function that called it, and joins it with an equal one. */
  #attach(index: number): void {
    if (this.#isAttached[index] === true) return;
    this.#isAttached[index] = true;
    const { parent } = this.#trace.frames[index] ?? {};
    const stack = this.#stacks[index];
    const [node] = stack ?? [];
    if (parent === undefined || stack === undefined || node === undefined) return;
    this.#attach(parent);
    const caller = this.#stacks[parent]?.at(-1);
    if (caller === undefined) return;
    const joined = childOf(caller, `call ${node.name}`, () => node);
    joined.isFailing ||= node.isFailing;
    stack[0] = joined;
  }

  #sourceOf(frame: TraceFrame, pc: number): LineSource | undefined {
    const { code } = frame;
    if (code === undefined) return undefined;
    const known = this.#sources[code] ?? [];
    this.#sources[code] = known;
    const found = known[pc];
    if (found !== undefined) return found ?? undefined;
    const source = this.#options.sourceOf(frame, pc);
    known[pc] = source ?? null;
    return source;
  }

  #lineOf(node: FlameNode, source: LineSource): FlameNode {
    const lines = this.#lines.get(node) ?? new Map<LineSource, FlameNode>();
    this.#lines.set(node, lines);
    const line = lines.get(source) ?? lineNode(node, source);
    lines.set(source, line);
    return line;
  }

  #add(index: number, pc: number, cost: number, isShared: boolean): void {
    const frame = this.#trace.frames[index];
    const stack = this.#stacks[index];
    if (frame === undefined || stack === undefined) return;
    const source = this.#sourceOf(frame, pc);
    const jumped = this.#jumped[index];
    const current = stack.at(-1);
    if (current === undefined) return;
    if (jumped === "o" && stack.length > 1) stack.pop();
    if (jumped === "i" && source?.functionName !== undefined) {
      const { functionName: name, file, line } = source;
      stack.push(childOf(current, `function ${name}`, () => newNode(name, { file, line })));
    }
    this.#jumped[index] = source?.jump ?? "-";
    const node = stack.at(-1) ?? current;
    const target = this.#options.by === "line" && source !== undefined && !isShared ? this.#lineOf(node, source) : node;
    target.own += cost;
    target.count += 1;
  }
}

function lineNode(node: FlameNode, { file, line }: LineSource): FlameNode {
  const name = `${file.split("/").at(-1) ?? file}:${line}`;
  return childOf(node, `line ${file}:${line}`, () => newNode(name, { file, line }));
}

/** Sums the energy of the nodes below, in a list instead of a recursion. */
function sumUp(root: FlameNode): void {
  const order: FlameNode[] = [root];
  for (let at = 0; at < order.length; at += 1)
    for (const child of order[at]?.children.values() ?? []) order.push(child);
  for (const node of order.reverse()) {
    node.total = node.own;
    for (const child of node.children.values()) node.total += child.total;
  }
}

/** Node with its position in the chart. */
export interface PlacedFlame {
  readonly node: FlameNode;
  readonly parent: number | undefined;
  readonly depth: number;
  /** Left edge and width, as parts of the whole. */
  readonly left: number;
  readonly width: number;
}

/**
 * Places the nodes of a chart: children are as wide as their energy, in the order of the run. Nodes that are narrower
 * than `narrowest` are left out, and so are the nodes after the first `most`.
 */
export function placeFlame(root: FlameNode, narrowest: number, most: number): readonly PlacedFlame[] {
  const placed: PlacedFlame[] = [{ node: root, parent: undefined, depth: 0, left: 0, width: 1 }];
  if (root.total === 0) return placed;
  for (let at = 0; at < placed.length; at += 1) {
    const above = placed[at];
    if (above === undefined) break;
    let { left } = above;
    for (const node of above.node.children.values()) {
      const width = node.total / root.total;
      if (width >= narrowest && placed.length < most)
        placed.push({ node, parent: at, depth: above.depth + 1, left, width });
      left += width;
    }
  }
  return placed;
}

/** Own energy of all nodes with the same name and source, the largest first. */
export interface EnergyTotal {
  readonly name: string;
  readonly source: FlameNode["source"];
  own: number;
  count: number;
}

/** Returns the own energy by function or by line, the largest first. */
export function energyTotals(root: FlameNode): readonly EnergyTotal[] {
  const totals = new Map<string, EnergyTotal>();
  const order: FlameNode[] = [root];
  for (let at = 0; at < order.length; at += 1) {
    const node = order[at];
    if (node === undefined) break;
    for (const child of node.children.values()) order.push(child);
    if (node.own === 0) continue;
    const key = `${node.name} ${node.source?.file ?? ""}:${node.source?.line ?? ""}`;
    const total = totals.get(key) ?? { name: node.name, source: node.source, own: 0, count: 0 };
    total.own += node.own;
    total.count += node.count;
    totals.set(key, total);
  }
  return [...totals.values()].sort((left, right) => right.own - left.own);
}
