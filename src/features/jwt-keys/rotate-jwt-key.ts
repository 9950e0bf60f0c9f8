import type { JwtKeyRecord, NetworkProfile } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { confirmForProgram, confirmModal, notify, whileWorking } from "../../host/prompts/notify.ts";
import {
  askKeyId,
  chooseJwtNetwork,
  type JwtKeyResult,
  type JwtKeyServices,
  publicKeyOf,
  type Rotation,
  registerAtLocalChain,
  removeOldKey,
  resultOf,
  setKeyId,
  someJwtKeys,
  switchKey,
  tryKey,
  writeKeyIdSetting,
} from "./jwt-keys.ts";
import { accountSteps, proposedName } from "./jwt-keys.view.ts";

/** Progress of a rotation. The next call does the remaining steps. */
export interface RotationResult extends JwtKeyResult {
  /**
   * `waiting-for-id`: the new key is stored without an ID; `switched`: it is in use, but pending requests still carry
   * the old one; `done`: the old one is deleted.
   */
  readonly state: "waiting-for-id" | "switched" | "done";
  /** Name of the key that it replaces. */
  readonly replaces: string;
}

/**
 * Replaces the key in use: creates a record, shows the public key to register, tests it, switches, and deletes the old
 * key. Continues an interrupted rotation. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `JWT_KEYS_FULL`, `JWT_KEY_NOT_ACCEPTED`: the old key stays in use
 */
export async function rotateJwtKey(
  services: JwtKeyServices,
  argument: CommandArguments["finality.rotateJwtKey"],
  canPrompt: boolean,
): Promise<RotationResult | undefined> {
  const network = await chooseJwtNetwork(services, argument.network, t`Rotate JWT Key`);
  if (network === undefined) return undefined;
  const records = await someJwtKeys(services, network);
  const current = records.find(({ inUse }) => inUse);
  if (current === undefined) throw new ChainError("JWT_SETTING_MISSING", { setting: "private key" });
  const replaced = records.find(({ id }) => id === current.replaces);
  if (replaced !== undefined) return await end(services, network, { old: replaced, next: current });
  const begun = records.find(({ replaces }) => replaces === current.id);
  const asksToBegin = begun === undefined && !network.local;
  if (asksToBegin && !(await confirmForProgram({ title: t`Create a new JWT key for ${network.name}?` }, t`Create Key`)))
    return undefined;
  const next = begun ?? (await begin(services, network, current, argument.name ?? proposedName(records)));
  const named = await withId(services, network, next, { asks: canPrompt, keyId: argument.keyId });
  if (named.keyId === undefined)
    return await result(services, network, { old: current, next: named }, "waiting-for-id");
  return await testAndSwitch(services, network, { old: current, next: named });
}

/** The new key may be sent to the same origins as the old one. */
async function begin(
  { credentials }: JwtKeyServices,
  network: NetworkProfile,
  current: JwtKeyRecord,
  name: string,
): Promise<JwtKeyRecord> {
  const keys = credentials.jwtKeysOf(network);
  const origins = (await keys?.privateKey(current.id))?.origins ?? [];
  const { generateJwtKey } = await import("../../host/networks/lazy-gateway.ts");
  const { privateKeyPem } = await whileWorking(t`Creating the key`, generateJwtKey);
  const next = await keys?.add({ value: privateKeyPem, origins }, { name, replaces: current.id });
  if (next === undefined) throw new ChainError("NETWORK_UNKNOWN", { network: network.name });
  return next;
}

/** Sets the ID that the service assigned. Prompts even for a stored ID, because it may be wrong. */
async function withId(
  services: JwtKeyServices,
  network: NetworkProfile,
  next: JwtKeyRecord,
  { asks, keyId }: { readonly asks: boolean; readonly keyId: string | undefined },
): Promise<JwtKeyRecord> {
  if (keyId !== undefined) return await setKeyId(services, network, next, keyId);
  if (network.local && next.keyId !== undefined) return next;
  if (!network.local && !asks) return next;
  const publicKey = await publicKeyOf(services, network, next);
  if (network.local) {
    return await setKeyId(services, network, next, await registerAtLocalChain(network, next.name, publicKey));
  }
  await vscode.env.clipboard.writeText(publicKey);
  const typed = await askKeyId(accountSteps(network, next.name), next.keyId);
  return await setKeyId(services, network, typed === undefined ? withoutId(next) : next, typed ?? "");
}

/** Removes the ID, so that a cancelled prompt stops the rotation. */
function withoutId({ keyId: _, ...record }: JwtKeyRecord): JwtKeyRecord {
  return record;
}

async function testAndSwitch(
  services: JwtKeyServices,
  network: NetworkProfile,
  rotation: Rotation,
): Promise<RotationResult | undefined> {
  const { old, next } = rotation;
  const title = t`Testing the new JWT key of ${network.name}`;
  await whileWorking(title, (signal) => tryKey(services, network, next, signal));
  if (!network.local && !(await maySwitch(network, rotation))) return undefined;
  await switchKey(services, network, rotation);
  await writeKeyIdSetting(services, { ...network, jwt: true }, { ...next, inUse: true });
  return await end(services, network, { old, next: { ...next, inUse: true } });
}

async function maySwitch({ name }: NetworkProfile, { old, next }: Rotation): Promise<boolean> {
  const title = t`Switch ${name} from the JWT key “${old.name}” to “${next.name}”?`;
  const accepted = t`The gateway accepts the new key (kid ${next.keyId ?? ""}).`;
  const then = t`Pending requests finish with the old one, then its private key is deleted here.`;
  return await confirmModal({ title, detail: `${accepted} ${then}` }, t`Switch and Delete the Old Key`);
}

async function end(services: JwtKeyServices, network: NetworkProfile, rotation: Rotation): Promise<RotationResult> {
  const { old, next } = rotation;
  const title = t`Waiting for requests with the old JWT key of ${network.name}`;
  const isGone = await whileWorking(title, (signal) => removeOldKey(services, network, rotation, signal)).catch(
    falseIfLeft,
  );
  const message = isGone
    ? t`${network.name} uses the new JWT key “${next.name}”. The old one, “${old.name}”, is deleted here.`
    : t`${network.name} uses the new JWT key “${next.name}”. Some requests still use “${old.name}”: Rotate JWT Key… deletes it later.`;
  const there = t`Remove its record (kid ${old.keyId ?? ""}) on the JWT page of the account, too.`;
  void notify("information", isGone && !network.local ? `${message} ${there}` : message);
  return await result(services, network, rotation, isGone ? "done" : "switched");
}

/** Returns false if the user cancels the wait. A later call deletes the old key. */
function falseIfLeft(error: unknown): false {
  if (error instanceof vscode.CancellationError) return false;
  throw error;
}

async function result(
  services: JwtKeyServices,
  network: NetworkProfile,
  { old, next }: Rotation,
  state: RotationResult["state"],
): Promise<RotationResult> {
  return { ...resultOf(network, next, await publicKeyOf(services, network, next)), state, replaces: old.name };
}
