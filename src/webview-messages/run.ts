/**
 * Messages between the page of a run and its panel. Types only: nothing of this file exists at run time. The page shows
 * and filters rows; none of their texts is markup.
 */
import type { Tone } from "./timeline.ts";

/** A row of the run as the page shows it. */
export interface RunRowView {
  /** Line of the file, from 1. */
  readonly row: number;
  /** One of `RunPageView.states`. */
  readonly state: string;
  readonly recipient: string;
  readonly amount: string;
  readonly label: string;
  readonly key: string;
  /** Sentences about the row; empty if there are none. */
  readonly detail: string;
}

/** A state of rows, which filters the list. */
export interface RunStateView {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly tone: Tone;
  readonly count: number;
}

/** A group of problems with the same cause. */
export interface RunCauseView {
  readonly tone: Tone;
  readonly text: string;
  /** First row that it concerns; null for the whole run. */
  readonly row: number | null;
}

/** Action of a button. The first three are of a review, the others of a stored run. */
export type RunPageAction =
  | ("start" | "again" | "copy")
  | ("pause" | "resume" | "stop" | "retry" | "export-csv" | "export-json");

export interface RunActionView {
  readonly action: RunPageAction;
  readonly label: string;
}

/** Rows of a stored run that are final, of all rows. */
export interface RunProgressView {
  readonly done: number;
  readonly total: number;
  /** Includes the rate and the time left, if they are known. */
  readonly text: string;
}

/** Everything of the page besides its rows. */
export interface RunPageView {
  /** ID of a stored run, which the page remembers for the next window; null for a review. */
  readonly run: string | null;
  readonly title: string;
  readonly icon: string;
  readonly tone: Tone;
  /** Review of the whole run, one line each. */
  readonly lines: readonly string[];
  readonly causes: readonly RunCauseView[];
  readonly progress: RunProgressView | null;
  readonly actions: readonly RunActionView[];
  readonly states: readonly RunStateView[];
  /** Number of rows that follow in messages. */
  readonly total: number;
}

export type ToRunPage =
  | { readonly kind: "show"; readonly page: RunPageView }
  /** Rows of the last `show`, in order, from an index on. */
  | { readonly kind: "rows"; readonly from: number; readonly rows: readonly RunRowView[] }
  /** Replaces everything besides the rows, and these rows. */
  | { readonly kind: "change"; readonly page: RunPageView; readonly rows: readonly RunRowView[] };

export type FromRunPage =
  | { readonly kind: "ready" }
  /** Shows a row: its place in the file, or the transaction of its last attempt. */
  | { readonly kind: "open"; readonly row: number }
  | { readonly kind: "act"; readonly action: RunPageAction };
