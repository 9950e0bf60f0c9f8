import {
  type Category,
  type DecodedField,
  type Explanation,
  fixNow,
  isOpenRefusal,
  isVerdictOf,
  type ReasonOf,
  type RetryVerdict,
  shownSources,
} from "@finality/client/explain";
import { describeDispute, describeValidity, sendTitle, transactionLabel } from "@finality/client/labels";
import {
  type Action,
  allowedActions,
  decideActions,
  isDisputed,
  isTraceable,
  type TrackedTransaction,
} from "@finality/client/tracking";
import {
  codeBlock,
  grouped,
  inlineCode,
  markdownText,
  type NameOf,
  shortTxId,
  withoutStop,
} from "@finality/tron/format";
import { parseTxId, type TxId, visibleLine, visibleText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type {
  DecoderButton,
  DecoderCandidate,
  DecoderContent,
  DecoderExample,
  DecoderStatus,
} from "../../webview-messages/decoder.ts";
import {
  describeFacts,
  describeFields,
  describeRaw,
  describeWarnings,
  mergeSpans,
  spanFinder,
  spansOfWord,
} from "./fields.view.ts";

interface ContentContext {
  readonly nameOf: NameOf;
  readonly reasonOf: ReasonOf;
  /** Tracked transaction that the text names. */
  readonly tracked: TrackedTransaction | undefined;
  readonly fallbackUrls: readonly string[];
  /** Estimated current chain time, ms. */
  readonly chainTime?: number | undefined;
  /** True for a transaction of the local chain, which can trace it. */
  readonly isLocal?: boolean;
}

const LONG = 2_000;

/** Renders an explanation for the page. Pure: equal input gives an equal page. Text from the chain stays plain text. */
export function describeContent({ explanation, candidates }: Choosing, context: ContentContext): DecoderContent {
  const { code, title, cause, decoded, sources, raw } = explanation;
  const { nameOf, reasonOf, tracked, fallbackUrls, chainTime, isLocal = false } = context;
  const fields = describeFields(decoded, nameOf, spanFinder(raw));
  const spans = [
    ...spansOfWord(raw, code),
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
    tracked: tracked === undefined ? null : describeTracked(tracked, nameOf, reasonOf),
    buttons: [
      ...describeButtons(txIdIn(decoded), tracked, { fallbackUrls, chainTime, decode: decodeButton(explanation) }),
      ...(isLocal && tracked !== undefined && isTraceable(tracked) ? [{ ...TRACE, txId: tracked.txId }] : []),
    ],
    facts: describeFacts(fields, code),
    fields,
    candidates,
    sources: shownSources(sources).map(({ text, place = null }) => ({ text: visibleLine(text), place })),
    raw: describeRaw(raw),
    marks: mergeSpans(spans),
    warnings: describeWarnings(raw),
  };
}

type DecoderSpans = DecoderContent["marks"];

/** Location of the failure. */
function describeCategory(explanation: Explanation): DecoderStatus {
  if (isVerdictOf(explanation.retry, "not-known")) return { ...BADGES.none, detail: t`Not recognised` };
  return isOpenRefusal(explanation)
    ? { ...BADGES.validation, detail: t`Answer of the node` }
    : BADGES[explanation.category];
}

const BADGES: { readonly [C in Category]: DecoderStatus } = {
  http: { icon: "globe", tone: "warning", text: t`HTTP`, detail: t`No valid answer from a node` },
  validation: { icon: "shield", tone: "bad", text: t`Validation`, detail: t`Refused before it was executed` },
  execution: { icon: "flame", tone: "bad", text: t`Execution`, detail: t`Failed while it was executed` },
  abi: { icon: "symbol-structure", tone: "bad", text: t`ABI`, detail: t`In encoded data` },
  none: { icon: "info", tone: "neutral", text: t`Information`, detail: t`Not a failure` },
};

/** Returns whether the same bytes may be sent again, based on the text alone. */
function describeRetry({ retry }: Explanation): DecoderStatus {
  if (isVerdictOf(retry, "nothing-to-retry"))
    return { icon: "dash", tone: "neutral", text: t`Nothing to resend`, detail: null };
  if (isVerdictOf(retry, "done")) return { ...NOTHING_TO_DO, detail: message(retry.when ?? "") };
  if (isVerdictOf(retry, "not-known"))
    return {
      icon: "dash",
      tone: "neutral",
      text: t`The effect on a transaction is unknown`,
      detail: message(retry.when ?? ""),
    };
  return { ...RETRIES[retry.sameBytes], detail: retry.when === undefined ? null : message(retry.when) };
}

/** Returns the same for a tracked transaction, based on its whole history. */
export function describeTrackedRetry(tracked: TrackedTransaction, chainTime: number | undefined): DecoderStatus {
  const { row, sameBytes, when, advice, sendSameBytes } = decideActions(tracked, { chainTime });
  const condition = when === undefined ? [] : [message(t`when ${when}`)];
  const validity = describeValidity(tracked, chainTime);
  const counted = validity === undefined ? [] : [message(validity)];
  if (!sendSameBytes.allowed) {
    const verdict = row === "executed" ? NOTHING_TO_DO : RETRIES.no;
    return { ...verdict, detail: visibleLine(sendSameBytes.why, LONG) };
  }
  const detail = [...condition, advice, ...counted].filter((it) => it !== undefined).join(" ");
  return { ...RETRIES[sameBytes], detail: detail === "" ? null : detail };
}

const RETRIES: { readonly [S in RetryVerdict["sameBytes"]]: Omit<DecoderStatus, "detail"> } = {
  yes: { icon: "check", tone: "good", text: t`The same bytes may be sent again` },
  after: { icon: "clockface", tone: "warning", text: t`The same bytes may be sent again, but not yet` },
  no: { icon: "circle-slash", tone: "bad", text: t`Do not send the same bytes again` },
};

/** Returns the verdict for a final, successful transaction. */
const NOTHING_TO_DO: Omit<DecoderStatus, "detail"> = { icon: "check", tone: "good", text: t`Nothing to do` };

function describeTracked(tracked: TrackedTransaction, nameOf: NameOf, reasonOf: ReasonOf): DecoderStatus {
  const label = visibleLine(transactionLabel(tracked, nameOf));
  return { ...describeState(tracked, reasonOf), detail: t`${label} on ${visibleLine(tracked.network)}` };
}

function message(words: string): string {
  const first = words.slice(0, 1).toUpperCase();
  const whole = `${first}${words.slice(1)}`;
  return visibleLine(/[.!?。！？]$/.test(words) ? whole : t`${whole}.`, LONG);
}

const MAX_CANDIDATES = 12;

/** Explains the same text as if this error signature applied. */
type ExplainAs = (signature: string) => Explanation;

/** Explanation that the user chose among several, and all of them in a stable order. */
export interface Choosing {
  readonly explanation: Explanation;
  readonly candidates: readonly DecoderCandidate[];
}

/**
 * Returns the possible interpretations of a text. Only those with decodable fields can be chosen.
 *
 * @param choice - Code of the chosen interpretation; unknown codes are ignored.
 */
export function chooseInterpretation(likeliest: Explanation, choice: string, explainAs: ExplainAs): Choosing {
  if (likeliest.candidates.length === 0) return { explanation: likeliest, candidates: [] };
  const others = likeliest.candidates.slice(0, MAX_CANDIDATES).map((candidate) => {
    const explanation = candidate.code.includes("(") ? explainAs(candidate.code) : undefined;
    return { ...candidate, explanation: explanation?.code === candidate.code ? explanation : undefined };
  });
  const chosen = others.find(({ code, explanation }) => code === choice && explanation !== undefined)?.explanation;
  const { code, title, sources } = likeliest;
  const first = {
    code,
    title,
    reason: shownSources(sources)
      .map((it) => it.text)
      .join(" · "),
    chosen: chosen === undefined,
    choosable: true,
  };
  return {
    explanation: chosen ?? likeliest,
    candidates: [
      shown(first),
      ...others.map(({ explanation, ...other }) =>
        shown({
          code: other.code,
          title: other.title,
          reason: other.reason,
          chosen: chosen !== undefined && explanation === chosen,
          choosable: explanation !== undefined,
        }),
      ),
    ],
  };
}

function shown(candidate: DecoderCandidate): DecoderCandidate {
  const { title, reason } = candidate;
  return { ...candidate, title: visibleLine(title), reason: visibleLine(reason) };
}

/** Describes the state of a transaction in a few words. */
export function describeState(tracked: TrackedTransaction, reasonOf: ReasonOf): Omit<DecoderStatus, "detail"> {
  const { state } = tracked;
  switch (state.kind) {
    case "signed":
      return { icon: "lock", tone: "neutral", text: t`Signed, not sent` };
    case "unknown":
      return { icon: "question", tone: "warning", text: t`Outcome unknown: it may still be executed` };
    case "pending":
      return { icon: "clockface", tone: "moving", text: t`Accepted by the node, not final` };
    case "included":
      return { icon: "package", tone: "moving", text: t`In block ${grouped(state.block.number)}, not final` };
    case "solidified":
      return state.outcome.kind === "success"
        ? { icon: "verified-filled", tone: "good", text: t`Final in block ${grouped(state.block.number)}` }
        : failed(tracked, visibleLine(reasonOf(tracked)?.text ?? state.outcome.result, 200));
    case "rejected":
      return { icon: "circle-slash", tone: "bad", text: t`Refused: ${visibleLine(state.code)}` };
    case "proven-absent":
      return { icon: "history", tone: "neutral", text: t`Expired and proven absent: safe to replace` };
    case "replaced":
      return { icon: "arrow-swap", tone: "neutral", text: t`Replaced by ${shortTxId(state.by)}` };
  }
}

function failed(tracked: TrackedTransaction, reason: string): Omit<DecoderStatus, "detail"> {
  if (isDisputed(tracked)) return { icon: "question", tone: "warning", text: describeDispute(tracked, reason) };
  return { icon: "error", tone: "bad", text: t`Final, but failed: ${reason}` };
}

/** Returns the first transaction that the decoded values name. */
export function txIdIn(decoded: readonly DecodedField[]): TxId | undefined {
  for (const { kind, value, children = [] } of decoded) {
    const found = (kind === "tx-id" ? parseTxId(value) : undefined) ?? txIdIn(children);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface ButtonContext extends Pick<ContentContext, "fallbackUrls" | "chainTime"> {
  readonly decode: readonly ButtonStyle[];
}

/** Describes the buttons of the actions that the retry policy allows. */
export function describeButtons(
  txId: TxId | undefined,
  tracked: TrackedTransaction | undefined,
  { fallbackUrls, chainTime, decode }: ButtonContext,
): readonly DecoderButton[] {
  if (txId === undefined) return [];
  if (tracked === undefined) return [FIND, ...decode].map((it, index) => ({ ...it, txId, primary: index === 0 }));
  const possible = allowedActions(tracked, { otherUrls: fallbackUrls, chainTime });
  const named = NAMED.filter(({ possible: one }) => possible.includes(one)).map((it) =>
    it.action === "resend" && tracked.state.kind === "signed" ? { ...it, label: sendTitle(tracked), icon: "send" } : it,
  );
  return [...named, ...BUTTONS, ...decode].map(({ action, label, icon }, index) => ({
    action,
    label,
    icon,
    txId,
    primary: index === 0,
  }));
}

type ButtonStyle = Pick<DecoderButton, "action" | "label" | "icon">;

const FIND: ButtonStyle = { action: "track", label: t`Find Transaction`, icon: "search" };

/** Returns the button that queries a node for the transaction. Its page has one only until it is in a block. */
function decodeButton({ code, decoded }: Explanation): readonly ButtonStyle[] {
  const button = { action: "decode-transaction", label: t`Decode This Transaction`, icon: "symbol-ruler" } as const;
  const isPage = decoded.some(({ name, kind }) => name === "transaction" && kind === "list");
  if (!isPage) return [button];
  return code === "PENDING" ? [{ ...button, label: t`Decode Again`, icon: "refresh" }] : [];
}

const BUTTONS: readonly ButtonStyle[] = [
  { action: "timeline", label: t`Show Transaction`, icon: "pulse" },
  { action: "show-in-list", label: t`Show in List`, icon: "list-tree" },
];

const TRACE = { action: "trace", label: t`Trace`, icon: "list-flat", primary: false } as const;

const NAMED: readonly (ButtonStyle & { readonly possible: Action })[] = [
  { possible: "sendSameBytes", action: "resend", label: t`Send Same Bytes Again`, icon: "debug-restart" },
  { possible: "createReplacement", action: "replace", label: t`Create Replacement…`, icon: "arrow-swap" },
  { possible: "doItAgain", action: "again", label: t`Retry as New Transaction…`, icon: "redo" },
  { possible: "signAgain", action: "sign", label: t`Sign Again…`, icon: "edit" },
  { possible: "sendToAnotherNode", action: "another-node", label: t`Send to Another Node…`, icon: "remote" },
  { possible: "lookNow", action: "look-now", label: t`Check Now`, icon: "refresh" },
  { possible: "exportProof", action: "export-proof", label: t`Export Proof…`, icon: "export" },
];

/** Examples of texts, one of each kind. */
export const EXAMPLES: readonly DecoderExample[] = [
  {
    label: t`A broadcast that was refused`,
    icon: "radio-tower",
    text: `{"code":"CONTRACT_VALIDATE_ERROR","txid":"b4f3c1d9a2e75608b1c4f07d3e92a6581fd0c7e49b835a6c2e1d70f4938ab5c6","message":"${hexOf(`Contract validate error : Validate TransferContract error, balance is not sufficient.`)}"}`,
  },
  {
    label: t`Revert data of a contract`,
    icon: "symbol-structure",
    text: `0xe450d38c${address("dd791d6b49e190062d650e6a23c575510d35f2f9")}${word(2_500_000n)}${word(10_000_000n)}`,
  },
  {
    label: t`A transaction that ran out of energy`,
    icon: "flame",
    text: `{"id":"5c21a0b7e84f93d2c6b10e7f4a98d35b2e6f70c1948da3b5e7f20c61d98b4a37","fee":18000000,"blockNumber":71204118,"blockTimeStamp":1763716800000,"contractResult":[""],"contract_address":"41a614f803b6fd780986a42c78ec9c7f77e6ded13c","receipt":{"energy_fee":18000000,"energy_usage_total":42857,"net_usage":345,"result":"OUT_OF_ENERGY"},"result":"FAILED","resMessage":"${hexOf(`Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[42857], curOpEnergy[20000], usedEnergy[34100]`)}"}`,
  },
  {
    label: t`A line of a log`,
    icon: "output",
    text: `2026-11-21T09:12:04.117Z ERROR [payout] broadcast failed: {"result":false,"code":"TAPOS_ERROR","message":"${hexOf(`Tapos check error.`)}"} (attempt 1 of 1)`,
  },
];

function hexOf(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

function address(hex: string): string {
  return hex.padStart(64, "0");
}

const MAX_RAW = 20_000;
const MAX_LINES = 500;

/**
 * Formats an explanation as Markdown for a ticket or a chat. Text from the chain is escaped or formatted as code, so it
 * cannot become a link.
 */
export function markdownReport(explanation: Explanation): string {
  const { title, category, code, cause, fix, decoded, candidates, sources, raw } = explanation;
  const { text, detail } = describeRetry(explanation);
  const plain = (words: string): string => markdownText(words, LONG);
  return [
    `# ${plain(title)}`,
    `**${category === "none" ? t`information` : category}** · ${inlineCode(code, LONG)}`,
    t`**Cause:** ${plain(cause)}`,
    t`**Fix:** ${plain(fix)}`,
    `**${plain(text)}.** ${plain(detail ?? "")}`.trim(),
    ...listed(
      t`Fields`,
      fieldLines(decoded, (field) => `**${plain(field.name)}** ${inlineCode(field.value, LONG)}`),
    ),
    ...listed(
      t`Other possible meanings`,
      candidates.map((it) => `- ${inlineCode(it.code, LONG)}: ${plain(it.reason)}`),
    ),
    ...listed(
      t`Sources`,
      shownSources(sources).map((it) => `- ${plain(it.text)}`),
    ),
    t`## Raw\n\n${codeBlock("text", raw, MAX_RAW)}`,
  ]
    .join("\n\n")
    .concat("\n");
}

/** Formats an explanation as plain text. */
export function plainReport(explanation: Explanation): string {
  const { title, category, code, cause, fix, decoded, raw } = explanation;
  const { text, detail } = describeRetry(explanation);
  const line = (words: string): string => visibleLine(words, LONG);
  return [
    line(title),
    `${category === "none" ? t`information` : category}, ${line(code)}`,
    t`Cause: ${line(cause)}`,
    t`Fix: ${line(fix)}`,
    t`${withoutStop(line(text))}. ${line(detail ?? "")}`.trim(),
    ...fieldLines(decoded, (field) => `${line(field.name)}: ${line(field.value)}`),
    "",
    visibleText(raw, MAX_RAW),
    "",
  ].join("\n");
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}\n\n${lines.join("\n")}`];
}

/** Formats one line per field, indented by depth. */
function fieldLines(decoded: readonly DecodedField[], line: (field: DecodedField) => string): readonly string[] {
  const lines: string[] = [];
  const add = (fields: readonly DecodedField[], depth: number): void => {
    for (const field of fields) {
      if (lines.length > MAX_LINES) return;
      lines.push(`${"  ".repeat(depth)}- ${lines.length === MAX_LINES ? "…" : line(field)}`);
      add(field.children ?? [], depth + 1);
    }
  };
  add(decoded, 0);
  return lines;
}
