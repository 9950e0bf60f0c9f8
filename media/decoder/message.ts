import type {
  DecoderCandidate,
  DecoderContent,
  DecoderExample,
  DecoderFact,
  DecoderField,
  DecoderSource,
  DecoderSpan,
  DecoderStatus,
  ToDecoderPage,
} from "../../src/webview-messages/decoder.ts";
import { byKind, count, flag, listOf, object, oneOf, orNull, type Read, text } from "../shared/read.ts";

const tone = oneOf("good", "bad", "warning", "moving", "neutral");
const statusReader = object<DecoderStatus>({ icon: text, tone, text, detail: orNull(text) });
const span = object<DecoderSpan>({ start: count, end: count });
const pair = object<{ name: string; value: string }>({ name: text, value: text });

const fact = object<DecoderFact>({ name: text, value: text, exact: flag });

const field: Read<DecoderField> = object<DecoderField>({
  id: text,
  name: text,
  value: text,
  type: orNull(text),
  note: orNull(text),
  at: orNull(span),
  kind: oneOf("text", "number", "hex", "address", "tx-id", "time", "list"),
  children: (value) => listOf(field)(value),
});

const button = object<DecoderContent["buttons"][number]>({
  action: oneOf(
    ...(["resend", "another-node", "replace", "again", "sign", "export-proof"] as const),
    ...(["look-now", "timeline", "trace", "show-in-list", "track", "decode-transaction"] as const),
  ),
  label: text,
  icon: text,
  primary: flag,
  txId: text,
});

const candidate = object<DecoderCandidate>({
  code: text,
  title: text,
  reason: text,
  chosen: flag,
  choosable: flag,
});

const content = object<DecoderContent>({
  badge: statusReader,
  code: text,
  title: text,
  cause: text,
  fix: text,
  retry: statusReader,
  tracked: orNull(statusReader),
  buttons: listOf(button),
  fields: listOf(field),
  candidates: listOf(candidate),
  sources: listOf(object<DecoderSource>({ text, place: orNull(text) })),
  raw: object<DecoderContent["raw"]>({ facts: listOf(text), text, words: listOf(pair) }),
  facts: listOf(fact),
  marks: listOf(span),
  warnings: listOf(text),
});

const example = object<DecoderExample>({ label: text, icon: text, text });

/**
 * Parses a message from the panel.
 *
 * @throws {TypeError} it does not fit
 */
export const readMessage = byKind<ToDecoderPage>({
  examples: object({ examples: listOf(example) }),
  open: object({ request: count, text, origin: orNull(text) }),
  explained: object({ revision: count, reading: orNull(content), masked: orNull(text) }),
  verdict: object({ revision: count, retry: statusReader }),
});

export type TabName = "cause" | "fields" | "raw";

/** Page state that survives a reload: the text without secrets, and the user's position. */
export interface Remembered {
  readonly text: string;
  readonly origin: string | null;
  readonly tab: TabName;
  readonly choice: string;
}

export const readState: Read<Remembered> = object<Remembered>({
  text,
  origin: orNull(text),
  tab: oneOf("cause", "fields", "raw"),
  choice: text,
});
