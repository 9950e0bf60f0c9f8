import { isChainError } from "../../errors/chain-error.ts";
import { isLoopback } from "../gateway-url.ts";
import type { NetworkProfile } from "../network-profile.ts";
import type { Finding } from "./finding.ts";
import { parseJwtKey } from "./jwt-key.ts";

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
