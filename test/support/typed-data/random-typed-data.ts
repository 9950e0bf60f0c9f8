import { toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { addressFromBytes, hexToBytes, type Json } from "../../../packages/tron/src/primitives.ts";

interface Field {
  readonly name: string;
  readonly type: string;
}

/** Typed data in the form of TronWeb. */
export interface RandomTypedData {
  readonly types: { [name: string]: Field[] };
  readonly domain: { [name: string]: Json };
  readonly message: { [name: string]: Json };
}

/** A type, and a maker of random values of it. */
interface Sample {
  readonly type: string;
  readonly make: () => Json;
}

const LETTERS = ["a", "Z", "0", " ", '"', "\\", "\n", "ß", "水", "🍵", "\u202e", "\u0000"];

/** Random choices by a seed (mulberry32). */
class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns an integer from 0 to `most`. */
  upTo(most: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % (most + 1);
  }

  of<T>(...items: readonly T[]): T {
    const item = items[this.upTo(items.length - 1)];
    if (item === undefined) throw new RangeError("there is nothing to choose from");
    return item;
  }

  hex(bytes: number): string {
    // Zeros, ones and other digits: the ends of each range have to occur.
    const digit = this.of(
      () => "0",
      () => "f",
      () => this.upTo(15).toString(16),
      () => this.upTo(15).toString(16),
    );
    return Array.from({ length: 2 * bytes }, digit).join("");
  }

  text(longest: number): string {
    return Array.from({ length: this.upTo(longest) }, () => this.of(...LETTERS)).join("");
  }
}

/** Returns typed data with up to five structs; each struct but the first is a field of an earlier one. */
export function randomTypedData(seed: number): RandomTypedData {
  const choose = new Choices(seed);
  const count = 1 + choose.upTo(4);
  const names = Array.from({ length: count }, (_, at) => `${choose.of("Order", "_a", "$", "Z9", "m")}${at}`);
  const parents = names.map((_, at) => (at === 0 ? -1 : choose.upTo(at - 1)));
  const structs: Sample[] = [];
  const types: RandomTypedData["types"] = {};
  let message: RandomTypedData["message"] = {};
  // From the last one, so that the structs inside of a struct are there before it.
  for (let at = count - 1; at >= 0; at--) {
    const children = structs.filter((_, index) => parents[count - 1 - index] === at || choose.upTo(4) === 0);
    const basics = Array.from({ length: choose.upTo(3) + (children.length === 0 ? 1 : 0) }, () => basicSample(choose));
    const samples = [
      ...children.map((it) => listSample(choose, it, 1)),
      ...basics.map((it) => listSample(choose, it, 3)),
    ];
    const fields = samples.map((it, index) => ({ name: `f${index}`, ...it }));
    const make = () => Object.fromEntries(fields.map((field) => [field.name, field.make()]));
    const name = names[at] ?? "";
    types[name] = fields.map((field) => ({ name: field.name, type: field.type }));
    structs.push({ type: name, make });
    message = make();
  }
  return { types, domain: randomDomain(choose), message };
}

function randomDomain(choose: Choices): RandomTypedData["domain"] {
  const all: RandomTypedData["domain"] = {
    name: choose.text(10),
    version: choose.of("1", "V1.0.0"),
    chainId: integer(choose, "uint", 32),
    verifyingContract: address(choose),
    salt: `0x${choose.hex(32)}`,
  };
  return Object.fromEntries(Object.entries(all).filter(() => choose.upTo(3) > 0));
}

/** Returns the sample itself, or lists of it. @param depth - most lists in each other */
function listSample(choose: Choices, { type, make }: Sample, depth: number): Sample {
  if (depth === 0 || choose.upTo(2) > 0) return { type, make };
  const length = choose.of("", "1", "2", "3");
  const items = (): Json => Array.from({ length: length === "" ? choose.upTo(2) : Number(length) }, make);
  return listSample(choose, { type: `${type}[${length}]`, make: items }, depth - 1);
}

function basicSample(choose: Choices): Sample {
  const size = 1 + choose.upTo(31);
  const kind = choose.of("uint" as const, "int" as const);
  return choose.of<Sample>(
    { type: "address", make: () => address(choose) },
    { type: "bool", make: () => choose.of(true, false) },
    { type: "string", make: () => choose.text(40) },
    { type: "bytes", make: () => `0x${choose.hex(choose.upTo(70))}` },
    { type: "trcToken", make: () => integer(choose, "uint", 256) },
    { type: `bytes${size}`, make: () => `0x${choose.hex(size)}` },
    { type: `${kind}${8 * size}`, make: () => integer(choose, kind, 8 * size) },
    { type: `${kind}256`, make: () => integer(choose, kind, 256) },
  );
}

/** Returns an integer in one of the forms of JSON: a number, decimal text or hex. */
function integer(choose: Choices, kind: "uint" | "int", bits: number): Json {
  const unsigned = BigInt(`0x${choose.hex(bits / 8)}`);
  const value = kind === "uint" ? unsigned : BigInt.asIntN(bits, unsigned);
  const form = choose.upTo(2);
  if (form === 0 && Number.isSafeInteger(Number(value))) return Number(value);
  return form === 1 && value >= 0n ? `0x${value.toString(16)}` : String(value);
}

/** Returns an address in one of its forms: 0x…, 41… or base58. */
function address(choose: Choices): string {
  const digits = choose.hex(20);
  return choose.of(`0x${digits}`, `41${digits}`, toBase58(addressFromBytes(hexToBytes(`41${digits}`))));
}
