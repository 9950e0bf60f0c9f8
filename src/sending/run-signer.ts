import type { NetworkProfile } from "@finality/client/gateway";
import type { NewRow, RunSigner } from "@finality/client/runs";
import { ChainError } from "@finality/tron/errors";
import type { NameOf } from "@finality/tron/format";
import { type Address, toBase58 } from "@finality/tron/primitives";
import type { Review, RunConsent } from "./consent.ts";
import { requireRunPolicy, type SigningServices, signWithConsent } from "./signer.ts";

/** A run whose rows are to be signed. */
export interface RunToSign {
  readonly network: NetworkProfile;
  readonly owner: Address;
  readonly nameOf: NameOf;
  readonly rows: readonly NewRow[];
  readonly review: Review;
}

/**
 * Requires a key in this window that may sign all rows. An external signer could send the bytes before they are stored.
 *
 * @throws {ChainError} `SIGNING_KEY_MISSING`, `KEY_POLICY_REFUSED`, `LOCAL_CHAIN_UNPROVEN`
 */
export async function requireRunKey(services: SigningServices, owner: Address, rows: readonly NewRow[]): Promise<void> {
  const { keys } = services;
  const account = keys.find(owner);
  if (account === undefined || account.watchOnly || keys.isOutside(owner))
    throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(owner) });
  await requireRunPolicy(services, owner, rows);
}

/** Returns the signer of the rows that the user consented to. Each signature has all checks of a single one. */
export function runSigner(services: SigningServices, address: Address, consent: RunConsent): RunSigner {
  return {
    address,
    sign: async (verified) => {
      const keys = { signers: [address], before: [] };
      const outside = { review: undefined, validMs: 0, handOut: async () => undefined };
      const signed = await signWithConsent(services, verified, consent.toAttempt(verified), { ...keys, ...outside });
      if (signed === undefined) throw new ChainError("CONSENT_MISSING", { txId: verified.txId });
      return signed;
    },
  };
}
