import type { EventArgument, EventWatch, FoundEvent } from "@finality/client/events";
import { networkLabel } from "@finality/client/gateway";
import type { WatchStatus } from "@finality/client/incoming";
import { eventJson, eventLabels } from "@finality/client/labels";
import type { AbiCandidate, AbiIndex } from "@finality/tron/abi";
import { typeLabel } from "@finality/tron/abi";
import { type Checked, grouped, shortAddress } from "@finality/tron/format";
import { nameText, toBase58, visibleLine, wholeNumberIn } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { IncomingContext, IncomingRow } from "./incoming.view.ts";

/** Watch for events, with the events that it found. */
export interface EventWatchState {
  readonly standing: WatchStatus<EventWatch>;
  /** Oldest first, including removed ones. */
  readonly events: readonly FoundEvent[];
  /** Names of the events. */
  readonly abi: AbiIndex;
  /** True while blocks are read for it. */
  readonly active: boolean;
  /** True if it has as many events as a watch can have. */
  readonly full: boolean;
  /** Network that it watches. */
  readonly network: string;
  /** Reason why its network cannot be read. */
  readonly issue: string | undefined;
}

/** Describes the row above all watches for events. */
export function eventsLabel(states: readonly EventWatchState[]): string {
  return t`Events (${states.length})`;
}

/** Returns the number of events as text. @example eventsText(2); // "2 events" */
export function eventsText(count: number): string {
  return count === 1 ? t`${grouped(count)} event` : t`${grouped(count)} events`;
}

/** Describes a watch in one line. @example "Transfer, to = TWAF… of Token" */
export function eventWatchTitle({ filter, label, contract }: EventWatch, { nameOf }: Pick<IncomingContext, "nameOf">) {
  const name = label ?? shortAddress(contract, nameOf);
  return filter.text === undefined
    ? t`Events of ${visibleLine(name, 60)}`
    : t`${visibleLine(filter.text, 100)} of ${visibleLine(name, 60)}`;
}

/** Describes a watch: which events it reads, and how many it found. */
export function describeEventWatch(state: EventWatchState, context: IncomingContext): IncomingRow {
  const { standing, full, issue, events } = state;
  const label = eventWatchTitle(standing.watch, context);
  const gone = events.filter(({ withdrawn }) => withdrawn).length;
  const counts = [eventsText(events.length - gone), ...(gone === 0 ? [] : [t`${eventsText(gone)} removed`])];
  const [icon, color, status] = ((): readonly [string, string | undefined, string] => {
    if (standing.stoppedAt !== undefined) return ["circle-slash", undefined, t`stopped`];
    if (full) return ["warning", "charts.yellow", t`full`];
    if (standing.partedAt !== undefined) return ["warning", "charts.yellow", t`chain not found`];
    if (issue !== undefined) return ["warning", "charts.yellow", t`not read`];
    return ["broadcast", "charts.blue", t`watching`];
  })();
  const words = [...counts, status];
  return {
    label,
    description: words.join(" · "),
    icon,
    ...(color === undefined ? {} : { color }),
    contextValue: `events.${stateOfWatch(state)}`,
    tooltip: watchTooltip(state, context),
    spoken: `${label}. ${words.join(". ")}.`,
  };
}

/** Returns the state of a watch for its menu: `ended` if neither stopping nor resuming it has an effect. */
function stateOfWatch({ active, full, standing }: EventWatchState): "active" | "stopped" | "ended" {
  if (active) return "active";
  return standing.stoppedAt !== undefined && !full ? "stopped" : "ended";
}

function watchTooltip({ standing, network, full, issue }: EventWatchState, { timeOf }: IncomingContext) {
  const { watch, readTo, readAt, stoppedAt, partedAt, partly } = standing;
  return [
    t`Contract: ${toBase58(watch.contract)}`,
    t`Network: ${network === watch.network ? networkLabel(network) : t`${watch.network}, read through ${network}`}`,
    t`Counts from block ${grouped(watch.after.number + 1)}; read up to block ${grouped(readTo.number)} at ${timeOf(readAt)}.`,
    t`Events are what the gateway reports: a block's id does not cover receipts.`,
    ...(stoppedAt === undefined ? [] : [t`Stopped at ${timeOf(stoppedAt)}.`]),
    ...(full
      ? [
          t`The watch has as many events as one can have. Export them, and watch from block ${grouped(readTo.number + 1)}.`,
        ]
      : []),
    ...(partedAt === undefined
      ? []
      : [
          t`The network does not have the blocks that were read: its chain was reset, or the gateway follows another chain.`,
        ]),
    ...(partly === undefined
      ? []
      : [
          t`This gateway does not report events by block. Calls that name the contract were read; events of other calls may be missing.`,
        ]),
    ...(issue === undefined ? [] : [t`Cannot be read now: ${issue} Finality tries again and skips no block.`]),
  ];
}

