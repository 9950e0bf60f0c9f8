import { keccak_256 } from "@noble/hashes/sha3.js";
import { JavaError } from "../http/java-error.ts";
import { looseHex } from "../http/java-values.ts";
import { invalidParams, nodeError } from "./rpc-error.ts";
import { plain, type RpcContext, type RpcMethods } from "./rpc-method.ts";
import { dataOf, quantity, text } from "./values.ts";

const CHAIN_ID_DIGITS = 8;
const NO_UNCLES = { parameters: 1, answer: () => "0x0" };

/** What the node says of itself and of the chain. It has no peers, and makes no blocks by a key of its own. */
export const nodeMethods: RpcMethods = {
  web3_clientVersion: plain(() => "TRON/v4.8.0/Linux/Java1.8"),
  web3_sha3: { parameters: 1, answer: (_context, [data]) => hashOf(text(data)) },
  net_version: plain(chainId),
  net_listening: plain(() => false),
  net_peerCount: plain(() => "0x0"),
  eth_chainId: plain(chainId),
  eth_protocolVersion: plain(({ view }) => quantity(view.newest.header.version)),
  eth_blockNumber: plain(({ view }) => quantity(view.newest.header.number)),
  eth_syncing: plain(() => false),
  eth_gasPrice: plain(({ view }) => quantity(view.chain.parameters.getEnergyFee)),
  eth_accounts: plain(() => []),
  eth_coinbase: plain(() => {
    throw nodeError("etherbase must be explicitly specified");
  }),
  eth_mining: plain(() => false),
  eth_hashrate: plain(() => "0x0"),
  eth_getWork: plain(({ view }) => [`0x${view.newest.id}`, null, null]),
  eth_getUncleCountByBlockHash: NO_UNCLES,
  eth_getUncleCountByBlockNumber: NO_UNCLES,
  eth_getUncleByBlockHashAndIndex: { parameters: 2, answer: () => null },
  eth_getUncleByBlockNumberAndIndex: { parameters: 2, answer: () => null },
};

/** The last four bytes of the genesis block's id. As the node prints bytes, a zero in front stays. */
function chainId({ view }: RpcContext): string {
  return `0x${view.chain.blockId(0)?.slice(-CHAIN_ID_DIGITS)}`;
}

function hashOf(data: string | undefined): string {
  try {
    return dataOf(keccak_256(looseHex(data ?? "")));
  } catch (error) {
    throw error instanceof JavaError ? invalidParams("invalid input value") : error;
  }
}
