/** Letters that look like the plain ones: who reads them can still tell the text. */
const LOOK = Object.fromEntries(
  [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter, index) => [
    letter,
    [..."àƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÀƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ"][index] ?? letter,
  ]),
);

/** What is no text: what is filled in, icons, code, the ends of links, tags, addresses, names of fields, the product, the locale. */
const KEPT =
  /\{\w*\}|\$\([a-z~-]+\)|`[^`]*`|\]\([^)]*\)|<[^>]+>|https?:\S+|#[\w.]+#|\w*_\w*|\b[A-Z]{2,}\b|Finality|^en-US$/g;

/**
 * A text as no language says it: every letter that a translator would have changed has a mark. What is then shown
 * without marks was forgotten.
 *
 * @param {string} text
 */
export function pseudo(text) {
  const kept = [...text.matchAll(KEPT)];
  const pieces = text.split(KEPT);
  return pieces.map((piece, index) => `${marked(piece)}${kept[index]?.[0] ?? ""}`).join("");
}

/** @param {string} piece */
const marked = (piece) => [...piece].map((letter) => LOOK[letter] ?? letter).join("");
