/*
 * What the decoder page and its panel say to each other. Types only: nothing of this file exists at run time. The panel
 * explains, the page shows: it decides nothing. Texts are masked before they come here, and none of them is markup.
 */
import type { Tone } from "./life-line.ts";

/** A part of the text that was pasted, in UTF-16 units. */
export interface DecoderSpan {
  readonly start: number;
  readonly end: number;
}

/** A decoded value in its tree. */
export interface DecoderField {
  /** Where it is in the tree, such as `2.0.1`. */
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly kind: "text" | "number" | "hex" | "address" | "tx-id" | "time" | "list";
  /** The type of the ABI, where there is one. */
  readonly type: string | null;
  /** What else is known of the value: the name of an account, the time in words. */
  readonly note: string | null;
  /** Where in the text it was read from. */
  readonly at: DecoderSpan | null;
  readonly children: readonly DecoderField[];
}

/** One reading of several. */
export interface DecoderCandidate {
  readonly code: string;
  readonly title: string;
  readonly reason: string;
  readonly chosen: boolean;
  /** Whether the fields can be read in this way; else it is a hint alone. */
  readonly choosable: boolean;
}

export type DecoderAction =
  | "resend"
  | "another-node"
  | "replace"
  | "again"
  | "sign"
  | "export-proof"
  | "look-now"
  | "life-line"
  | "show-in-list"
  | "track"
  | "decode-transaction";

export interface DecoderButton {
  readonly action: DecoderAction;
  readonly label: string;
  readonly icon: string;
  readonly primary: boolean;
  readonly txId: string;
}

/** What somebody says, with its look. */
export interface DecoderSaying {
  readonly icon: string;
  readonly tone: Tone;
  readonly text: string;
  readonly detail: string | null;
}

/** A value that says most, by the names that lead to it. */
export interface DecoderFact {
  readonly name: string;
  readonly value: string;
  readonly exact: boolean;
}

/** The text letter by letter. */
export interface DecoderRaw {
  /** How long it is. */
  readonly facts: readonly string[];
  readonly text: string;
  /** Encoded data in words of 32 bytes; empty for other texts. */
  readonly words: readonly { readonly name: string; readonly value: string }[];
}

/** Who says so; with `place` the documentation says more there. */
export interface DecoderSource {
  readonly text: string;
  readonly place: string | null;
}

/** All that the page shows about one text. */
export interface DecoderReading {
  readonly badge: DecoderSaying;
  readonly code: string;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly retry: DecoderSaying;
  /** The transaction that it is about, when this computer follows it. */
  readonly tracked: DecoderSaying | null;
  readonly buttons: readonly DecoderButton[];
  /** Some of the fields, to read at a glance. */
  readonly facts: readonly DecoderFact[];
  readonly fields: readonly DecoderField[];
  readonly candidates: readonly DecoderCandidate[];
  readonly sources: readonly DecoderSource[];
  readonly raw: DecoderRaw;
  /** What was recognised in the text, in order. */
  readonly marks: readonly DecoderSpan[];
  /** What a person should know of the text itself: marks that nobody sees, or that it was cut. */
  readonly warnings: readonly string[];
}

/** A text to try. */
export interface DecoderExample {
  readonly label: string;
  readonly icon: string;
  readonly text: string;
}

export type ToDecoderPage =
  | { readonly kind: "examples"; readonly examples: readonly DecoderExample[] }
  /** Puts a text into the page. The page repeats `request` when it asks for the explanation of this text. */
  | { readonly kind: "open"; readonly request: number; readonly text: string; readonly origin: string | null }
  | {
      readonly kind: "explained";
      /** Which text of the page this is about. */
      readonly revision: number;
      /** Null for no text. */
      readonly reading: DecoderReading | null;
      /** What the page may remember when there was a secret in its text; null when it may remember all. */
      readonly masked: string | null;
    }
  /** What is said of sending again names seconds, which go on. */
  | { readonly kind: "verdict"; readonly revision: number; readonly retry: DecoderSaying };

/** What can be copied; a field by its id. */
export type DecoderCopy = "field" | "raw" | "report" | "plain";

export type FromDecoderPage =
  /** The page can take messages. */
  | { readonly kind: "ready" }
  /** `request` is the last `open` message that the page received; 0 if it received none. */
  | {
      readonly kind: "explain";
      readonly request: number;
      readonly revision: number;
      readonly text: string;
      readonly choice: string;
    }
  | { readonly kind: "act"; readonly action: DecoderAction; readonly txId: string }
  | { readonly kind: "copy"; readonly what: DecoderCopy; readonly id: string }
  /** Opens the documentation at the place of a source. */
  | { readonly kind: "read-on"; readonly place: string }
  /** Puts the clipboard into the page: a person pressed the button. */
  | { readonly kind: "paste" };
