import { type AnyChainError, isChainError } from "@finality/tron/errors";
import { type Address, BLOCK_INTERVAL_MS, type BlockId, type Hex, type Sun, sun } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Clock } from "../clock.ts";
import type { Account, Block, ContractRun, Head, SimulatedRun } from "../gateway.ts";
import { fault } from "../wire/answer.ts";
import { type Endpoint, endpoints, type HeightRange } from "./endpoints.ts";
import { backoff, isSilence } from "./http-exchange.ts";
import type { GatewayMemory, HttpReader, ReadOptions } from "./http-reader.ts";

export interface FallbackOptions extends Omit<RangeSource, "read"> {
  readonly memory: GatewayMemory;
  /** Key of the gateway in the stored observations. */
  readonly url: string;
}

/** Usual distance between head and solidified block with 27 witnesses (protocol reference §6). */
const USUAL_LAG_BLOCKS = 18;
/** Concurrent requests for single blocks. */
const SINGLES_AT_ONCE = 4;
/** Number of blocks that the search keeps for later reads. */
const MET_BLOCKS = 16;

/**
 * Reads blocks, head and accounts by the best path that a gateway serves, else by the paths of the gateway document.
 */
export class EndpointFallbacks {
  readonly #reader: HttpReader;
  readonly #solidRanges: BlockRanges;
  readonly #headRanges: BlockRanges;
  readonly #solidHead: SolidHead;
  /** Solidified blocks by height; each is returned once. */
  readonly #met = new Map<number, Block>();

  constructor(reader: HttpReader, options: FallbackOptions) {
    this.#reader = reader;
    const rangesOf = (endpoint: typeof endpoints.solidBlocks): BlockRanges =>
      new BlockRanges({
        ...options,
        read: (range, splits, signal) => this.#read(endpoint, range, { signal, splits }),
      });
    this.#solidRanges = rangesOf(endpoints.solidBlocks);
    this.#headRanges = rangesOf(endpoints.headBlocks);
    this.#solidHead = new SolidHead({
      ...options,
      blockAt: (height, signal) => this.#meet(height, signal),
      headHeight: async (signal) => (await this.#stateOf({}, signal))?.number,
    });
  }

  /** Returns the newest block: from its own path, from a constant call, or estimated from the solidified block. */
  head(signal?: AbortSignal): Promise<Head> {
    return unlessNotServed<Head>(
      () => this.#read(endpoints.headBlock, undefined, { signal }),
      async () => {
        const state = await this.#stateOf({}, signal);
        return state === undefined ? await this.#guess(signal) : { number: state.number, timestamp: state.timestamp };
      },
    );
  }

  /** @throws {ChainError} `PATH_NOT_SERVED` if it cannot be found by heights either; and the errors of reading */
  newestSolid(signal?: AbortSignal): Promise<Block> {
    return unlessNotServed(
      () => this.#read(endpoints.solidBlock, undefined, { signal }),
      async () => (await this.#solidHead.newest(signal)) ?? this.#read(endpoints.solidBlock, undefined, { signal }),
    );
  }

  /** Returns at most 100 blocks, up to the first missing one. */
  solidBlocks(range: HeightRange, signal?: AbortSignal): Promise<readonly Block[]> {
    const limitedRange = limited(range);
    return unlessNotServed(
      () => this.#solidRanges.read(limitedRange, signal),
      () => oneByOne(limitedRange, (height) => this.#solidAt(height, signal)),
    );
  }

  /** Reads the same of the head view; see `Gateway.headBlocks`. */
  headBlocks(range: HeightRange, signal?: AbortSignal): Promise<readonly Block[]> {
    const limitedRange = limited(range);
    const singly = (height: number) => this.#read(at(endpoints.headBlockByHeight, height), height, { signal });
    return unlessNotServed(
      () => this.#headRanges.read(limitedRange, signal),
      () =>
        unlessNotServed(
          () => oneByOne(limitedRange, singly),
          () => this.#solidOnHead(limitedRange, signal),
        ),
    );
  }

  /** Returns the account, with its balance if the gateway reports one. */
  async account(address: Address, signal?: AbortSignal): Promise<Account | undefined> {
    const [resources, state] = await Promise.all([
      this.#read(endpoints.accountResources, address, { signal }),
      this.#stateOf({ account: address }, signal),
    ]);
    if (resources === undefined) return undefined;
    const { path: missingPath } = endpoints.account;
    return { address, missingPath, ...(state === undefined ? {} : { balance: state.balance }) };
  }

  /** Returns solidified blocks unless the full node reports another block, or none, at their height. */
  async #solidOnHead(range: HeightRange, signal: AbortSignal | undefined): Promise<readonly Block[]> {
    const blocks = await this.solidBlocks(range, signal);
    const [first] = blocks;
    if (first === undefined) return [];
    const state = await this.#stateOf({ height: first.number }, signal);
    if (state === undefined) return blocks;
    const isOther = state.number < first.number || (state.blockId !== undefined && state.blockId !== first.id);
    return isOther ? [] : blocks;
  }

  async #guess(signal: AbortSignal | undefined): Promise<Head> {
    const { number, timestamp } = await this.newestSolid(signal);
    const lag = USUAL_LAG_BLOCKS;
    return { number: number + lag, timestamp: timestamp + lag * BLOCK_INTERVAL_MS, isGuess: true };
  }

  /** Undefined if the node runs no constant calls, or returns something unexpected. */
  async #stateOf(question: StateRequest, signal: AbortSignal | undefined): Promise<ChainState | undefined> {
    try {
      return readState(await this.#read(endpoints.constantCall, stateRun(question), { signal }), question);
    } catch (error) {
      if (isChainError(error) && error.code === "NODE_REFUSED") return undefined;
      throw error;
    }
  }

  #solidAt(height: number, signal: AbortSignal | undefined): Promise<Block | undefined> {
    const met = this.#met.get(height);
    this.#met.delete(height);
    if (met !== undefined) return Promise.resolve(met);
    return this.#read(at(endpoints.solidBlockByHeight, height), height, { signal });
  }

  async #meet(height: number, signal: AbortSignal | undefined): Promise<Block | undefined> {
    const block = await this.#read(at(endpoints.solidBlockByHeight, height), height, { signal });
    if (block !== undefined) this.#met.set(height, block);
    const [oldest] = this.#met.keys();
    if (oldest !== undefined && this.#met.size > MET_BLOCKS) this.#met.delete(oldest);
    return block;
  }

  async #read<Q, A>(endpoint: Endpoint<Q, A>, question: Q, options: ReadOptions): Promise<A> {
    return (await this.#reader.read(endpoint, question, options)).value;
  }
}

