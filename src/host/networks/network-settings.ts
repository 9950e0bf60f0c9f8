import { LOCAL_NETWORK_NAME } from "../../core/chain/chain-place.ts";
import { ChainError, isChainError } from "../../core/errors/chain-error.ts";
import { parseGatewayUrl } from "../../core/gateway/gateway-url.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import { isJsonObject, type JsonObject } from "../../core/primitives/json.ts";

const DEFAULT_API_KEY_HEADER = "CHAIN-PRO-API-KEY";

export { LOCAL_NETWORK_NAME };

const SETTING = "finality.networks";
const TEXTS = ["name", "baseUrl", "solidityBaseUrl", "audience", "keyId", "apiKeyHeader", "explorerUrl"];
const FIELDS = new Set([...TEXTS, "fallbackUrls", "jwt", "production"]);
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** The networks that can be used, and what is wrong with the others, as sentences. */
export interface ParsedNetworks {
  readonly profiles: readonly NetworkProfile[];
  readonly problems: readonly ChainError[];
}

/** Reads the setting `finality.networks`. One bad entry never hides the others. */
export function parseNetworks(value: unknown): ParsedNetworks {
  if (value === undefined || value === null) return { profiles: [], problems: [] };
  if (!Array.isArray(value)) return { profiles: [], problems: [malformed(SETTING, "it has to be a list")] };
  const profiles: NetworkProfile[] = [];
  const problems: ChainError[] = [];
  for (const [index, entry] of value.entries()) {
    try {
      const profile = parseNetworkProfile(entry, `${SETTING}[${index}]`);
      if (profiles.some(({ name }) => name === profile.name)) {
        throw malformed(`${SETTING}[${index}].name`, `"${profile.name}" is there twice`);
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
 * @param path - where it stands, for the message
 * @throws {ChainError} `SETTING_MALFORMED`; a field that nobody knows is refused, for it may be a secret in the wrong place
 */
export function parseNetworkProfile(value: unknown, path: string): NetworkProfile {
  if (!isJsonObject(value)) throw malformed(path, "a network is an object with at least name and baseUrl");
  const unknown = Object.keys(value).find((field) => !FIELDS.has(field));
  if (unknown !== undefined) {
    throw malformed(`${path}.${unknown}`, "there is no such field; secrets are never kept in settings");
  }
  const solidityBaseUrl = optionalUrl(value, "solidityBaseUrl", path);
  const explorerUrl = optionalUrl(value, "explorerUrl", path);
  const audience = text(value, "audience", path);
  const keyId = text(value, "keyId", path);
  return {
    name: parseName(value, path),
    baseUrl: url(text(value, "baseUrl", path) ?? "", `${path}.baseUrl`),
    ...(solidityBaseUrl === undefined ? {} : { solidityBaseUrl }),
    fallbackUrls: parseFallbackUrls(value, path),
    jwt: flag(value, "jwt", path),
    ...(audience === undefined ? {} : { audience }),
    ...(keyId === undefined ? {} : { keyId }),
    apiKeyHeader: parseHeader(value, path),
    production: flag(value, "production", path),
    ...(explorerUrl === undefined ? {} : { explorerUrl }),
    local: false,
  };
}

/** A network as the setting holds it: without what is only the default. */
export function printNetworkProfile(profile: NetworkProfile): JsonObject {
  const { local: _, fallbackUrls, jwt, production, apiKeyHeader, ...named } = profile;
  return {
    ...named,
    ...(fallbackUrls.length === 0 ? {} : { fallbackUrls }),
    ...(jwt ? { jwt } : {}),
    ...(apiKeyHeader === DEFAULT_API_KEY_HEADER ? {} : { apiKeyHeader }),
    ...(production ? { production } : {}),
  };
}

function parseName(value: JsonObject, path: string): string {
  const name = text(value, "name", path) ?? "";
  if (name === "") throw malformed(`${path}.name`, "a network needs a name");
  if (name === LOCAL_NETWORK_NAME) throw malformed(`${path}.name`, `"${name}" is the name of the embedded chain`);
  return name;
}

function parseHeader(value: JsonObject, path: string): string {
  const header = text(value, "apiKeyHeader", path) ?? DEFAULT_API_KEY_HEADER;
  if (!HEADER.test(header)) throw malformed(`${path}.apiKeyHeader`, "it has to be the name of an HTTP header");
  return header;
}

function parseFallbackUrls(value: JsonObject, path: string): readonly string[] {
  const urls = value.fallbackUrls ?? [];
  if (!Array.isArray(urls)) throw malformed(`${path}.fallbackUrls`, "it has to be a list of URLs");
  return urls.map((it, index) => url(it, `${path}.fallbackUrls[${index}]`));
}

function optionalUrl(value: JsonObject, field: string, path: string): string | undefined {
  const given = text(value, field, path);
  return given === undefined ? undefined : url(given, `${path}.${field}`);
}

function url(value: unknown, path: string): string {
  if (typeof value !== "string") throw malformed(path, "it has to be a URL");
  try {
    return parseGatewayUrl(value);
  } catch (cause) {
    if (!isChainError(cause) || cause.code !== "URL_NOT_ALLOWED") throw cause;
    throw new ChainError("SETTING_MALFORMED", { setting: path, reason: cause.details.reason }, { cause });
  }
}

/** Blanks around it are dropped, and nothing is the same as absent. */
function text(value: JsonObject, field: string, path: string): string | undefined {
  const given = value[field];
  if (given === undefined || given === null) return undefined;
  if (typeof given !== "string") throw malformed(`${path}.${field}`, "it has to be text");
  return given.trim() === "" ? undefined : given.trim();
}

function flag(value: JsonObject, field: string, path: string): boolean {
  const given = value[field] ?? false;
  if (typeof given !== "boolean") throw malformed(`${path}.${field}`, "it has to be true or false");
  return given;
}

function malformed(setting: string, reason: string): ChainError {
  return new ChainError("SETTING_MALFORMED", { setting, reason });
}
