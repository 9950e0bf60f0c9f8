/**
 * Plain values as few bytes: names of properties that blocks have are one byte, integers are varints, and a text of hex
 * takes half of its length. Values come back as they were, bytes as a copy.
 */

/** A name that is not here is written in letters. Old bytes need the order: new names come last. */
const NAMES = [
  ...["header", "number", "timestamp", "parentId", "witness", "version", "transactionRoot", "accountStateRoot"],
  ...["transactions", "bytes", "info", "result", "fee", "netUsage", "netFee", "outcome", "stake", "reward"],
  ...["packingFee", "issued", "trade", "contractAddress", "returned", "energy", "logs", "internal", "message"],
  ...["total", "fromCaller", "fromOwner", "penalty", "address", "topics", "data", "hash", "note", "from", "to"],
  ...["value", "tokens", "extra", "rejected"],
];
const NUMBERS: ReadonlyMap<string, number> = new Map(NAMES.map((name, index) => [name, index + 1]));
const IN_LETTERS = 0;

const CONSTANTS: readonly unknown[] = [undefined, null, false, true];
const [INTEGER, BIG, DOUBLE, DECIMAL, TEXT, HEX, BYTES, LIST, MAP, OBJECT] = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13];

const FIRST_ROOM = 4096;
/** Bytes of a varint, and of a tag and a double. */
const MOST_OF_NUMBER = 9;
const GROUP = 0x80;
const PAIRS = /^(?:[0-9a-f]{2})+$/;

export function packValue(value: unknown): Uint8Array {
  const writer = new Writer();
  writer.value(value);
  return writer.bytes;
}

export function unpackValue(bytes: Uint8Array): unknown {
  return new Reader(bytes).value();
}

class Writer {
  #buffer = Buffer.allocUnsafe(FIRST_ROOM);
  #at = 0;

  get bytes(): Uint8Array {
    return new Uint8Array(this.#buffer.subarray(0, this.#at));
  }

  /** @throws {TypeError} no plain value */
  value(value: unknown): void {
    const constant = CONSTANTS.indexOf(value);
    if (constant >= 0) this.#number(constant);
    else if (typeof value === "string") this.#text(value);
    else if (typeof value === "number") this.#numeral(value);
    else if (typeof value === "bigint") this.#integer(value);
    else if (typeof value === "object" && value !== null) this.#structure(value);
    else throw new TypeError(`${typeof value} is no plain value.`);
  }

  #structure(value: object): void {
    if (value instanceof Uint8Array) {
      this.#tagged(BYTES, value.length);
      this.#room(value.length);
      this.#buffer.set(value, this.#at);
      this.#at += value.length;
    } else if (Array.isArray(value)) {
      this.#tagged(LIST, value.length);
      for (const item of value) this.value(item);
    } else if (value instanceof Map) {
      this.#tagged(MAP, value.size);
      for (const [key, item] of value) {
        this.value(key);
        this.value(item);
      }
    } else {
      const names = Object.keys(value);
      this.#tagged(OBJECT, names.length);
      for (const name of names) {
        this.#name(name);
        this.value((value as Record<string, unknown>)[name]);
      }
    }
  }

  #name(name: string): void {
    const number = NUMBERS.get(name);
    this.#number(number ?? IN_LETTERS);
    if (number === undefined) this.#text(name);
  }

  #text(text: string): void {
    const hex = PAIRS.test(text);
    const length = hex ? text.length / 2 : Buffer.byteLength(text);
    this.#tagged(hex ? HEX : TEXT, length);
    this.#room(length);
    this.#at += this.#buffer.write(text, this.#at, hex ? "hex" : "utf8");
  }

  #numeral(value: number): void {
    if (Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) {
      this.#tagged(INTEGER, value);
      return;
    }
    this.#number(DOUBLE);
    this.#room(MOST_OF_NUMBER);
    this.#at = this.#buffer.writeDoubleLE(value, this.#at);
  }

  #integer(value: bigint): void {
    if (value >= 0n && value <= Number.MAX_SAFE_INTEGER) {
      this.#tagged(BIG, Number(value));
      return;
    }
    this.#number(DECIMAL);
    this.#text(String(value));
  }

  #tagged(tag: number, number: number): void {
    this.#number(tag);
    this.#number(number);
  }

  /** Seven bits a byte, the lowest first. */
  #number(number: number): void {
    this.#room(MOST_OF_NUMBER);
    let rest = number;
    for (; rest >= GROUP; rest = Math.floor(rest / GROUP)) this.#buffer[this.#at++] = (rest % GROUP) | GROUP;
    this.#buffer[this.#at++] = rest;
  }

  #room(length: number): void {
    if (this.#at + length <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * this.#buffer.length + length);
    larger.set(this.#buffer.subarray(0, this.#at));
    this.#buffer = larger;
  }
}

class Reader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  value(): unknown {
    const tag = this.#number();
    if (tag < CONSTANTS.length) return CONSTANTS[tag];
    switch (tag) {
      case INTEGER:
        return this.#number();
      case BIG:
        return BigInt(this.#number());
      case DOUBLE:
        return this.#take(8).readDoubleLE();
      case DECIMAL:
        return BigInt(String(this.value()));
      case TEXT:
        return this.#take(this.#number()).toString("utf8");
      case HEX:
        return this.#take(this.#number()).toString("hex");
      case BYTES:
        return new Uint8Array(this.#take(this.#number()));
      default:
        return this.#structure(tag, this.#number());
    }
  }

  #structure(tag: number, size: number): unknown {
    const items = Array.from({ length: size });
    if (tag === LIST) return items.map(() => this.value());
    if (tag === MAP) return new Map(items.map(() => [this.value(), this.value()]));
    if (tag !== OBJECT) throw new TypeError(`There is no kind of value ${tag}.`);
    return Object.fromEntries(items.map(() => [this.#name(), this.value()]));
  }

  #name(): string {
    const number = this.#number();
    return number === IN_LETTERS ? String(this.value()) : (NAMES[number - 1] ?? "");
  }

  #take(length: number): Buffer {
    this.#at += length;
    return this.#buffer.subarray(this.#at - length, this.#at);
  }

  #number(): number {
    let number = 0;
    for (let scale = 1; ; scale *= GROUP) {
      const byte = this.#buffer[this.#at++] ?? 0;
      number += (byte % GROUP) * scale;
      if (byte < GROUP) return number;
    }
  }
}