function limited({ start, end }: HeightRange): HeightRange {
  return { start, end: Math.min(end, start + MAX_BLOCKS) };
}

/** Reads up to the first missing block. */
async function oneByOne(
  { start, end }: HeightRange,
  readAt: (height: number) => Promise<Block | undefined>,
): Promise<readonly Block[]> {
  const blocks: Block[] = [];
  for (let height = start; height < end; height += SINGLES_AT_ONCE) {
    const heights = Array.from({ length: Math.min(SINGLES_AT_ONCE, end - height) }, (_, above) => height + above);
    const some = await Promise.all(heights.map(readAt));
    const missing = some.indexOf(undefined);
    blocks.push(...some.slice(0, missing < 0 ? some.length : missing).flatMap((it) => it ?? []));
    if (missing >= 0) break;
  }
  return blocks;
}

/** Rejects a block of another height than limitedRange. */
function at<A extends Block | undefined>(endpoint: Endpoint<number, A>, height: number): Endpoint<number, A> {
  return {
    ...endpoint,
    parse: (json) => {
      const block = endpoint.parse(json);
      if (block !== undefined && block.number !== height) throw fault("number", t`is not ${height}`);
      return block;
    },
  };
}

/** Data sources of the search for the newest solidified block. */
export interface SolidHeadSource {
  readonly memory: GatewayMemory;
  /** Key of the gateway in the stored observations. */
  readonly url: string;
  /** Reads the solidified block of a height; undefined if it does not exist yet or any more. */
  readonly blockAt: (height: number, signal: AbortSignal | undefined) => Promise<Block | undefined>;
  /** Height of the newest block; undefined if unknown. */
  readonly headHeight: (signal: AbortSignal | undefined) => Promise<number | undefined>;
}

/** Number of single steps before the steps grow. */
const SINGLE_STEPS = 3;
/** Maximum height of the search: 2^36 blocks of 3 s are six thousand years. */
const HIGHEST = 2 ** 36;
/** Number of polls without a new block after which the last block is checked again. */
const POLLS_PER_CHECK = 3;

