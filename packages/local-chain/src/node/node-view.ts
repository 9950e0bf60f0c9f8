import type { Address, TxId } from "@finality/tron/primitives";
import type { Account } from "../chain/account.ts";
import type { Block, Inclusion } from "../chain/block.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { Pending } from "../chain/mempool.ts";
import type { ChainTransaction } from "../chain/transaction.ts";
import type { NodeSettings, SimulatedNode } from "./simulated-node.ts";

/** The chain as one side of the node shows it: head or solidified. */
export interface NodeView {
  readonly chain: Blockchain;
  /** Newest block of this side: the head, or the newest solidified one. */
  readonly newest: Block;
  /**
   * Head and solidified block as this side knows them. The solidified side shows the state of the time when its newest
   * block was the head.
   */
  readonly head: Block;
  readonly solid: Block;
  readonly state: Ledger;
  readonly settings: NodeSettings;
  block(height: number): Block | undefined;
  find(id: TxId): Inclusion | undefined;
  /** Returns a pending transaction; head side only. */
  pending(id: TxId): Pending | undefined;
  /** Submits a broadcast to the pool. @throws {Refusal} */
  submit(transaction: ChainTransaction): void;
}

/** Returns the view of `/wallet/`: the head with pending transactions applied. */
export function headView(chain: Blockchain, node: SimulatedNode): NodeView {
  return {
    chain,
    settings: node.settings,
    newest: chain.head,
    head: chain.head,
    solid: chain.irreversible,
    state: chain.pendingState,
    block: (height) => chain.block(height),
    find: (id) => chain.find(id),
    pending: (id) => chain.pool.get(id),
    submit: (transaction) => node.submit(transaction),
  };
}

/** Returns the view of `/walletsolidity/`, which ends at the solidified block. */
export function solidView(chain: Blockchain, node: SimulatedNode): NodeView {
  const newest = chain.solid;
  const height = newest.header.number;
  return {
    chain,
    settings: node.settings,
    newest,
    head: newest,
    solid: chain.block(chain.irreversibleAt(height)) ?? newest,
    state: chain.solidState,
    block: (requested) => (requested > height ? undefined : chain.block(requested)),
    find: (id) => {
      const found = chain.find(id);
      return found !== undefined && found.block.header.number <= height ? found : undefined;
    },
    pending: () => undefined,
    submit: (transaction) => node.submit(transaction),
  };
}

/** Returns an account in a view. */
export function accountIn(view: NodeView, address: Address | undefined): Account | undefined {
  return address === undefined ? undefined : view.state.account(address);
}
