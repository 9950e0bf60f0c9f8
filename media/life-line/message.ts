import type { LifeLine, LifeLineRow, ToLifeLinePage } from "../../src/webview-messages/life-line.ts";
import { count, flag, listOf, object, oneOf, orNull, type Read, text } from "../shared/read.ts";

const tone = oneOf("good", "bad", "warning", "moving", "neutral");
const rows = listOf(object<LifeLineRow>({ name: text, value: text, exact: flag }));

const stage = object<LifeLine["stages"][number]>({
  label: text,
  tone,
  icon: text,
  spoken: text,
  mark: oneOf("done", "now", "open", "failed", "ahead", "never"),
});

const step = object<LifeLine["steps"][number]>({
  id: text,
  icon: text,
  tone,
  label: text,
  description: text,
  rows,
  txId: orNull(text),
});

const proof = object<NonNullable<LifeLine["proof"]>>({
  title: text,
  icon: text,
  tone,
  sentence: text,
  rows,
  progress: orNull(object<{ read: number; total: number }>({ read: count, total: count })),
});

const button = object<LifeLine["buttons"][number]>({
  action: oneOf(
    ...(["resend", "another-node", "look-now", "replace", "export-proof", "stop-proof", "resume-proof"] as const),
    ...(["copy-report", "show-in-list"] as const),
  ),
  label: text,
  icon: text,
  primary: flag,
  whyNot: orNull(text),
});

const life = object<LifeLine>({
  txId: text,
  title: text,
  network: text,
  production: flag,
  advice: orNull(text),
  rows,
  state: object<LifeLine["state"]>({ text, icon: text, tone }),
  stages: listOf(stage),
  steps: listOf(step),
  proof: orNull(proof),
  buttons: listOf(button),
});

const show = object<Extract<ToLifeLinePage, { kind: "show" }>>({ kind: oneOf("show"), life });
const gone = object<Extract<ToLifeLinePage, { kind: "gone" }>>({ kind: oneOf("gone"), sentence: text });
const kindOf = object<{ readonly kind: "show" | "gone" }>({ kind: oneOf("show", "gone") });

/** What the panel sends. @throws {TypeError} it does not fit */
export const readMessage: Read<ToLifeLinePage> = (value) => (kindOf(value).kind === "show" ? show(value) : gone(value));

/** What the page remembers when it is loaded anew. */
export interface Remembered {
  readonly txId: string;
}

export const readState: Read<Remembered> = object<Remembered>({ txId: text });
