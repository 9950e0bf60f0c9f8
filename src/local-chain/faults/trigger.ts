import { hash } from "node:crypto";

/** When a fault happens. */
export interface TriggerRule {
  /** From 0, never, to 1, each time. */
  readonly rate: number;
  /** How often at most; without an end when absent. */
  readonly count: number | undefined;
  /** Paths with `*` for any text; every path when absent. */
  readonly paths: readonly string[] | undefined;
  /** The same text gives the same draws. */
  readonly seed: string;
}

/** Counts and draws for one fault. */
export class Trigger {
  readonly #rule: TriggerRule;
  readonly #draw: () => number;
  #hits = 0;

  constructor(rule: TriggerRule) {
    this.#rule = rule;
    this.#draw = drawsOf(rule.seed);
  }

  get hits(): number {
    return this.#hits;
  }

  matches(path: string): boolean {
    return this.#rule.paths?.some((pattern) => fits(pattern, path)) ?? true;
  }

  /** Whether the fault happens now, at an occasion that matches. */
  fires(): boolean {
    const { rate, count } = this.#rule;
    if (count !== undefined && this.#hits >= count) return false;
    if (this.#draw() >= rate) return false;
    this.#hits += 1;
    return true;
  }
}

function fits(pattern: string, path: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return path.length - at >= last.length && path.endsWith(last);
}

/** Numbers from 0 to below 1 (the generator mulberry32: small, and even enough for faults). */
function drawsOf(seed: string): () => number {
  let state = Number.parseInt(hash("sha256", seed).slice(0, 8), 16);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
