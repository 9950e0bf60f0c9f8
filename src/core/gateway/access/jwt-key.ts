import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { ChainError } from "../../errors/chain-error.ts";

/** The RSA pair of a JWT key record. The private half never leaves SecretStorage but as an argument. */
export interface JwtKey {
  /** PKCS#8 PEM. */
  readonly privateKeyPem: string;
  /** X.509 (SPKI) PEM: what the account page of the service wants. */
  readonly publicKeyPem: string;
  readonly bits: number;
}

/** Below this, RS256 keys are refused by signer and verifier alike. */
const MINIMUM_BITS = 2048;
const PEM_LABEL = /-----BEGIN ([A-Z0-9 ]+)-----/;

/** What people paste by mistake, by the label of its PEM, and what to do instead. */
const WRONG_LABELS: { readonly [label: string]: string } = {
  "PUBLIC KEY": "it is a public key; paste the private key that belongs to it",
  "RSA PUBLIC KEY": "it is a public key; paste the private key that belongs to it",
  CERTIFICATE: "it is a certificate; paste the private key that belongs to it",
  "EC PRIVATE KEY": "it is a key on an elliptic curve; the service accepts RSA (RS256) only",
  "ENCRYPTED PRIVATE KEY": "it is protected by a password; decrypt it first, for example with openssl pkcs8",
  "OPENSSH PRIVATE KEY": "it is in the format of OpenSSH; convert it with ssh-keygen -p -m PKCS8",
};

/**
 * Reads the private key of a JWT key record: PKCS#8, or PKCS#1 which is converted. No part of the text enters an error.
 *
 * @throws {ChainError} `JWT_KEY_MALFORMED` with what it is instead, `JWT_KEY_TOO_SHORT`
 */
export function parseJwtKey(text: string): JwtKey {
  const pem = text.trim();
  const label = PEM_LABEL.exec(pem)?.[1];
  if (label === undefined) throw malformed("it has no line -----BEGIN PRIVATE KEY-----; paste the whole PEM file");
  const wrong = Object.hasOwn(WRONG_LABELS, label) ? WRONG_LABELS[label] : undefined;
  if (wrong !== undefined) throw malformed(wrong);
  if (label !== "PRIVATE KEY" && label !== "RSA PRIVATE KEY") throw malformed(`it is a PEM of another kind (${label})`);
  if (/^Proc-Type:.*ENCRYPTED/m.test(pem)) throw malformed(WRONG_LABELS["ENCRYPTED PRIVATE KEY"] ?? "");
  if (!pem.includes(`-----END ${label}-----`)) throw malformed("it is cut: its last line is missing");
  return exported(privateKey(pem));
}

/** A new RSA pair of 2,048 bits, as the gateway document asks for (Resources, JWT key record). */
export async function generateJwtKey(): Promise<JwtKey> {
  const { privateKey: key } = await promisify(generateKeyPair)("rsa", { modulusLength: MINIMUM_BITS });
  return exported(key);
}

function privateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // The cause of OpenSSL is dropped: it adds no word for people, and nothing of a key may reach a log.
    throw malformed("its content is damaged; copy it again, all lines of it");
  }
}

function exported(key: KeyObject): JwtKey {
  if (key.asymmetricKeyType !== "rsa") {
    throw malformed(`it is a key of the kind ${key.asymmetricKeyType}; the service accepts RSA (RS256) only`);
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MINIMUM_BITS) throw new ChainError("JWT_KEY_TOO_SHORT", { bits });
  return {
    privateKeyPem: key.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKeyPem: createPublicKey(key).export({ type: "spki", format: "pem" }).toString(),
    bits,
  };
}

function malformed(reason: string): ChainError {
  return new ChainError("JWT_KEY_MALFORMED", { reason });
}
