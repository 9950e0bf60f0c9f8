import { bytesToHex, sha256 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { LocalChainReady } from "../../host/local-chain/local-chain-ready.ts";
import type { ChainAccount } from "../../host/secrets/signing-keys.ts";

const NAMES = ["Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy"];

/** The accounts of a local chain with names that people remember; the faucet comes last. */
export function namedAccounts({ accounts, faucet }: LocalChainReady): readonly ChainAccount[] {
  return [
    ...accounts.map((it, index) => ({ ...it, label: NAMES[index] ?? t`Local ${index + 1}` })),
    { ...faucet, label: t`Faucet` },
  ];
}

/**
 * Each process has a secret of its own, so its hash tells one chain from another, also where a seed gives them the same
 * accounts.
 */
export function chainIdentity({ proof }: LocalChainReady): string {
  return bytesToHex(sha256(Buffer.from(`finality local chain ${proof}`))).slice(0, 40);
}
