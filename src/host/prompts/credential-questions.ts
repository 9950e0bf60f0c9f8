import { isPlain, type JwtKeyRecord, type NetworkProfile, originOf, originsOf } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import { askModal, confirmModal } from "./notify.ts";

/**
 * The origins that a new credential of a network may go to: that of its URL, and those of its further URLs if the
 * person says so.
 *
 * @param what - such as "API key"
 * @returns undefined when the person left
 * @throws {ChainError} `CREDENTIALS_IN_CLEAR`
 */
export async function originsToBind(network: NetworkProfile, what: string): Promise<readonly string[] | undefined> {
  const own = originOf(network.baseUrl);
  if (isPlain(new URL(own))) throw new ChainError("CREDENTIALS_IN_CLEAR", { network: network.name, url: own, what });
  const others = originsOf(network).filter((it) => it !== own && !isPlain(new URL(it)));
  if (others.length === 0) return [own];
  const title = t`Send the ${what} of ${network.name} also to ${others.join(", ")}?`;
  const detail = t`${network.name} asks there too. Who answers there can use what is sent.`;
  const [only, too] = [t`Only to ${own}`, t`Send There Too`];
  const chosen = await askModal("warning", { title, detail }, only, too);
  if (chosen === undefined) return undefined;
  return chosen === too ? [own, ...others] : [own];
}

/** Returns whether an ID would take the place of another one. */
export function isOtherKeyId(record: JwtKeyRecord, keyId: string): boolean {
  return record.keyId !== undefined && record.keyId !== keyId;
}

/** Asks before the ID of the key in use changes: with a wrong one the gateway drops every request. */
export async function askAboutKeyId({ name }: NetworkProfile, record: JwtKeyRecord, keyId: string): Promise<boolean> {
  const title = t`Change the ID (kid) of the JWT key “${record.name}” of ${name}?`;
  const detail = `${record.keyId ?? ""} → ${keyId}\n\n${t`It is in use: with a wrong ID the gateway drops every request.`}`;
  return await confirmModal({ title, detail }, t`Change`);
}
