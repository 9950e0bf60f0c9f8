import { type BlockId, bytesToHex, type Hex, sha256, type TxId } from "@finality/tron/primitives";
import {
  type BlockHeader,
  blockId,
  decodeTransaction,
  encodeBlockHeader,
  type PrivateKey,
  transactionRoot,
  withResult,
} from "@finality/tron/transaction";
import { signWithDevelopmentKey } from "../curve/keys.ts";
import type { ChainCoverage } from "./code-coverage.ts";
import type { Halt } from "./halt.ts";
import { chainTransaction, type IncludedTransaction, type TransactionInfo } from "./transaction.ts";
import { combineMaps, type Version, VersionTree } from "./version-tree.ts";

export interface Block {
  readonly id: BlockId;
  readonly header: BlockHeader;
  readonly transactions: readonly IncludedTransaction[];
}

/** A transaction with the block that includes it. */
export interface Inclusion extends IncludedTransaction {
  readonly block: Block;
}

/** Completes a block: transaction root, header and id. */
export function sealBlock(
  header: Omit<BlockHeader, "transactionRoot">,
  transactions: readonly IncludedTransaction[],
): Block {
  const sealed = { ...header, transactionRoot: transactionRoot(transactions.map(bytesInBlock)) };
  return { id: blockId(sealed), header: sealed, transactions };
}

/** Returns the bytes of a transaction in a block, which contain its result. */
export function bytesInBlock({ transaction, info }: IncludedTransaction): Uint8Array {
  return info === undefined ? transaction.bytes : withResult(transaction.bytes, info.result);
}

/** Signs a header: r, s, and 0 or 1. Deterministic, so it is computed on request. */
export function signHeader(header: BlockHeader, key: PrivateKey): Hex {
  const hash = bytesToHex(sha256(encodeBlockHeader(header))) as string as TxId;
  return bytesToHex(signWithDevelopmentKey(hash, key));
}

/** Block context of running code. */
export interface BlockContext {
  readonly number: number;
  /** Chain time in ms. */
  readonly timestamp: number;
  /** The producer's 21 address bytes as a number, with the prefix 41. */
  readonly producer: bigint;
}

/** Block context of the trial runs of a pool: no height and no time. It notes whether code has read it. */
export class TrialBlock implements BlockContext {
  /** True while a block would give each transaction of the pool the result of its trial. */
  isRepeatable = true;

  get number(): number {
    return this.#read(0);
  }

  get timestamp(): number {
    return this.#read(0);
  }

  get producer(): bigint {
    return this.#read(0n);
  }

  #read<Value>(value: Value): Value {
    this.isRepeatable = false;
    return value;
  }
}

/** Returns the context of the code in a block. */
export function blockContext({
  number,
  timestamp,
  witness,
}: Pick<Block["header"], "number" | "timestamp" | "witness">): BlockContext {
  return { number, timestamp, producer: BigInt(`0x${witness}`) };
}

/** Chain data that code can read. */
export interface ChainContext {
  readonly block: BlockContext;
  /** The last four bytes of the genesis block's id. */
  readonly chainId: bigint;
  /** Id of an older block as a number, or 0 if it is unknown. */
  readonly blockHash: (height: number) => bigint;
  /** Forced result of a transaction's code, if a fault sets one. */
  readonly endsCode?: () => Halt | undefined;
  /** Counts executed instructions, if that was requested. */
  readonly coverage?: ChainCoverage;
}

/** Blocks below the solidified one that stay unpacked, because requests read them most. */
const UNPACKED = 64;

type StoredBlock = Block | BufferedBlock;

/** Differences between two lists of blocks: the height of the other one, and its blocks up to there that differ. */
interface BlockDiff {
  readonly height: number;
  readonly blocks: Map<number, StoredBlock>;
}

/** The list of blocks in a snapshot. */
export type BlockSnapshot = Version<BlockDiff>;

/**
 * All blocks from genesis on, and the heights of their transactions. Irreversible blocks are packed, and unpacked for
 * each request. A fork has genesis and the blocks from the fork on; those between are blocks of the network.
 */
export class BlockList {
  readonly #blocks: StoredBlock[];
  /** Positions by transaction. */
  readonly #inclusions = new Map<TxId, number>();
  readonly #shelf = new BlockBuffer();
  /** First unpacked height. Genesis is never packed: it contains invalid transactions. */
  #packed = 1;
  readonly #versions: VersionTree<BlockDiff>;
  /** Number of heights after genesis that the list does not have. */
  readonly #gap: number;

