import { counted, grouped } from "@finality/tron/format";
import type { JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { accessText } from "./chain-access.view.ts";
import type { ChainStatus } from "./chain-control.ts";
import { type FaultPreset, faultPresets } from "./fault-presets.ts";

/** A row in words and icons. */
export interface SectionRow {
  readonly label: string;
  readonly description: string;
  /** A codicon. */
  readonly icon: string;
  readonly contextValue: string;
  readonly spoken: string;
  readonly tooltip: string;
}

/** A fact about the chain, or a snapshot to go back to. */
export interface ChildRow extends SectionRow {
  readonly snapshot?: string;
}

const NAME = t`Local chain`;

/** @param status - undefined until the chain has answered, `"silent"` while it does not */
export function describeChain(status: ChainStatus | "silent" | undefined, baseUrl: string): SectionRow {
  const row = { label: NAME, contextValue: "localChain" };
  if (status === undefined) return { ...row, ...spoken([]), icon: "server-process", tooltip: baseUrl };
  if (status === "silent") return { ...row, ...spoken([t`does not answer`]), icon: "warning", tooltip: baseUrl };
  const { height, solidHeight, faults } = status;
  const on = faults.filter((it) => !isOver(it)).length;
  const marks = on === 0 ? [] : [counted(on, t`fault`, t`faults`)];
  const icon = on === 0 ? "server-process" : "zap";
  const words = spoken([t`block ${grouped(height)}`, t`solidified ${grouped(solidHeight)}`, ...marks]);
  return { ...row, ...words, icon, tooltip: `${baseUrl}, ${pace(status)}` };
}

/** What the row says when it is opened. */
export function describeParts(status: ChainStatus): readonly ChildRow[] {
  const { height, solidHeight, pending, faults, snapshots } = status;
  const access = accessText(status.access);
  return [
    fact(t`Height`, t`block ${grouped(height)}`, "layers", t`The newest block.`),
    fact(t`Solidified`, t`block ${grouped(solidHeight)}`, "lock", t`The newest block that nothing can take back.`),
    ...(access === undefined
      ? []
      : [fact(t`Access`, access, "lock", t`What every request has to carry. Local Chain Access… changes it.`)]),
    ...(pending === 0
      ? []
      : [
          fact(
            t`In the pool`,
            counted(pending, t`transaction`, t`transactions`),
            "watch",
            t`They wait for the next block.`,
          ),
        ]),
    ...faults.map((it): ChildRow => {
      const { name, hits: _, ...fields } = it;
      const label = presetOf(it)?.label ?? name;
      const row = fact(label, standingOf(it), isOver(it) ? "circle-slash" : "zap", JSON.stringify({ name, ...fields }));
      return { ...row, contextValue: "localChain.fault", spoken: t`Fault ${row.spoken}` };
    }),
    ...snapshots.map((it): ChildRow => {
      const row = fact(it, t`snapshot`, "device-camera", t`Blocks, accounts and pool, as they were when it was taken.`);
      return { ...row, contextValue: "localChain.snapshot", snapshot: it };
    }),
  ];
}

function spoken(words: readonly string[]): Pick<SectionRow, "description" | "spoken"> {
  return { description: words.join(" · "), spoken: [NAME, ...words].join(", ") };
}

function fact(label: string, description: string, icon: string, tooltip: string): ChildRow {
  return { label, description, icon, tooltip, contextValue: "localChain.fact", spoken: `${label}, ${description}` };
}

function pace({ blockTimeMs }: ChainStatus): string {
  return blockTimeMs === 0 ? t`blocks when you mine them` : t`a block every ${blockTimeMs / 1000} s`;
}

/** A fault that is on, as the chain shows it. */
interface Active extends JsonObject {
  readonly name: string;
  readonly hits: number;
}

/** A line of the list of faults. */
export interface FaultItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly group: string;
  /** Whether it is on. */
  readonly picked: boolean;
  /** What the chain is told when it is picked. */
  readonly fault: JsonObject;
}

/** The presets, and below them what somebody else has turned on; what is on has its check mark. */
export function faultItems(active: readonly Active[]): readonly FaultItem[] {
  const taken = new Set<Active>();
  const presets = faultPresets.map((preset): FaultItem => {
    const match = active.find((it) => !taken.has(it) && isSame(it, preset.fault));
    if (match !== undefined) taken.add(match);
    return { ...lines(preset), ...standing(match) };
  });
  const others = active.filter((it) => !taken.has(it));
  return [...presets, ...others.map(otherItem)];
}

/** What a click on nothing but the check marks means in one sentence. */
export function summarizeFaults(faults: readonly Active[]): string {
  const on = faults.filter((it) => !isOver(it)).length;
  if (on === 0) return t`The local chain has no faults`;
  return t`The local chain has ${counted(on, t`fault`, t`faults`)}`;
}

function lines({ label, detail, group, fault }: FaultPreset): Pick<FaultItem, "label" | "detail" | "group" | "fault"> {
  return { label, detail, group, fault };
}

function standing(active: Active | undefined): Pick<FaultItem, "description" | "picked"> {
  if (active === undefined) return { description: "", picked: false };
  return { description: standingOf(active), picked: !isOver(active) };
}

/** Whether it still happens, and how often it has. */
function standingOf(active: Active): string {
  if (isOver(active)) return t`over: ${times(active.hits)}`;
  return active.hits === 0 ? t`on` : t`on: ${times(active.hits)} so far`;
}

function otherItem(active: Active): FaultItem {
  const { name, hits: _, ...fields } = active;
  const fault = { name, ...fields };
  return { ...standing(active), label: name, detail: JSON.stringify(fault), group: t`Set by a program`, fault };
}

function times(hits: number): string {
  return hits === 1 ? t`once` : t`${hits} times`;
}

const presetOf = (active: Active) => faultPresets.find(({ fault }) => isSame(active, fault));

/** It has happened as often as it was to. */
function isOver({ hits, count }: Active): boolean {
  return typeof count === "number" && hits >= count;
}

/** Whether the chain shows all that the preset asks for, and nothing narrower. */
function isSame(active: Active, preset: JsonObject): boolean {
  const narrowing = ["path", "rate", "count"].filter((it) => !(it in preset));
  return (
    Object.entries(preset).every(([field, value]) => JSON.stringify(active[field]) === JSON.stringify(value)) &&
    narrowing.every((field) => active[field] === undefined || (field === "rate" && active.rate === 1))
  );
}
