import { type SourceTokens, tokenize } from "../call-sites/source-tokens.ts";

/** Position in a text as editors count it, from 0. */
export interface SourcePosition {
  readonly line: number;
  /** In UTF-16 units. */
  readonly column: number;
}

/** Source text with positions by byte, as compilers count. */
export interface SourceText {
  readonly text: string;
  /** Number of bytes in UTF-8. */
  readonly length: number;
  /** Tokens with positions in bytes. */
  tokens(): SourceTokens;
  positionAt(byte: number): SourcePosition;
  /** Returns the bytes of a range as text, one character for each byte. */
  slice(start: number, end: number): string;
}

export function sourceText(text: string): SourceText {
  const encoded = Buffer.from(text, "utf8");
  // One character for each byte, so that positions of tokens are positions of bytes.
  const latin = encoded.toString("latin1");
  let tokens: SourceTokens | undefined;
  let lines: number[] | undefined;
  return {
    text,
    length: encoded.length,
    tokens: () => {
      tokens ??= tokenize(latin, "solidity");
      return tokens;
    },
    positionAt: (byte) => {
      lines ??= lineStarts(encoded);
      const line = lastNotAfter(lines, byte);
      return { line, column: encoded.subarray(lines[line] ?? 0, byte).toString("utf8").length };
    },
    slice: (start, end) => latin.slice(start, end),
  };
}

const LINE_FEED = 10;

function lineStarts(bytes: Uint8Array): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) starts.push(at + 1);
  return starts;
}

function lastNotAfter(starts: readonly number[], byte: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= byte) low = middle;
    else high = middle - 1;
  }
  return low;
}
