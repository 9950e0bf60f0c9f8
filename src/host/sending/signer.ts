import { ChainError } from "../../core/errors/chain-error.ts";
import { type Address, toBase58 } from "../../core/primitives/address.ts";
import type { SignedTransaction } from "../../core/transaction/built-transaction.ts";
import type { VerifiedTransaction } from "../../core/transaction/verify-against-intent.ts";
import type { SigningKeys } from "../secrets/signing-keys.ts";
import { type Consent, requireConsent, requireTrust } from "./consent.ts";

export interface SigningServices {
  readonly keys: Pick<SigningKeys, "withPrivateKey">;
  /** @throws {ChainError} `ACCOUNT_GUARDED_ELSEWHERE` the journal of this host does not guard the account */
  readonly requireGuard: (owner: Address) => Promise<void>;
}

/**
 * The one door to a signature: nothing else reaches a private key. It asks whether the workspace is trusted and whether
 * somebody consented to this very transaction, and looks at the signatures afterwards.
 *
 * @param signers - whose keys sign, in their order: the account's own unless its permission wants others
 * @throws {ChainError} `WORKSPACE_NOT_TRUSTED`, `CONSENT_MISSING`, `ACCOUNT_GUARDED_ELSEWHERE`,
 *   `SIGNATURE_FOREIGN`, and what `withPrivateKey` throws
 */
export async function signWithConsent(
  { keys, requireGuard }: SigningServices,
  verified: VerifiedTransaction,
  consent: Consent,
  signers: readonly Address[] = [verified.intent.owner],
): Promise<SignedTransaction> {
  requireTrust("signed");
  requireConsent(verified.txId, consent);
  await requireGuard(verified.intent.owner);
  const { addSignature, checkSignedTransaction, signTransaction } = await import("../secrets/lazy-signing.ts");
  const [first, ...others] = signers;
  if (first === undefined) throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(verified.intent.owner) });
  let signed = await keys.withPrivateKey(first, (key) => signTransaction(verified, key));
  for (const it of others) {
    const soFar = signed;
    signed = await keys.withPrivateKey(it, (key) => addSignature(soFar, key));
  }
  requireSigners(signers, checkSignedTransaction(signed));
  return signed;
}

/** @throws {ChainError} `SIGNATURE_FOREIGN` */
function requireSigners(wanted: readonly Address[], found: readonly Address[]): void {
  wanted.forEach((address, index) => {
    const signer = found[index];
    if (signer === address) return;
    const by = signer === undefined ? "nobody" : toBase58(signer);
    throw new ChainError("SIGNATURE_FOREIGN", { address: toBase58(address), signer: by });
  });
}
