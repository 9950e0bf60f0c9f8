/**
 * Messages between the decoder's page and panel. Types only: nothing of this file exists at run time. The panel
 * explains, the page only displays. Texts are masked before they come here, and none of them is markup.
 */
import type { Tone } from "./timeline.ts";

/** Range of the pasted text, in UTF-16 units. */
export interface DecoderSpan {
  readonly start: number;
  readonly end: number;
}

/** A decoded value in its tree. */
export interface DecoderField {
  /** Path in the tree, such as `2.0.1`. */
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly kind: "text" | "number" | "hex" | "address" | "tx-id" | "time" | "list";
  /** ABI type, if known. */
  readonly type: string | null;
  /** Additional information: the name of an account, a time as text. */
  readonly note: string | null;
  /** Range of the text that holds the value. */
  readonly at: DecoderSpan | null;
  readonly children: readonly DecoderField[];
}

/** One of several interpretations. */
export interface DecoderCandidate {
  readonly code: string;
  readonly title: string;
  readonly reason: string;
  readonly chosen: boolean;
  /** True if the fields can be decoded this way; otherwise it is only a hint. */
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
  | "timeline"
  | "trace"
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

/** A message with its style. */
export interface DecoderStatus {
  readonly icon: string;
  readonly tone: Tone;
  readonly text: string;
  readonly detail: string | null;
}

/** An important value, with the names on its path. */
export interface DecoderFact {
  readonly name: string;
  readonly value: string;
  readonly exact: boolean;
}

/** The text itself. */
export interface DecoderRaw {
  /** Length of the text. */
  readonly facts: readonly string[];
  readonly text: string;
  /** Encoded data in words of 32 bytes; empty for other texts. */
  readonly words: readonly { readonly name: string; readonly value: string }[];
}

/** A source; `place` links to a section of the documentation. */
export interface DecoderSource {
  readonly text: string;
  readonly place: string | null;
}

/** Content of the page for one text. */
export interface DecoderContent {
  readonly badge: DecoderStatus;
  readonly code: string;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly retry: DecoderStatus;
  /** The transaction, if this computer tracks it. */
  readonly tracked: DecoderStatus | null;
  readonly buttons: readonly DecoderButton[];
  /** Key fields at a glance. */
  readonly facts: readonly DecoderFact[];
  readonly fields: readonly DecoderField[];
  readonly candidates: readonly DecoderCandidate[];
  readonly sources: readonly DecoderSource[];
  readonly raw: DecoderRaw;
  /** Recognised parts of the text, in order. */
  readonly marks: readonly DecoderSpan[];
  /** Warnings about the text itself, such as invisible characters or truncation. */
  readonly warnings: readonly string[];
}

/** An example text. */
export interface DecoderExample {
  readonly label: string;
  readonly icon: string;
  readonly text: string;
}

export type ToDecoderPage =
  | { readonly kind: "examples"; readonly examples: readonly DecoderExample[] }
  /** Sets the text of the page. The page repeats `request` when it requests the explanation. */
  | { readonly kind: "open"; readonly request: number; readonly text: string; readonly origin: string | null }
  | {
      readonly kind: "explained";
      /** Identifies the text of the page. */
      readonly revision: number;
      /** Null for no text. */
      readonly reading: DecoderContent | null;
      /** Text that the page may store if its text contained a secret; null if it may store everything. */
      readonly masked: string | null;
    }
  /** Updates the retry advice, which counts seconds. */
  | { readonly kind: "verdict"; readonly revision: number; readonly retry: DecoderStatus };

/** Content to copy; a field by its ID. */
export type DecoderCopy = "field" | "raw" | "report" | "plain";

export type FromDecoderPage =
  /** The page is ready for messages. */
  | { readonly kind: "ready" }
  /** `request` of the last `open` message; 0 if there was none. */
  | {
      readonly kind: "explain";
      readonly request: number;
      readonly revision: number;
      readonly text: string;
      readonly choice: string;
    }
  | { readonly kind: "act"; readonly action: DecoderAction; readonly txId: string }
  | { readonly kind: "copy"; readonly what: DecoderCopy; readonly id: string }
  /** Opens the documentation of a source. */
  | { readonly kind: "read-on"; readonly place: string }
  /** Pastes the clipboard into the page after the user pressed the button. */
  | { readonly kind: "paste" };
