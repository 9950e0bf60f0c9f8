import assert from "node:assert/strict";
import type { BoundCall } from "../../../packages/client/src/call-sites/bind-call.ts";
import type { CallSite } from "../../../packages/client/src/call-sites/call-site.ts";
import type { CallEstimate, CodeIntent } from "../../../packages/client/src/estimates/call-estimate.ts";
import {
  type EstimateContext,
  type EstimateLabels,
  estimateLabels,
} from "../../../packages/client/src/labels/estimates.ts";
import { feeLimitProblem, hintHover, hintLine, type KnownHint } from "../../../src/features/energy-hints/hint.view.ts";
import { sample } from "../samples/samples.ts";

const RANGE = { start: 0, end: 10 };

/** Texts of an estimate in each place that shows it. */
export interface ShownWords extends EstimateLabels {
  readonly lens: string;
  readonly icon: string;
  /** The text of the problem on the line, if there is one. */
  readonly diagnostic: string | undefined;
}

/** The words of the gate, which the lens, the hover and the problem of the same call have to say too. */
export function shownWords(estimate: CallEstimate, intent: CodeIntent, context: EstimateContext): ShownWords {
  const { abi, marginPercent } = context;
  const hintWords = { abi, marginPercent, nameOf: () => undefined };
  const hint = knownHint(estimate, intent, context);
  const words = estimateLabels(estimate, intent, { ...context, mutability: hint.bound.called.mutability });
  const { text, icon, tooltip } = hintLine(hint, hintWords);
  const hover = hintHover(hint, hintWords) ?? assert.fail("there is no hover");
  assert.ok(hover.title.endsWith(words.headline), `${hover.title} ends with ${words.headline}`);
  assert.deepEqual(hover.problems, words.problems);
  const rows = hover.rows.slice(0, words.figures.length).map((row) => ({ ...row, name: row.name.toLowerCase() }));
  assert.deepEqual(
    rows,
    words.figures.map((row) => ({ ...row, name: row.name.toLowerCase() })),
  );
  for (const note of words.notes) assert.ok(hover.notes.includes(note), note);
  for (const one of words.problems) assert.ok(tooltip.includes(one), `the tooltip says: ${one}`);
  if (estimate.kind === "estimated" && words.verdict !== "fails") {
    const [energy = ""] = words.headline.split(" · ");
    assert.ok(text.startsWith(energy), `${text} starts with ${energy}`);
  } else assert.equal(text, words.headline, "without a figure the lens says the headline");
  const diagnostic = feeLimitProblem({ range: RANGE } as CallSite, hint, marginPercent)?.message;
  const isLimit = estimate.kind === "estimated" && estimate.cost.shortages.some(({ kind }) => kind !== "balance");
  assert.equal(diagnostic !== undefined, isLimit, "a limit that does not do is a problem of its line");
  return { ...words, lens: text, icon, diagnostic };
}

function knownHint(estimate: CallEstimate, intent: CodeIntent, { mutability }: EstimateContext): KnownHint {
  const called = { ...sample("TeaHouse").fn("reserve"), mutability: mutability ?? "payable" };
  const bound: BoundCall = {
    kind: "bound",
    intent,
    called,
    arguments: [],
    assumptions: [],
    contract: { name: "TeaHouse" } as BoundCall["contract"],
    limit: { feeLimit: intent.feeLimit, isReal: true, range: RANGE },
  };
  return { kind: "known", bound, estimate, ageInBlocks: 0, isOld: false, change: undefined };
}
