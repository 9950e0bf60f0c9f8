import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "../../../packages/tron/src/primitives/bytes.ts";

export interface EthereumTransaction {
  readonly nonce: bigint;
  readonly gasPrice: bigint;
  readonly gasLimit: bigint;
  /** Empty for a new contract. */
  readonly to: Uint8Array;
  readonly value: bigint;
  readonly data: Uint8Array;
}

/** A legacy transaction, signed for one chain (EIP-155), as hex. */
export function signEthereum(transaction: EthereumTransaction, chainId: bigint, key: Uint8Array): string {
  const { nonce, gasPrice, gasLimit, to, value, data } = transaction;
  const fields = [bytesOf(nonce), bytesOf(gasPrice), bytesOf(gasLimit), to, bytesOf(value), data];
  const empty = new Uint8Array();
  const hash = keccak_256(list([...fields, bytesOf(chainId), empty, empty]));
  const signature = secp256k1.sign(hash, key, { prehash: false, format: "recovered" });
  const [r, s] = [signature.subarray(1, 33), signature.subarray(33)].map((it) => bytesOf(numberOf(it)));
  const v = chainId * 2n + 35n + BigInt(signature[0] ?? 0);
  return `0x${bytesToHex(list([...fields, bytesOf(v), r ?? empty, s ?? empty]))}`;
}

/** The account of a key: 20 bytes. */
export function ethereumAddress(key: Uint8Array): Uint8Array {
  return keccak_256(secp256k1.getPublicKey(key, false).subarray(1)).subarray(-20);
}

function list(items: readonly Uint8Array[]): Uint8Array {
  const payload = Buffer.concat(items.map(text));
  return Buffer.concat([prefix(0xc0, payload.length), payload]);
}

function text(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] ?? 0) < 0x80) return bytes;
  return Buffer.concat([prefix(0x80, bytes.length), bytes]);
}

function prefix(offset: number, length: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(offset + length);
  const digits = bytesOf(BigInt(length));
  return Uint8Array.of(offset + 55 + digits.length, ...digits);
}

function bytesOf(value: bigint): Uint8Array {
  const digits = value === 0n ? "" : value.toString(16);
  return Uint8Array.from(Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex"));
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(bytes)}`);
}
