import type { Address, TxId } from "@finality/tron/primitives";
import type { Account } from "../chain/account.ts";
import type { Block, Inclusion } from "../chain/block.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { Pending } from "../chain/mempool.ts";
import type { ChainTransaction } from "../chain/transaction.ts";
import type { NodeSettings, SimulatedNode } from "./simulated-node.ts";

/** The chain as one side of the node shows it. */
export interface View {
  readonly chain: Blockchain;
  /** The newest block of this side: the head, or the newest solidified one. */
  readonly newest: Block;
  /** Both as this side knows them: what the solidity node shows is the chain when its newest block was the head. */
  readonly head: Block;
  readonly solid: Block;
  readonly state: Ledger;
  readonly settings: NodeSettings;
  block(height: number): Block | undefined;
  find(id: TxId): Inclusion | undefined;
  /** Only the head side knows what waits for a block. */
  pending(id: TxId): Pending | undefined;
  /** Takes a broadcast into the pool. @throws {Refusal} */
  submit(transaction: ChainTransaction): void;
}

/** `/wallet/`: the head, with the pool's transactions already applied to accounts. */
export function headView(chain: Blockchain, node: SimulatedNode): View {
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

/** `/walletsolidity/`: nothing above the solidified block exists. */
export function solidView(chain: Blockchain, node: SimulatedNode): View {
  const newest = chain.solid;
  const height = newest.header.number;
  return {
    chain,
    settings: node.settings,
    newest,
    head: newest,
    solid: chain.block(chain.irreversibleAt(height)) ?? newest,
    state: chain.solidState,
    block: (wanted) => (wanted > height ? undefined : chain.block(wanted)),
    find: (id) => {
      const found = chain.find(id);
      return found !== undefined && found.block.header.number <= height ? found : undefined;
    },
    pending: () => undefined,
    submit: (transaction) => node.submit(transaction),
  };
}

/** An account as this side sees it. */
export function accountIn(view: View, address: Address | undefined): Account | undefined {
  return address === undefined ? undefined : view.state.account(address);
}
