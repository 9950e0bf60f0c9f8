import { coinSymbolOf, type NetworkProfile } from "@finality/client/gateway";
import { applyPolicy, type PolicyDecision, policyFromJson } from "@finality/client/keys";
import type { NewRow } from "@finality/client/runs";
import { ChainError } from "@finality/tron/errors";
import { coinsText, formatCoins } from "@finality/tron/format";
import { type Address, type Hex, type Sun, sun, toBase58 } from "@finality/tron/primitives";
import type { Intent, SignedTransaction, VerifiedTransaction } from "@finality/tron/transaction";
import type { MessageDigest } from "@finality/tron/typed-data";
import { t } from "@vscode/l10n";
import type { ExternalSigner, SigningRequest } from "../host/external-signer/external-signer.ts";
import type { ModalContent } from "../host/prompts/notify.ts";
import { inputBox } from "../host/prompts/quick-input.ts";
import type { SigningKeys } from "../host/secrets/signing-keys.ts";
import type { Consent, MessageConsent } from "./consent.ts";
import { requireConsent, requireTrust } from "./require-consent.ts";

export interface SigningServices extends PolicyServices {
  readonly keys: Pick<SigningKeys, "withPrivateKey" | "find" | "isOutside">;
  /** Signs for accounts with an external key. */
  readonly outside: ExternalSigner;
  /** @throws {ChainError} `ACCOUNT_GUARDED_ELSEWHERE` if the journal of this host does not guard the account */
  readonly requireGuard: (owner: Address) => Promise<void>;
}

/** Keys that sign, and signatures that stay. */
export interface CoSigning {
  /** In signing order. Empty to leave the bytes as they are. */
  readonly signers: readonly Address[];
  /** Signatures that stay, one per key. */
  readonly before: readonly Hex[];
  /** Set if they replace earlier signatures. */
  readonly renews?: boolean;
}

/** Data for an external signer. */
export interface HandingOut extends Pick<SigningRequest, "validMs" | "handOut"> {
  /** Absent if there was no review: then no external signer is used. */
  readonly review: ModalContent | undefined;
}

/**
 * Signs a verified transaction. Nothing else reaches a private key or an external signer. Checks workspace trust, the
 * consent, the account guard and the key policies, then the signatures. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `WORKSPACE_NOT_TRUSTED`, `CONSENT_MISSING`, `ACCOUNT_GUARDED_ELSEWHERE`, `KEY_POLICY_REFUSED`,
 *   `SIGNATURE_FOREIGN`, `SIGNATURE_DUPLICATE` if one of these keys signed before, and the errors of `withPrivateKey`
 *   and of external signers
 */
export async function signWithConsent(
  services: SigningServices,
  verified: VerifiedTransaction,
  consent: Consent,
  { signers, before, ...handing }: CoSigning & HandingOut,
): Promise<SignedTransaction | undefined> {
  const { txId, rawDataHex, intent } = verified;
  requireTrust("signed");
  requireConsent(txId, consent);
  await services.requireGuard(intent.owner);
  await requirePolicies(services, signers, intent);
  const { addSignature, checkSignedTransaction } = await import("../host/secrets/lazy-signing.ts");
  let signed: SignedTransaction = { txId, rawDataHex, signatures: before };
  for (const it of signers) {
    const soFar = signed;
    const next = services.keys.isOutside(it)
      ? await signOutside(services, { verified, soFar, signer: it, handing })
      : await services.keys.withPrivateKey(it, (key) => addSignature(soFar, key));
    if (next === undefined) return undefined;
    signed = next;
  }
  requireSigners(signers, checkSignedTransaction(signed).slice(before.length));
  return signed;
}

/** A message or typed data that is signed. */
export interface SignedDigest {
  readonly digest: MessageDigest;
  readonly signer: Address;
  /** True for typed data that name the chain of the network. Everything else can be used on other chains too. */
  readonly isForThisChain: boolean;
}

/**
 * Signs a message or typed data. Checks workspace trust, the consent, the account guard and the policy of the key, then
 * the signature.
 *
 * @returns 65 bytes, with 27 or 28 at the end
 * @throws {ChainError} `WORKSPACE_NOT_TRUSTED`, `MESSAGE_REFUSED`, `ACCOUNT_GUARDED_ELSEWHERE`, `KEY_POLICY_REFUSED`,
 *   `SIGNATURE_FOREIGN`, and the errors of `withPrivateKey`
 */
export async function signMessageWithConsent(
  services: SigningServices,
  { digest, signer, isForThisChain }: SignedDigest,
  consent: MessageConsent | undefined,
): Promise<Hex> {
  requireTrust("signed");
  if (consent?.digest !== digest)
    throw new ChainError("MESSAGE_REFUSED", { reason: t`It was not confirmed. Start again and read the review.` });
  await services.requireGuard(signer);
  // A policy for local chains only must not pass what another chain accepts.
  const network = isForThisChain ? services.network : { ...services.network, local: false };
  // A policy counts it as a transaction whose outflow is unknown.
  const unknown = { kind: "other", owner: signer, type: "", parameter: digest, feeLimit: sun(0n) } as const;
  await requirePolicies({ ...services, network }, [signer], unknown);
  const { parseMessageSignature, recoverMessageSigner, signMessageDigest } = await import(
    "../host/secrets/lazy-signing.ts"
  );
  const signature = await services.keys.withPrivateKey(signer, (key) => signMessageDigest(digest, key));
  requireSigners([signer], [recoverMessageSigner(digest, parseMessageSignature(signature))]);
  return signature;
}

