import type { BoundCall } from "@finality/client/call-sites";
import {
  type CallEstimate,
  type EstimatedCall,
  isTight,
  limitVerdict,
  type Shortage,
  WINDOW_BLOCKS,
} from "@finality/client/estimates";
import { type AbiIndex, onlyReads } from "@finality/tron/abi";
import { coinsText, grouped, percentOf } from "@finality/tron/format";
import { visibleLine, visibleText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import {
  burnedText,
  changeText,
  type EstimateWords,
  effectText,
  energyText,
  estimateWords,
} from "../../labels/estimates.ts";

/** What words need besides the state. */
export interface HintWords {
  /** Names of errors. */
  readonly abi: AbiIndex | undefined;
  readonly marginPercent: bigint;
  /** Names of accounts by their base58 addresses. */
  readonly names: ReadonlyMap<string, string>;
}

/** A lens or an inlay hint. */
export interface HintLine {
  readonly icon: "zap" | "sync~spin" | "warning" | "error" | "refresh" | "circle-slash" | "check" | "info";
  readonly text: string;
  /** For the end of a line, where editors cut what is longer than 43 characters; absent where that leaves enough. */
  readonly brief?: string;
  readonly tooltip: string;
}

/** What a line says of a call, in each of its states. */
export function hintLine(state: HintState, words: HintWords): HintLine {
  switch (state.kind) {
    case "idle":
      return {
        icon: "zap",
        text: t`Estimate energy`,
        tooltip: t`Ask the chain what this call takes. Nothing is sent, and nothing was asked so far.`,
      };
    case "asking":
      return { icon: "sync~spin", text: t`estimating…`, tooltip: t`The chain is asked.` };
    case "unbound":
      return {
        icon: "circle-slash",
        text: t`not available: ${clip(state.reason)}`,
        tooltip: `${visibleText(state.reason)}.`,
      };
    case "known":
      return knownLine(state, words);
  }
}

/** Says why a call has no figure; undefined where it has one. */
export type WhyNoFigure = (state: HintState) => string | undefined;

/** Why a call has no figure, whole: a line of the editor has room for less. Undefined where it has one. */
export function whyNoFigure(state: HintState, words: HintWords): string | undefined {
  switch (state.kind) {
    case "unbound":
      return t`not available: ${visibleText(state.reason)}.`;
    case "known": {
      if (state.estimate.kind === "estimated") return undefined;
      const { headline, problems } = wordsOf(state, words);
      return visibleText([`${withNames(headline, words)}.`, ...problems].join(" "));
    }
    default:
      return t`not available: nobody has asked for it.`;
  }
}

function knownLine(hint: KnownHint, words: HintWords): HintLine {
  const { headline: said, problems, notes, verdict } = wordsOf(hint, words);
  const headline = withNames(said, words);
  const tooltip = visibleText([...problems, ...notes, t`Click to ask again.`].join("\n"));
  if (hint.estimate.kind !== "estimated")
    return hint.isOld
      ? oldLine(clip(headline))
      : { icon: verdict === "unknown" ? "circle-slash" : "error", text: clip(headline), tooltip };
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
  if (hint.isOld) return oldLine(text[0] ?? "");
  if (verdict === "fails") return { icon: "error", text: clip(headline), tooltip };
  const brief = `${text[0]} · ${shortage === undefined ? text[1] : shortageName(shortage, estimate)}`;
  const doubt = shortage !== undefined || tight ? "warning" : "info";
  return { icon: isCovered(hint, estimate) && !tight ? "check" : doubt, text: text.join(" · "), brief, tooltip };
}

/** Without a written limit there is none that could be too small, unless the costs depend on it. */
function isCovered({ bound }: KnownHint, estimate: EstimatedCall): boolean {
  if (limitVerdict(estimate) !== "depends") return estimate.cost.shortages.length === 0;
  const isCompared = bound.limit.isReal || estimate.limitEffect === "seen";
  return estimate.cost.shortages.length === 0 && (!isCompared || onlyReads(bound.called));
}

function isLimitTight({ bound }: KnownHint, estimate: EstimatedCall): boolean {
  return bound.limit.isReal && !onlyReads(bound.called) && isTight(estimate, bound.limit.feeLimit);
}

function oldLine(text: string): HintLine {
  return { icon: "refresh", text: t`${text} · older than ${WINDOW_BLOCKS} blocks`, tooltip: t`Click to ask again.` };
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

/** The words of the budget gate, for the same estimate. */
export function wordsOf({ estimate, bound, symbol }: KnownHint, { abi, marginPercent }: HintWords): EstimateWords {
  return estimateWords(estimate, bound.intent, { abi, marginPercent, symbol, mutability: bound.called.mutability });
}

/** Accounts by their names: a line has no room for addresses. */
function withNames(text: string, { names }: HintWords): string {
  return text.replaceAll(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, (address) => names.get(address) ?? address);
}

const LONGEST = 120;

/** Reasons come from contracts and sources: what nobody sees in them stands there as numbers. */
function clip(text: string): string {
  return visibleLine(text, LONGEST);
}

/** What there is to say about one call. */
export type HintState =
  /** Nobody asked yet. */
  | { readonly kind: "idle" }
  | { readonly kind: "asking" }
  /** Somebody asked, and the source or the workspace does not say enough. */
  | { readonly kind: "unbound"; readonly reason: string }
  | KnownHint;

/** There is an answer, a figure or the reason why there is none. */
export interface KnownHint {
  readonly kind: "known";
  readonly bound: BoundCall;
  readonly estimate: CallEstimate;
  readonly ageInBlocks: number;
  readonly isOld: boolean;
  /** `undefined` when no snapshot of the costs has the call. */
  readonly change: CostDifference | undefined;
  /** Symbol of the coin of the call's network, where it is known. */
  readonly symbol?: string | undefined;
}

/** Energy more than in a snapshot, and which one that is. */
export interface CostDifference {
  readonly energy: bigint;
  readonly since: string;
}
