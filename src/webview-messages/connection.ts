/**
 * Messages between the connection test's page and panel. Types only: nothing of this file exists at run time. All
 * values are display text, and none contains a secret.
 */
import type { Tone } from "./timeline.ts";

/** State of a checklist line. `waiting` has not started, `running` is in progress. */
export type LineState = "waiting" | "running" | "ok" | "warning" | "failed" | "skipped";

/** Actions that a line offers. */
export interface ConnectionFix {
  /** ID of the line. */
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
  /** State in one word, for screen readers. */
  readonly spoken: string;
  readonly sentence: string | null;
  readonly nextStep: string | null;
  /** Duration of the request, as text. */
  readonly took: string | null;
  readonly fix: ConnectionFix | null;
}

export interface ConnectionGroup {
  readonly id: string;
  readonly title: string;
  /** Number of lines that passed. */
  readonly summary: string;
  /** True if the group is collapsed at first. */
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

/** Content of the page. */
export interface ConnectionChecklist {
  readonly network: string;
  readonly production: boolean;
  readonly title: string;
  readonly state: { readonly text: string; readonly icon: string; readonly tone: Tone };
  /** Line that names the cause; null while nothing failed. */
  readonly cause: ConnectionLine | null;
  /** Checked lines and all lines, while the test runs. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly groups: readonly ConnectionGroup[];
  readonly buttons: readonly ConnectionButton[];
}

export type ToConnectionPage = { readonly kind: "show"; readonly checklist: ConnectionChecklist };

export type FromConnectionPage =
  /** The page is ready for messages. */
  | { readonly kind: "ready" }
  | { readonly kind: "act"; readonly action: ConnectionAction }
  /** Runs the action of a line. */
  | { readonly kind: "fix"; readonly id: string };
