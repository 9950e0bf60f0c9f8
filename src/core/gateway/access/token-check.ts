import { isJsonObject, type JsonObject, parseJson } from "../../primitives/json.ts";
import type { NetworkProfile } from "../network-profile.ts";
import { ALGORITHM } from "./access-token.ts";
import type { Finding } from "./finding.ts";

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
