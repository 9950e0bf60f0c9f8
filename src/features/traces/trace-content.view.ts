import { argumentList } from "@finality/client/explain";
import {
  decodedCall,
  decodedResult,
  energyCost,
  energyTotals,
  type FlameNode,
  failingFrames,
  failureText,
  flameTree,
  type LineSources,
  ownEnergy,
  passesFilter,
  placeFlame,
  shareText,
  type TraceNames,
  type TraceNode,
  traceLabel,
  traceTree,
  valueText,
  wordText,
} from "@finality/client/traces";
import type { AbiParameter, AbiValue } from "@finality/tron/abi";
import { coinsText, grouped } from "@finality/tron/format";
import { type Address, foreignText, nameText, sun, type TxId, toBase58, visibleLine } from "@finality/tron/primitives";
import type { Trace, TraceFrame } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import type { SectionTable, TableCell, TimelineRow, Tone } from "../../webview-messages/timeline.ts";
import type {
  EnergyRow,
  FlameBox,
  FlameBy,
  ToTracePage,
  TraceDetails,
  TraceFailure,
  TraceFilter,
  TraceHead,
  TraceRow,
} from "../../webview-messages/trace.ts";

/** A line of a source file. */
export interface SourceLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Line of the stack of a failure. */
interface FailureSite extends Partial<SourceLine> {
  /** `Leaf._move (contracts/Leaf.sol:41)`. */
  readonly text: string;
}

/** Sources of the code of a trace. */
interface ShownSources extends LineSources {
  /** Stack of the failure of the run, the failing call first. */
  readonly sites: readonly FailureSite[];
  /** Reason why no line is named. */
  readonly note: string | undefined;
  /** Returns the text of a source file. */
  readonly textOf: (file: string) => string | undefined;
}

/** Run that is shown. */
export interface TraceSubject {
  readonly trace: Trace;
  readonly txId: TxId | undefined;
  readonly network: string;
  readonly names: TraceNames;
  readonly sources: ShownSources;
  /** Sentences on how the run was replayed. */
  readonly notes: readonly string[];
}

/** Below this number of nodes all calls are open at first. */
const OPEN_UP_TO = 200;
const WHOLE = 1_000_000;
const MOST_BOXES = 1_500;
const NARROWEST = 1 / 1_500;
const MOST_ENERGY_ROWS = 200;
const MOST_TABLE_ROWS = 200;
/** Source lines that are shown before and after the site of a failure. */
const LINES_AROUND = 3;
const LONG = 400;

/** Content of a trace page: the tree with what is open, and the chart. Holds no text of the page. */
export class TraceContent {
  #subject: TraceSubject;
  readonly #nodes: readonly TraceNode[];
  readonly #open: Set<number>;
  /** Frames from the outermost to the one in which the failure of the run began. */
  readonly #failing: readonly number[];
  /** Visible nodes, in order. */
  #visible: readonly TraceNode[] = [];
  #selected = 0;
  #found: number | undefined;
  #find = { text: "", filter: "all" as TraceFilter };
  #boxes: readonly FlameNode[] = [];
  #energyRows: readonly { readonly source: SourceLine | undefined }[] = [];

  constructor(subject: TraceSubject) {
    this.#subject = subject;
    const { trace } = subject;
    this.#nodes = traceTree(trace);
    const failing = failingFrames(trace);
    this.#failing = failing;
    const isSmall = this.#nodes.length <= OPEN_UP_TO;
    const isOpened = ({ kind, index, depth }: TraceNode): boolean =>
      kind === "frame" && (isSmall || depth === 0 || failing.includes(index));
    this.#open = new Set(this.#nodes.filter(isOpened).map(({ id }) => id));
    this.#arrange();
    const failed = failing.at(-1);
    const at = this.#visible.findIndex(({ kind, index }) => kind === "frame" && index === failed);
    this.#selected = Math.max(0, at);
  }

  /** Replaces the trace by one of the same run with instructions. */
  addSteps(detailed: TraceSubject): void {
    this.#subject = detailed;
  }

  get subject(): TraceSubject {
    return this.#subject;
  }

  get hasSteps(): boolean {
    return this.#subject.trace.steps !== undefined;
  }

