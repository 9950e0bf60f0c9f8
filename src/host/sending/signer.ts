import { ChainError } from "../../core/errors/chain-error.ts";
import { type Address, toBase58 } from "../../core/primitives/address.ts";
import type { Hex } from "../../core/primitives/bytes.ts";
import type { SignedTransaction } from "../../core/transaction/built-transaction.ts";
import type { VerifiedTransaction } from "../../core/transaction/verify-against-intent.ts";
import type { SigningKeys } from "../secrets/signing-keys.ts";
import { type Consent, requireConsent, requireTrust } from "./consent.ts";
import { type PolicyServices, requirePolicies } from "./require-policies.ts";

export interface SigningServices extends PolicyServices {
  readonly keys: Pick<SigningKeys, "withPrivateKey" | "find">;
  /** @throws {ChainError} `ACCOUNT_GUARDED_ELSEWHERE` the journal of this host does not guard the account */
  readonly requireGuard: (owner: Address) => Promise<void>;
}

/**
 * The one door to a signature: nothing else reaches a private key. It asks whether the workspace is trusted, whether
 * somebody consented to this very transaction, and what the owners of the keys decided about them, and looks at the
 * signatures afterwards.
 *
 * @param signers - whose keys sign, in their order: the account's own unless its permission wants others
 * @throws {ChainError} `WORKSPACE_NOT_TRUSTED`, `CONSENT_MISSING`, `ACCOUNT_GUARDED_ELSEWHERE`,
 *   `KEY_POLICY_REFUSED`, `SIGNATURE_FOREIGN`, and what `withPrivateKey` throws
 */
export async function signWithConsent(
  services: SigningServices,
  verified: VerifiedTransaction,
  consent: Consent,
  signers: readonly Address[] = [verified.intent.owner],
): Promise<SignedTransaction> {
  requireTrust("signed");
  requireConsent(verified.txId, consent);
  const { keys, requireGuard } = services;
  await requireGuard(verified.intent.owner);
  await requirePolicies(services, signers, verified.intent);
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

/** Whose keys sign beside which signatures. */
export interface CoSigning {
  /** May be nobody: then the bytes stay as they are. */
  readonly signers: readonly Address[];
  /** Signatures that stay, one of each key. */
  readonly before: readonly Hex[];
  /** Whether they take the place of earlier ones. */
  readonly renews?: boolean;
}

/**
 * The same door for bytes that others sign too: what they signed stays, and the signatures of keys here are added.
 *
 * @throws {ChainError} as `signWithConsent`; `SIGNATURE_DUPLICATE` one of these keys signed before
 */
export async function coSignWithConsent(
  services: SigningServices,
  { txId, rawDataHex, intent }: VerifiedTransaction,
  consent: Consent,
  { signers, before }: CoSigning,
): Promise<SignedTransaction> {
  requireTrust("signed");
  requireConsent(txId, consent);
  const { keys, requireGuard } = services;
  await requireGuard(intent.owner);
  await requirePolicies(services, signers, intent);
  const { addSignature, checkSignedTransaction } = await import("../secrets/lazy-signing.ts");
  let signed: SignedTransaction = { txId, rawDataHex, signatures: before };
  for (const it of signers) {
    const soFar = signed;
    signed = await keys.withPrivateKey(it, (key) => addSignature(soFar, key));
  }
  requireSigners(signers, checkSignedTransaction(signed).slice(before.length));
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
