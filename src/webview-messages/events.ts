/**
 * Messages between the page of watched events and its panel. Types only: nothing of this file exists at run time. The
 * page shows and filters rows; none of their texts is markup.
 */
import type { TimelineRow, Tone } from "./timeline.ts";

/** An event as the page shows it. */
export interface EventRowView {
  /** Identifies the row in messages. A row with the id of another one replaces it. */
  readonly id: number;
  /** Block time, Unix ms: the newest event is shown first. */
  readonly at: number;
  readonly block: string;
  readonly time: string;
  readonly event: string;
  /** Arguments in one line. */
  readonly summary: string;
  /** One of `EventsPageView.contracts`. */
  readonly contract: string;
  readonly txId: string;
  /** True if the chain no longer contains it. */
  readonly removed: boolean;
  /** All that is known about the event: the arguments by name, and its position. */
  readonly details: readonly TimelineRow[];
}

/** A watch with its status. */
export interface EventWatchView {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly icon: string;
  readonly tone: Tone;
  /** Action of its button; null if it has none. */
  readonly action: "stop" | "resume" | null;
}

/** A contract, which filters the list. */
export interface EventContractView {
  readonly id: string;
  readonly label: string;
}

/** Everything of the page besides its rows. */
export interface EventsPageView {
  readonly title: string;
  readonly watches: readonly EventWatchView[];
  readonly contracts: readonly EventContractView[];
}

export type EventsFormat = "csv" | "jsonl";

export type ToEventsPage =
  /** Replaces everything. Rows follow. @property contract - the one to filter by; null keeps the filter */
  | { readonly kind: "show"; readonly page: EventsPageView; readonly contract: string | null; readonly total: number }
  /** Adds or replaces rows, and everything besides them. */
  | { readonly kind: "rows"; readonly page: EventsPageView; readonly rows: readonly EventRowView[] };

export type FromEventsPage =
  | { readonly kind: "ready" }
  /** Shows the transaction of a row. */
  | { readonly kind: "open"; readonly row: number }
  | { readonly kind: "act"; readonly action: "stop" | "resume"; readonly watch: string }
  /** Watches another contract. */
  | { readonly kind: "watch" }
  /** Exports these rows. */
  | { readonly kind: "export"; readonly format: EventsFormat; readonly rows: readonly number[] }
  | { readonly kind: "copy"; readonly text: string };
