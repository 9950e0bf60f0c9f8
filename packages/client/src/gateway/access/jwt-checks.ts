import { isChainError } from "@finality/tron/errors";
import { isJsonObject, type JsonObject, parseJson } from "@finality/tron/primitives";
import { isLoopback, type NetworkProfile } from "../network-profile.ts";
import { audienceWords, jwtKeyWords, keyIdWords, tokenFaults, tokenWords } from "./connection-messages.ts";
import type { Finding } from "./finding.ts";
import { ALGORITHM, parseJwtKey } from "./jwt-key.ts";

/** Whether there is a private key that can sign RS256. */
export function checkPrivateKey(privateKeyPem: string | undefined): Finding {
  const check = "jwt-key";
  if (privateKeyPem === undefined) return { check, status: "failed", ...jwtKeyWords.missing };
  try {
    const { bits } = parseJwtKey(privateKeyPem);
    return { check, status: "ok", ...jwtKeyWords.fine(bits) };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { check, status: "failed", ...jwtKeyWords.unusable(error.message) };
  }
}

const FINGERPRINT = /^(?:SHA256:|MD5:|(?:[0-9a-f]{2}:){7,}[0-9a-f]{2}$)/i;

/** The ID is opaque: only what can be no ID at all is refused. */
export function checkKeyId({ keyId = "" }: NetworkProfile): Finding {
  const check = "key-id";
  const id = keyId.trim();
  if (id === "") return { check, status: "failed", ...keyIdWords.missing };
  if (id.includes("-----BEGIN")) return { check, status: "failed", ...keyIdWords.holdsKey };
  if (FINGERPRINT.test(id)) return { check, status: "warning", ...keyIdWords.fingerprint(id) };
  return { check, status: "ok", ...keyIdWords.fine(id) };
}

/** An audience is the service's own domain name (gateway document, JWT token). */
export function checkAudience({ audience = "", baseUrl }: NetworkProfile): Finding {
  const check = "audience";
  const text = audience.trim();
  if (text === "") return { check, status: "failed", ...audienceWords.missing };
  if (/[\s/]|:\/\//.test(text)) return { check, status: "failed", ...audienceWords.noDomain(text) };
  const url = URL.parse(baseUrl);
  if (url !== null && !isLoopback(url) && !belongsTo(url.hostname, text)) {
    return { check, status: "warning", ...audienceWords.otherDomain(text, url.hostname) };
  }
  return { check, status: "ok", ...audienceWords.fine(text) };
}

function belongsTo(host: string, domain: string): boolean {
  return host === domain.toLowerCase() || host.endsWith(`.${domain.toLowerCase()}`);
}

const HEADER = /^Bearer [A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Reads an `Authorization` header as the service does, as far as that needs no public key.
 *
 * @param now - Unix ms, the gateway's time as well as it is known
 */
export function checkToken(
  authorization: string | undefined,
  profile: NetworkProfile,
  now: number,
): readonly Finding[] {
  const sentence = faultOf(authorization, profile, now);
  if (sentence === undefined) return [{ check: "token", status: "ok", ...tokenWords.wellFormed }];
  return [{ check: "token", status: "failed", ...tokenWords.faulty(sentence) }];
}

function faultOf(authorization: string | undefined, profile: NetworkProfile, now: number): string | undefined {
  if (authorization === undefined) return tokenFaults.notSent;
  if (/^Bearer {2,}/i.test(authorization)) return tokenFaults.twoSpaces;
  if (!HEADER.test(authorization)) return tokenFaults.otherForm;
  const [header, payload] = authorization.slice("Bearer ".length).split(".").map(decodePart);
  if (header === undefined || payload === undefined) return tokenFaults.undecodable;
  return headerFault(header, profile) ?? payloadFault(payload, profile, now);
}

function headerFault(header: JsonObject, { keyId = "" }: NetworkProfile): string | undefined {
  if (header.alg !== ALGORITHM) return tokenFaults.algorithm(String(header.alg), ALGORITHM);
  if (header.typ !== "JWT") return tokenFaults.noJwt;
  if (header.kid !== keyId.trim()) return tokenFaults.keyId(String(header.kid), keyId);
  return undefined;
}

function payloadFault(payload: JsonObject, { audience = "" }: NetworkProfile, now: number): string | undefined {
  if (payload.aud !== audience.trim()) {
    return tokenFaults.audience(String(payload.aud), audience);
  }
  if (payload.exp === undefined) return undefined;
  if (!Number.isSafeInteger(payload.exp)) return tokenFaults.endNoNumber;
  const lateMs = now - Number(payload.exp) * 1000;
  if (lateMs < 0) return undefined;
  return tokenFaults.expired(Math.round(lateMs / 1000));
}

function decodePart(part: string): JsonObject | undefined {
  try {
    const json = parseJson(Buffer.from(part, "base64url").toString("utf8"));
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
