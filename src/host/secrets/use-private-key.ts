import { ChainError } from "@finality/tron/errors";
import { type Address, toBase58 } from "@finality/tron/primitives";
import { addressOfPrivateKey, type PrivateKey, parsePrivateKey } from "@finality/tron/transaction";

/**
 * Passes a key to `use` if it belongs to the address, and erases it from memory afterwards.
 *
 * @param stored - as in the secret storage
 */
export async function usePrivateKey<T>(
  stored: string,
  address: Address,
  use: (key: PrivateKey) => T | Promise<T>,
): Promise<T> {
  const key = parsePrivateKey(stored);
  try {
    requireKeyOf(address, key);
    return await use(key);
  } finally {
    key.fill(0);
  }
}

/** @throws {ChainError} `SIGNING_KEY_FOREIGN` a key is not that of its address */
export function requireKeysOf(accounts: readonly { readonly address: Address; readonly privateKey: string }[]): void {
  for (const { address, privateKey } of accounts) requireKeyOf(address, parsePrivateKey(privateKey));
}

function requireKeyOf(address: Address, key: PrivateKey): void {
  if (addressOfPrivateKey(key) !== address) throw new ChainError("SIGNING_KEY_FOREIGN", { address: toBase58(address) });
}
