import { hash } from "node:crypto";
import { type Json, type JsonObject, printJson } from "@finality/tron/primitives";
import type { Blockchain } from "../chain/blockchain.ts";
import type { Halt } from "../chain/halt.ts";
import type { ChainTransaction } from "../chain/transaction.ts";
import type { Answer } from "../http/message.ts";
import type { View } from "../node/node-view.ts";

/** What faults may use besides the request. */
export interface FaultServices {
  readonly chain: Blockchain;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly delay: (ms: number) => Promise<void>;
}

/** Serves the request, and again each time it is called. */
export type Serve = () => Promise<Answer>;

/** The one function of a fault, at the place where it happens. */
export type Effect =
  /** Around the routes: before, after, or instead of them. */
  | { readonly seam: "request"; act(serve: Serve, services: FaultServices): Promise<Answer> }
  /** What the node knows while it answers. */
  | { readonly seam: "view"; act(view: View, path: string): View }
  /** Before a broadcast enters the pool. @throws {Refusal} */
  | { readonly seam: "admission"; act(transaction: ChainTransaction, fires: () => boolean, view: View): void }
  /** When a block could be solidified: it is not. Requests have no part in it. */
  | { readonly seam: "solidification" }
  /** When a block runs the code of a transaction: it ends like this. Requests have no part in it. */
  | { readonly seam: "execution"; readonly halt: Halt }
  /** After an answer: the server does not listen for this time. */
  | { readonly seam: "door"; readonly ms: number };

/** A fault by name. */
export interface FaultType {
  readonly name: string;
  /** The paths it can happen to at all; every one when absent. */
  readonly concerns?: (path: string) => boolean;
  /** How often it happens unless somebody says so; without an end when absent. */
  readonly count?: number;
  /** Reads its own parameters. @throws {TypeError} one does not fit */
  readonly read: (fields: FaultFields) => Effect;
}

/**
 * The fields of one fault as they came, read one by one. Each method throws a TypeError that says what would fit. No
 * reader of
 * `core/primitives/read.ts`: it repeats the value, which is no secret, and keeps what was read with its defaults, to be shown.
 */
interface FaultFields {
  integer(name: string, range: { readonly min: number; readonly max: number; readonly or?: number }): number;
  /** One of the texts, the first one when nothing is given. */
  choice<T extends string>(name: string, choices: readonly [T, ...T[]]): T;
  /** A number from 0 to 1. */
  share(name: string, or: number): number;
  /** Texts, or a single one. */
  texts(name: string): readonly string[] | undefined;
  /** What has been read, defaults included. */
  readonly values: JsonObject;
  /** @throws {TypeError} there is a field that nobody has read */
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
      const fits = typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
      return fits ? keep(name, value) : refuse(name, `an integer from ${min} to ${max}`);
    },
    choice: (name, choices) => {
      const found = choices.find((it) => it === (fields[name] ?? choices[0]));
      return found === undefined ? refuse(name, choices.map((it) => `"${it}"`).join(" or ")) : keep(name, found);
    },
    share: (name, or) => {
      const value = fields[name] ?? or;
      const fits = typeof value === "number" && value >= 0 && value <= 1;
      return fits ? keep(name, value) : refuse(name, "a number from 0 to 1");
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
