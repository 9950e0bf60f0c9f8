/** The text of a message in hex; undefined when it is no readable UTF-8 (gateway document, Decoding message). */
export function decodeHexMessage(digits: string): string | undefined {
  const text = Buffer.from(digits, "hex").toString("utf8");
  return /[\uFFFD\p{Cc}\p{Cf}]/u.test(text) ? undefined : text;
}
