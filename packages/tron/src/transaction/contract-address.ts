import { keccak_256 } from "@noble/hashes/sha3.js";
import { type Address, addressFromBytes, addressToBytes } from "../primitives/address.ts";
import { hexToBytes, type TxId } from "../primitives/bytes.ts";

/** Returns the address of a deployed contract. It follows from the txID (WalletUtil.generateContractAddress). */
export function deployedContractAddress(txId: TxId, owner: Address): Address {
  return addressOfHash(hexToBytes(txId), addressToBytes(owner));
}

/**
 * Returns the contract address of the opcode CREATE.
 *
 * @param nonce - internal calls, creations and suicides of the transaction before this one
 */
export function createdContractAddress(rootTxId: TxId, nonce: bigint): Address {
  return addressOfHash(hexToBytes(rootTxId), hexToBytes(nonce.toString(16).padStart(16, "0")));
}

/**
 * Returns the contract address of the opcode CREATE2. The 41 of the sender takes the place of Ethereum's ff.
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
