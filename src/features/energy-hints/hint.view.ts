import {
  type BoundCall,
  type CallSite,
  costName,
  type MissingValue,
  type TextRange,
} from "@finality/client/call-sites";
import {
  burnsItsLimit,
  type CallEstimate,
  type EstimatedCall,
  isTight,
  limitVerdict,
  type Shortage,
  suggestedFeeLimit,
  WINDOW_BLOCKS,
} from "@finality/client/estimates";
import {
  burnedText,
  changeText,
  type EstimateLabels,
  effectText,
  energyText,
  estimateLabels,
  roomText,
} from "@finality/client/labels";
import { type AbiIndex, inputFromText, onlyReads, parseSignature, typedValues } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import {
  coinsText,
  counted,
  grouped,
  type NameOf,
  namesIn,
  percentOf,
  sunText,
  withoutStop,
} from "@finality/tron/format";
import { foreignText, parseAmount, type Sun, visibleLine, visibleText, wholeNumberIn } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Context of the labels besides the state. */
export interface HintLabels {
  /** Names of errors. */
  readonly abi: AbiIndex | undefined;
  readonly marginPercent: bigint;
  /** Names of accounts by their base58 addresses. */
  readonly nameOf: NameOf;
}

/** A lens or an inlay hint. */
export interface HintLine {
  readonly icon: "zap" | "sync~spin" | "warning" | "error" | "refresh" | "circle-slash" | "check" | "info";
  readonly text: string;
  /** Shorter text for the end of a line, where editors cut after 43 characters; undefined if the usual one fits. */
  readonly brief?: string;
  readonly tooltip: string;
}

/** Text of a lens for each state of a call. */
export function hintLine(state: HintState, labels: HintLabels): HintLine {
  switch (state.kind) {
    case "idle":
      return {
        icon: "zap",
        text: t`Estimate energy`,
        tooltip: t`Estimate this call on the network. Nothing is sent, and no estimate was requested so far.`,
      };
    case "asking":
      return { icon: "sync~spin", text: t`estimating…`, tooltip: t`Finality is requesting an estimate.` };
    case "unbound":
      return {
        icon: "circle-slash",
        text: t`not available: ${clip(state.reason)}`,
        tooltip: `${withoutStop(visibleText(state.reason))}.`,
      };
    case "known":
      return knownLine(state, labels);
  }
}

/** Returns a short reason why a call has no estimate; undefined if it has one. */
export type WhyNoFigure = (state: HintState) => string | undefined;

/** Returns the full reason why a call has no figure, which an editor line has no room for; undefined if it has one. */
export function whyNoFigure(state: HintState, labels: HintLabels): string | undefined {
  switch (state.kind) {
    case "unbound":
      return t`not available: ${withoutStop(visibleText(state.reason))}.`;
    case "known": {
      if (state.estimate.kind === "estimated") return undefined;
      const { headline, problems } = wordsOf(state, labels);
      return visibleText([`${withoutStop(namesIn(headline, labels.nameOf))}.`, ...problems].join(" "));
    }
    default:
      return t`not available: not requested yet.`;
  }
}

function knownLine(hint: KnownHint, labels: HintLabels): HintLine {
  const { headline: message, problems, notes, verdict } = wordsOf(hint, labels);
  const headline = namesIn(message, labels.nameOf);
  const click = opensDetails(hint) ? t`Click to show the details.` : t`Click to try again.`;
  const tooltip = visibleText([...problems, ...notes, click].join("\n"));
  if (hint.estimate.kind !== "estimated")
    return hint.isOld
      ? oldLine(clip(headline))
      : {
          icon: verdict === "unknown" ? "circle-slash" : "error",
          text: hint.site === undefined ? clip(headline) : t`${clip(headline)} at ${hint.site.label}`,
          tooltip,
        };
  const { estimate } = hint;
  const [shortage] = estimate.cost.shortages;
  const change = hint.change === undefined || hint.change.energy === 0n ? [] : [changeText(hint.change.energy)];
  const tight = isLimitTight(hint, estimate);
  const text = [
    energyText(estimate),
    ...(onlyReads(hint.bound.called)
      ? [t`free to read`]
      : [burnedText(estimate, hint.symbol), ...effectText(estimate)]),
    ...change,
    ...shortageText(shortage, estimate, hint),
    ...(tight ? [t`fee_limit is tight`] : []),
  ];
  if (hint.isOld) return oldLine(text.join(" · "));
  if (verdict === "fails") return { icon: "error", text: clip(headline), tooltip };
  const brief = `${text[0]} · ${shortage === undefined ? text[1] : shortageName(shortage, estimate)}`;
  const doubt = shortage !== undefined || tight ? "warning" : "info";
  return { icon: isCovered(hint, estimate) && !tight ? "check" : doubt, text: text.join(" · "), brief, tooltip };
}

