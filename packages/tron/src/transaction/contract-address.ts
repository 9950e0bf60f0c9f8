import { keccak_256 } from "@noble/hashes/sha3.js";
import { type Address, addressFromBytes, addressToBytes } from "../primitives/address.ts";
import { hexToBytes, type TxId } from "../primitives/bytes.ts";

/**
 * Where a deploying transaction puts its contract: known as soon as its txID is (WalletUtil.generateContractAddress).
 */
export function deployedContractAddress(txId: TxId, owner: Address): Address {
  return addressOfHash(hexToBytes(txId), addressToBytes(owner));
}

/**
 * Where the opcode CREATE puts a contract.
 *
 * @param nonce - internal calls, creations and suicides of the transaction before this one
 */
export function createdContractAddress(rootTxId: TxId, nonce: bigint): Address {
  return addressOfHash(hexToBytes(rootTxId), hexToBytes(nonce.toString(16).padStart(16, "0")));
}

/**
 * Where the opcode CREATE2 puts a contract: the sender's own 41 stands where Ethereum has ff.
 *
 * @param salt - 32 bytes
 */
export function create2ContractAddress(sender: Address, salt: Uint8Array, initCode: Uint8Array): Address {
  return addressOfHash(addressToBytes(sender), salt, keccak_256(initCode));
}

/** 41 and the last 20 bytes of keccak-256, as for the address of a public key. */
export function addressOfHash(...parts: readonly Uint8Array[]): Address {
  return addressFromBytes(Uint8Array.of(0x41, ...keccak_256(Buffer.concat(parts)).subarray(-20)));
}
