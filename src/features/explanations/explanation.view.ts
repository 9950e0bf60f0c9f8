import {
  type DecodedField,
  documentedSources,
  type Explanation,
  type FailureReason,
  fixNow,
  isOpenRefusal,
  lacksCoins,
  type RetryVerdict,
  type ShownSource,
  shownSources,
} from "@finality/client/explain";
import {
  describeDispute,
  describeValidity,
  sendTitle,
  signaturesText,
  transactionLabel,
} from "@finality/client/labels";
import {
  decideActions,
  hasEnoughSignatures,
  isDisputed,
  type SignedPart,
  type TrackedTransaction,
} from "@finality/client/tracking";
import { grouped, markdownText, withoutStop } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Commands that a hover may run. */
export const HOVER_COMMANDS = [
  "finality.decode",
  "finality.trackTransaction",
  "finality.decodeTransaction",
  "finality.sendSameBytesAgain",
  "finality.lookNow",
  "finality.showTransaction",
  "finality.showBalance",
  "finality.openDocumentation",
] as const;

type HoverCommand = (typeof HOVER_COMMANDS)[number];

interface HoverText {
  readonly explanation: Explanation;
  readonly live?: LiveTransaction | undefined;
  /** Argument that opens this text in the decoder. */
  readonly decode: Readonly<Record<string, string>>;
}

const CATEGORIES: { readonly [C in Explanation["category"]]: string } = {
  http: t`no usable answer`,
  validation: t`refused before the pool`,
  execution: t`the execution failed`,
  abi: t`what the contract said`,
  none: "",
};

/** Names where the failure happened. */
function locationOf(explanation: Explanation): string {
  return isOpenRefusal(explanation) ? t`what the node answered` : CATEGORIES[explanation.category];
}

const MAX_CANDIDATES = 4;
const LINE = 400;

/** Renders the hover as Markdown: the answer, the cause, the fix, whether to resend, and links. */
export function describeHover({ explanation, live, decode }: HoverText): string {
  const { title, code, cause, candidates, sources } = explanation;
  const about = [locationOf(explanation), code].filter((it) => it !== "").map((it) => markdownText(it, LINE));
  return [
    `**${markdownText(title, LINE)}** · ${about.join(" · ")}`,
    t`*Why:* ${markdownText(cause, 1_000)}`,
    t`*Fix:* ${markdownText(fixNow(explanation, live?.tracked, live?.chainTime), 1_000)}`,
    ...retryLine(explanation, live),
    ...(live === undefined ? [] : [t`*Tracked:* ${markdownText(statusLine(live), LINE)}`]),
    ...candidates.slice(0, MAX_CANDIDATES).map((it) => t`*Or:* ${markdownText(`${it.title}: ${it.reason}`, LINE)}`),
    linksOf({ explanation, live, decode }).join(" · "),
    ...(sources.length === 0 ? [] : [t`*Source:* ${shownSources(sources).map(sourceLink).join(t`; `)}`]),
  ].join("\n\n");
}

/** Returns a source as text. If the documentation says more about it, the text links to that location. */
function sourceLink({ text, place }: ShownSource): string {
  const words = markdownText(text, LINE);
  if (place === undefined) return words;
  const { page, anchor: heading } = documentedSources[place];
  return commandLink(words, "finality.openDocumentation", { page, heading });
}

function statusLine(live: LiveTransaction): string {
  return t`${transactionLabel(live.tracked, () => undefined)} on ${live.tracked.network}: ${describeState(live)}`;
}

function retryLine({ category, retry }: Explanation, live: LiveTransaction | undefined): readonly string[] {
  if (live !== undefined) return [t`*Same bytes again:* ${markdownText(describeLiveRetry(live), LINE)}`];
  return category === "none" ? [] : [t`*Same bytes again:* ${markdownText(describeRetry(retry), 600)}`];
}

const SAME_BYTES: { readonly [V in RetryVerdict["sameBytes"]]: string } = {
  yes: t`yes`,
  after: t`yes`,
  no: t`no`,
};

/** Returns the verdict without a tracked transaction. */
function describeRetry({ sameBytes, when }: RetryVerdict): string {
  const word = SAME_BYTES[sameBytes];
  if (when === undefined) return word;
  return sameBytes === "no" ? t`${word}: ${when}` : t`${word}, ${when}`;
}

function linksOf({ explanation, live, decode }: HoverText): readonly string[] {
  const own = txIdOf(explanation);
  const actions =
    live !== undefined
      ? liveActions(live).map(({ title, command }) => commandLink(title, command, { txId: live.tracked.txId }))
      : own !== undefined
        ? [
            commandLink(t`Track Transaction`, "finality.trackTransaction", { txId: own }),
            commandLink(t`Decode This Transaction`, "finality.decodeTransaction", { txId: own }),
          ]
        : [];
  return [
    commandLink(t`Open in Decoder`, "finality.decode", decode),
    ...actions,
    ...balanceLink(explanation, live),
    commandLink(t`Copy Plain Text`, "finality.decode", { ...decode, copy: true }),
  ];
}

/** Returns a link to the balance of the sender if coins are missing and the sender is known. */
function balanceLink(explanation: Explanation, live: LiveTransaction | undefined): readonly string[] {
  const { category, retry, decoded } = explanation;
  if (category !== "validation" || (retry.sameBytes !== "after" && !lacksCoins(explanation))) return [];
  const account = live?.tracked.signed?.intent.owner ?? addressIn(decoded);
  if (account === undefined) return [];
  const network = live === undefined ? {} : { network: live.tracked.network };
  return [commandLink(t`Show Sender Balance`, "finality.showBalance", { account, ...network })];
}

