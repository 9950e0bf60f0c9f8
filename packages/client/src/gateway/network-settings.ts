import { ChainError, isChainError } from "@finality/tron/errors";
import { defined, type JsonObject, labelFault, labelKey } from "@finality/tron/primitives";
import { flag, object, type Read, ReadError, record, text, tryRead } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import { isPlain, LOCAL_NETWORK_NAME, type NetworkField, type NetworkProfile, parseGatewayUrl } from "./network.ts";

const DEFAULT_API_KEY_HEADER = "CHAIN-PRO-API-KEY";

const SETTING = "finality.networks";
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Reads trimmed text; empty text counts as absent. */
const words: Read<string | undefined> = (value) => text(value ?? "").trim() || undefined;
const switched: Read<boolean> = (value) => flag(value ?? false);
const list: Read<readonly unknown[]> = (value) => {
  const items: unknown = value ?? [];
  if (!Array.isArray(items)) throw new ReadError(t`a list of URLs`);
  return items;
};

const NETWORK = {
  name: words,
  baseUrl: words,
  solidityBaseUrl: words,
  fallbackUrls: list,
  jwt: switched,
  audience: words,
  keyId: words,
  apiKeyHeader: words,
  production: switched,
  explorerUrl: words,
} satisfies { readonly [F in NetworkField]: Read<unknown> };
const networkEntry = object(NETWORK);

/** The fields that `finality.networks` accepts. */
export const networkFields = Object.keys(NETWORK);

/** Usable networks, and the problems of the others. */
export interface ParsedNetworks {
  readonly profiles: readonly NetworkProfile[];
  readonly problems: readonly ChainError[];
}

/** Reads the setting `finality.networks`. One bad entry never hides the others. */
export function parseNetworks(value: unknown): ParsedNetworks {
  if (value === undefined || value === null) return { profiles: [], problems: [] };
  if (!Array.isArray(value)) return { profiles: [], problems: [malformed(SETTING, t`it must be a list`)] };
  const profiles: NetworkProfile[] = [];
  const problems: ChainError[] = [];
  for (const [index, entry] of value.entries()) {
    try {
      const profile = parseNetworkProfile(entry, `${SETTING}[${index}]`);
      if (profiles.some(({ name }) => labelKey(name) === labelKey(profile.name))) {
        throw malformed(
          `${SETTING}[${index}].name`,
          t`"${profile.name}" occurs twice, or looks like the name of another network`,
        );
      }
      profiles.push(profile);
    } catch (error) {
      if (!isChainError(error)) throw error;
      problems.push(error);
    }
  }
  return { profiles, problems };
}

/**
 * Reads one network.
 *
 * @param path - location in the setting, for messages
 * @throws {ChainError} `SETTING_MALFORMED`; an unknown field is refused, because it may be a secret in the wrong place
 */
export function parseNetworkProfile(value: unknown, path: string): NetworkProfile {
  const { name, baseUrl, fallbackUrls, apiKeyHeader, solidityBaseUrl, explorerUrl, audience, keyId, ...switches } =
    readEntry(value, path);
  const profile: NetworkProfile = {
    name: checkedName(path, name),
    baseUrl: url(baseUrl ?? "", `${path}.baseUrl`),
    ...(solidityBaseUrl === undefined ? {} : { solidityBaseUrl: url(solidityBaseUrl, `${path}.solidityBaseUrl`) }),
    fallbackUrls: fallbackUrls.map((it, index) => url(it, `${path}.fallbackUrls[${index}]`)),
    ...defined({ audience, keyId }),
    apiKeyHeader: checkedHeader(path, apiKeyHeader),
    ...(explorerUrl === undefined ? {} : { explorerUrl: url(explorerUrl, `${path}.explorerUrl`) }),
    ...switches,
    local: false,
  };
  if (profile.jwt && isPlain(new URL(profile.baseUrl)))
    throw malformed(`${path}.jwt`, t`its tokens would be sent unencrypted: use https, or turn JWT off`);
  return profile;
}

function readEntry(value: unknown, path: string) {
  const fields = tryRead(record, value);
  if (fields === undefined) throw malformed(path, t`a network is an object with at least name and baseUrl`);
  const unknown = Object.keys(fields).find((field) => !Object.hasOwn(NETWORK, field));
  if (unknown !== undefined) {
    throw malformed(`${path}.${unknown}`, t`there is no such field; secrets are never stored in settings`);
  }
  try {
    return networkEntry(fields);
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    throw malformed(path + error.path, t`it must be ${error.expected}`);
  }
}

/** Returns a network as stored in the setting, without default values. */
export function printNetworkProfile(profile: NetworkProfile): JsonObject {
  const { local: _, plainHttp: _plain, fallbackUrls, jwt, production, apiKeyHeader, ...named } = profile;
  return {
    ...named,
    ...(fallbackUrls.length === 0 ? {} : { fallbackUrls }),
    ...(jwt ? { jwt } : {}),
    ...(apiKeyHeader === DEFAULT_API_KEY_HEADER ? {} : { apiKeyHeader }),
    ...(production ? { production } : {}),
  };
}

function checkedName(path: string, name = ""): string {
  if (name === "") throw malformed(`${path}.name`, t`a network needs a name`);
  if (labelFault(name, []) !== undefined) throw malformed(`${path}.name`, t`it has characters that cannot be seen`);
  if (labelKey(name) === labelKey(LOCAL_NETWORK_NAME))
    throw malformed(`${path}.name`, t`"${name}" is the name of the embedded chain`);
  return name;
}

function checkedHeader(path: string, header = DEFAULT_API_KEY_HEADER): string {
  if (!HEADER.test(header)) throw malformed(`${path}.apiKeyHeader`, t`it must be the name of an HTTP header`);
  return header;
}

function url(value: unknown, path: string): string {
  if (typeof value !== "string") throw malformed(path, t`it must be a URL`);
  try {
    // The user decides elsewhere whether http is allowed.
    return parseGatewayUrl(value, () => true);
  } catch (cause) {
    if (!isChainError(cause) || cause.code !== "URL_NOT_ALLOWED") throw cause;
    throw new ChainError("SETTING_MALFORMED", { setting: path, reason: cause.details.reason }, { cause });
  }
}

function malformed(setting: string, reason: string): ChainError {
  return new ChainError("SETTING_MALFORMED", { setting, reason });
}
