import {
  type BindingContext,
  type BoundCall,
  bindCall,
  cachedEstimateOf,
} from "../../../packages/client/src/call-sites/bind-call.ts";
import type { CallSite } from "../../../packages/client/src/call-sites/call-site.ts";
import { suggestedFeeLimit } from "../../../packages/client/src/estimates/call-estimate.ts";
import { EstimateCache } from "../../../packages/client/src/estimates/estimate-cache.ts";
import type { EstimateSource } from "../../../packages/client/src/estimates/estimate-call.ts";
import type { Sun } from "../../../packages/tron/src/primitives/amount.ts";
import { parseAmount } from "../../../packages/tron/src/primitives/parse-amount.ts";
import {
  type HintHover,
  type HintWords,
  hintHover,
  hintLine,
  type KnownHint,
} from "../../../src/features/energy-hints/hint.view.ts";

/** Text on the line of a call, and the limit that the call is sent with. */
export interface ShownCall {
  readonly bound: BoundCall;
  readonly text: string;
  /** Read back from the text; `undefined` where it shows no figure. */
  readonly figures: { readonly energy: bigint; readonly fee: Sun } | undefined;
  /** The written one, or the one that the quick fix sets where that is too small or none is written. */
  readonly feeLimit: Sun;
}

/** The lens of a call, asked for and drawn like in an editor, with every figure read from its words. */
export async function shownCall(
  wanted: CallSite,
  { context, source, words }: { context: BindingContext; source: EstimateSource; words: HintWords },
): Promise<ShownCall> {
  const bound = bindCall(wanted, context);
  if (bound.kind !== "bound")
    throw new Error(`${wanted.label ?? wanted.method} is not bound: ${JSON.stringify(bound)}`);
  const cache = new EstimateCache({ sourceFor: async () => source, now: () => 0, onChange: () => undefined });
  await cache.estimate({ network: "N", intent: bound.intent });
  const known = knownHint(cache, bound, words);
  const { estimate } = known;
  const hasRoom = bound.limit.isReal && estimate.kind === "estimated" && estimate.cost.shortages.length === 0;
  const feeLimit =
    estimate.kind !== "estimated" || hasRoom ? bound.limit.feeLimit : suggestedFeeLimit(estimate, words.marginPercent);
  const fixed = { ...bound, limit: { ...bound.limit, feeLimit }, intent: { ...bound.intent, feeLimit } };
  const hint = hasRoom || !bound.limit.isReal ? known : knownHint(cache, fixed, words);
  const { text } = hintLine(hint, words);
  return { bound, text, figures: figuresIn(text, hintHover(hint, words)), feeLimit };
}

function knownHint(cache: EstimateCache, bound: BoundCall, { marginPercent }: HintWords): KnownHint {
  const entry = cachedEstimateOf(cache, "N", bound, marginPercent);
  if (entry?.kind !== "known") throw new Error("The book has no answer.");
  return { kind: "known", bound, estimate: entry.estimate, ageInBlocks: 0, isOld: false, change: undefined };
}

/**
 * Energy and coins of a lens such as `28,057 energy · 5.89197 coins`; where it shows no coins, they are those of its
 * hover.
 */
function figuresIn(text: string, hover: HintHover | undefined): ShownCall["figures"] {
  const [, shown] = /^[\d,]+ energy · (nothing to burn|[\d,.]+(?: coins?)?)/.exec(text) ?? [];
  const [taken] = /^[\d,]+(?= energy)/.exec(text) ?? [];
  if (taken === undefined) return undefined;
  const reported = shown ?? hover?.rows.find(({ name }) => name === "Costs")?.value ?? "";
  const coins = reported === "nothing to burn" ? "0" : reported.replace(/ coins?$/, "");
  return { energy: BigInt(taken.replaceAll(",", "")), fee: parseAmount(`${coins} coins`) };
}
