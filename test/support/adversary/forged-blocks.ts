import type { Block, Inclusion } from "../../../packages/local-chain/src/chain/block.ts";
import type { Blockchain } from "../../../packages/local-chain/src/chain/blockchain.ts";
import type {
  ChainTransaction,
  IncludedTransaction,
  TransactionInfo,
} from "../../../packages/local-chain/src/chain/transaction.ts";
import type { NodeView } from "../../../packages/local-chain/src/node/node-view.ts";
import { BLOCK_INTERVAL_MS, type BlockId } from "../../../packages/tron/src/primitives/block.ts";
import type { Hex, TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { addressOfPrivateKey, type PrivateKey } from "../simulated-host/cheap-signatures.ts";
import type { ChainParts } from "../simulated-host/load-sources.ts";
import type { GatewayBehavior } from "./behavior.ts";

/** Number of future blocks that are forged: more than a minute of them. */
const FUTURE_BLOCKS = 24;
/** Keys of invented witnesses. */
const OWN_KEYS = [1, 2, 3].map((it) => Buffer.alloc(32, it) as Uint8Array as PrivateKey);
const NO_ENERGY = { total: 0n, fromCaller: 0n, fromOwner: 0n, fee: 0n, penalty: 0n };

/** Blocks of an adversarial gateway: honest ones up to the first block that its behavior changes. */
export class ForgedBlocks {
  readonly #chain: Blockchain;
  readonly #seal: ChainParts["sealBlock"];
  readonly #reported = new Map<number, { readonly from: BlockId | undefined; readonly block: Block }>();
  readonly #invented = new Map<number, IncludedTransaction[]>();
  /** Height of the head at the start of the run: higher blocks contain the user's transactions. */
  readonly #begin: number;
  #behavior: GatewayBehavior;
  #fork = Number.POSITIVE_INFINITY;

  constructor(chain: Blockchain, seal: ChainParts["sealBlock"], behavior: GatewayBehavior) {
    this.#chain = chain;
    this.#seal = seal;
    this.#begin = chain.head.header.number;
    this.#behavior = behavior;
    if (behavior.from === "genesis") this.#fork = 0;
    if (behavior.from === "early" || behavior.shiftMs !== 0) this.#fork = Math.min(this.#fork, 2);
  }

  /** Changes the behavior; invented transactions and the fork stay. */
  change(behavior: GatewayBehavior): void {
    this.#behavior = behavior;
    this.#reported.clear();
  }

  /** Puts a transaction into the next block, with an outcome. */
  invent(transaction: ChainTransaction): void {
    const { invents } = this.#behavior;
    if (invents === "nothing") return;
    const height = this.#chain.head.header.number + 1;
    const entry = { transaction, info: infoOf(transaction, invents === "success") };
    this.#invented.set(height, [...(this.#invented.get(height) ?? []), entry]);
    this.#forkAt(height);
  }

  /** Returns the view that this side of the node serves. */
  view(view: NodeView, path: string): NodeView {
    this.#noticeHidden();
    const [head, solid] = [this.#newest("head"), this.#newest("solid")];
    const newest = path.startsWith("/walletsolidity/") ? solid : head;
    const block = (height: number): Block | undefined => (height > newest.header.number ? undefined : this.at(height));
    return {
      ...view,
      chain: this.#signing(view.chain),
      head,
      solid,
      newest,
      block,
      find: (id) => this.#find(id, newest.header.number),
      pending: (id) => (this.#behavior.hides ? undefined : view.pending(id)),
    };
  }

  at(height: number): Block | undefined {
    const honest = this.#chain.block(height);
    if (height < this.#fork || height < 0) return honest;
    const known = this.#reported.get(height);
    if (known !== undefined && known.from === honest?.id) return known.block;
    const block = height === 0 ? this.#otherGenesis() : this.#make(height, honest);
    if (block !== undefined) this.#reported.set(height, { from: honest?.id, block });
    return block;
  }

  #newest(side: "head" | "solid"): Block {
    const head = this.#chain.head.header.number;
    const heights = this.#heights(head, this.#chain.solid.header.number);
    if (heights[side] > head) this.#forkAt(head + 1);
    const reported = this.at(heights[side]);
    if (reported === undefined) throw new Error(`There is no block ${heights[side]} to tell.`);
    return reported;
  }

  #heights(head: number, solid: number): { readonly head: number; readonly solid: number } {
    const future = head + FUTURE_BLOCKS;
    switch (this.#behavior.solid) {
      case "true":
      case "other-chain":
        return { head, solid };
      case "frozen":
        return { head, solid: Math.min(solid, this.#begin) };
      case "head":
        return { head, solid: head };
      case "future":
        return { head: future + 2, solid: future };
      case "beyond":
        return { head, solid: future };
    }
  }

  /** Forks at the first block with a transaction to hide. */
  #noticeHidden(): void {
    if (!this.#behavior.hides || this.#fork <= this.#begin) return;
    const end = Math.min(this.#fork, this.#chain.head.header.number + 1);
    for (let height = this.#begin + 1; height < end; height++) {
      if ((this.#chain.block(height)?.transactions.length ?? 0) === 0) continue;
      this.#forkAt(height);
      return;
    }
  }

  #forkAt(height: number): void {
    const from = this.#behavior.from === "reference" ? height - 1 : height;
    if (from >= this.#fork) return;
    this.#fork = from;
    this.#reported.clear();
  }

  #make(height: number, honest: Block | undefined): Block | undefined {
    const parent = this.at(height - 1);
    if (parent === undefined) return undefined;
    const { seal, shiftMs } = this.#behavior;
    const header = honest?.header ?? {
      ...parent.header,
      timestamp: parent.header.timestamp + BLOCK_INTERVAL_MS - shiftMs,
    };
    const { transactionRoot: _, ...rest } = header;
    const transactions = [...this.#kept(height, honest), ...(this.#invented.get(height) ?? [])];
    const moved = { ...rest, number: height, timestamp: header.timestamp + shiftMs };
    if (honest !== undefined && seal === "bare") {
      return { id: honest.id, header: { ...moved, transactionRoot: honest.header.transactionRoot }, transactions };
    }
    const parentId = seal === "root" && honest !== undefined ? header.parentId : parent.id;
    const witness = seal === "own" ? ownWitness(height) : header.witness;
    return this.#seal({ ...moved, parentId, witness }, transactions);
  }

  #kept(height: number, honest: Block | undefined): readonly IncludedTransaction[] {
    if (honest === undefined) return [];
    const invented = new Set(this.#invented.get(height)?.map(({ transaction }) => transaction.id));
    const mayHide = this.#behavior.hides && height > this.#begin;
    return mayHide ? [] : honest.transactions.filter(({ transaction }) => !invented.has(transaction.id));
  }

  #otherGenesis(): Block | undefined {
    const honest = this.#chain.block(0);
    if (honest === undefined) return undefined;
    return this.#seal({ ...honest.header, parentId: "ab".repeat(32) as BlockId }, honest.transactions);
  }

  #find(id: TxId, newest: number): Inclusion | undefined {
    for (const [height, all] of this.#invented) {
      const invented = height > newest ? undefined : all.find(({ transaction }) => transaction.id === id);
      const block = invented && this.at(height);
      if (invented !== undefined && block !== undefined) return { ...invented, block };
    }
    const found = this.#chain.find(id);
    const height = found?.block.header.number ?? 0;
    if (found === undefined || height > newest || (this.#behavior.hides && height > this.#begin)) return undefined;
    const block = this.at(height);
    return block && { ...found, block };
  }

  /** Returns the chain with witness keys for forged blocks. */
  #signing(chain: Blockchain): Blockchain {
    const witnessKey = (block: Block): PrivateKey | undefined => {
      const { number } = block.header;
      if (chain.block(number)?.id === block.id) return chain.witnessKey(block);
      return this.#behavior.seal === "chain" ? undefined : OWN_KEYS[number % OWN_KEYS.length];
    };
    return new Proxy(chain, {
      get: (target, name) => {
        if (name === "witnessKey") return witnessKey;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}

function ownWitness(height: number): Hex {
  const key = OWN_KEYS[height % OWN_KEYS.length];
  if (key === undefined) throw new RangeError("There is not a witness.");
  return addressOfPrivateKey(key) as string as Hex;
}

function infoOf({ contract }: ChainTransaction, succeeded: boolean): TransactionInfo {
  const result = succeeded ? "SUCCESS" : "OUT_OF_ENERGY";
  const common = { result, fee: 0n, netUsage: 0n, netFee: 0n } as const;
  const address = (contract?.message as { contractAddress?: Uint8Array } | undefined)?.contractAddress;
  if (address === undefined) return common;
  const contractAddress = Buffer.from(address).toString("hex") as never;
  return { ...common, outcome: { contractAddress, returned: "" as Hex, energy: NO_ENERGY, logs: [], message: "" } };
}
