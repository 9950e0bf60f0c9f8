import { type TransferCost, transferCost } from "@finality/client/estimates";
import { type Clock, type HttpGateway, requireCompleteAccount } from "@finality/client/gateway";
import { ownKeyAlone, type Permission, signingPermissions, weightOf } from "@finality/client/permissions";
import {
  type FoundReference,
  findReference,
  type ProofCost,
  proofCost,
  REFERENCE_BLOCKS,
  referenceHeights,
} from "@finality/client/proof";
import { ChainError } from "@finality/tron/errors";
import type { Address, Hex } from "@finality/tron/primitives";
import type { Intent, SharedTransaction, VerifiedTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";

/** Verified transaction from elsewhere, with the state of its account. */
export interface SharedFacts {
  readonly verified: VerifiedTransaction;
  /** Lower bound for its block height, from the reference block in its bytes. */
  readonly solidHeight: number;
  /** Time from the newest block to the expiration, ms of chain time. */
  readonly lifetimeMs: number;
  /** Permission that may sign it, as the gateway reports it. */
  readonly permission: Permission;
  /** Each signature with its account. */
  readonly signatures: ReadonlyMap<Address, Hex>;
  /** Cost with as many signatures as the threshold needs; excludes energy for a call. */
  readonly cost: TransferCost;
  readonly proofCost: ProofCost;
}

/** Returns the weight of the present signatures. */
export function weightSoFar({ permission, signatures }: Pick<SharedFacts, "permission" | "signatures">): bigint {
  return weightOf(permission, [...signatures.keys()]);
}

/** Returns signatures of keys in the permission. The node refuses all if one is of another key. */
export function countingSignatures({ permission, signatures }: SharedFacts): readonly Hex[] {
  const part = new Set(permission.keys.map(({ address }) => address));
  return [...signatures].filter(([signer]) => part.has(signer)).map(([, signature]) => signature);
}

/**
 * Reads the chain state of a transaction from elsewhere and verifies its bytes.
 *
 * @param intent - Action of the bytes.
 * @param signatures - All known ones, of the file and of the journal.
 * @throws {ChainError} `TRANSACTION_FILE_REFUSED` if it expired or belongs to another chain; `PERMISSION_REFUSED` if
 *   the account has no such permission; and the errors of the gateway
 */
export async function readSharedFacts(
  gateway: HttpGateway,
  clock: Clock,
  { transaction, intent, signatures }: KnownTransaction,
  signal: AbortSignal,
): Promise<SharedFacts> {
  const { expiration, rawDataHex } = transaction;
  const query = { now: clock.now(), signal };
  const other = otherParty(intent);
  const [signing, head, solid, account, resources, receiver, parameters, reference] = await Promise.all([
    import("../../host/secrets/lazy-signing.ts"),
    gateway.headBlock(signal),
    gateway.solidBlock(signal),
    gateway.account(intent.owner, signal),
    gateway.accountResources(intent.owner, signal),
    other && gateway.account(other, signal),
    gateway.chainParameters(signal),
    findReference(gateway, rawDataHex, query),
  ]);
  if (expiration <= head.timestamp) throw refused(t`it has expired: nodes no longer accept it`);
  if (reference.answer === "not-there") throw refused(t`its reference block is not on this network's chain`);
  const verified = signing.verifyAgainstIntent(transaction, intent, { headTimestamp: head.timestamp });
  if (verified.kind !== "same") throw new ChainError("TRANSACTION_DIFFERS", { differences: verified.differences });
  requireCompleteAccount(account, { endpoint: gateway.endpoint, purpose: t`permissions of an account` });
  const permission = permissionOf(account?.permissions ?? ownKeyAlone(intent.owner), intent);
  const count = Math.max(signatures.size, neededOf(permission));
  const before = { rawDataHex, expiration, solidHeight: solid.number };
  const solidHeight = heightBefore(before, reference);
  return {
    verified,
    solidHeight,
    lifetimeMs: expiration - head.timestamp,
    permission,
    signatures,
    cost: transferCost(
      {
        bandwidth: signing.bandwidthOf(rawDataHex.length / 2, count),
        signatures: count,
        hasMemo: intent.memo !== undefined,
        recipientExists: !createsAccount(intent) || receiver !== undefined,
        updatesPermissions: intent.kind === "permission-update",
        resources,
      },
      parameters,
    ),
    proofCost: proofCost({ ...before, solidHeight }, solid),
  };
}

/**
 * Returns the height of the reference block: no earlier block can contain the bytes. If the gateway cannot show that
 * block, returns the lowest possible height.
 */
function heightBefore(before: Parameters<typeof referenceHeights>[0], { height }: FoundReference): number {
  const { solidHeight } = before;
  if (height !== undefined) return Math.min(solidHeight, height);
  const [likelier = 0] = referenceHeights(before, solidHeight);
  return Math.max(0, likelier > solidHeight ? likelier - REFERENCE_BLOCKS : likelier);
}

interface KnownTransaction {
  readonly transaction: SharedTransaction;
  readonly intent: Intent;
  readonly signatures: ReadonlyMap<Address, Hex>;
}

function refused(reason: string): ChainError {
  return new ChainError("TRANSACTION_FILE_REFUSED", { reason });
}

/** @throws {ChainError} `PERMISSION_REFUSED` */
function permissionOf(
  permissions: Parameters<typeof signingPermissions>[0],
  { permissionId: id = 0 }: Intent,
): Permission {
  const permission = signingPermissions(permissions).find((it) => it.id === id);
  if (permission !== undefined) return permission;
  const reason = t`The account has no permission with the number ${id} that signs transactions.`;
  throw new ChainError("PERMISSION_REFUSED", { reason });
}

/** Returns the smallest number of keys that reach the threshold. */
function neededOf({ keys, threshold }: Permission): number {
  const weights = keys.map(({ weight }) => weight).sort((left, right) => Number(right - left));
  let sum = 0n;
  const at = weights.findIndex((weight) => {
    sum += weight;
    return sum >= threshold;
  });
  return at < 0 ? keys.length : at + 1;
}

function otherParty(intent: Intent): Address | undefined {
  if ("to" in intent) return intent.to;
  return intent.kind === "account-creation" ? intent.account : undefined;
}

function createsAccount({ kind }: Intent): boolean {
  return kind === "transfer" || kind === "token-transfer" || kind === "account-creation";
}