/**
 * Finds and follows the newest solidified block of a gateway that serves solidified blocks by height only. A node that
 * is behind returns nothing new. If a block is gone or does not continue the chain, the search starts again, and the
 * caller sees the break.
 */
export class SolidHead {
  readonly #source: SolidHeadSource;
  #idle = 0;

  constructor(source: SolidHeadSource) {
    this.#source = source;
  }

  /** @returns undefined if it cannot be found: the gateway has no old blocks and does not report its height */
  async newest(signal?: AbortSignal): Promise<Block | undefined> {
    const { memory, url } = this.#source;
    const known = memory.newestSolid(url);
    const newest = (known && (await this.#follow(known, signal))) ?? (await this.#find(signal));
    memory.noteNewestSolid(url, newest);
    return newest;
  }

  /** Returns undefined if the chain is not the one that was followed. */
  async #follow(newest: Block, signal: AbortSignal | undefined): Promise<Block | undefined> {
    const { blockAt } = this.#source;
    const next = await blockAt(newest.number + 1, signal);
    if (next !== undefined) {
      this.#idle = 0;
      return next.parentId === newest.id ? await this.#climb(next, signal) : undefined;
    }
    this.#idle++;
    if (this.#idle % POLLS_PER_CHECK !== 0) return newest;
    return (await blockAt(newest.number, signal))?.id === newest.id ? newest : undefined;
  }

  /** Single steps first, because usually one or two blocks are new. */
  async #climb(from: Block, signal: AbortSignal | undefined): Promise<Block> {
    let [low, step] = [from, 1];
    for (let steps = 1; ; steps++) {
      if (steps > SINGLE_STEPS) step *= 2;
      const next = await this.#source.blockAt(low.number + step, signal);
      if (next === undefined) return await this.#between(low, low.number + step, signal);
      low = next;
    }
  }

  async #find(signal: AbortSignal | undefined): Promise<Block | undefined> {
    const head = await this.#source.headHeight(signal);
    const found = head === undefined ? undefined : await this.#descend(head, signal);
    return found ?? (await this.#search(signal));
  }

  /** Searches downwards from the newest block: a few blocks below it they are solidified. */
  async #descend(head: number, signal: AbortSignal | undefined): Promise<Block | undefined> {
    let missing = head + 1;
    for (let below = 0; ; below = Math.min(head, 2 * below + 1)) {
      const block = await this.#source.blockAt(head - below, signal);
      if (block !== undefined) return await this.#between(block, missing, signal);
      if (below === head) return undefined;
      missing = head - below;
    }
  }

  /** Searches with growing steps, and past blocks that a node has pruned. */
  async #search(signal: AbortSignal | undefined): Promise<Block | undefined> {
    let low: Block | undefined;
    for (let height = 1; height <= HIGHEST; height *= 4) {
      const block = await this.#source.blockAt(height, signal);
      if (block === undefined && low !== undefined) return await this.#between(low, height, signal);
      low = block;
    }
    return low;
  }

  async #between(there: Block, missing: number, signal: AbortSignal | undefined): Promise<Block> {
    let [low, high] = [there, missing];
    while (high - low.number > 1) {
      const middle = Math.floor((low.number + high) / 2);
      const block = await this.#source.blockAt(middle, signal);
      if (block === undefined) high = middle;
      else low = block;
    }
    return low;
  }
}

/** Maximum number of blocks in one request (protocol reference §14.2). */
const MAX_BLOCKS = 100;

export interface RangeSource {
  readonly clock: Clock;
  /** 0 to below 1. */
  readonly random: () => number;
  /** Time limit for retries with smaller ranges; ms. */
  readonly deadlineMs: number;
  /** @param splits - The caller reads a smaller range after a timeout, so the same request is not repeated. */
  readonly read: (range: HeightRange, splits: boolean, signal: AbortSignal | undefined) => Promise<readonly Block[]>;
}

/**
 * Reads ranges of blocks in pieces of adaptive size. The size is halved after a timeout, a cut answer or a failure of
 * the gateway, and doubled after a complete answer.
 */
export class BlockRanges {
  readonly #source: RangeSource;
  #size = MAX_BLOCKS;

  constructor(source: RangeSource) {
    this.#source = source;
  }

