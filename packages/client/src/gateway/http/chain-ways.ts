import { isChainError } from "@finality/tron/errors";
import { type Address, BLOCK_INTERVAL_MS } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Account, Block, Head } from "../gateway.ts";
import { fault } from "../wire/answer.ts";
import { BlockRanges, MAX_BLOCKS, type RangeSource } from "./block-ranges.ts";
import { type ChainState, readState, type StateQuestion, stateRun } from "./chain-state.ts";
import { type Endpoint, endpoints, type HeightRange } from "./endpoints.ts";
import type { GatewayMemory } from "./gateway-memory.ts";
import type { HttpReader, Reading } from "./http-reader.ts";
import { orElse } from "./or-else.ts";
import { SolidHead } from "./solid-head.ts";

export interface WaysOptions extends Omit<RangeSource, "read"> {
  readonly memory: GatewayMemory;
  /** The gateway, as it is remembered. */
  readonly url: string;
}

/** With 27 witnesses in turn the newest block is so far ahead of the solidified one (protocol reference §6). */
const USUAL_LAG_BLOCKS = 18;
/** So many single blocks are asked for at once. */
const SINGLES_AT_ONCE = 4;
/** So many blocks that a search met are kept for whoever reads them next. */
const MET_BLOCKS = 16;

/**
 * How a gateway is asked for blocks, the head and accounts: by the path that says it best, and where the gateway does
 * not serve that, by the paths that the gateway document lists.
 */
export class ChainWays {
  readonly #reader: HttpReader;
  readonly #solidRanges: BlockRanges;
  readonly #headRanges: BlockRanges;
  readonly #solidHead: SolidHead;
  /** Solidified blocks by their height; each is given away once. */
  readonly #met = new Map<number, Block>();

  constructor(reader: HttpReader, options: WaysOptions) {
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

  /** The newest block of all: told by itself, by code that the full node runs, or guessed by the solidified one. */
  head(signal?: AbortSignal): Promise<Head> {
    return orElse<Head>(
      () => this.#read(endpoints.headBlock, undefined, { signal }),
      async () => {
        const state = await this.#stateOf({}, signal);
        return state === undefined ? await this.#guess(signal) : { number: state.number, timestamp: state.timestamp };
      },
    );
  }

  /** @throws {ChainError} `PATH_NOT_SERVED` it cannot be found by heights either; and what reading throws */
  newestSolid(signal?: AbortSignal): Promise<Block> {
    return orElse(
      () => this.#read(endpoints.solidBlock, undefined, { signal }),
      async () => (await this.#solidHead.newest(signal)) ?? this.#read(endpoints.solidBlock, undefined, { signal }),
    );
  }

  /** At most 100, and up to the first one that is not there. */
  solidBlocks(range: HeightRange, signal?: AbortSignal): Promise<readonly Block[]> {
    const asked = limited(range);
    return orElse(
      () => this.#solidRanges.read(asked, signal),
      () => oneByOne(asked, (height) => this.#solidAt(height, signal)),
    );
  }

  /** The same of the head view; see `Gateway.headBlocks`. */
  headBlocks(range: HeightRange, signal?: AbortSignal): Promise<readonly Block[]> {
    const asked = limited(range);
    const singly = (height: number) => this.#read(at(endpoints.headBlockByHeight, height), height, { signal });
    return orElse(
      () => this.#headRanges.read(asked, signal),
      () =>
        orElse(
          () => oneByOne(asked, singly),
          () => this.#solidOnHead(asked, signal),
        ),
    );
  }

  /** Whether there is such an account, and its balance where it is told. */
  async account(address: Address, signal?: AbortSignal): Promise<Account | undefined> {
    const [resources, state] = await Promise.all([
      this.#read(endpoints.accountResources, address, { signal }),
      this.#stateOf({ account: address }, signal),
    ]);
    if (resources === undefined) return undefined;
    const { path: untold } = endpoints.account;
    return { address, untold, ...(state === undefined ? {} : { balance: state.balance }) };
  }

  /** Solidified blocks of which the full node does not say that another one, or none yet, is there. */
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

  /** Undefined where the node runs no code for those who ask, or something else than was asked for. */
  async #stateOf(question: StateQuestion, signal: AbortSignal | undefined): Promise<ChainState | undefined> {
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

  async #read<Q, A>(endpoint: Endpoint<Q, A>, question: Q, reading: Reading): Promise<A> {
    return (await this.#reader.read(endpoint, question, reading)).value;
  }
}

function limited({ start, end }: HeightRange): HeightRange {
  return { start, end: Math.min(end, start + MAX_BLOCKS) };
}

/** Up to the first one that is not there. */
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

/** A block of another height than the one that was asked for is no answer. */
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