  head(): TraceHead {
    const { trace, txId, network, names, notes } = this.subject;
    const [outermost] = trace.frames;
    const [node] = this.#nodes;
    const failed = outermost !== undefined && outermost.outcome !== "returned";
    const title = node === undefined ? t`Trace` : traceLabel(trace, node, names).title;
    return {
      txId: txId ?? null,
      title: visibleLine(title, LONG),
      network,
      state: failed
        ? { text: t`Failed`, icon: "error", tone: "bad" }
        : { text: t`Successful`, icon: "pass", tone: "good" },
      rows: this.#headRows(),
      notes: [...notes, ...notesOf(trace)],
      failure: failed ? this.#failure() : null,
    };
  }

  #headRows(): readonly TimelineRow[] {
    const { trace, txId, names } = this.subject;
    const { energy, penalty, feeLimit, instructions, frames, blockNumber } = trace;
    const cost = energyCost(trace);
    const share = feeLimit === 0n ? "" : t` (${shareText(Number(cost), Number(feeLimit))} of the fee limit)`;
    return [
      ...(txId === undefined ? [] : [row("txID", txId, true)]),
      row(t`Energy`, `${grouped(energy)}${share}`),
      ...(penalty === 0 ? [] : [row(t`Of that, penalty`, grouped(penalty))]),
      row(t`At most`, coinsText(sun(cost), names.symbol)),
      row(t`Calls`, grouped(frames.length)),
      row(t`Instructions`, grouped(instructions)),
      row(t`Block`, grouped(blockNumber)),
    ];
  }

  #failure(): TraceFailure {
    const { trace, names, sources } = this.subject;
    const at = this.#failing.at(-1) ?? 0;
    const frame = trace.frames[at];
    return {
      reason: frame === undefined ? "" : failureText(frame, names),
      sites: sources.sites.map(({ text, file }) => ({ text: visibleLine(text, LONG), canOpen: file !== undefined })),
      lines: this.#sourceLines(),
      note: sources.note ?? null,
    };
  }

  #sourceLines(): TraceFailure["lines"] {
    const { sources } = this.subject;
    const [site] = sources.sites;
    if (site?.file === undefined || site.line === undefined) return [];
    const lines = sources.textOf(site.file)?.split("\n") ?? [];
    const first = Math.max(1, site.line - LINES_AROUND);
    return lines.slice(first - 1, site.line + LINES_AROUND).map((text, index) => ({
      number: first + index,
      text: visibleTabs(text),
      isSite: first + index === site.line,
    }));
  }

  /** Returns a part of the visible rows. */
  rows(from: number, count: number): ToTracePage {
    const shown = this.#visible.slice(from, from + Math.min(count, 500));
    return {
      kind: "rows",
      total: this.#visible.length,
      from,
      rows: shown.map((it) => this.#row(it)),
      selected: this.#selected,
      found: this.#found ?? null,
    };
  }

  #row(node: TraceNode): TraceRow {
    const { trace, names } = this.subject;
    const { id, depth, position, siblings, kind, index, end } = node;
    const { title, result } = traceLabel(trace, node, names);
    const frame = kind === "frame" ? trace.frames[index] : undefined;
    const source = this.#lineOf(node);
    return {
      id,
      level: depth + 1,
      position: position + 1,
      siblings,
      isOpen: end > id + 1 ? this.#isOpen(id) : null,
      icon: iconOf(kind, frame),
      tone: toneOf(frame),
      label: visibleLine(title, LONG),
      description: visibleLine(result, LONG),
      energy: frame === undefined ? "" : `${grouped(frame.energyUsed)} · ${shareText(frame.energyUsed, trace.energy)}`,
      share: frame === undefined || trace.energy === 0 ? 0 : Math.round((frame.energyUsed / trace.energy) * 1_000),
      source: source === undefined ? null : lineText(source),
    };
  }

  /** Returns the source of a node: where a frame failed or was called, where an event or a change was written. */
  #lineOf({ kind, index }: TraceNode): SourceLine | undefined {
    const { trace, sources } = this.subject;
    if (kind === "frame") return this.#lineOfFrame(index);
    const entry =
      kind === "event" ? trace.logs[index] : kind === "write" ? trace.writes[index] : trace.internals[index];
    const frame = entry && trace.frames[entry.frame];
    return entry && frame && sources.sourceOf(frame, entry.pc);
  }

  #lineOfFrame(index: number): SourceLine | undefined {
    const { trace, sources } = this.subject;
    const [site] = sources.sites;
    if (this.#failing.at(-1) === index && site?.file !== undefined && site.line !== undefined)
      return { file: site.file, line: site.line };
    const frame = trace.frames[index];
    if (frame?.parent === undefined || frame.callPc === undefined) return undefined;
    const caller = trace.frames[frame.parent];
    return caller && sources.sourceOf(caller, frame.callPc);
  }

  lineOfRow(id: number): SourceLine | undefined {
    const node = this.#nodes[id];
    return node && this.#lineOf(node);
  }

  lineOfSite(index: number): SourceLine | undefined {
    const site = this.subject.sources.sites[index];
    return site?.file === undefined || site.line === undefined ? undefined : { file: site.file, line: site.line };
  }

  /** Boxes of the chart have the ids from 0, rows of the table follow them. */
  lineOfBox(id: number): SourceLine | undefined {
    return this.#boxes[id]?.source ?? this.#energyRows[id - this.#boxes.length]?.source;
  }

  open(id: number, isOpen: boolean): void {
    if (isOpen) this.#open.add(id);
    else this.#open.delete(id);
    this.#keepSelected(() => this.#arrange());
  }

  select(index: number): void {
    this.#selected = Math.max(0, Math.min(index, this.#visible.length - 1));
  }

  find(text: string, filter: TraceFilter): void {
    this.#find = { text: text.trim().toLowerCase(), filter };
    this.#keepSelected(() => this.#arrange());
  }

  /** Keeps the selection on the same node. */
  #keepSelected(change: () => void): void {
    const before = this.#visible[this.#selected]?.id;
    change();
    const at = this.#visible.findIndex(({ id }) => id === before);
    this.#selected = at >= 0 ? at : this.#firstFound();
  }

  #firstFound(): number {
    const at = this.#visible.findIndex((it) => this.#found !== undefined && this.#matches(it));
    return Math.max(0, at);
  }

  #isOpen(id: number): boolean {
    return this.#found !== undefined || this.#open.has(id);
  }

  #arrange(): void {
    const { text, filter } = this.#find;
    if (text === "" && filter === "all") {
      this.#found = undefined;
      this.#visible = this.#opened();
      return;
    }
    const kept = new Set<number>();
    let found = 0;
    for (const node of this.#nodes) {
      if (!this.#matches(node)) continue;
      found += 1;
      for (let at: number | undefined = node.id; at !== undefined && !kept.has(at); at = this.#nodes[at]?.parent)
        kept.add(at);
    }
    this.#found = found;
    this.#visible = this.#nodes.filter(({ id }) => kept.has(id));
  }

  #opened(): readonly TraceNode[] {
    const visible: TraceNode[] = [];
    for (let at = 0; at < this.#nodes.length; ) {
      const node = this.#nodes[at];
      if (node === undefined) break;
      visible.push(node);
      at = this.#open.has(node.id) ? at + 1 : node.end;
    }
    return visible;
  }

  #matches(node: TraceNode): boolean {
    const { trace, names } = this.subject;
    const { text, filter } = this.#find;
    if (!passesFilter(trace, node, filter)) return false;
    if (text === "") return true;
    const { title, result } = traceLabel(trace, node, names);
    const frame = node.kind === "frame" ? trace.frames[node.index] : undefined;
    const addresses = frame === undefined ? "" : ` ${toBase58(frame.to)} ${toBase58(frame.codeAddress)}`;
    return `${title} ${result}${addresses}`.toLowerCase().includes(text);
  }

  /** Returns the details of the selected row. */
  details(): ToTracePage {
    const node = this.#visible[this.#selected];
    const details = node === undefined ? { title: t`Details`, rows: [], tables: [] } : this.#detailsOf(node);
    return { kind: "details", details };
  }

  #detailsOf(node: TraceNode): TraceDetails {
    const { trace, names } = this.subject;
    const { title, result } = traceLabel(trace, node, names);
    const frame = node.kind === "frame" ? trace.frames[node.index] : undefined;
    const line = this.#lineOf(node);
    const source = line === undefined ? [] : [row(t`Source`, lineText(line))];
    if (frame !== undefined) return frameDetails(this.subject, node.index, frame, source);
    const entry = node.kind === "event" ? trace.logs[node.index] : undefined;
    const write = node.kind === "write" ? trace.writes[node.index] : undefined;
    const address = entry?.address ?? write?.address;
    return {
      title: visibleLine(title, LONG),
      rows: [
        ...(result === "" ? [] : [row(t`Result`, visibleLine(result, LONG))]),
        ...(address === undefined ? [] : [row(t`Contract`, toBase58(address), true)]),
        ...(write === undefined
          ? []
          : [
              row(t`Slot`, `0x${write.slot}`, true),
              row(t`Before`, `0x${write.before}`, true),
              row(t`After`, `0x${write.after}`, true),
            ]),
        ...(entry === undefined ? [] : entry.topics.map((it, at) => row(t`Topic ${at}`, `0x${it}`, true))),
        ...(entry === undefined || entry.data === "" ? [] : [row(t`Data`, clipped(entry.data), true)]),
        ...source,
      ],
      tables: [],
    };
  }

  /** Returns the chart below a box of the last chart. */
  flame(by: FlameBy, root: number | null): ToTracePage {
    const { trace, names, sources } = this.subject;
    const whole = flameTree(trace, { by, nameOf: (_, index) => frameName(trace, index, names), ...sources });
    const top = (root === null ? undefined : this.#boxes[root]) ?? whole;
    if (top === undefined) return { kind: "flame", by, boxes: [], rows: [], note: t`No code ran.` };
    const placed = placeFlame(top, NARROWEST, MOST_BOXES);
    this.#boxes = placed.map(({ node }) => node);
    const totals = energyTotals(top).slice(0, MOST_ENERGY_ROWS);
    this.#energyRows = totals;
    const percent = (energy: number): string => shareText(energy, trace.energy);
    const boxes = placed.map(
      ({ node, parent, depth, left, width }, id): FlameBox => ({
        id,
        parent: parent ?? null,
        depth,
        left: Math.round(left * WHOLE),
        width: Math.round(width * WHOLE),
        label: visibleLine(node.name, 120),
        energy: grouped(node.total),
        own: grouped(node.own),
        percent: percent(node.total),
        source: node.source === undefined ? null : lineText(node.source),
      }),
    );
    const rows = totals.map(
      ({ name, source, own, count }, at): EnergyRow => ({
        id: boxes.length + at,
        label: visibleLine(name, 120),
        source: source === undefined ? null : lineText(source),
        own: grouped(own),
        percent: percent(own),
        count: grouped(count),
      }),
    );
    return { kind: "flame", by, boxes, rows, note: flameNote(trace) };
  }
}

