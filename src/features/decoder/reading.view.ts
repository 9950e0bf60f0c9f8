import {
  type Category,
  type Explanation,
  fixNow,
  isOpenRefusal,
  isVerdictOf,
  type ReasonOf,
  type RetryVerdict,
  shownSources,
} from "@finality/client/explain";
import { judge, type TrackedTransaction } from "@finality/client/tracking";
import type { NameOf } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { describeValidity, transactionLabel } from "../../labels/transactions.ts";
import type { DecoderReading, DecoderSaying } from "../../webview-messages/decoder.ts";
import { describeButtons, txIdIn } from "./buttons.view.ts";
import type { Choosing } from "./candidates.view.ts";
import { describeFacts, describeFields } from "./fields.view.ts";
import { mergeSpans, placeOfWord, placesIn } from "./marks.view.ts";
import { describeRaw, describeWarnings } from "./raw.view.ts";
import { describeStanding } from "./standing.view.ts";

export interface ReadingContext {
  readonly nameOf: NameOf;
  readonly reasonOf: ReasonOf;
  /** The transaction that the text names, when this computer follows it. */
  readonly tracked: TrackedTransaction | undefined;
  readonly fallbackUrls: readonly string[];
  /** About now by the chain of the transaction, ms. */
  readonly chainTime?: number | undefined;
}

const LONG = 2_000;

/** An explanation as the page shows it. Pure: the same facts give the same page, and texts of the chain stay texts. */
export function describeReading({ explanation, candidates }: Choosing, context: ReadingContext): DecoderReading {
  const { code, title, cause, decoded, sources, raw } = explanation;
  const { nameOf, reasonOf, tracked, fallbackUrls, chainTime } = context;
  const fields = describeFields(decoded, nameOf, placesIn(raw));
  const spans = [
    ...placeOfWord(raw, code),
    ...fields.flatMap(function spansOf({ at, children }): DecoderSpans {
      return [...(at === null ? [] : [at]), ...children.flatMap(spansOf)];
    }),
  ];
  return {
    badge: describeCategory(explanation),
    code: visibleLine(code),
    title: visibleLine(title, LONG),
    cause: visibleLine(cause, LONG),
    fix: visibleLine(fixNow(explanation, tracked, chainTime), LONG),
    retry: tracked?.signed === undefined ? describeRetry(explanation) : describeTrackedRetry(tracked, chainTime),
    tracked: tracked === undefined ? null : tellTracked(tracked, nameOf, reasonOf),
    buttons: describeButtons(txIdIn(decoded), tracked, fallbackUrls, chainTime),
    facts: describeFacts(fields, code),
    fields,
    candidates,
    sources: shownSources(sources).map(({ text, place = null }) => ({ text: visibleLine(text), place })),
    raw: describeRaw(raw),
    marks: mergeSpans(spans),
    warnings: describeWarnings(raw),
  };
}

type DecoderSpans = DecoderReading["marks"];

/** Where it failed. */
function describeCategory(explanation: Explanation): DecoderSaying {
  if (isVerdictOf(explanation.retry, "not-known")) return { ...BADGES.none, detail: t`Not recognised` };
  return isOpenRefusal(explanation)
    ? { ...BADGES.validation, detail: t`What the node answered` }
    : BADGES[explanation.category];
}

const BADGES: { readonly [C in Category]: DecoderSaying } = {
  http: { icon: "globe", tone: "warning", text: t`HTTP`, detail: t`No usable answer of a node` },
  validation: { icon: "shield", tone: "bad", text: t`Validation`, detail: t`Refused before it was executed` },
  execution: { icon: "flame", tone: "bad", text: t`Execution`, detail: t`Failed while it was executed` },
  abi: { icon: "symbol-structure", tone: "bad", text: t`ABI`, detail: t`In encoded data` },
  none: { icon: "info", tone: "neutral", text: t`Information`, detail: t`Not a failure` },
};

/** Whether the same bytes may be sent again, as the catalogue says for the text alone. */
export function describeRetry({ retry }: Pick<Explanation, "retry">): DecoderSaying {
  if (isVerdictOf(retry, "nothing-to-retry"))
    return { icon: "dash", tone: "neutral", text: t`There is nothing to send again`, detail: null };
  if (isVerdictOf(retry, "done")) return { ...NOTHING_TO_DO, detail: sentence(retry.when ?? "") };
  if (isVerdictOf(retry, "not-known"))
    return {
      icon: "dash",
      tone: "neutral",
      text: t`What it means for a transaction is not known`,
      detail: sentence(retry.when ?? ""),
    };
  return { ...RETRIES[retry.sameBytes], detail: retry.when === undefined ? null : sentence(retry.when) };
}

/** The same for a transaction that is followed here: its whole history decides, and not the text alone. */
export function describeTrackedRetry(tracked: TrackedTransaction, chainTime: number | undefined): DecoderSaying {
  const { row, sameBytes, when, advice, sendSameBytes } = judge(tracked, { chainTime });
  const condition = when === undefined ? [] : [sentence(t`when ${when}`)];
  const validity = describeValidity(tracked, chainTime);
  const counted = validity === undefined ? [] : [sentence(validity)];
  if (!sendSameBytes.allowed) {
    const verdict = row === "executed" ? NOTHING_TO_DO : RETRIES.no;
    return { ...verdict, detail: visibleLine(sendSameBytes.why, LONG) };
  }
  const detail = [...condition, advice, ...counted].filter((it) => it !== undefined).join(" ");
  return { ...RETRIES[sameBytes], detail: detail === "" ? null : detail };
}

const RETRIES: { readonly [S in RetryVerdict["sameBytes"]]: Omit<DecoderSaying, "detail"> } = {
  yes: { icon: "check", tone: "good", text: t`The same bytes may be sent again` },
  after: { icon: "clockface", tone: "warning", text: t`The same bytes may be sent again, but not yet` },
  no: { icon: "circle-slash", tone: "bad", text: t`Do not send the same bytes again` },
};

/** Verdict on a transaction that succeeded and is final. */
const NOTHING_TO_DO: Omit<DecoderSaying, "detail"> = { icon: "check", tone: "good", text: t`Nothing to do` };

function tellTracked(tracked: TrackedTransaction, nameOf: NameOf, reasonOf: ReasonOf): DecoderSaying {
  const label = visibleLine(transactionLabel(tracked, nameOf));
  return { ...describeStanding(tracked, reasonOf), detail: t`${label} on ${visibleLine(tracked.network)}` };
}

function sentence(words: string): string {
  const first = words.slice(0, 1).toUpperCase();
  const whole = `${first}${words.slice(1)}`;
  return visibleLine(/[.!?。！？]$/.test(words) ? whole : t`${whole}.`, LONG);
}
