/**
 * Messages between the timeline's page and panel. Types only: nothing of this file exists at run time. All values are
 * display text, and none contains a secret. The page has no state of its own and decides nothing.
 */

/** Style: `moving` may still change, `warning` needs attention, `neutral` is neither good nor bad. */
export type Tone = "good" | "bad" | "warning" | "moving" | "neutral";

/** State of a stage. `never` means that it will not be reached any more. */
export type StageMark = "done" | "now" | "open" | "failed" | "ahead" | "never";

/** One of signed, sent, pool, block, end. */
export interface TimelineStage {
  readonly label: string;
  readonly mark: StageMark;
  readonly tone: Tone;
  /** A codicon. */
  readonly icon: string;
  /** The same as text, for screen readers. */
  readonly spoken: string;
}

/** A detail with its label and value. */
export interface TimelineRow {
  readonly name: string;
  readonly value: string;
  /** True for an ID or bytes, shown in a fixed-width font with a copy button. */
  readonly exact: boolean;
}

/** An event. */
export interface TimelineStep {
  readonly id: string;
  readonly icon: string;
  readonly tone: Tone;
  readonly label: string;
  readonly description: string;
  readonly rows: readonly TimelineRow[];
  /** Linked transaction. */
  readonly txId: string | null;
}

/** Proof of absence: complete, in progress, or not started with its cost. */
export interface TimelineProof {
  readonly title: string;
  readonly icon: string;
  readonly tone: Tone;
  readonly sentence: string;
  /** Blocks that were read and that remain, while the proof is in progress. */
  readonly progress: { readonly read: number; readonly total: number } | null;
  readonly rows: readonly TimelineRow[];
}

/** Text of a table cell. */
export interface TableCell {
  readonly text: string;
  /** Value that a button copies, for an address or bytes; null for other cells. */
  readonly copy: string | null;
}

/** Table with a title, such as the arguments of a call. */
export interface SectionTable {
  readonly title: string;
  readonly note: string | null;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly TableCell[])[];
}

/** Long text that is collapsed at first. */
export interface SectionText {
  readonly title: string;
  readonly text: string;
}

export type SectionId = "call" | "cost" | "result" | "events" | "internal" | "raw";

/** Part of the page: call, cost, result, events, internal transactions, or raw data. */
export interface TransactionSection {
  readonly id: SectionId;
  readonly title: string;
  /** Remark, or the reason why data are missing. */
  readonly note: string | null;
  readonly rows: readonly TimelineRow[];
  readonly tables: readonly SectionTable[];
  readonly texts: readonly SectionText[];
  readonly buttons: readonly TimelineButton[];
}

export type TimelineAction =
  | "resend"
  | "another-node"
  | "look-now"
  | "replace"
  | "again"
  | "sign"
  | "export-proof"
  | "stop-proof"
  | "resume-proof"
  | "copy-report"
  | "copy-text"
  | "copy-json"
  | "show-in-list"
  | "open-explorer"
  | "call-contract"
  | "read-contract"
  | "trace"
  | "debug"
  | "trace-failure"
  | "read-again";

export interface TimelineButton {
  readonly action: TimelineAction;
  readonly label: string;
  readonly icon: string;
  readonly primary: boolean;
  /** Reason why it is disabled; null if enabled. */
  readonly whyNot: string | null;
}

/** Content of the page. */
export interface Timeline {
  readonly txId: string;
  readonly title: string;
  readonly network: string;
  readonly production: boolean;
  readonly state: { readonly text: string; readonly icon: string; readonly tone: Tone };
  readonly advice: string | null;
  /** Call, cost, result, events and internal transactions. */
  readonly sections: readonly TransactionSection[];
  /** Signed bytes. */
  readonly raw: TransactionSection;
  readonly stages: readonly TimelineStage[];
  readonly steps: readonly TimelineStep[];
  readonly proof: TimelineProof | null;
  readonly buttons: readonly TimelineButton[];
  readonly rows: readonly TimelineRow[];
}

export type ToTimelinePage =
  | {
      readonly kind: "show";
      readonly life: Timeline;
      readonly pinned: boolean;
      /** Section to scroll to, once for each request; null to keep the position. */
      readonly reveal: { readonly section: SectionId; readonly request: number } | null;
    }
  /** Empty page with the reason. */
  | { readonly kind: "gone"; readonly sentence: string };

export type FromTimelinePage =
  /** The page is ready for messages. */
  | { readonly kind: "ready" }
  | { readonly kind: "act"; readonly action: TimelineAction }
  | { readonly kind: "copy"; readonly text: string }
  /** Keeps the page open when another transaction is shown. */
  | { readonly kind: "pin" }
  /** Shows another transaction. */
  | { readonly kind: "open"; readonly txId: string };
