const PEM = /(-----BEGIN [A-Z0-9 ]+-----)([\s\S]*?)(-----END [A-Z0-9 ]+-----)/g;
/** Headers of a legacy encrypted PEM. */
const HEADS = /^\s*(Proc-Type:\s*\S+)\s+(DEK-Info:\s*\S+)\s/;

/**
 * Restores the line breaks that an input box removed from a PEM. Returns any other text unchanged, so that its parser
 * reports the error.
 *
 * @example withPemLines("-----BEGIN PRIVATE KEY----- AAAA -----END PRIVATE KEY-----");
 */
export function withPemLines(text: string): string {
  return text.replace(PEM, (_all, begin: string, body: string, end: string) => {
    const [heads = "", ...lines] = HEADS.exec(body) ?? [];
    const content = body.slice(heads.length);
    if (content.includes(":")) return `${begin}${body}${end}`;
    const above = lines.length === 0 ? [] : [...lines, ""];
    return `${[begin, ...above, ...(content.replace(/\s+/g, "").match(/.{1,64}/g) ?? []), end].join("\n")}\n`;
  });
}
