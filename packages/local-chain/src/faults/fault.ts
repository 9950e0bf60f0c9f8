import { hash } from "node:crypto";
import { type Json, type JsonObject, printJson } from "@finality/tron/primitives";
import type { Blockchain } from "../chain/blockchain.ts";
import type { Halt } from "../chain/halt.ts";
import type { ChainTransaction } from "../chain/transaction.ts";
import type { ServerAction } from "../http/message.ts";
import type { NodeView } from "../node/node-view.ts";

/** Services that faults use. */
export interface FaultServices {
  readonly chain: Blockchain;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly delay: (ms: number) => Promise<void>;
}

/** Serves the request; each call serves it again. */
export type Serve = () => Promise<ServerAction>;

/** Effect of a fault, by the stage at which it acts. */
export type Effect =
  /** Acts before, after or instead of the routes. */
  | { readonly stage: "request"; act(serve: Serve, services: FaultServices): Promise<ServerAction> }
  /** Changes the node's view of the chain. */
  | { readonly stage: "view"; act(view: NodeView, path: string): NodeView }
  /** Acts before a broadcast enters the pool. @throws {Refusal} */
  | { readonly stage: "admission"; act(transaction: ChainTransaction, fires: () => boolean, view: NodeView): void }
  /** Prevents the solidification of blocks, independent of requests. */
  | { readonly stage: "solidification" }
  /** Forces the result of code in a block, independent of requests. */
  | { readonly stage: "execution"; readonly halt: Halt }
  /** Closes the listener for a time after a response. */
  | { readonly stage: "listener"; readonly ms: number };

/** A type of fault. */
export interface FaultType {
  readonly name: string;
  /** Returns whether the fault applies to a path; any path when absent. */
  readonly concerns?: (path: string) => boolean;
  /** Default count; unlimited when absent. */
  readonly count?: number;
  /** Reads the parameters of the fault. @throws {TypeError} one does not fit */
  readonly read: (fields: FaultFields) => Effect;
}

/**
 * Reader of the fields of a fault. Its errors repeat the value, and read values are kept with their defaults for the
 * report, so it is not the reader of `@finality/tron/read`. Each method throws a TypeError that names valid values.
 */
interface FaultFields {
  integer(name: string, range: { readonly min: number; readonly max: number; readonly or?: number }): number;
  /** Reads one of the texts; the first is the default. */
  choice<T extends string>(name: string, choices: readonly [T, ...T[]]): T;
  /** Reads a number from 0 to 1. */
  share(name: string, or: number): number;
  /** Reads a list of texts, or a single text. */
  texts(name: string): readonly string[] | undefined;
  /** Values read so far, with defaults. */
  readonly values: JsonObject;
  /** Checks that all fields were read. @throws {TypeError} a field is unknown */
  finish(): void;
}

export function faultFields(fault: string, fields: JsonObject): FaultFields {
  const values: { [name: string]: Json } = {};
  const refuse = (name: string, what: string): never => {
    throw new TypeError(`${fault}: ${name} has to be ${what}, not ${printJson(fields[name] ?? null)}.`);
  };
  const keep = <T extends Json>(name: string, value: T): T => {
    values[name] = value;
    return value;
  };
  return {
    values,
    integer: (name, { min, max, or }) => {
      const value = fields[name] ?? or;
      const matchesPattern = typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
      return matchesPattern ? keep(name, value) : refuse(name, `an integer from ${min} to ${max}`);
    },
    choice: (name, choices) => {
      const found = choices.find((it) => it === (fields[name] ?? choices[0]));
      return found === undefined ? refuse(name, choices.map((it) => `"${it}"`).join(" or ")) : keep(name, found);
    },
    share: (name, or) => {
      const value = fields[name] ?? or;
      const matchesPattern = typeof value === "number" && value >= 0 && value <= 1;
      return matchesPattern ? keep(name, value) : refuse(name, "a number from 0 to 1");
    },
    texts: (name) => {
      const value = fields[name];
      if (value === undefined) return undefined;
      const list: readonly Json[] = Array.isArray(value) ? value : [value];
      const texts = list.filter((it) => typeof it === "string" && it !== "");
      if (texts.length === 0 || texts.length < list.length) return refuse(name, "a text or a list of texts");
      keep(name, value);
      return texts as readonly string[];
    },
    finish: () => {
      const unknown = Object.keys(fields).filter((name) => !(name in values) && name !== "name");
      if (unknown.length > 0) throw new TypeError(`${fault} has no ${unknown.map((it) => `"${it}"`).join(", ")}.`);
    },
  };
}

/** Conditions of a fault. */
export interface TriggerRule {
  /** Probability from 0 to 1. */
  readonly rate: number;
  /** Most occurrences; unlimited when absent. */
  readonly count: number | undefined;
  /** Paths with `*` for any text; any path when absent. */
  readonly paths: readonly string[] | undefined;
  /** Seed of the random numbers. */
  readonly seed: string;
}

/** Counter and random numbers of one fault. */
export class Trigger {
  readonly #rule: TriggerRule;
  readonly #draw: () => number;
  #hits = 0;

  constructor(rule: TriggerRule) {
    this.#rule = rule;
    this.#draw = randomNumbers(rule.seed);
  }

  get hits(): number {
    return this.#hits;
  }

  matches(path: string): boolean {
    return this.#rule.paths?.some((pattern) => matchesPattern(pattern, path)) ?? true;
  }

  /** Returns whether the fault happens now. */
  fires(): boolean {
    const { rate, count } = this.#rule;
    if (count !== undefined && this.#hits >= count) return false;
    if (this.#draw() >= rate) return false;
    this.#hits += 1;
    return true;
  }
}

function matchesPattern(pattern: string, path: string): boolean {
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

/** Returns a generator of numbers in [0, 1): mulberry32, small and even enough for faults. */
function randomNumbers(seed: string): () => number {
  let state = Number.parseInt(hash("sha256", seed).slice(0, 8), 16);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
