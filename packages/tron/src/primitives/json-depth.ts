/** Limit of nesting. No compiler writes deeper JSON, and a recursive reader would exhaust the stack. */
export const DEEPEST_JSON = 256;

/**
 * Returns the nesting depth of JSON, with or without comments, in one pass and constant memory. Brackets in strings and
 * comments are ignored.
 */
export function jsonDepth(text: string): number {
  let [depth, deepest] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "/" && text[at + 1] === "/") at = endOf(text, "\n", at);
    else if (character === "/" && text[at + 1] === "*") at = endOf(text, "*/", at + 2) + 1;
    else if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth--;
  }
  return deepest;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  // A string that does not end on its line is a mistake, and what follows is no part of it.
  while (at < text.length && text[at] !== '"' && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1;
  return at;
}

function endOf(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length : found;
}
