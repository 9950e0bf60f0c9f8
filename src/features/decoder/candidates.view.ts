import { type Explanation, shownSources } from "@finality/client/explain";
import { visibleLine } from "@finality/tron/primitives";
import type { DecoderCandidate } from "../../webview-messages/decoder.ts";

const MAX_CANDIDATES = 12;

/** Explains the same text as if this signature was meant. */
export type ExplainAs = (signature: string) => Explanation;

/** The explanation that a person chose among several, and all of them in an order that stays when she chooses. */
export interface Choosing {
  readonly explanation: Explanation;
  readonly candidates: readonly DecoderCandidate[];
}

/**
 * The readings of a text. Only those whose fields can be read can be chosen.
 *
 * @param choice - a code; what is not among them is no choice
 */
export function chooseReading(likeliest: Explanation, choice: string, explainAs: ExplainAs): Choosing {
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