function addressIn(fields: readonly DecodedField[]): string | undefined {
  for (const { name, value, kind, children = [] } of fields) {
    const found = kind === "address" && /^owner(?:_a|A|$)/.test(name) ? value : addressIn(children);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the transaction that an explanation names, if any. */
export function txIdOf({ decoded }: Explanation): string | undefined {
  return decoded.find(({ kind }) => kind === "tx-id")?.value;
}

type LinkArgument = Readonly<Record<string, string | boolean>>;

/** Returns a link to one of our commands. `kind` marks a click by the user, who wants to see errors. */
function commandLink(title: string, command: HoverCommand, argument: LinkArgument): string {
  return `[${title}](${commandUri(command, argument)})`;
}

/** Percent-encodes the whole argument, so that nothing in it can end the link. */
export function commandUri(command: HoverCommand, argument: LinkArgument): string {
  const query = encodeURIComponent(JSON.stringify([{ kind: "link", ...argument }]));
  return `command:${command}?${query.replace(/[()'*!]/g, (it) => `%${it.charCodeAt(0).toString(16)}`)}`;
}

/** Formats one line for plain-text tooltips: the title and the first step to fix it. */
export function describeTooltip({ title, fix, category }: Explanation): string {
  const [first = ""] = fix.split(/(?<=\w)[;.:] |[；。：]/, 1);
  const text = category === "none" ? title : t`${withoutStop(title)}. ${withoutStop(first)}.`;
  return visibleLine(text, 300);
}

/** Facts about a transaction that the text names. */
export interface LiveTransaction {
  readonly tracked: TrackedTransaction;
  /** Estimated current chain time, ms; undefined if no head was read recently. */
  readonly chainTime?: number | undefined;
  /** Reason of the failure. */
  readonly reason?: FailureReason | undefined;
}

/** Action on the transaction. */
interface LiveAction {
  readonly title: string;
  readonly command: "finality.sendSameBytesAgain" | "finality.lookNow" | "finality.showTransaction";
}

/** Describes the state of the transaction in a few words. */
export function describeState({ tracked, reason }: LiveTransaction): string {
  const { state } = tracked;
  switch (state.kind) {
    case "signed":
      return describeSigned(tracked.signed);
    case "unknown":
      return t`outcome unknown: it may still be executed`;
    case "pending":
      return t`accepted, not final`;
    case "included":
      return t`in block ${grouped(state.block.number)}, not final`;
    case "solidified":
      return state.outcome.kind === "success"
        ? t`final in block ${grouped(state.block.number)}`
        : t`final in block ${grouped(state.block.number)}${failed(tracked, visibleLine(reason?.text ?? state.outcome.result, 200))}`;
    case "rejected":
      return t`refused: ${state.code}`;
    case "proven-absent":
      return t`expired and proven absent`;
    case "replaced":
      return t`replaced by ${state.by}`;
  }
}

function describeSigned(signed: SignedPart | undefined): string {
  if (signed?.shared !== true) return t`signed, not sent`;
  const signatures = signaturesText(signed);
  return hasEnoughSignatures(signed) ? t`complete: ${signatures}, not sent` : t`collects signatures, ${signatures}`;
}

function failed(tracked: TrackedTransaction, reason: string): string {
  return isDisputed(tracked) ? `. ${describeDispute(tracked, reason)}` : t`, and failed: ${reason}`;
}

/**
 * Describes if, and for how long, the same bytes may be sent again according to the retry policy of the tracked
 * transaction.
 */
export function describeLiveRetry({ tracked, chainTime }: LiveTransaction): string {
  const { sendSameBytes, when } = decideActions(tracked, { chainTime });
  if (!sendSameBytes.allowed) return t`no. ${sendSameBytes.why}`;
  const validity = describeValidity(tracked, chainTime);
  const yes = when === undefined ? t`yes, that is harmless` : t`yes, when ${when}`;
  return validity === undefined ? yes : `${yes} (${validity})`;
}

export function liveActions({ tracked, chainTime }: LiveTransaction): readonly LiveAction[] {
  const { sendSameBytes, lookNow } = decideActions(tracked, { chainTime });
  return [
    ...(sendSameBytes.allowed ? [{ title: sendTitle(tracked), command: "finality.sendSameBytesAgain" } as const] : []),
    ...(lookNow.allowed ? [{ title: t`Check Now`, command: "finality.lookNow" } as const] : []),
    { title: t`Show in List`, command: "finality.showTransaction" },
  ];
}

/** Longest part of a log line that is underlined as a link: room for a txID with its prefix. */
const LONGEST_LINK = 66;

/**
 * Returns the part of an explained range that becomes a link, so that no whole line is underlined: its code, or its
 * first words.
 */
export function linkPart(
  line: string,
  { start, end, code }: { readonly start: number; readonly end: number; readonly code: string },
): readonly [start: number, end: number] {
  if (end - start <= LONGEST_LINK) return [start, end];
  const at = line.slice(start, end).indexOf(code);
  if (code !== "" && at >= 0) return [start + at, start + at + code.length];
  const space = line.lastIndexOf(" ", start + LONGEST_LINK);
  return [start, space > start ? space : start + LONGEST_LINK];
}
