import { type Address, type Base58Address, toBase58 } from "../../core/primitives/address.ts";
import { bytesToHex } from "../../core/primitives/bytes.ts";
import { sha256 } from "../../core/primitives/hash.ts";
import { addressOfPrivateKey, generatePrivateKey, type PrivateKey } from "../../core/transaction/signature.ts";

/** An account whose key the chain gives away: it is worth nothing anywhere else. */
export interface FundedAccount {
  readonly address: Base58Address;
  readonly hex: Address;
  readonly privateKey: string;
  /** Sun at genesis, as a decimal text. */
  readonly balance: string;
}

export const FAUCET_BALANCE = 90_000_000_000_000_000n;
export const ACCOUNT_BALANCE = 10_000_000_000n;

/** A key for a purpose: always the same one under a seed, a new one without. */
export function keyFor(seed: string | undefined, purpose: string): PrivateKey {
  if (seed === undefined) return generatePrivateKey();
  return sha256(new TextEncoder().encode(`finality local chain/${seed}/${purpose}`)) as PrivateKey;
}

export function fundedAccount(key: PrivateKey, balance: bigint): FundedAccount {
  const hex = addressOfPrivateKey(key);
  return { address: toBase58(hex), hex, privateKey: bytesToHex(key), balance: balance.toString() };
}
