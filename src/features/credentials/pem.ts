const PEM = /(-----BEGIN [A-Z0-9 ]+-----)([\s\S]*?)(-----END [A-Z0-9 ]+-----)/;

/**
 * Gives a PEM the lines that an input box took from it. A text that is none is left as it is, for its reader to
 * complain.
 *
 * @example
 * withPemLines("-----BEGIN PRIVATE KEY----- AAAA -----END PRIVATE KEY-----");
 */
export function withPemLines(text: string): string {
  return text.replace(PEM, (_all, begin: string, body: string, end: string) => {
    if (body.includes(":")) return `${begin}${body}${end}`;
    const lines = body.replace(/\s+/g, "").match(/.{1,64}/g) ?? [];
    return `${[begin, ...lines, end].join("\n")}\n`;
  });
}
