import type { LocalChainReady } from "../../host/local-chain-ready.ts";
import type { ChainAccount } from "../../host/signing-keys.ts";

const NAMES = ["Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy"];

/** The accounts of a local chain with names that people remember; the faucet comes last. */
export function namedAccounts({ accounts, faucet }: LocalChainReady): readonly ChainAccount[] {
  return [
    ...accounts.map((it, index) => ({ ...it, label: NAMES[index] ?? `Local ${index + 1}` })),
    { ...faucet, label: "Faucet" },
  ];
}

/** Each chain has a faucet of its own, so it tells one chain from another. */
export function chainIdentity({ faucet }: LocalChainReady): string {
  return faucet.address;
}