/** An event as a row below its watch. */
export function describeEvent(found: FoundEvent, abi: AbiIndex, { nameOf, timeOf }: IncomingContext): IncomingRow {
  const { event, withdrawn } = found;
  const { block, txId, index, contract, topics, data } = event;
  const { name, text } = eventLabels(event, abi, nameOf);
  const where = t`block ${grouped(block.number)}`;
  const description = withdrawn ? t`removed · was in ${where}` : where;
  const label = visibleLine(text, 200);
  return {
    label,
    description,
    icon: withdrawn ? "discard" : "symbol-event",
    ...(withdrawn ? { color: "charts.yellow" } : {}),
    contextValue: "events.event",
    tooltip: [
      visibleLine(text, 1_000),
      t`Contract: ${toBase58(contract)}`,
      t`Block: ${grouped(block.number)}, ${timeOf(block.timestamp)} by the chain's time`,
      t`txID: ${txId}`,
      t`Position among the events of the transaction: ${index + 1}`,
      ...(name === undefined
        ? [...topics, data].filter((it) => it !== "").map((it) => `0x${visibleLine(it, 200)}`)
        : []),
      ...(withdrawn ? [t`The gateway now reports other blocks, and this event was not found in them.`] : []),
    ],
    spoken: `${label}. ${description}.`,
  };
}

/** Formats the events as JSON. Numbers are decimal strings, because they may exceed a number's precision. */
export function eventsExport(states: readonly EventWatchState[]): string {
  const watches = states.map(({ standing: { watch, readTo }, network, events, abi, active }) => ({
    id: watch.id,
    network,
    chain: watch.chain,
    contract: toBase58(watch.contract),
    filter: watch.filter.text,
    label: watch.label,
    after: watch.after,
    readTo,
    active,
    events: events.map((it) => eventJson(it, abi)),
  }));
  return `${JSON.stringify({ version: 1, watches }, undefined, 2)}\n`;
}

/** Returns an event in a list: its signature with the names of the parameters. */
export function eventItem({ name, parameters, indexed }: AbiCandidate): { label: string; description: string } {
  const fields = parameters.map((it, at) => {
    return [typeLabel(it), ...(indexed[at] === true ? ["indexed"] : []), nameText(it.name)].filter(Boolean).join(" ");
  });
  return { label: `$(symbol-event) ${name}`, description: visibleLine(fields.join(", "), 200) };
}

/**
 * Parses required values, such as `to = TWAFR…, value = 5`. A comma separates them only before another name, so lists
 * are values too.
 *
 * @returns undefined if a part has no name or no value
 */
export function readRequired(text: string): readonly EventArgument[] | undefined {
  if (text.trim() === "") return [];
  const parts = text.split(/,(?=\s*[\w$]+\s*=)/).map((part) => /^\s*([\w$]+)\s*=\s*(.*?)\s*$/s.exec(part));
  const required = parts.flatMap((match) => {
    const [, parameter = "", value = ""] = match ?? [];
    return value === "" || value.endsWith(",") ? [] : [{ parameter, value }];
  });
  return required.length === parts.length ? required : undefined;
}

/** Validates the first block while the user types; empty begins with the next block. */
export function checkFrom(text: string): Checked<number | "new"> {
  if (text.trim() === "") return { kind: "good", value: "new", message: t`New blocks only.` };
  const value = wholeNumberIn(text);
  if (value === undefined || value < 1n || value > 10n ** 12n)
    return { kind: "wrong", message: t`Write the number of a block.` };
  return { kind: "good", value: Number(value), message: t`Block ${grouped(value)} is the first one that is read.` };
}
