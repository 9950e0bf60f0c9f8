import { createHash, randomBytes, randomInt } from "node:crypto";

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

/** A secret as it is remembered: nothing of it can be read back from this. */
interface Fingerprint {
  /** Of 32 bits, by which places in a text are picked. */
  readonly rolling: number;
  /** Salted SHA-256, which decides. */
  readonly digest: string;
}

/** A stretch of a text, from its first character to before its last. */
export type Stretch = readonly [from: number, to: number];

/**
 * Finds secrets in texts without keeping one: of each there is its length, a rolling hash with a factor that only this
 * object knows, and a salted SHA-256. Letters of ASCII count in either case. A secret that can be guessed, such as a
 * word, can still be found by who reads the memory of this process and tries words; 32 random bytes cannot.
 */
class KnownSecrets {
  readonly #salt = randomBytes(32);
  /** Odd, so that no two lengths of a text are alike for all texts. */
  readonly #factor = randomInt(1 << 20, 2 ** 32 - 1) | 1;
  readonly #byLength = new Map<number, Fingerprint[]>();

  add(secret: string): void {
    const units = lowerUnits(secret);
    const known = this.#byLength.get(units.length) ?? [];
    const digest = this.#digest(units, 0, units.length);
    if (known.some((it) => it.digest === digest)) return;
    this.#byLength.set(units.length, [...known, { rolling: this.#rolling(units, units.length), digest }]);
  }

  /** Where secrets stand in a text, in order and joined where they overlap. */
  find(text: string): readonly Stretch[] {
    if (this.#byLength.size === 0) return [];
    const units = lowerUnits(text);
    const found = [...this.#byLength].flatMap(([length, known]) => this.#findOf(units, length, known));
    return joined(found.sort(([left], [right]) => left - right));
  }

  /** One pass over the text, whatever stands in it: only places whose rolling hash fits are looked at. */
  #findOf(units: Uint16Array, length: number, known: readonly Fingerprint[]): Stretch[] {
    if (units.length < length) return [];
    const found: Stretch[] = [];
    const leaving = power(this.#factor, length);
    let rolling = this.#rolling(units, length);
    for (let from = 0; ; from++) {
      const fits = known.filter((it) => it.rolling === rolling);
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

/** The same value with every text in it masked: answers of gateways may repeat what was sent to them. */
export function maskTexts<T>(value: T, masked: (text: string) => string): T {
  if (typeof value === "string") return masked(value) as T;
  if (Array.isArray(value)) return value.map((it: unknown) => maskTexts(it, masked)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, maskTexts(it, masked)])) as T;
}
