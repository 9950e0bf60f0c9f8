import type { JsonObject } from "../../core/primitives/json.ts";
import { type FaultPreset, faultPresets } from "./fault-presets.ts";

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
  if (on === 0) return "The local chain has no faults";
  return on === 1 ? "The local chain has 1 fault" : `The local chain has ${on} faults`;
}

function lines({ label, detail, group, fault }: FaultPreset): Pick<FaultItem, "label" | "detail" | "group" | "fault"> {
  return { label, detail, group, fault };
}

function standing(active: Active | undefined): Pick<FaultItem, "description" | "picked"> {
  if (active === undefined) return { description: "", picked: false };
  return { description: standingOf(active), picked: !isOver(active) };
}

/** Whether it still happens, and how often it has. */
export function standingOf(active: Active): string {
  if (isOver(active)) return `over: ${times(active.hits)}`;
  return active.hits === 0 ? "on" : `on: ${times(active.hits)} so far`;
}

function otherItem(active: Active): FaultItem {
  const { name, hits: _, ...fields } = active;
  const fault = { name, ...fields };
  return { ...standing(active), label: name, detail: JSON.stringify(fault), group: "Set by a program", fault };
}

function times(hits: number): string {
  return hits === 1 ? "once" : `${hits} times`;
}

/** It has happened as often as it was to. */
export function isOver({ hits, count }: Active): boolean {
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