/** Without a fee limit nothing can be too small, unless the cost depends on it. */
function isCovered({ bound }: KnownHint, estimate: EstimatedCall): boolean {
  if (limitVerdict(estimate) !== "depends") return estimate.cost.shortages.length === 0;
  const isCompared = bound.limit.isReal || estimate.limitEffect === "seen";
  return estimate.cost.shortages.length === 0 && (!isCompared || onlyReads(bound.called));
}

function isLimitTight({ bound }: KnownHint, estimate: EstimatedCall): boolean {
  return bound.limit.isReal && !onlyReads(bound.called) && isTight(estimate, bound.limit.feeLimit);
}

/** Marks an outdated figure by its icon: a longer text would move the lens. */
function oldLine(text: string): HintLine {
  const tooltip = t`This estimate is older than ${WINDOW_BLOCKS} blocks. Click to try again.`;
  return { icon: "refresh", text, tooltip };
}

/** Returns whether a click on the hint shows its details. Otherwise it requests an estimate. */
export function opensDetails(state: HintState): boolean {
  return state.kind === "known" && !state.isOld && state.estimate.kind !== "unavailable";
}

function shortageText(
  shortage: Shortage | undefined,
  estimate: EstimatedCall,
  { bound, symbol }: KnownHint,
): readonly string[] {
  const { cost } = estimate;
  const isCertain = limitVerdict(estimate) !== "depends";
  const limit = coinsText(bound.limit.feeLimit, symbol);
  switch (shortage?.kind) {
    case undefined:
      return [];
    case "fee-limit": {
      const part = percentOf(shortage.covers, cost.requiredEnergy);
      return [
        isCertain
          ? t`fee_limit ${limit} covers ${grouped(shortage.covers)} (${part})`
          : t`fee_limit ${limit} may be too small (${part})`,
      ];
    }
    case "fee-limit-above-maximum":
      return [t`fee_limit ${limit} is above the maximum ${coinsText(shortage.maximum, symbol)}`];
    case "balance":
      return [
        isCertain
          ? t`balance lacks ${coinsText(shortage.missing, symbol)}`
          : t`balance may lack ${coinsText(shortage.missing, symbol)}`,
      ];
  }
}

function shortageName(shortage: Shortage, { cost }: EstimatedCall): string {
  switch (shortage.kind) {
    case "fee-limit":
      return t`fee_limit covers ${percentOf(shortage.covers, cost.requiredEnergy)}`;
    case "fee-limit-above-maximum":
      return t`fee_limit too large`;
    case "balance":
      return t`balance too small`;
  }
}

/** Returns the text of the budget check for the same estimate. */
export function wordsOf({ estimate, bound, symbol }: KnownHint, { abi, marginPercent }: HintLabels): EstimateLabels {
  return estimateLabels(estimate, bound.intent, { abi, marginPercent, symbol, mutability: bound.called.mutability });
}

const LONGEST = 120;

/**
 * Shortens a reason to one line. Reasons come from contracts and sources, so invisible characters are shown as numbers.
 */
function clip(text: string): string {
  return visibleLine(text, LONGEST);
}

