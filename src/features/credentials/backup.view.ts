const COLUMNS = 3;

/** Words with their numbers, some in a line. */
export function numberedWords(words: readonly string[]): string {
  const numbered = words.map((word, index) => `${index + 1}. ${word}`);
  const lines: string[] = [];
  for (let at = 0; at < numbered.length; at += COLUMNS) lines.push(numbered.slice(at, at + COLUMNS).join("     "));
  return lines.join("\n");
}
