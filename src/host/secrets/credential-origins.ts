import { isBoundTo, isPlain, type NetworkProfile, originOf } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import { CREDENTIAL_KINDS, CREDENTIAL_WORDS, type NetworkSecrets } from "./network-credentials.ts";

/** What there is, in words: "API key", "JWT key", "API key and JWT key"; undefined when there is none. */
export function wordsFor({ apiKey, jwtKey }: NetworkSecrets): string | undefined {
  const words = [
    ...(apiKey === undefined ? [] : [CREDENTIAL_WORDS.apiKey]),
    ...(jwtKey === undefined ? [] : [CREDENTIAL_WORDS.jwtKey]),
  ];
  return words.length === 0 ? undefined : words.join(t` and `);
}

/** The origins that every credential of a network may go to. */
export function boundOrigins({ apiKey, jwtKey }: NetworkSecrets): readonly string[] {
  const all = [apiKey, jwtKey].flatMap((it) => (it === undefined ? [] : [it.origins]));
  const [first = [], ...others] = all;
  return first.filter((origin) => others.every((it) => it.includes(origin)));
}

/** What of this was entered for another origin than that of the network's URL; a JWT key counts while JWT is on. */
export function withheldFrom(network: NetworkProfile, { apiKey, jwtKey }: NetworkSecrets): ChainError | undefined {
  const used = { apiKey, jwtKey: network.jwt ? jwtKey : undefined };
  const kind = CREDENTIAL_KINDS.find((it) => used[it] !== undefined && !isBoundTo(used[it], network.baseUrl));
  const origins = kind === undefined ? undefined : used[kind]?.origins;
  if (kind === undefined || origins === undefined) return undefined;
  const url = originOf(network.baseUrl);
  const what = CREDENTIAL_WORDS[kind];
  if (isPlain(new URL(url))) return new ChainError("CREDENTIALS_IN_CLEAR", { network: network.name, url, what });
  const boundTo = origins.length === 0 ? t`no URL` : origins.join(", ");
  return new ChainError("CREDENTIALS_WITHHELD", {
    network: network.name,
    url,
    what,
    boundTo,
  });
}