/** State of the hint of a call. */
export type HintState =
  /** Not estimated yet. */
  | { readonly kind: "idle" }
  | { readonly kind: "asking" }
  /** The source or the workspace lacks a value. */
  | { readonly kind: "unbound"; readonly reason: string }
  | KnownHint;

/** An estimate, or the reason why there is none. */
export interface KnownHint {
  readonly kind: "known";
  readonly bound: BoundCall;
  readonly estimate: CallEstimate;
  readonly ageInBlocks: number;
  readonly isOld: boolean;
  /** `undefined` if no snapshot has the call. */
  readonly change: CostDifference | undefined;
  /** Symbol of the coin of the call's network, if known. */
  readonly symbol?: string | undefined;
  /** Source line where a call that reverts is thrown; the local chain alone can tell it. */
  readonly site?: ThrownSite | undefined;
}

/** Source line where a failure was thrown. */
export interface ThrownSite {
  /** `Leaf.sol:41`. */
  readonly label: string;
  /** URI of the file with the line as its fragment; undefined if the workspace does not have the file. */
  readonly link: string | undefined;
}

/** Additional energy since a snapshot, and the name of that snapshot. */
export interface CostDifference {
  readonly energy: bigint;
  readonly since: string;
}

/** Content of a hover, as blocks that a page or Markdown can draw. Its text is never markup. */
export interface HintHover {
  readonly title: string;
  readonly problems: readonly string[];
  readonly rows: readonly { readonly name: string; readonly value: string; readonly source: string }[];
  readonly notes: readonly string[];
  readonly assumptions: readonly string[];
  readonly site?: ThrownSite | undefined;
}

/** Describes every figure with its source, obstacles and assumptions. Empty before an estimate was requested. */
export function hintHover(state: HintState, labels: HintLabels): HintHover | undefined {
  switch (state.kind) {
    case "idle":
    case "asking":
      return undefined;
    case "unbound":
      return {
        title: hintLine(state, labels).text,
        problems: [`${withoutStop(state.reason)}.`],
        rows: [],
        notes: [],
        assumptions: [],
      };
    case "known":
      return knownHover(state, labels);
  }
}

function knownHover(hint: KnownHint, labels: HintLabels): HintHover {
  const { headline, problems, notes, figures } = wordsOf(hint, labels);
  const { bound, ageInBlocks, change } = hint;
  const age = ageInBlocks === 0 ? t`just now` : t`about ${counted(ageInBlocks, t`block`, t`blocks`)} ago`;
  const readNote = onlyReads(bound.called)
    ? [t`It only reads: calls to a node are free. The costs are those of a transaction that calls it.`]
    : [];
  const limit =
    readNote.length > 0 || bound.limit.isReal ? [] : [t`No fee_limit is set here, so there is none to compare with.`];
  const dearer =
    change === undefined
      ? []
      : [
          {
            name: t`Change`,
            value: change.energy === 0n ? t`none` : changeText(change.energy),
            source: change.since,
          },
        ];
  return {
    title: `${costName(bound)}: ${headline}`,
    site: hint.site,
    problems,
    rows: [
      ...figures.map((one) => ({ ...one, name: capitalizedPhrase(one.name) })),
      ...dearer,
      { name: t`Requested`, value: age, source: t`newest block that is known, else the clock` },
    ],
    notes: [...notes, ...readNote, ...limit],
    assumptions: bound.assumptions,
  };
}

/** `Burned for …`, or `fee_limit needed`. */
function capitalizedPhrase(text: string): string {
  return text.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
}

/** Problem with a `fee_limit`. */
export interface FeeLimitProblem {
  readonly range: TextRange;
  readonly message: string;
  /** Suggested limit, in sun. */
  readonly suggested: Sun;
  /** Margin of the suggested limit above the needed limit. */
  readonly room: string;
  /** False if the code may behave differently under this limit, so that the call may still succeed. */
  readonly isCertain: boolean;
  /** True if the limit is written there and can be replaced by the suggested one. */
  readonly isWritten: boolean;
}

