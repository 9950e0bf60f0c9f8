import { createHash, randomBytes, randomInt } from "node:crypto";

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
export class KnownSecrets {
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
