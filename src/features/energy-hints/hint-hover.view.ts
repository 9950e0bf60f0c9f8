import { costName } from "@finality/client/call-sites";
import { onlyReads } from "@finality/tron/abi";
import { counted } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import { changeText } from "../../labels/estimates.ts";
import { type HintState, type HintWords, hintLine, type KnownHint, wordsOf } from "./hint.view.ts";

/** What stands in a hover, as blocks that a page or Markdown can draw. Text in it is never markup. */
export interface HintHover {
  readonly title: string;
  readonly problems: readonly string[];
  readonly rows: readonly { readonly name: string; readonly value: string; readonly source: string }[];
  readonly notes: readonly string[];
  readonly assumptions: readonly string[];
}

/**
 * Every figure with its source, what stands in the way, and everything that was assumed; nothing before somebody asked.
 */
export function hintHover(state: HintState, words: HintWords): HintHover | undefined {
  switch (state.kind) {
    case "idle":
    case "asking":
      return undefined;
    case "unbound":
      return {
        title: hintLine(state, words).text,
        problems: [`${state.reason}.`],
        rows: [],
        notes: [],
        assumptions: [],
      };
    case "known":
      return knownHover(state, words);
  }
}

function knownHover(hint: KnownHint, words: HintWords): HintHover {
  const { headline, problems, notes, figures } = wordsOf(hint, words);
  const { bound, ageInBlocks, change } = hint;
  const age = ageInBlocks === 0 ? t`just now` : t`about ${counted(ageInBlocks, t`block`, t`blocks`)} ago`;
  const reading = onlyReads(bound.called)
    ? [t`It only reads: asking a node is free. The costs are those of a transaction that calls it.`]
    : [];
  const limit =
    reading.length > 0 || bound.limit.isReal
      ? []
      : [t`No fee_limit is written here, so there is none to compare with.`];
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
    problems,
    rows: [
      ...figures.map((one) => ({ ...one, name: capital(one.name) })),
      ...dearer,
      { name: t`Asked`, value: age, source: t`newest block that is known, else the clock` },
    ],
    notes: [...notes, ...reading, ...limit],
    assumptions: bound.assumptions,
  };
}

/** `Burned for …`, but `fee_limit needed`. */
function capital(text: string): string {
  return text.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
}