/** Returns the problem with the `fee_limit` of a call, based on a known estimate. */
export function feeLimitProblem(
  callSite: CallSite,
  state: HintState,
  marginPercent: bigint,
): FeeLimitProblem | undefined {
  if (state.kind !== "known" || state.estimate.kind !== "estimated") return undefined;
  const { estimate, bound, symbol } = state;
  const shortage = estimate.cost.shortages.find(({ kind }) => kind !== "balance");
  if (shortage === undefined || shortage.kind === "balance") return undefined;
  const limit = asWritten(bound.limit.feeLimit, symbol);
  const isCertain = limitVerdict(estimate) !== "depends";
  const message =
    shortage.kind === "fee-limit"
      ? !isCertain
        ? t`fee_limit ${limit} may be too small: it pays for ${grouped(shortage.covers)} of about ${grouped(estimate.cost.requiredEnergy)} energy. That is not certain, because the code may behave differently with less energy.`
        : t`fee_limit ${limit} is too small: the call would fail with OUT_OF_ENERGY after ${grouped(shortage.covers)} of about ${grouped(estimate.cost.requiredEnergy)} energy. Staked energy does not raise this limit.`
      : t`fee_limit ${limit} is above ${asWritten(shortage.maximum, symbol)}, the maximum of this chain: nodes refuse it before anything is executed.`;
  return {
    range: bound.limit.range ?? callSite.range,
    message,
    suggested: suggestedFeeLimit(estimate, marginPercent),
    room: roomText(estimate, marginPercent),
    isCertain,
    isWritten: bound.limit.range !== undefined && !burnsItsLimit(estimate),
  };
}

/** Formats a limit for code, in sun without separators, and in coins. */
function asWritten(limit: Sun, symbol: string | undefined): string {
  return t`${String(limit)} sun (${coinsText(limit, symbol)})`;
}

/** Formats a limit in the style of the previous one: quoted, with separators, or as a BigInt. */
export function limitLike(written: string, limit: Sun): string {
  const quote = /^["'`]/.exec(written)?.[0] ?? "";
  const digits = written.includes("_") ? grouped(limit).replaceAll(",", "_") : limit.toString();
  return `${quote}${digits}${/^\d[\d_]*n$/.test(written) ? "n" : ""}${quote}`;
}

/** Comment that disables the warning of a line. */
export const IGNORE_MARK = "finality-ignore fee-limit";

/** Validates an answer while it is typed, and shows how an amount is understood. */
interface AnswerCheck {
  readonly fault?: string;
  readonly understood?: string;
}

/**
 * Checks an answer before it is stored, because an unusable one would block the call until the user clears it. Names of
 * accounts and contracts are not resolved here.
 */
export function checkAnswer(missing: MissingValue, text: string): AnswerCheck {
  try {
    if (missing.kind === "amount") return checkAmount(missing.key, text);
    return missing.kind === "argument" ? checkArgument(missing.type, text) : {};
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { fault: error.message };
  }
}

function checkAmount(key: string, text: string): AnswerCheck {
  if (key.startsWith("amount token"))
    return wholeNumberIn(text) === undefined ? { fault: t`Write a whole number, such as 1000001.` } : {};
  const amount = parseAmount(text);
  return { understood: `${sunText(amount)}, ${coinsText(amount)}` };
}

function checkArgument(type: string, text: string): AnswerCheck {
  // The type contains no field names, and a tuple may be given by name.
  if (type.includes("address") || (type.includes("(") && text.includes("{"))) return {};
  const { parameters } = parseSignature(`f(${type})`);
  const [parameter] = parameters;
  if (parameter === undefined) return {};
  const typed = typedValues(
    [{ ...parameter, name: foreignText(type) }],
    [inputFromText(parameter.type, text)],
    () => undefined,
  );
  if (typed.ok) return {};
  const faults = typed.misfits.map(({ path, reason }) => (path === type ? reason : `${path}: ${reason}`));
  return { fault: t`${capitalized(faults.join(t`; `))}.` };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
