import { isChainError } from "../../errors/chain-error.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../primitives/json.ts";
import { isLoopback, type NetworkProfile } from "../network-profile.ts";
import { ALGORITHM, parseJwtKey } from "./access-token.ts";
import type { Finding } from "./finding.ts";

/** Whether there is a private key that can sign RS256. */
export function checkPrivateKey(privateKeyPem: string | undefined): Finding {
  const check = "jwt-key";
  const nextStep = "Run Create JWT Key or Import JWT Key for this network.";
  if (privateKeyPem === undefined) {
    const sentence = "JWT is on, but this network has no private key, so no token can be made.";
    return { check, status: "failed", sentence, nextStep };
  }
  try {
    const { bits } = parseJwtKey(privateKeyPem);
    return { check, status: "ok", sentence: `The JWT key is RSA with ${bits} bits.` };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { check, status: "failed", sentence: error.message, nextStep };
  }
}

const FINGERPRINT = /^(?:SHA256:|MD5:|(?:[0-9a-f]{2}:){7,}[0-9a-f]{2}$)/i;

/** The ID is opaque: only what can be no ID at all is refused. */
export function checkKeyId({ keyId = "" }: NetworkProfile): Finding {
  const check = "key-id";
  const id = keyId.trim();
  const nextStep = "Copy the ID beside your key on the JWT page of the account, and edit the network.";
  if (id === "") return { check, status: "failed", sentence: "JWT is on, but the key ID (kid) is not set.", nextStep };
  if (id.includes("-----BEGIN")) {
    return { check, status: "failed", sentence: "The key ID (kid) holds a key instead of an ID.", nextStep };
  }
  if (FINGERPRINT.test(id)) {
    const sentence = `The key ID (kid) "${id}" looks like the fingerprint of the key; the ID stands beside it.`;
    return { check, status: "warning", sentence, nextStep };
  }
  return { check, status: "ok", sentence: `The key ID (kid) is "${id}".` };
}

/** An audience is the service's own domain name (gateway document, JWT token). */
export function checkAudience({ audience = "", baseUrl }: NetworkProfile): Finding {
  const check = "audience";
  const text = audience.trim();
  const nextStep = "Take the audience from the documentation of the service, and edit the network.";
  if (text === "") return { check, status: "failed", sentence: "JWT is on, but the audience is not set.", nextStep };
  if (/[\s/]|:\/\//.test(text)) {
    const sentence = `The audience "${text}" is not a plain domain name such as example.org.`;
    return { check, status: "failed", sentence, nextStep };
  }
  const url = URL.parse(baseUrl);
  if (url !== null && !isLoopback(url) && !belongsTo(url.hostname, text)) {
    const sentence = `The audience "${text}" is not the domain of ${url.hostname}. That is unusual.`;
    return { check, status: "warning", sentence, nextStep };
  }
  return { check, status: "ok", sentence: `The audience is "${text}".` };
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
  if (sentence === undefined) return [{ check: "token", status: "ok", sentence: "The token is well-formed." }];
  return [
    { check: "token", status: "failed", sentence, nextStep: "Report this with the log, or set the JWT key anew." },
  ];
}

function faultOf(authorization: string | undefined, profile: NetworkProfile, now: number): string | undefined {
  if (authorization === undefined) return "No token was sent, although JWT is on.";
  if (/^Bearer {2,}/i.test(authorization)) return "The header Authorization has more than one space after Bearer.";
  if (!HEADER.test(authorization)) return "The header Authorization is not of the form Bearer <token>.";
  const [header, payload] = authorization.slice("Bearer ".length).split(".").map(decodePart);
  if (header === undefined || payload === undefined) return "The token cannot be decoded.";
  return headerFault(header, profile) ?? payloadFault(payload, profile, now);
}

function headerFault(header: JsonObject, { keyId = "" }: NetworkProfile): string | undefined {
  if (header.alg !== ALGORITHM) return `The token is signed with ${String(header.alg)}; only ${ALGORITHM} is accepted.`;
  if (header.typ !== "JWT") return "The token does not say that it is a JWT (typ).";
  if (header.kid !== keyId.trim()) return `The token names the key ID "${String(header.kid)}", the network "${keyId}".`;
  return undefined;
}

function payloadFault(payload: JsonObject, { audience = "" }: NetworkProfile, now: number): string | undefined {
  if (payload.aud !== audience.trim()) {
    return `The token is for the audience "${String(payload.aud)}", the network says "${audience}".`;
  }
  if (payload.exp === undefined) return undefined;
  if (!Number.isSafeInteger(payload.exp)) return "The end of the token (exp) is not a number of seconds.";
  const lateMs = now - Number(payload.exp) * 1000;
  if (lateMs < 0) return undefined;
  return `The token had expired ${Math.round(lateMs / 1000)} s before it arrived. Check the clock of this computer.`;
}

function decodePart(part: string): JsonObject | undefined {
  try {
    const json = parseJson(Buffer.from(part, "base64url").toString("utf8"));
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