  /** @param first - the block from which a fork goes on */
  constructor(genesis: Block, first?: Block) {
    this.#blocks = first === undefined ? [genesis] : [genesis, first];
    this.#gap = first === undefined ? 0 : first.header.number - 1;
    this.#versions = new VersionTree({
      none: () => ({ height: this.#newest, blocks: new Map() }),
      isNone: ({ height, blocks }) => height === this.#newest && blocks.size === 0,
      inverse: (diff) => this.#inverse(diff),
      apply: (diff) => this.#apply(diff),
      combine: ({ height, blocks }, earlier) => {
        for (const other of earlier.blocks.keys()) if (other > height) earlier.blocks.delete(other);
        return { height, blocks: combineMaps(blocks, earlier.blocks) };
      },
    });
  }

  /** The height of the newest block. */
  get height(): number {
    return this.#newest + this.#gap;
  }

  /** Position of the newest block. Inside of this class every height is a position. */
  get #newest(): number {
    return this.#blocks.length - 1;
  }

  #stored(height: number): StoredBlock | undefined {
    return this.#blocks[this.#position(height)];
  }

  /** Returns the position of a height, -1 for one that the list does not have. */
  #position(height: number): number {
    if (height === 0) return 0;
    return height > this.#gap ? height - this.#gap : -1;
  }

  at(height: number): Block | undefined {
    const block = this.#stored(height);
    return block && "shelf" in block ? unpackBlock(readFromBuffer(block)) : block;
  }

  idAt(height: number): BlockId | undefined {
    return this.#stored(height)?.id;
  }

  /** Returns the height of the block with a transaction. */
  heightOf(id: TxId): number | undefined {
    const position = this.#inclusions.get(id);
    return position === undefined ? undefined : position + this.#gap;
  }

  push(block: Block): void {
    this.#push(block);
  }

  /** Removes the newest blocks. @param count - not more than are unsolidified */
  takeNewest(count: number): readonly Block[] {
    return this.#truncate(this.#newest - count).map((it) => ("shelf" in it ? unpackBlock(readFromBuffer(it)) : it));
  }

  /** Marks this block and those below it as irreversible. */
  settle(solidHeight: number): void {
    const solid = this.#position(solidHeight);
    for (; this.#packed < solid - UNPACKED; this.#packed += 1) {
      const block = this.#blocks[this.#packed];
      if (block !== undefined && !("shelf" in block)) this.#blocks[this.#packed] = this.#shelf.keep(packBlock(block));
    }
  }

  /** Returns the list as a version, which has to be released. */
  snapshot(): BlockSnapshot {
    return this.#versions.take();
  }

  restore(snapshot: BlockSnapshot): void {
    this.#versions.restore(snapshot);
  }

  release(snapshot: BlockSnapshot): void {
    this.#versions.release(snapshot);
  }

  /** Returns all blocks above genesis as plain values; packed blocks are returned as they are. */
  image(): readonly PackedBlock[] {
    return this.#blocks.slice(1).map((it) => ("shelf" in it ? readFromBuffer(it) : packBlock(it)));
  }

  /** Replaces all blocks above genesis by those of an image. */
  load(image: readonly PackedBlock[]): void {
    this.#truncate(0);
    const packed = Math.max(0, image.length - 2 * UNPACKED);
    for (const block of image.slice(0, packed)) this.#push(this.#shelf.keep(block));
    for (const block of image.slice(packed)) this.#push(unpackBlock(block));
    this.#packed = packed + 1;
  }

  #push(block: StoredBlock): void {
    for (const id of txIdsOf(block)) this.#inclusions.set(id, this.#blocks.length);
    this.#blocks.push(block);
  }

  /** Removes the blocks above a height, and notes them for the nearest version. */
  #truncate(height: number): readonly StoredBlock[] {
    const removed = this.#blocks.splice(height + 1);
    const recorder = this.#versions.recorder;
    for (const [index, block] of removed.entries()) {
      const at = height + 1 + index;
      for (const id of txIdsOf(block)) this.#inclusions.delete(id);
      if (recorder !== undefined && at <= recorder.height && !recorder.blocks.has(at)) recorder.blocks.set(at, block);
    }
    this.#packed = Math.min(this.#packed, height + 1);
    return removed;
  }

  #inverse({ height, blocks }: BlockDiff): BlockDiff {
    const own = new Map<number, StoredBlock>();
    const lowest = lowestOf(blocks, height + 1);
    for (const [index, block] of this.#blocks.slice(lowest).entries()) own.set(lowest + index, block);
    return { height: this.#newest, blocks: own };
  }

  #apply({ height, blocks }: BlockDiff): void {
    const lowest = lowestOf(blocks, Math.min(height, this.#newest) + 1);
    const stay = this.#blocks.slice(lowest);
    for (const id of stay.flatMap(txIdsOf)) this.#inclusions.delete(id);
    this.#blocks.length = lowest;
    this.#packed = Math.min(this.#packed, lowest);
    for (let at = lowest; at <= height; at += 1) {
      const block = blocks.get(at) ?? stay[at - lowest];
      if (block === undefined) throw new TypeError(`The snapshot has no block ${at}.`);
      this.#push(block);
    }
  }
}

function lowestOf(blocks: ReadonlyMap<number, StoredBlock>, otherwise: number): number {
  let lowest = otherwise;
  for (const height of blocks.keys()) lowest = Math.min(lowest, height);
  return lowest;
}

function txIdsOf(block: StoredBlock): readonly TxId[] {
  return "shelf" in block ? block.txIds : block.transactions.map((it) => it.transaction.id);
}

/** A serialised block, which takes a fraction of the memory. */
export interface PackedBlock {
  readonly id: BlockId;
  readonly txIds: readonly TxId[];
  readonly bytes: Uint8Array;
}

/** A packed block inside a shared buffer; a view object for each block would take 100 bytes. */
interface BufferedBlock extends Omit<PackedBlock, "bytes"> {
  readonly shelf: Uint8Array;
  readonly from: number;
  readonly to: number;
}

function readFromBuffer({ id, txIds, shelf, from, to }: BufferedBlock): PackedBlock {
  return { id, txIds, bytes: shelf.subarray(from, to) };
}

const SHELF_BYTES = 65_536;

/** Stores the bytes of many blocks in shared buffers: single arrays take half as much again and fragment the memory. */
class BlockBuffer {
  #bytes = new Uint8Array(0);
  #used = 0;

  keep({ id, txIds, bytes }: PackedBlock): BufferedBlock {
    const { length } = bytes;
    if (this.#used + length > this.#bytes.length) {
      this.#bytes = new Uint8Array(Math.max(SHELF_BYTES, length));
      this.#used = 0;
    }
    const from = this.#used;
    this.#bytes.set(bytes, from);
    this.#used += length;
    return { id, txIds, shelf: this.#bytes, from, to: this.#used };
  }
}

interface Content {
  readonly header: BlockHeader;
  readonly transactions: readonly { readonly bytes: Uint8Array; readonly info: TransactionInfo | undefined }[];
}

function packBlock({ id, header, transactions }: Block): PackedBlock {
  const content: Content = {
    header,
    transactions: transactions.map(({ transaction: { bytes }, info }) => ({ bytes, info })),
  };
  return { id, txIds: transactions.map((it) => it.transaction.id), bytes: packValue(content) };
}

function unpackBlock({ id, bytes }: PackedBlock): Block {
  const { header, transactions } = unpackValue(bytes) as Content;
  return {
    id,
    header,
    transactions: transactions.map((it) => ({
      transaction: chainTransaction(decodeTransaction(it.bytes)),
      ...(it.info && { info: it.info }),
    })),
  };
}

/** 70 % of the witnesses have to build on a block to solidify it. */
const SHARE_BEHIND = 0.3;

/**
 * Returns the solidified height: the witnesses' newest heights, sorted, at 30 % from below
 * (DposService.updateSolidBlock).
 *
 * @param latestHeights - the newest height of each active witness, 0 for one that has produced none
 */
export function solidifiedHeight(latestHeights: readonly number[]): number {
  const sorted = [...latestHeights].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * SHARE_BEHIND)] ?? 0;
}