function flameNote({ steps, truncated }: Trace): string | null {
  if (steps === undefined) return t`Reading the instructions for internal functions and lines.`;
  const left = truncated.find(({ part }) => part === "steps")?.left ?? 0;
  return left === 0 ? null : t`${grouped(left)} more instructions are counted with their calls only.`;
}

function frameName(trace: Trace, index: number, names: TraceNames): string {
  const node: TraceNode = {
    id: 0,
    kind: "frame",
    index,
    parent: undefined,
    depth: 0,
    position: 0,
    siblings: 1,
    end: 1,
  };
  return traceLabel(trace, node, names).title.replace(/\(.*$/s, "");
}

function notesOf({ truncated, differences }: Trace): readonly string[] {
  return [
    ...truncated
      .filter(({ part }) => part !== "steps")
      .map(
        ({ part, left }) => t`${grouped(left)} more entries of “${part}” are not shown: the trace reached its limit.`,
      ),
    ...(differences.length === 0
      ? []
      : [t`The repeated run differs from the receipt in: ${visibleLine(differences.join(", "), LONG)}.`]),
  ];
}

function iconOf(kind: TraceNode["kind"], frame: TraceFrame | undefined): string {
  if (kind === "event") return "symbol-event";
  if (kind === "write") return "database";
  if (kind === "transfer" || frame === undefined) return "arrow-swap";
  if (frame.outcome !== "returned") return "error";
  if (frame.kind === "create" || frame.kind === "create2") return "rocket";
  return frame.isPrecompile ? "symbol-operator" : "symbol-method";
}

function toneOf(frame: TraceFrame | undefined): Tone {
  return frame !== undefined && frame.outcome !== "returned" ? "bad" : "neutral";
}

function lineText({ file, line }: SourceLine): string {
  return `${visibleLine(file, 200)}:${line}`;
}

function row(name: string, value: string, exact = false): TimelineRow {
  return { name, value, exact };
}

function clipped(data: string): string {
  return data.length <= 2_000 ? `0x${data}` : `0x${data.slice(0, 2_000)}…`;
}

function visibleTabs(text: string): string {
  const { 0: indent = "" } = /^\s*/.exec(text) ?? [];
  return `${indent.replaceAll("\t", "    ")}${visibleLine(text, LONG)}`;
}

function frameDetails(
  { trace, names }: TraceSubject,
  index: number,
  frame: TraceFrame,
  source: readonly TimelineRow[],
): TraceDetails {
  const { kind, from, to, codeAddress, outcome, input, output } = frame;
  const abi = names.abiOf(codeAddress);
  const call = decodedCall(frame, abi);
  const returned = outcome === "returned" ? decodedResult(frame, abi) : undefined;
  const value = valueText(frame, names);
  const isCreation = kind === "create" || kind === "create2";
  return {
    title: visibleLine(call?.candidate.signature ?? frameName(trace, index, names), LONG),
    rows: [
      row(t`Kind`, kind),
      partyRow(t`From`, from, names),
      partyRow(t`To`, to, names),
      ...(codeAddress === to ? [] : [partyRow(t`Code`, codeAddress, names)]),
      ...(call === undefined ? [] : [row(t`Named by`, visibleLine(call.candidate.origin))]),
      ...(value === "" ? [] : [row(t`Value`, value)]),
      ...(outcome === "returned" ? [] : [row(t`Failure`, failureText(frame, names))]),
      ...source,
      ...energyRows(trace, frame),
      ...(call === undefined && input !== "" ? [row(t`Call data`, clipped(input), true)] : []),
      ...(returned === undefined && output !== "" && !isCreation ? [row(t`Returned data`, clipped(output), true)] : []),
    ],
    tables: [
      ...(call === undefined ? [] : valueTable(t`Arguments`, call, names)),
      ...(returned === undefined ? [] : valueTable(t`Returned Values`, returned, names)),
      ...storageTable(trace, index, names),
    ],
  };
}

function energyRows({ energy }: Trace, frame: TraceFrame): readonly TimelineRow[] {
  const { energyGiven, energyUsed, penalty, energyForCode, energyLost, instructions } = frame;
  const part = (name: string, value: number): readonly TimelineRow[] =>
    value === 0 ? [] : [row(name, grouped(value))];
  return [
    row(t`Energy`, `${grouped(energyUsed)} (${shareText(energyUsed, energy)})`),
    row(t`Own energy`, `${grouped(ownEnergy(frame))} (${shareText(ownEnergy(frame), energy)})`),
    ...part(t`Of that, penalty`, penalty),
    ...part(t`Of that, for storing code`, energyForCode),
    ...part(t`Of that, lost`, energyLost),
    row(t`Energy given`, grouped(energyGiven)),
    row(t`Instructions`, grouped(instructions)),
  ];
}

function partyRow(name: string, address: Address, { nameOf, contractNameOf }: TraceNames): TimelineRow {
  const known = nameOf(address) ?? contractNameOf(address);
  return row(known === undefined ? name : t`${name} ${visibleLine(known, 60)}`, toBase58(address), true);
}

function cell(text: string): TableCell {
  return { text, copy: null };
}

interface Values {
  readonly parameters: readonly AbiParameter[];
  readonly values: readonly AbiValue[];
}

function valueTable(title: string, { parameters, values }: Values, { nameOf }: TraceNames): readonly SectionTable[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, type }, at) => {
    const value = argumentList([{ name: foreignText(""), type }], values.slice(at, at + 1), nameOf);
    return [cell(nameText(name, `[${at}]`)), cell(type.text), cell(visibleLine(value, 2_000))];
  });
  return [{ title, note: null, columns: [t`Name`, t`Type`, t`Value`], rows }];
}

function storageTable({ writes }: Trace, index: number, names: TraceNames): readonly SectionTable[] {
  const changed = writes.filter(({ frame, before, after }) => frame === index && before !== after);
  if (changed.length === 0) return [];
  const left = changed.length - MOST_TABLE_ROWS;
  const rows = changed.slice(0, MOST_TABLE_ROWS).map((write) => {
    const variable = names.variableOf(write);
    return [
      cell(visibleLine(variable?.name ?? `0x${write.slot.replace(/^0+(?=.)/, "")}`, LONG)),
      cell(visibleLine(variable?.before ?? wordText(write.before), LONG)),
      cell(visibleLine(variable?.after ?? wordText(write.after), LONG)),
    ];
  });
  return [
    {
      title: t`Storage`,
      note: left > 0 ? t`${grouped(left)} more rows are not shown.` : null,
      columns: [t`Variable`, t`Before`, t`After`],
      rows,
    },
  ];
}
