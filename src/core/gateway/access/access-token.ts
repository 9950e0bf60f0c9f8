import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { importPKCS8, SignJWT } from "jose";
import { ChainError } from "../../errors/chain-error.ts";
import type { Clock } from "../../time/clock.ts";
import type { NetworkProfile } from "../network-profile.ts";

/** The one algorithm that the service accepts (gateway document, Versioning). */
export const ALGORITHM = "RS256";
/** How long a token is good for; ms. */
export const TOKEN_LIFETIME_MS = 60_000;
/** The part of a token's life after which the next one is signed. */
const RENEWAL = 0.8;

/** What a token says and who vouches for it. */
export interface TokenClaims {
  readonly keyId: string;
  readonly audience: string;
  /** PKCS#8 or PKCS#1 PEM. */
  readonly privateKeyPem: string;
}

/** Tokens by network, signed once and used until 80 % of their life is over. */
export interface AccessTokens {
  /**
   * The token for a request of this network.
   *
   * @throws {ChainError} `JWT_SETTING_MISSING`, `JWT_KEY_MALFORMED`, `JWT_KEY_TOO_SHORT`
   */
  token(profile: NetworkProfile, privateKeyPem: string | undefined): Promise<string>;
  /** Forgets the token of a network, for a key that was removed. */
  forget(network: string): void;
}

interface Issued extends TokenClaims {
  readonly token: Promise<string>;
  readonly at: number;
}

/**
 * Tokens that are signed once and used while they are fresh.
 *
 * @param lifetimeMs - of each token, ms (gateway document, JWT)
 */
export function createAccessTokens(clock: Clock, lifetimeMs = TOKEN_LIFETIME_MS): AccessTokens {
  const issued = new Map<string, Issued>();
  return {
    async token(profile, privateKeyPem) {
      const claims = claimsOf(profile, privateKeyPem);
      const now = clock.now();
      const known = issued.get(profile.name);
      if (known !== undefined && isSame(known, claims) && isFresh(known, now, lifetimeMs)) return known.token;
      const next = { ...claims, at: now, token: signToken(claims, expiry(now, lifetimeMs)) };
      issued.set(profile.name, next);
      next.token.catch(() => issued.delete(profile.name));
      return next.token;
    },
    forget(network) {
      issued.delete(network);
    },
  };
}

/**
 * What the settings of a network say, blanks around it removed; the ID is opaque otherwise.
 *
 * @throws {ChainError} `JWT_SETTING_MISSING`
 */
export function claimsOf(profile: NetworkProfile, privateKeyPem: string | undefined): TokenClaims {
  const keyId = profile.keyId?.trim() ?? "";
  const audience = profile.audience?.trim() ?? "";
  if (privateKeyPem === undefined) throw new ChainError("JWT_SETTING_MISSING", { setting: "private key" });
  if (keyId === "") throw new ChainError("JWT_SETTING_MISSING", { setting: "key ID (kid)" });
  if (audience === "") throw new ChainError("JWT_SETTING_MISSING", { setting: "audience" });
  return { keyId, audience, privateKeyPem };
}

/**
 * Signs one token: header `alg`, `typ`, `kid`, payload `aud`, `exp`, and nothing else.
 *
 * @param expiresAt - Unix seconds
 * @throws {ChainError} `JWT_KEY_MALFORMED`, `JWT_KEY_TOO_SHORT`
 */
export async function signToken({ keyId, audience, privateKeyPem }: TokenClaims, expiresAt: number): Promise<string> {
  const key = await importPKCS8(parseJwtKey(privateKeyPem).privateKeyPem, ALGORITHM);
  return new SignJWT({ aud: audience, exp: expiresAt })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT", kid: keyId })
    .sign(key);
}

/** Unix seconds at which a token of this moment ends. */
export function expiry(now: number, lifetimeMs: number): number {
  return Math.floor((now + lifetimeMs) / 1000);
}

/** A clock that was set back makes a token older than now: it is signed again. */
function isFresh({ at }: Issued, now: number, lifetimeMs: number): boolean {
  return now >= at && now - at < lifetimeMs * RENEWAL;
}

function isSame(known: TokenClaims, claims: TokenClaims): boolean {
  return (
    known.keyId === claims.keyId && known.audience === claims.audience && known.privateKeyPem === claims.privateKeyPem
  );
}

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
