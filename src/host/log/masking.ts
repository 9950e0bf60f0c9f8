import { KnownSecrets } from "./known-secrets.ts";

/**
 * What looks like a secret wherever it stands: tokens and keys in PEM. Hex of 64 digits does not: every txID is that.
 */
const PATTERNS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\bBearer\s+[\w.~+/=-]+/gi,
];

export const MASK = "***";
/** Shorter texts are no secrets, and masking them would blacken words. */
const SHORTEST_SECRET = 8;

const PEM_BODY = /-----BEGIN [A-Z ]+-----([\s\S]*?)(?:-----END|$)/;
/** Of the last line of a PEM, which may be a few characters of padding. */
const SHORTEST_PEM_LINE = 20;

/**
 * Takes secrets out of texts: what looks like one, and every value that was named as one, of which no text is kept
 * (`KnownSecrets`). What remains in the memory of the process: the API key and the JWT key of a network as long as its
 * gateway is used, secrets that the editor could not store, and a signing key while it signs.
 */
export class Masking {
  readonly #known = new KnownSecrets();

  /** From now on, this text is masked, whatever the case of its letters; of a PEM each of its lines is. */
  remember(secret: string): void {
    if (secret.includes("-----BEGIN ")) {
      this.#rememberPem(secret);
      return;
    }
    // No pattern is tried on it: the engine keeps the last text that it tried one on.
    const trimmed = secret.trim();
    const text = trimmed.startsWith("0x") || trimmed.startsWith("0X") ? trimmed.slice(2) : trimmed;
    if (text.length >= SHORTEST_SECRET) this.#known.add(text);
  }

  #rememberPem(pem: string): void {
    const body = PEM_BODY.exec(pem)?.[1] ?? "";
    for (const line of body.split(/\s+/)) if (line.length >= SHORTEST_PEM_LINE) this.#known.add(line);
  }

  masked(text: string): string {
    let result = text;
    for (const pattern of PATTERNS) result = result.replace(pattern, MASK);
    return this.#withoutKnown(result.replace(/[\w.-]+/g, withoutTokens));
  }

  #withoutKnown(text: string): string {
    let [result, done] = ["", 0];
    for (const [from, to] of this.#known.find(text)) {
      result += text.slice(done, from) + MASK;
      done = to;
    }
    return result + text.slice(done);
  }
}

/**
 * Masks JWTs in a run of the characters they are made of. One pattern for all of it would begin anew at each letter,
 * and take minutes for a text that a stranger made for that.
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
