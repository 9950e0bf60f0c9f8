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
  | "show-in-list";

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
  readonly stages: readonly TimelineStage[];
  readonly steps: readonly TimelineStep[];
  readonly proof: TimelineProof | null;
  readonly buttons: readonly TimelineButton[];
  readonly rows: readonly TimelineRow[];
}

export type ToTimelinePage =
  | { readonly kind: "show"; readonly life: Timeline }
  /** Empty page with the reason. */
  | { readonly kind: "gone"; readonly sentence: string };

export type FromTimelinePage =
  /** The page is ready for messages. */
  | { readonly kind: "ready" }
  | { readonly kind: "act"; readonly action: TimelineAction }
  | { readonly kind: "copy"; readonly text: string }
  /** Shows another transaction. */
  | { readonly kind: "open"; readonly txId: string };
