/** A part of a text. */
export interface Bounds {
  readonly start: number;
  readonly end: number;
}

interface Mark {
  readonly mark: string;
  readonly index: number;
}

/**
 * The part of a line to which an offset belongs: from the quote or bracket that is open there to where that one closes,
 * or the whole line. Takes time linear in the line.
 */
export function segmentAround(line: string, offset: number): Bounds {
  const open: Mark[] = [];
  let around: { readonly start: number; readonly depth: number } | undefined;
  const entered = () => ({ start: (open.at(-1)?.index ?? -1) + 1, depth: open.length });
  for (const { index, 0: mark } of line.matchAll(MARKS)) {
    if (around === undefined && index >= offset) around = entered();
    const depth = closedDepth(line, { mark, index }, open);
    if (depth === undefined) {
      if (mayOpen(line, { mark, index })) open.push({ mark, index });
      continue;
    }
    if (around !== undefined && depth < around.depth) return { start: around.start, end: index };
    open.length = depth;
  }
  return { start: (around ?? entered()).start, end: line.length };
}

/** An apostrophe inside of a word opens and closes nothing. */
const MARKS = /"|`|(?<!\w)'|'(?!\w)|[()[\]{}“”‘’«»「」（）【】]/g;
const CLOSING: { readonly [mark: string]: string } = {
  ")": "(",
  "]": "[",
  "}": "{",
  "”": "“",
  "’": "‘",
  "»": "«",
  "」": "「",
  "）": "（",
  "】": "【",
};
const QUOTE = /["'`]/;
/** Characters that may precede an opening quotation mark. */
const BEFORE_QUOTE = /[\s([{<=:,>|"'`-]/;

/** Returns the number of marks that remain open after a closing mark; undefined if it closes none. */
function closedDepth(line: string, { mark, index }: Mark, open: readonly Mark[]): number | undefined {
  const opening = CLOSING[mark] ?? (QUOTE.test(mark) && !/\w/.test(line[index + 1] ?? "") ? mark : undefined);
  const depth = opening === undefined ? -1 : open.findLastIndex((one) => one.mark === opening);
  if (depth < 0) return undefined;
  const isNested = QUOTE.test(mark) && mayOpen(line, { mark, index });
  return isNested && (depth < open.length - 1 || /[\s([{]/.test(line[index - 1] ?? "")) ? undefined : depth;
}

function mayOpen(line: string, { mark, index }: Mark): boolean {
  if (!QUOTE.test(mark)) return CLOSING[mark] === undefined;
  const next = line[index + 1] ?? "";
  const begins = /[^\s,.;:)\]}]/.test(next) || (next === ":" && line[index + 2] === mark);
  return begins && (index === 0 || BEFORE_QUOTE.test(line[index - 1] ?? ""));
}
