import { type Clock, type JwtKeyRecord, type NetworkProfile, within } from "@finality/client/gateway";
import { ChainError, isChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import { askLocalChain } from "../../host/local-chain/local-chain-process.ts";
import type { Gateways } from "../../host/networks/gateways.ts";
import type { NetworkCredentials } from "../../host/secrets/network-credentials.ts";

export interface RotationServices {
  readonly credentials: Pick<NetworkCredentials, "jwtKeysOf" | "jwtKeys">;
  readonly gateways: Pick<Gateways, "tryKey" | "idle">;
  readonly clock: Clock;
  /** How long other windows have to hear of a switch before the old key goes; ms. */
  readonly settleMs?: number;
}

/** A key that takes the place of another one. */
export interface Rotation {
  readonly old: JwtKeyRecord;
  readonly next: JwtKeyRecord;
}

/** The storage tells other windows at once; a request of theirs that had its token by then leaves within this. */
const SETTLE_MS = 3_000;
/** Longer than any request takes. */
const IDLE_MS = 180_000;

/**
 * Asks the network with a token of a key that is not in use.
 *
 * @throws {ChainError} `JWT_KEY_NOT_ACCEPTED`
 */
export async function tryKey(
  { credentials, gateways }: RotationServices,
  network: NetworkProfile,
  { id, name, keyId = "" }: JwtKeyRecord,
  signal: AbortSignal,
): Promise<void> {
  const key = await credentials.jwtKeysOf(network)?.privateKey(id);
  try {
    if (key === undefined) throw new ChainError("JWT_KEY_UNKNOWN", { network: network.name, key: name });
    await gateways.tryKey(network, { ...key, id, keyId }, signal);
  } catch (cause) {
    if (!isChainError(cause)) throw cause;
    // A node that refuses has been reached: the token was let in.
    if (cause.code === "NODE_REFUSED") return;
    const details = { network: network.name, key: name, keyId, reason: cause.message };
    throw new ChainError("JWT_KEY_NOT_ACCEPTED", details, { cause });
  }
}

/**
 * Has each request that begins carry tokens of the new key. It is one write: whenever this process ends, one of both
 * is in use, and the service knows both.
 */
export async function switchKey(
  { credentials }: RotationServices,
  network: NetworkProfile,
  { next }: Rotation,
): Promise<void> {
  await credentials.jwtKeysOf(network)?.use(next.id);
}

/**
 * Deletes the old key as soon as no request under way carries a token of it. What ends in between is done by the next
 * call: the new record says which one it replaces until that one is gone.
 *
 * @returns false when requests went on for too long, and the old key stays for now
 * @throws {ChainError} `SECRETS_UNAVAILABLE` the new key would end with this window
 */
export async function removeOldKey(
  services: RotationServices,
  network: NetworkProfile,
  { old, next }: Rotation,
  signal: AbortSignal,
): Promise<boolean> {
  const { credentials, gateways, clock, settleMs = SETTLE_MS } = services;
  const keys = credentials.jwtKeysOf(network);
  if ((await keys?.isLasting(next.id)) === false)
    throw new ChainError("SECRETS_UNAVAILABLE", { reason: FOR_THIS_WINDOW });
  await clock.sleep(settleMs, signal);
  const idle = gateways.idle(network, old.keyId ?? "").then(() => true);
  if (!(await within(clock, IDLE_MS, idle, () => new Late()).catch(falseIfLate))) return false;
  signal.throwIfAborted();
  await forgetAtLocalChain(network, old);
  await keys?.remove(old.id);
  await keys?.change(next, { replaces: undefined });
  return true;
}

const FOR_THIS_WINDOW = t`the new JWT key is kept for this window only, so the old one stays`;

class Late extends Error {}

function falseIfLate(error: unknown): false {
  if (error instanceof Late) return false;
  throw error;
}

/** The embedded chain takes a public key as the account page of a service does. @returns its `kid` */
export async function registerAtLocalChain({ baseUrl }: NetworkProfile, name: string, publicKey: string) {
  const { id, error } = await askLocalChain(baseUrl, "keys", { name, publicKey });
  if (typeof id === "string") return id;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "network", reason: String(error) });
}

/** The embedded chain refuses tokens of this record from now on. */
export async function forgetAtLocalChain({ local, baseUrl }: NetworkProfile, { keyId }: JwtKeyRecord): Promise<void> {
  if (local && keyId !== undefined) await askLocalChain(baseUrl, "keys", { id: keyId }, "DELETE");
}
