import type { CallSite, TextRange } from "@finality/client/call-sites";
import { burnsItsLimit, limitVerdict, suggestedFeeLimit } from "@finality/client/estimates";
import { coinsText, grouped } from "@finality/tron/format";
import type { Sun } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { roomText } from "../../labels/estimates.ts";
import type { HintState } from "./hint.view.ts";

/** A `fee_limit` that does not do. */
export interface FeeLimitProblem {
  readonly range: TextRange;
  readonly message: string;
  /** The limit to set, in sun. */
  readonly suggested: Sun;
  /** What it has above the needed limit. */
  readonly room: string;
  /** False where the code may behave differently under this limit, so that the call may succeed all the same. */
  readonly isCertain: boolean;
  /** True if the limit is written there and can be replaced by the suggested one. */
  readonly isWritten: boolean;
}

/** What is wrong with the `fee_limit` of a call, by an estimate that is known. */
export function feeLimitProblem(
  wanted: CallSite,
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
        : t`fee_limit ${limit} is too small: the call would stop with OUT_OF_ENERGY after ${grouped(shortage.covers)} of about ${grouped(estimate.cost.requiredEnergy)} energy. Staked energy does not raise this limit.`
      : t`fee_limit ${limit} is above ${asWritten(shortage.maximum, symbol)}, the most that this chain allows: nodes refuse it before anything runs.`;
  return {
    range: bound.limit.range ?? wanted.range,
    message,
    suggested: suggestedFeeLimit(estimate, marginPercent),
    room: roomText(estimate, marginPercent),
    isCertain,
    isWritten: bound.limit.range !== undefined && !burnsItsLimit(estimate),
  };
}

/** A limit as code has it, in sun and without separators, and in coins. */
function asWritten(limit: Sun, symbol: string | undefined): string {
  return t`${String(limit)} sun (${coinsText(limit, symbol)})`;
}

/** A limit in the way in which the one before it was written: in quotes, with separators, as a BigInt. */
export function limitLike(written: string, limit: Sun): string {
  const quote = /^["'`]/.exec(written)?.[0] ?? "";
  const digits = written.includes("_") ? grouped(limit).replaceAll(",", "_") : limit.toString();
  return `${quote}${digits}${/^\d[\d_]*n$/.test(written) ? "n" : ""}${quote}`;
}

/** A comment with this word on a line turns its warning off. */
export const IGNORE_MARK = "finality-ignore fee-limit";
