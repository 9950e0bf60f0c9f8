/** What looks like a secret wherever it stands: tokens and keys in PEM. Hex of 64 digits does not: every txID is that. */
const PATTERNS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\bBearer\s+[\w.~+/=-]+/gi,
];

export const MASK = "***";
/** Shorter texts are no secrets, and masking them would blacken words. */
const SHORTEST_SECRET = 8;

/** Takes secrets out of texts: what looks like one, and every value that was named as one. */
export class Masking {
  readonly #secrets = new Set<string>();

  /** From now on, this text is masked, whatever the case of its letters. */
  remember(secret: string): void {
    const text = secret.trim().replace(/^0x/i, "");
    if (text.length >= SHORTEST_SECRET) this.#secrets.add(text);
  }

  masked(text: string): string {
    let result = text;
    for (const pattern of PATTERNS) result = result.replace(pattern, MASK);
    result = result.replace(/[\w.-]+/g, withoutTokens);
    for (const secret of this.#secrets) result = replaceAll(result, secret);
    return result;
  }
}

/**
 * Masks JWTs in a run of the characters they are made of. One pattern for all of it would begin anew at each letter, and take
 * minutes for a text that a stranger made for that.
 */
function withoutTokens(run: string): string {
  const parts = run.split(".");
  const kept: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? "";
    const start = part.search(/\beyJ[\w-]/);
    const isToken = start >= 0 && parts[index + 1] !== "" && parts[index + 2] !== undefined;
    kept.push(isToken ? part.slice(0, start) + MASK : part);
    if (isToken) index += 2;
  }
  return kept.join(".");
}

function replaceAll(text: string, secret: string): string {
  const literally = secret.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text.replace(new RegExp(literally, "gi"), MASK);
}
