import type { Block } from "../chain/block.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import type { View } from "../routes/route.ts";
import type { FaultType } from "./fault.ts";

const MAX_BLOCKS = 100_000;

/**
 * Reads and builds are answered by a node that lags: its newest and its solidified block are older, and it has not
 * heard of what came later or waits. State is kept back to the solidified block alone, so balances are never older than
 * that. Broadcasts are not touched.
 */
export const staleHead: FaultType = {
  name: "stale-head",
  concerns: (path) => !path.includes("/broadcast"),
  read: (fields) => {
    const blocks = fields.integer("blocks", { min: 1, max: MAX_BLOCKS, or: 3 });
    return { seam: "view", act: (view, path) => staleView(view, path, blocks) };
  },
};

function staleView(view: View, path: string, behind: number): View {
  const [head, solid] = [older(view.chain, view.head, behind), older(view.chain, view.solid, behind)];
  const newest = path.startsWith("/walletsolidity/") ? solid : head;
  const height = newest.header.number;
  return {
    ...view,
    head,
    solid,
    newest,
    state: view.chain.stateAt(height),
    block: (wanted) => (wanted > height ? undefined : view.block(wanted)),
    find: (id) => {
      const found = view.find(id);
      return found !== undefined && found.block.header.number <= height ? found : undefined;
    },
    pending: () => undefined,
  };
}

function older(chain: Blockchain, block: Block, behind: number): Block {
  return chain.block(Math.max(0, block.header.number - behind)) ?? block;
}