  /** Reads up to the first missing block. */
  async read({ start, end }: HeightRange, signal?: AbortSignal): Promise<readonly Block[]> {
    const blocks: Block[] = [];
    while (start + blocks.length < end) {
      const from = start + blocks.length;
      const piece = await this.#piece({ start: from, end }, signal);
      const inOrder = piece.blocks.filter(({ number }) => number >= from && number < piece.end);
      blocks.push(...inOrder);
      if (inOrder.length < piece.end - from) break;
    }
    return blocks;
  }

  async #piece({ start, end }: HeightRange, signal: AbortSignal | undefined) {
    const { clock, random, deadlineMs } = this.#source;
    const deadline = clock.now() + deadlineMs;
    for (let failures = 1; ; failures++) {
      const size = Math.min(end - start, this.#size);
      const range = { start, end: start + size };
      try {
        const blocks = await this.#source.read(range, size > 1, signal);
        if (size === this.#size) this.#size = Math.min(MAX_BLOCKS, 2 * size);
        return { blocks, end: range.end };
      } catch (error) {
        if (!isChainError(error) || size === 1 || !isTooMuch(error) || clock.now() >= deadline) throw error;
        this.#size = Math.floor(size / 2);
        await clock.sleep(backoff(failures, random()), signal);
      }
    }
  }
}

/** Returns true for a timeout, a truncated answer, or a failure of the gateway itself. */
function isTooMuch(error: AnyChainError): boolean {
  switch (error.code) {
    case "GATEWAY_UNREACHABLE":
    case "GATEWAY_SILENT":
      return isSilence(error);
    case "GATEWAY_HTTP_STATUS":
      return error.details.status >= 500;
    default:
      return error.code === "GATEWAY_ANSWER_MALFORMED";
  }
}

/** State of the newest block, as a constant call on the full node returns it. */
export interface ChainState {
  readonly number: number;
  /** Chain time in ms, in whole seconds. */
  readonly timestamp: number;
  /** Balance of the limitedRange account; 0 if it does not exist. */
  readonly balance: Sun;
  /** ID of the limitedRange height; undefined unless it is among the 256 blocks before the newest. */
  readonly blockId: BlockId | undefined;
}

/** Optional parts of a state request. */
export interface StateRequest {
  readonly account?: Address;
  readonly height?: number;
}

/** Constant calls need an owner address, which need not exist. */
const ZERO_ADDRESS = `41${"00".repeat(20)}` as Address;
const WORD_DIGITS = 64;
const WORDS = 4;
const SECOND_MS = 1_000;
/** The virtual machine knows the IDs of this many blocks. */
const KNOWN_IDS = 256;
const LARGEST_HEIGHT = 0xffff_ffff;

/** NUMBER, TIMESTAMP, BALANCE of an account, BLOCKHASH of a height: each into a word, and all of them returned. */
export function stateRun({ account = ZERO_ADDRESS, height = 0 }: StateRequest): ContractRun {
  const heightHex = Math.min(height, LARGEST_HEIGHT).toString(16).padStart(8, "0");
  const words = ["43", "42", `73${account.slice(2)}31`, `63${heightHex}40`];
  const stored = words.map((code, at) => `${code}60${(at * 32).toString(16).padStart(2, "0")}52`);
  return { owner: ZERO_ADDRESS, data: `${stored.join("")}60806000f3` as Hex, callValue: sun(0n) };
}

/** Undefined if the run did not finish, or returned something else. */
export function readState({ reverted, returned }: SimulatedRun, { height = 0 }: StateRequest): ChainState | undefined {
  if (reverted || returned.length !== WORDS * WORD_DIGITS) return undefined;
  const word = (at: number): string => returned.slice(at * WORD_DIGITS, (at + 1) * WORD_DIGITS);
  const [number, seconds] = [Number(BigInt(`0x${word(0)}`)), Number(BigInt(`0x${word(1)}`))];
  const timestamp = seconds * SECOND_MS;
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(timestamp)) return undefined;
  const isKnown = height < number && height >= number - KNOWN_IDS;
  const balance = sun(BigInt(`0x${word(2)}`));
  return { number, timestamp, balance, blockId: isKnown ? (word(3) as BlockId) : undefined };
}

/**
 * Returns the result of `way`, or of `other` if the gateway does not serve the path of `way`.
 *
 * @throws the error of the last attempt
 */
export async function unlessNotServed<T>(way: () => Promise<T>, other: () => Promise<T>): Promise<T> {
  try {
    return await way();
  } catch (error) {
    if (!isChainError(error) || error.code !== "PATH_NOT_SERVED") throw error;
    return await other();
  }
}
