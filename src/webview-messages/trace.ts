/**
 * Messages between the trace page and its panel. Types only: nothing of this file exists at run time. All values are
 * display text. The panel holds the trace; the page receives the visible rows and an aggregated chart.
 */
import type { SectionTable, TimelineRow, Tone } from "./timeline.ts";

/** Row of the tree of calls: a call, an event, a change of storage or a transfer. */
export interface TraceRow {
  readonly id: number;
  /** 1 for the first call. */
  readonly level: number;
  /** Position among the rows of the same parent, from 1, and their number. */
  readonly position: number;
  readonly siblings: number;
  /** Null if it has no children. */
  readonly isOpen: boolean | null;
  /** A codicon. */
  readonly icon: string;
  readonly tone: Tone;
  readonly label: string;
  readonly description: string;
  /** Energy with its share; empty for rows without energy. */
  readonly energy: string;
  /** Share of the energy of the whole run, per mille. */
  readonly share: number;
  /** `contracts/Leaf.sol:41`, if the source is known. */
  readonly source: string | null;
}

/** A line of the stack of a failure, the failing call first. */
interface TraceSite {
  /** `Leaf.transfer (contracts/Leaf.sol:41)`. */
  readonly text: string;
  readonly canOpen: boolean;
}

/** The failure of the run. */
export interface TraceFailure {
  readonly reason: string;
  readonly sites: readonly TraceSite[];
  /** Source lines around the first site, with their numbers; empty if the source is unknown. */
  readonly lines: readonly { readonly number: number; readonly text: string; readonly isSite: boolean }[];
  /** Reason why no line is named; null if one is. */
  readonly note: string | null;
}

/** Head of the page. */
export interface TraceHead {
  /** The transaction; null for a call that was not sent. */
  readonly txId: string | null;
  readonly title: string;
  readonly network: string;
  readonly state: { readonly text: string; readonly icon: string; readonly tone: Tone };
  readonly rows: readonly TimelineRow[];
  readonly notes: readonly string[];
  readonly failure: TraceFailure | null;
}

/** Details of a row. */
export interface TraceDetails {
  readonly title: string;
  readonly rows: readonly TimelineRow[];
  readonly tables: readonly SectionTable[];
}

/** Box of the flame chart. */
export interface FlameBox {
  readonly id: number;
  readonly parent: number | null;
  readonly depth: number;
  /** Left edge and width, per million of the chart. */
  readonly left: number;
  readonly width: number;
  readonly label: string;
  readonly energy: string;
  readonly own: string;
  readonly percent: string;
  readonly source: string | null;
}

/** Row of the table beside the chart. */
export interface EnergyRow {
  readonly id: number;
  readonly label: string;
  readonly source: string | null;
  readonly own: string;
  readonly percent: string;
  readonly count: string;
}

export type FlameBy = "function" | "line";

export type TraceFilter = "all" | "calls" | "failed" | "storage" | "events" | "transfers";

export type TraceAction = "copy-report" | "export-json" | "show-line-energy" | "show-transaction" | "debug";

export type ToTracePage =
  | {
      readonly kind: "show";
      readonly head: TraceHead;
      readonly pinned: boolean;
      /** Changes when the user opens the page, so that it takes the focus once. */
      readonly request: number;
    }
  | {
      readonly kind: "rows";
      /** Number of visible rows. */
      readonly total: number;
      /** Index of the first row of the list. */
      readonly from: number;
      readonly rows: readonly TraceRow[];
      /** Index of the selected row. */
      readonly selected: number;
      /** Number of rows that match the search; null without one. */
      readonly found: number | null;
    }
  | { readonly kind: "details"; readonly details: TraceDetails }
  | {
      readonly kind: "flame";
      readonly by: FlameBy;
      readonly boxes: readonly FlameBox[];
      readonly rows: readonly EnergyRow[];
      /** Remark about the data, or the reason why there are none. */
      readonly note: string | null;
    }
  /** Empty page with the reason. */
  | { readonly kind: "gone"; readonly sentence: string };

export type FromTracePage =
  /** The page is ready for messages. */
  | { readonly kind: "ready" }
  | { readonly kind: "act"; readonly action: TraceAction }
  | { readonly kind: "copy"; readonly text: string }
  /** Keeps the page open when another trace is shown. */
  | { readonly kind: "pin" }
  | { readonly kind: "rows"; readonly from: number; readonly count: number }
  | { readonly kind: "open"; readonly id: number; readonly isOpen: boolean }
  | { readonly kind: "select"; readonly index: number }
  | { readonly kind: "find"; readonly text: string; readonly filter: TraceFilter }
  /** Opens the source line of a row, of a site of the failure, or of a box. */
  | { readonly kind: "source"; readonly of: "row" | "site" | "box"; readonly id: number }
  /** Requests the chart below a box; null for the whole run. */
  | { readonly kind: "flame"; readonly by: FlameBy; readonly root: number | null };
