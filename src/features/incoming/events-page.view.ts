import type { FoundEvent } from "@finality/client/events";
import { networkLabel } from "@finality/client/gateway";
import { eventJson, eventLabels } from "@finality/client/labels";
import type { AbiIndex } from "@finality/tron/abi";
import { grouped, shortAddress } from "@finality/tron/format";
import { toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { EventContractView, EventRowView, EventsPageView, EventWatchView } from "../../webview-messages/events.ts";
import type { TimelineRow } from "../../webview-messages/timeline.ts";
import { describeEventWatch, type EventWatchState } from "./events.view.ts";
import type { IncomingContext } from "./incoming.view.ts";

/** Returns the text of the page, besides its rows. */
export function eventsPage(states: readonly EventWatchState[], context: IncomingContext): EventsPageView {
  const contracts = new Map(states.map((state) => [contractIdOf(state), contractView(state, context)]));
  return {
    title: t`Events`,
    watches: states.map((state) => watchView(state, context)),
    contracts: [...contracts.values()],
  };
}

/** Returns the ID of the contract of a watch in the filter of the page: addresses of two chains can be equal. */
export function contractIdOf({ network, standing }: EventWatchState): string {
  return `${network} ${toBase58(standing.watch.contract)}`;
}

function contractView(state: EventWatchState, { nameOf }: IncomingContext): EventContractView {
  const label = `${shortAddress(state.standing.watch.contract, nameOf)} · ${networkLabel(state.network)}`;
  return { id: contractIdOf(state), label: visibleLine(label, 80) };
}

const ACTIONS: Readonly<Record<string, "stop" | "resume" | undefined>> = {
  "events.active": "stop",
  "events.stopped": "resume",
};

function watchView(state: EventWatchState, context: IncomingContext): EventWatchView {
  const { label, description, icon, color, contextValue } = describeEventWatch(state, context);
  const { watch, readTo } = state.standing;
  const position = t`read up to block ${grouped(readTo.number)}`;
  const tone = color === "charts.yellow" ? "warning" : color === undefined ? "neutral" : "moving";
  const action = ACTIONS[contextValue] ?? null;
  return { id: watch.id, title: label, status: `${description} · ${position}`, icon, tone, action };
}

/** Returns the row of an event. @param id - identifies the row in messages */
export function eventRow(
  id: number,
  found: FoundEvent,
  state: EventWatchState,
  context: IncomingContext,
): EventRowView {
  const { event, withdrawn } = found;
  const { nameOf, timeOf } = context;
  const { name, text, arguments: fields } = eventLabels(event, state.abi, nameOf);
  const named = fields.map(({ name: field, value, kind, type }): TimelineRow => {
    const title = type === undefined ? field : `${field} (${type})`;
    return { name: visibleLine(title, 100), value: visibleLine(value, 2_000), exact: kind !== "list" };
  });
  const topics = [...event.topics, event.data].filter((it) => it !== "");
  const raw = topics.map((it, at): TimelineRow => {
    const isData = at === event.topics.length;
    return { name: isData ? t`Data` : t`Topic ${at + 1}`, value: `0x${visibleLine(it, 2_000)}`, exact: true };
  });
  const title = name === undefined ? t`unknown event` : visibleLine(name, 100);
  const line = name === undefined ? topics.map((it) => `0x${it}`).join(" ") : text.slice(name.length + 1, -1);
  return {
    id,
    at: event.block.timestamp,
    block: grouped(event.block.number),
    time: timeOf(event.block.timestamp),
    event: withdrawn ? t`${title} (removed)` : title,
    summary: visibleLine(line, 500),
    contract: contractIdOf(state),
    txId: event.txId,
    removed: withdrawn,
    details: [
      ...(name === undefined ? raw : named),
      { name: t`Contract`, value: toBase58(event.contract), exact: true },
      { name: t`Position in the transaction`, value: String(event.index + 1), exact: false },
      ...(withdrawn ? [{ name: t`State`, value: t`The chain no longer contains this event.`, exact: false }] : []),
    ],
  };
}

/** Events with the names for them, and their network. */
interface NetworkEvents {
  readonly events: readonly FoundEvent[];
  readonly abi: AbiIndex;
  readonly network: string;
}

/** Formats events as JSON Lines: one object for each event, as in the JSON export. */
export function eventLines(all: readonly NetworkEvents[]): string {
  return all
    .flatMap(({ events, abi, network }) => events.map((it) => JSON.stringify({ network, ...eventJson(it, abi) })))
    .map((it) => `${it}\n`)
    .join("");
}
