/** Invisible characters and characters that change the text direction: a name with one looks like another name. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;
/** Variation selector of emojis; not a part of the name. */
const DRAWN_AS_EMOJI = /\uFE0F/g;
/** Letters of Cyrillic and Greek that look like one of Latin, and that one. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [..."аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwвbкkмmнhтtαaβbεeηnιiκkνvοoρpτtυuχxγy".matchAll(/(.)(.)/gu)].map(
    ([, letter = "", latin = ""]) => [letter, latin],
  ),
);

/** A name as it is kept: blanks around it dropped, several in it one. */
export function cleanLabel(text: string): string {
  return text.replace(DRAWN_AS_EMOJI, "").replace(/\s+/g, " ").trim();
}

/**
 * Returns the key of a name for comparison. Names that people cannot distinguish by case, blanks, width or alphabet
 * share it.
 */
export function labelKey(label: string): string {
  const plain = label.normalize("NFKC").toLowerCase().replace(/\s+/g, "");
  return [...plain]
    .filter((character) => !UNSEEN.test(character))
    .map((character) => LOOKALIKES.get(character) ?? character)
    .join("");
}

/** Returns the problem of a label, or undefined if it is valid. */
export function labelFault(text: string, taken: readonly string[]): "empty" | "unseen" | "taken" | undefined {
  const label = cleanLabel(text);
  if (UNSEEN.test(label)) return "unseen";
  const key = labelKey(label);
  if (key === "") return "empty";
  return taken.some((it) => labelKey(it) === key) ? "taken" : undefined;
}

/** The name, or the first number behind it that makes it free: "Savings 2". */
export function freeLabel(text: string, taken: readonly string[]): string {
  const label = cleanLabel(text);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? label : `${label} ${number}`;
    if (labelFault(candidate, taken) !== "taken") return candidate;
  }
}
