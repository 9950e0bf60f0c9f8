/*
 * What the page of a connection test and its panel say to each other. Types only: nothing of this file exists at run
 * time. Everything is text for people, and no secret crosses here.
 */
import type { Tone } from "./life-line.ts";

/** How a line of the checklist stands. `waiting` was not looked at yet, `running` is being looked at. */
export type LineState = "waiting" | "running" | "ok" | "warning" | "failed" | "skipped";

/** What a person can do about a line. */
export interface ConnectionFix {
  /** Which line. */
  readonly id: string;
  readonly label: string;
}

export interface ConnectionLine {
  readonly id: string;
  readonly title: string;
  readonly state: LineState;
  readonly tone: Tone;
  /** A codicon. */
  readonly icon: string;
  /** The state in one word, for who does not see the icon. */
  readonly spoken: string;
  readonly sentence: string | null;
  readonly nextStep: string | null;
  /** How long the answer took, in words. */
  readonly took: string | null;
  readonly fix: ConnectionFix | null;
}

export interface ConnectionGroup {
  readonly id: string;
  readonly title: string;
  /** How many of its lines are fine. */
  readonly summary: string;
  /** Whether it is folded until somebody wants to see it. */
  readonly folded: boolean;
  readonly lines: readonly ConnectionLine[];
}

export type ConnectionAction = "cancel" | "again" | "copy-report" | "show-log" | "accept-chain";

export interface ConnectionButton {
  readonly action: ConnectionAction;
  readonly label: string;
  readonly icon: string;
  readonly primary: boolean;
}

/** All that the page shows. */
export interface ConnectionChecklist {
  readonly network: string;
  readonly production: boolean;
  readonly title: string;
  readonly state: { readonly text: string; readonly icon: string; readonly tone: Tone };
  /** The line that names the cause; null while nothing failed. */
  readonly cause: ConnectionLine | null;
  /** Lines looked at and all of them, while the test runs. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly groups: readonly ConnectionGroup[];
  readonly buttons: readonly ConnectionButton[];
}

export type ToConnectionPage = { readonly kind: "show"; readonly checklist: ConnectionChecklist };

export type FromConnectionPage =
  /** The page can take messages. */
  | { readonly kind: "ready" }
  | { readonly kind: "act"; readonly action: ConnectionAction }
  /** Does what a line proposes. */
  | { readonly kind: "fix"; readonly id: string };
