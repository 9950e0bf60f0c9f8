import { isBoundTo, isPlain, type NetworkProfile, originOf } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import { CREDENTIAL_KINDS, CREDENTIAL_LABELS, type NetworkSecrets } from "./network-credentials.ts";

/** Returns the names of the existing credentials, such as "API key and JWT key"; undefined if there is none. */
export function credentialLabels({ apiKey, jwtKey }: NetworkSecrets): string | undefined {
  const texts = [
    ...(apiKey === undefined ? [] : [CREDENTIAL_LABELS.apiKey]),
    ...(jwtKey === undefined ? [] : [CREDENTIAL_LABELS.jwtKey]),
  ];
  return texts.length === 0 ? undefined : texts.join(t` and `);
}

/** Returns the origins that all credentials of a network may be sent to. */
export function boundOrigins({ apiKey, jwtKey }: NetworkSecrets): readonly string[] {
  const all = [apiKey, jwtKey].flatMap((it) => (it === undefined ? [] : [it.origins]));
  const [first = [], ...others] = all;
  return first.filter((origin) => others.every((it) => it.includes(origin)));
}

/**
 * Returns the error if a credential was entered for another origin than the network's URL. A JWT key counts only while
 * JWT is on.
 */
export function withheldFrom(network: NetworkProfile, { apiKey, jwtKey }: NetworkSecrets): ChainError | undefined {
  const used = { apiKey, jwtKey: network.jwt ? jwtKey : undefined };
  const kind = CREDENTIAL_KINDS.find((it) => used[it] !== undefined && !isBoundTo(used[it], network.baseUrl));
  const origins = kind === undefined ? undefined : used[kind]?.origins;
  if (kind === undefined || origins === undefined) return undefined;
  const url = originOf(network.baseUrl);
  const what = CREDENTIAL_LABELS[kind];
  if (isPlain(new URL(url))) return new ChainError("CREDENTIALS_IN_CLEAR", { network: network.name, url, what });
  const boundTo = origins.length === 0 ? t`no URL` : origins.join(", ");
  return new ChainError("CREDENTIALS_WITHHELD", {
    network: network.name,
    url,
    what,
    boundTo,
  });
}