/** Returns a block id as a number, 0 if there is none. */
export function idAsNumber(id: BlockId | undefined): bigint {
  return id === undefined ? 0n : BigInt(`0x${id}`);
}

/**
 * Compact encoding of plain values: one byte for known property names, varints, and half the length for hex text.
 * Decoded bytes are copies.
 */

/** Property names of one byte. Others are written as text. Stored data depends on the order: new names are appended. */
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

/** Memory that all writers share, since a value is written at once. */
let room = Buffer.allocUnsafeSlow(4096);
/** Most memory that stays for later values. */
const MOST_ROOM = 65_536;
/** Most bytes of a varint, and of a tag with a double. */
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
  #buffer = room;
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

  /** Writes a varint: seven bits a byte, lowest first. */
  #number(number: number): void {
    this.#room(MOST_OF_NUMBER);
    let rest = number;
    for (; rest >= GROUP; rest = Math.floor(rest / GROUP)) this.#buffer[this.#at++] = (rest % GROUP) | GROUP;
    this.#buffer[this.#at++] = rest;
  }

  #room(length: number): void {
    if (this.#at + length <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * this.#buffer.length + length);
    larger.set(this.#buffer.subarray(0, this.#at));
    this.#buffer = larger;
    if (larger.length <= MOST_ROOM) room = larger;
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
