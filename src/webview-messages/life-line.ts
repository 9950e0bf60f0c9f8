/*
 * What the page of a life line and its panel say to each other. Types only: nothing of this file exists at run time.
 * Everything is text for people: a page has no truth of its own and decides nothing. No secret crosses here.
 */

/** How something looks: `moving` may still change, `warning` wants care, `neutral` is neither good nor bad. */
export type Tone = "good" | "bad" | "warning" | "moving" | "neutral";

/** Where a stage of the life stands. `never` will not be reached any more. */
export type StageMark = "done" | "now" | "open" | "failed" | "ahead" | "never";

/** One of signed, sent, pool, block, end. */
export interface LifeLineStage {
  readonly label: string;
  readonly mark: StageMark;
  readonly tone: Tone;
  /** A codicon. */
  readonly icon: string;
  /** The same in words, for screen readers. */
  readonly spoken: string;
}

/** A detail: what it is, and its value. */
export interface LifeLineRow {
  readonly name: string;
  readonly value: string;
  /** Whether it is an ID or bytes: shown letter by letter, with a button that copies it. */
  readonly exact: boolean;
}

/** Something that happened. */
export interface LifeLineStep {
  readonly id: string;
  readonly icon: string;
  readonly tone: Tone;
  readonly label: string;
  readonly description: string;
  readonly rows: readonly LifeLineRow[];
  /** Another transaction that it leads to. */
  readonly txId: string | null;
}

/** The proof of absence: given, on its way, or what it would take. */
export interface LifeLineProof {
  readonly title: string;
  readonly icon: string;
  readonly tone: Tone;
  readonly sentence: string;
  /** Blocks read and to be read, while they are. */
  readonly progress: { readonly read: number; readonly total: number } | null;
  readonly rows: readonly LifeLineRow[];
}

export type LifeLineAction =
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

export interface LifeLineButton {
  readonly action: LifeLineAction;
  readonly label: string;
  readonly icon: string;
  readonly primary: boolean;
  /** Why it cannot be done now; null when it can. */
  readonly whyNot: string | null;
}

/** All that the page shows. */
export interface LifeLine {
  readonly txId: string;
  readonly title: string;
  readonly network: string;
  readonly production: boolean;
  readonly state: { readonly text: string; readonly icon: string; readonly tone: Tone };
  readonly advice: string | null;
  readonly stages: readonly LifeLineStage[];
  readonly steps: readonly LifeLineStep[];
  readonly proof: LifeLineProof | null;
  readonly buttons: readonly LifeLineButton[];
  readonly rows: readonly LifeLineRow[];
}

export type ToLifeLinePage =
  | { readonly kind: "show"; readonly life: LifeLine }
  /** There is nothing to show, and why. */
  | { readonly kind: "gone"; readonly sentence: string };

export type FromLifeLinePage =
  /** The page can take messages. */
  | { readonly kind: "ready" }
  | { readonly kind: "act"; readonly action: LifeLineAction }
  | { readonly kind: "copy"; readonly text: string }
  /** Shows the life of another transaction. */
  | { readonly kind: "open"; readonly txId: string };
