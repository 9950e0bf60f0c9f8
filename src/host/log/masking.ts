import { createHash, randomBytes, randomInt } from "node:crypto";

/** Patterns of secrets: tokens and PEM keys. Hex of 64 digits is not one, because every txID looks like that. */
const PATTERNS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\bBearer\s+[\w.~+/=-]+/gi,
];

export const MASK = "***";
/** Shorter texts are not masked, because that would mask ordinary words. */
const SHORTEST_SECRET = 8;

const PEM_BODY = /-----BEGIN [A-Z ]+-----([\s\S]*?)(?:-----END|$)/;
/** Shortest PEM line that is masked; the last line may be a few characters of padding. */
const SHORTEST_PEM_LINE = 20;

/**
 * Masks secrets in texts: known patterns and every registered value. Registered values are stored as fingerprints
 * (`KnownSecrets`). Elsewhere, memory still holds the keys of networks in use, secrets that VS Code could not store,
 * and a signing key during use.
 */
export class Masking {
  readonly #known = new KnownSecrets();

  /** Registers a secret, ignoring case. Of a PEM, each line is registered. */
  remember(secret: string): void {
    if (secret.includes("-----BEGIN ")) {
      this.#rememberPem(secret);
      return;
    }
    // No pattern is applied, because the regex engine retains its last input.
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
 * Masks JWTs in a run of token characters. A single pattern would restart at each letter and take minutes on hostile
 * input.
 */
function withoutTokens(run: string): string {
  const parts = run.split(".");
  const stored: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? "";
    const start = part.search(/\beyJ[\w-]/);
    const isToken = start >= 0 && parts[index + 1] !== "" && parts[index + 2] !== undefined;
    stored.push(isToken ? part.slice(0, start) + MASK : part);
    if (isToken) index += 2;
  }
  return stored.join(".");
}

/** Fingerprint of a secret, from which it cannot be recovered. */
interface Fingerprint {
  /** Rolling hash of 32 bits that selects candidate positions. */
  readonly rolling: number;
  /** Salted SHA-256 that decides. */
  readonly digest: string;
}

/** Range of a text; the end is exclusive. */
type Stretch = readonly [from: number, to: number];

/**
 * Finds secrets in texts without storing them: only their length, a rolling hash with a random factor, and a salted
 * SHA-256. ASCII letters match in either case. A guessable secret can still be found by trying words against this
 * memory; 32 random bytes cannot.
 */
class KnownSecrets {
  readonly #salt = randomBytes(32);
  /** Odd, so that texts of different lengths do not collide systematically. */
  readonly #factor = randomInt(1 << 20, 2 ** 32 - 1) | 1;
  readonly #byLength = new Map<number, Fingerprint[]>();

  add(secret: string): void {
    const units = lowerUnits(secret);
    const known = this.#byLength.get(units.length) ?? [];
    const digest = this.#digest(units, 0, units.length);
    if (known.some((it) => it.digest === digest)) return;
    this.#byLength.set(units.length, [...known, { rolling: this.#rolling(units, units.length), digest }]);
  }

  /** Returns the ranges of secrets in a text, in order, overlapping ones joined. */
  find(text: string): readonly Stretch[] {
    if (this.#byLength.size === 0) return [];
    const units = lowerUnits(text);
    const found = [...this.#byLength].flatMap(([length, known]) => this.#findOf(units, length, known));
    return joined(found.sort(([left], [right]) => left - right));
  }

  /** Finds secrets of one length in a single pass: only positions with a matching rolling hash are verified. */
  #findOf(units: Uint16Array, length: number, fingerprints: readonly Fingerprint[]): Stretch[] {
    if (units.length < length) return [];
    const found: Stretch[] = [];
    const leaving = power(this.#factor, length);
    let rolling = this.#rolling(units, length);
    for (let from = 0; ; from++) {
      const fits = fingerprints.filter((it) => it.rolling === rolling);
      if (fits.length > 0) {
        const digest = this.#digest(units, from, from + length);
        if (fits.some((it) => it.digest === digest)) found.push([from, from + length]);
      }
      const next = units[from + length];
      if (next === undefined) return found;
      rolling = (Math.imul(rolling, this.#factor) + next - Math.imul(units[from] ?? 0, leaving)) | 0;
    }
  }

  #rolling(units: Uint16Array, length: number): number {
    let rolling = 0;
    for (let at = 0; at < length; at++) rolling = (Math.imul(rolling, this.#factor) + (units[at] ?? 0)) | 0;
    return rolling;
  }

  #digest(units: Uint16Array, from: number, to: number): string {
    return createHash("sha256").update(this.#salt).update(units.subarray(from, to)).digest("base64");
  }
}

function lowerUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    units[at] = unit >= 65 && unit <= 90 ? unit + 32 : unit;
  }
  return units;
}

function power(factor: number, exponent: number): number {
  let result = 1;
  for (let step = 0; step < exponent; step++) result = Math.imul(result, factor);
  return result;
}

function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const result: Stretch[] = [];
  for (const [from, to] of stretches) {
    const last = result.at(-1);
    if (last !== undefined && from < last[1]) result[result.length - 1] = [last[0], Math.max(last[1], to)];
    else result.push([from, to]);
  }
  return result;
}

/** Returns the value with every text in it masked: gateway responses may repeat what was sent. */
export function maskTexts<T>(value: T, masked: (text: string) => string): T {
  if (typeof value === "string") return masked(value) as T;
  if (Array.isArray(value)) return value.map((it: unknown) => maskTexts(it, masked)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, maskTexts(it, masked)])) as T;
}
