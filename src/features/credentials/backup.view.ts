/** Words with their numbers, one in a line. */
export function numberedWords(words: readonly string[]): string {
  return words.map((word, index) => `${index + 1}. ${word}`).join("\n");
}
