import type { LifeLine, LifeLineRow, ToLifeLinePage } from "../../src/webview-messages/life-line.ts";
import { byKind, count, flag, listOf, object, oneOf, orNull, type Read, text } from "../shared/read.ts";

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
    ...([
      "resend",
      "another-node",
      "look-now",
      "replace",
      "again",
      "sign",
      "export-proof",
      "stop-proof",
      "resume-proof",
    ] as const),
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

/** What the panel sends. @throws {TypeError} it does not fit */
export const readMessage = byKind<ToLifeLinePage>({ show: object({ life }), gone: object({ sentence: text }) });

/** What the page remembers when it is loaded anew. */
export interface Remembered {
  readonly txId: string;
}

export const readState: Read<Remembered> = object<Remembered>({ txId: text });