interface Outside {
  readonly verified: VerifiedTransaction;
  readonly soFar: SignedTransaction;
  readonly signer: Address;
  readonly handing: HandingOut;
}

/** Checks the guard again before the bytes leave, because the user may have taken time. */
async function signOutside(
  { outside, requireGuard }: SigningServices,
  { verified, soFar, signer, handing }: Outside,
): Promise<SignedTransaction | undefined> {
  const { txId, rawDataHex, expiration, intent } = verified;
  const { review, validMs } = handing;
  if (review === undefined) throw new ChainError("CONSENT_MISSING", { txId });
  const { owner, permissionId = 0 } = intent;
  const handOut = async (): Promise<void> => {
    await requireGuard(owner);
    await handing.handOut();
  };
  const signingRequest = { txId, rawDataHex, expiration, signer, owner, permissionId, review, validMs, handOut };
  const signature = await outside.sign(signingRequest);
  return signature && { ...soFar, signatures: [...soFar.signatures, signature] };
}

/** @throws {ChainError} `SIGNATURE_FOREIGN` */
function requireSigners(expected: readonly Address[], found: readonly Address[]): void {
  expected.forEach((address, index) => {
    const signer = found[index];
    if (signer === address) return;
    const by = signer === undefined ? t`an unknown key` : toBase58(signer);
    throw new ChainError("SIGNATURE_FOREIGN", { address: toBase58(address), signer: by });
  });
}

interface PolicyServices {
  readonly keys: Pick<SigningKeys, "find">;
  readonly network: Pick<NetworkProfile, "name" | "local" | "baseUrl">;
  /** @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`, `GATEWAY_UNREACHABLE` */
  readonly prove: () => Promise<void>;
}

/**
 * Checks the policies of all signing keys, right before the first one is read.
 *
 * @throws {ChainError} `KEY_POLICY_REFUSED`; `LOCAL_CHAIN_UNPROVEN` if a network claims to be the local chain and
 *   cannot prove it
 */
export async function requirePolicies(
  services: PolicyServices,
  signers: readonly Address[],
  intent: Intent,
): Promise<void> {
  const { keys, network, prove } = services;
  for (const address of signers) {
    const account = keys.find(address);
    const policy = policyFromJson(account?.policy);
    if (policy.kind === "always-ask") continue;
    if (network.local) await prove();
    const verdict = applyPolicy(policy, intent, { isLocal: network.local });
    if (verdict.kind === "refused") throw refused(address, neverReal(network.name));
    if (verdict.kind === "retype") {
      const symbol = coinSymbolOf(network.baseUrl);
      await requireRetyped(address, account?.label.trim() || toBase58(address), { ...verdict, symbol });
    }
  }
}

/** @throws {ChainError} `KEY_POLICY_REFUSED` if the text was not typed */
async function requireRetyped(
  address: Address,
  label: string,
  { coins, above, symbol }: Extract<PolicyDecision, { kind: "retype" }> & { readonly symbol: string | undefined },
): Promise<void> {
  const expected = coins === undefined ? label : formatCoins(coins);
  const isDone = (text: string): boolean => isRetyped(text.trim(), { coins, label });
  const why =
    coins === undefined
      ? t`The value in coins is unknown, and this key asks twice above ${coinsText(above, symbol)}.`
      : t`Up to ${coinsText(coins, symbol)} are sent, and this key asks twice above ${coinsText(above, symbol)}.`;
  const typed = await inputBox({
    title: t`Sign with ${label}?`,
    prompt: t`${why} Type ${expected} to sign.`,
    placeHolder: expected,
    ignoreFocusOut: true,
    validateInput: (text) => (text === "" || isDone(text) ? undefined : t`This is not ${expected} yet.`),
  });
  if (typed === undefined || !isDone(typed)) throw refused(address, notTyped(expected));
}

/** Compares a typed amount with or without separators, and a label exactly. */
function isRetyped(
  typed: string,
  { coins, label }: { readonly coins: Sun | undefined; readonly label: string },
): boolean {
  if (coins === undefined) return typed !== "" && typed === label;
  const shown = formatCoins(coins);
  return typed === shown || typed === shown.replaceAll(",", "");
}

/**
 * Checks the policy of a key for all rows of a run. A run has one review, so a key that asks again for one of the rows
 * does not sign it.
 *
 * @throws {ChainError} `KEY_POLICY_REFUSED`, `LOCAL_CHAIN_UNPROVEN`
 */
export async function requireRunPolicy(
  { keys, network, prove }: PolicyServices,
  signer: Address,
  rows: readonly NewRow[],
): Promise<void> {
  const policy = policyFromJson(keys.find(signer)?.policy);
  if (policy.kind === "always-ask") return;
  if (network.local) await prove();
  for (const { row, intent } of rows) {
    const verdict = applyPolicy(policy, intent, { isLocal: network.local });
    if (verdict.kind === "refused") throw refused(signer, neverReal(network.name));
    if (verdict.kind !== "retype") continue;
    const above = coinsText(verdict.above, coinSymbolOf(network.baseUrl));
    throw refused(signer, t`this key asks twice above ${above} and for tokens, which concerns row ${row} of the run`);
  }
}

function neverReal(network: string): string {
  return t`this key signs on local chains only, and ${network} is not one`;
}

function notTyped(expected: string): string {
  return t`this key asks twice, and ${expected} was not typed`;
}

function refused(address: Address, reason: string): ChainError {
  return new ChainError("KEY_POLICY_REFUSED", { address: toBase58(address), reason });
}
