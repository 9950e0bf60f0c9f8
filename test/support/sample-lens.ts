import { bindCall } from "../../src/core/call-sites/bind-call.ts";
import type { BindingWorld, Bound } from "../../src/core/call-sites/binding.ts";
import type { WantedCall } from "../../src/core/call-sites/wanted-call.ts";
import { EstimateBook } from "../../src/core/estimates/estimate-book.ts";
import type { EstimateSource } from "../../src/core/estimates/estimate-call.ts";
import { suggestedFeeLimit } from "../../src/core/estimates/fee-limit.ts";
import { knownEstimate } from "../../src/core/estimates/known-estimate.ts";
import { parseAmount, type Sun } from "../../src/core/primitives/amount.ts";
import { type HintWords, hintLine } from "../../src/features/energy-hints/hint.view.ts";
import type { KnownHint } from "../../src/features/energy-hints/hint-state.ts";

/** What stands on the line of a call, and the limit that its call would be sent with. */
export interface ShownCall {
  readonly bound: Bound;
  readonly text: string;
  /** Read back from the text; `undefined` where it shows no figure. */
  readonly figures: { readonly energy: bigint; readonly fee: Sun } | undefined;
  /** The written one, or the one that the quick fix sets where that is too small or none is written. */
  readonly feeLimit: Sun;
}

/** The lens of a call, asked for and drawn like in an editor, with every figure read from its words. */
export async function shownCall(
  wanted: WantedCall,
  { world, source, words }: { world: BindingWorld; source: EstimateSource; words: HintWords },
): Promise<ShownCall> {
  const bound = bindCall(wanted, world);
  if (bound.kind !== "bound")
    throw new Error(`${wanted.label ?? wanted.method} is not bound: ${JSON.stringify(bound)}`);
  const book = new EstimateBook({ sourceFor: async () => source, now: () => 0, onChange: () => undefined });
  await book.ask({ network: "N", intent: bound.intent });
  const known = knownHint(book, bound, words);
  const { estimate } = known;
  const hasRoom = bound.limit.isReal && estimate.kind === "estimated" && estimate.cost.shortages.length === 0;
  const feeLimit =
    estimate.kind !== "estimated" || hasRoom ? bound.limit.feeLimit : suggestedFeeLimit(estimate, words.marginPercent);
  const fixed = { ...bound, limit: { ...bound.limit, feeLimit }, intent: { ...bound.intent, feeLimit } };
  const { text } = hintLine(hasRoom || !bound.limit.isReal ? known : knownHint(book, fixed, words), words);
  return { bound, text, figures: figuresIn(text), feeLimit };
}

function knownHint(book: EstimateBook, bound: Bound, { marginPercent }: HintWords): KnownHint {
  const entry = knownEstimate(book, "N", bound, marginPercent);
  if (entry?.kind !== "known") throw new Error("The book has no answer.");
  return { kind: "known", bound, estimate: entry.estimate, ageInBlocks: 0, isOld: false, change: undefined };
}

/** Energy and coins of a lens such as `28,057 energy · 5.89197`. */
export function figuresIn(text: string): ShownCall["figures"] {
  const [, energy, coins = "0"] = /^([\d,]+) energy · (?:nothing to burn|([\d,.]+))/.exec(text) ?? [];
  if (energy === undefined) return undefined;
  return { energy: BigInt(energy.replaceAll(",", "")), fee: parseAmount(`${coins} coins`) };
}
