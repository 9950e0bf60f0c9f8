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

/** Returns the index of the closing quote. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  // A string that does not end on its line is an error, and the following lines are not part of it.
  while (at < text.length && text[at] !== '"' && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1;
  return at;
}

function endOf(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length : found;
}

/**
 * Returns the first duplicate name in an object of a JSON text, because parsers differ in which value they use.
 *
 * @param text - Valid JSON.
 */
export function repeatedName(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{" || character === "[") open.push(new Set());
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const end = endOfString(text, at) + 1;
      const names = open.at(-1);
      if (names !== undefined && isName(text, end)) {
        const name = JSON.parse(text.slice(at, end)) as string;
        if (names.has(name)) return name;
        names.add(name);
      }
      at = end - 1;
    }
  }
  return undefined;
}

function isName(text: string, from: number): boolean {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  return text[at] === ":";
}
