import { create } from "@bufbuild/protobuf";
import { type Address, addressToBytes, type BlockId, bytesToHex, hexToBytes } from "@finality/tron/primitives";
import { SmartContractSchema } from "@finality/tron/schema";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { newContractAccount } from "./account.ts";
import type { Ledger } from "./ledger.ts";

/** Contract of TIP-2935, at the address of EIP-2935. */
export const BLOCK_HASH_HISTORY = "410000f90827f1c53a10cb7a02335b175320002935" as Address;
/** Sender of its deployment on Ethereum, which the node notes as its owner. */
const DEPLOYER = "413462413af4609098e1e27a490f554f260213d685" as Address;
const NAME = "BlockHashHistory";
/** Runtime code of EIP-2935: answers a height of the last 8191 blocks with the block's hash. */
const CODE = hexToBytes(
  "3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500",
);
const WINDOW = 8191;

/** Puts the contract of the block hash history into the state, when proposal 95 comes into force. */
export function installBlockHashHistory(ledger: Ledger): void {
  if (ledger.contract(BLOCK_HASH_HISTORY) !== undefined) return;
  const existing = ledger.account(BLOCK_HASH_HISTORY);
  const borrowed = { bandwidth: 0n, energy: 0n };
  ledger.put(
    existing === undefined ? newContractAccount(BLOCK_HASH_HISTORY, NAME) : { ...existing, kind: "Contract", borrowed },
  );
  const codeHash = bytesToHex(keccak_256(CODE));
  const definition = create(SmartContractSchema, {
    name: NAME,
    contractAddress: addressToBytes(BLOCK_HASH_HISTORY),
    originAddress: addressToBytes(DEPLOYER),
    consumeUserResourcePercent: 100n,
  });
  ledger.putContract({ address: BLOCK_HASH_HISTORY, definition, code: CODE, codeHash });
}

/** Stores the hash of the parent before a block's transactions run. @param height - of the block */
export function recordParentHash(ledger: Ledger, height: number, parent: BlockId): void {
  if (ledger.parameters.getAllowTvmPrague !== 1) return;
  ledger.putRow(BLOCK_HASH_HISTORY, BigInt((height - 1) % WINDOW), BigInt(`0x${parent}`));
}
