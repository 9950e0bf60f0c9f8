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
 * somebody consented to this very transaction, and looks at the signature afterwards.
 *
 * @throws {ChainError} `WORKSPACE_NOT_TRUSTED`, `CONSENT_MISSING`, `ACCOUNT_GUARDED_ELSEWHERE`,
 *   `SIGNATURE_FOREIGN`, and what `withPrivateKey` throws
 */
export async function signWithConsent(
  { keys, requireGuard }: SigningServices,
  verified: VerifiedTransaction,
  consent: Consent,
): Promise<SignedTransaction> {
  requireTrust("signed");
  requireConsent(verified.txId, consent);
  const { owner } = verified.intent;
  await requireGuard(owner);
  const { checkSignedTransaction, signTransaction } = await import("../secrets/lazy-signing.ts");
  const signed = await keys.withPrivateKey(owner, (key) => signTransaction(verified, key));
  const signer = checkSignedTransaction(signed)[0];
  if (signer === owner) return signed;
  throw new ChainError("SIGNATURE_FOREIGN", {
    address: toBase58(owner),
    signer: signer === undefined ? "nobody" : toBase58(signer),
  });
}
