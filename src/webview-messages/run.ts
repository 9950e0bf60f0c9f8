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

/** Everything of the page besides its rows. */
export interface RunPageView {
  readonly title: string;
  readonly icon: string;
  readonly tone: Tone;
  /** Review of the whole run, one line each. */
  readonly lines: readonly string[];
  readonly causes: readonly RunCauseView[];
  readonly states: readonly RunStateView[];
  /** Number of rows that follow in messages. */
  readonly total: number;
}

export type ToRunPage =
  | { readonly kind: "show"; readonly page: RunPageView }
  /** Rows of the last `show`, in order, from an index on. */
  | { readonly kind: "rows"; readonly from: number; readonly rows: readonly RunRowView[] };

export type FromRunPage =
  | { readonly kind: "ready" }
  /** Shows a row in its file. */
  | { readonly kind: "open"; readonly row: number }
  /** Reads and validates the file again. */
  | { readonly kind: "again" }
  | { readonly kind: "copy" };
