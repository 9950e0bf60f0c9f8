import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { ChainError } from "@finality/tron/errors";
import { defined } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { importPKCS8, SignJWT } from "jose";
import type { Clock } from "../clock.ts";
import type { NetworkProfile } from "../network.ts";

/** Signature algorithm, with the keys that it accepts. */
interface SigningAlgorithm {
  readonly name: string;
  readonly isKey: (key: KeyObject) => boolean;
  /** Reason for a refusal; undefined if the service accepts it. */
  readonly refusal?: string;
}

/** The one algorithm that the service accepts (gateway document, Versioning). */
export const ALGORITHM = "RS256";

/** One row for each algorithm that the gateway document names. */
const ALGORITHMS: readonly SigningAlgorithm[] = [
  { name: ALGORITHM, isKey: ({ asymmetricKeyType }) => asymmetricKeyType === "rsa" },
  {
    name: "ES256",
    isKey: (key) => key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1",
    refusal: t`it is an ES256 key, which the service does not accept yet; use an RSA key (RS256)`,
  },
];

/** RSA key pair of a JWT key record. The private key leaves SecretStorage only as an argument. */
export interface JwtKey {
  /** PKCS#8 PEM. */
  readonly privateKeyPem: string;
  /** X.509 (SPKI) PEM, as the account page of the service expects. */
  readonly publicKeyPem: string;
  readonly bits: number;
}

/** A JWT key record of a network, without its private key. Times are Unix ms. */
export interface JwtKeyRecord {
  readonly id: string;
  readonly name: string;
  /** `kid`: id that the service assigned to the public key. Absent until it is known. */
  readonly keyId?: string;
  /** Undefined for a key of an earlier version. */
  readonly created?: number;
  /** Approximate time when this computer last signed a token with it. */
  readonly lastUsed?: number;
  /** Record that it replaces, in a rotation that has not ended. */
  readonly replaces?: string;
  readonly inUse: boolean;
}

/** Minimum size; signers and verifiers refuse smaller RS256 keys. */
const MINIMUM_BITS = 2048;
const PEM_LABELS = /-----BEGIN ([A-Z0-9 ]+)-----/g;
const ENCRYPTED = "ENCRYPTED PRIVATE KEY";
const READABLE = new Set(["PRIVATE KEY", "RSA PRIVATE KEY", ENCRYPTED]);

const PUBLIC_HALF = t`it is a public key; paste the private key that belongs to it`;
const OPENSSH = t`convert it with ssh-keygen -p -m PKCS8`;

/** Labels of PEM files that are not private keys, with advice. */
const WRONG_LABELS: { readonly [label: string]: string } = {
  "PUBLIC KEY": PUBLIC_HALF,
  "RSA PUBLIC KEY": PUBLIC_HALF,
  CERTIFICATE: t`it is a certificate; paste the private key that belongs to it`,
  "CERTIFICATE REQUEST": t`it is a certificate request; paste the private key that belongs to it`,
  "OPENSSH PRIVATE KEY": t`it is in OpenSSH format; ${OPENSSH}`,
  "DSA PRIVATE KEY": t`it is a DSA key; the service accepts RSA (RS256) only`,
  "PGP PRIVATE KEY BLOCK": t`it is a PGP key; the service accepts RSA keys in PEM`,
  "PGP PUBLIC KEY BLOCK": t`it is a PGP key; the service accepts RSA keys in PEM`,
};

/** Beginnings of texts that are not PEM, with advice. */
const WRONG_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:ssh-|ecdsa-)|^---- BEGIN SSH2/, t`it is an OpenSSH public key; paste the private key that belongs to it`],
  [/^PuTTY-User-Key-File/, t`it is a PuTTY key; export it as an OpenSSH key in PuTTYgen, then ${OPENSSH}`],
  [/^\{/, t`it is JSON, perhaps a JWK; convert it to PEM`],
  [/^eyJ/, t`it is a token; paste the private key that signs tokens`],
  [/^(?:0x)?[0-9a-fA-F]{64}$/, t`it is the signing key of an account, which no gateway needs; never share it`],
  [/^0[\uFFFD\u0082]/, t`it is binary (DER or PKCS#12); convert it with openssl pkey or openssl pkcs12`],
];

/** Returns true for a PEM that needs a password. */
export function isEncryptedPem(text: string): boolean {
  return text.includes(`-----BEGIN ${ENCRYPTED}-----`) || /^Proc-Type:.*ENCRYPTED/m.test(text);
}

/**
 * Parses the private key of a JWT key record: PKCS#8, or PKCS#1 which is converted, encrypted or not. Errors contain no
 * part of the text and of the password.
 *
 * @param password - Password of an encrypted PEM.
 * @throws {ChainError} `JWT_KEY_MALFORMED` with the detected format, `JWT_KEY_TOO_SHORT`
 */
export function parseJwtKey(text: string, password?: string): JwtKey {
  const pem = text.trim();
  const labels = [...pem.matchAll(PEM_LABELS)].flatMap(([, label]) => label ?? []);
  const [label = labels.find((it) => it === "EC PRIVATE KEY") ?? labels[0], another] = labels.filter((it) =>
    READABLE.has(it),
  );
  if (label === undefined) throw malformed(WRONG_TEXTS.find(([form]) => form.test(pem))?.[1] ?? NO_PEM);
  if (another !== undefined)
    throw malformed(t`it contains several private keys; paste the one that belongs to this network`);
  const wrong = Object.hasOwn(WRONG_LABELS, label) ? WRONG_LABELS[label] : undefined;
  if (wrong !== undefined) throw malformed(wrong);
  if (!READABLE.has(label) && label !== "EC PRIVATE KEY") throw malformed(t`it is a PEM of another kind (${label})`);
  if (!pem.includes(`-----END ${label}-----`)) throw malformed(t`it is incomplete: its last line is missing`);
  const block = pem.slice(pem.indexOf(`-----BEGIN ${label}-----`));
  if (!isEncryptedPem(block)) return exported(privateKey(block));
  if (password === undefined) throw malformed(t`it is protected by a password; enter the password too`);
  return exported(decrypted(block, password));
}

const NO_PEM = t`it has no line -----BEGIN PRIVATE KEY-----; paste the whole PEM file`;

/** Generates an RSA key pair of 2,048 bits, as the gateway document requires (Resources, JWT key record). */
export async function generateJwtKey(): Promise<JwtKey> {
  const { privateKey: key } = await promisify(generateKeyPair)("rsa", { modulusLength: MINIMUM_BITS });
  return exported(key);
}

// Drops the causes of OpenSSL: they add no useful message, and nothing of a key may reach a log.

function privateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw malformed(t`its content is damaged; copy all of its lines again`);
  }
}

/**
 * A wrong password causes various errors. One of them has the code of an unsupported cipher: a wrong password sometimes
 * decrypts to valid padding, and then no decoder supports the content.
 */
function decrypted(pem: string, passphrase: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, passphrase });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const isContent = error instanceof Error && "library" in error && error.library === "DECODER routines";
    if (!isContent && /UNSUPPORTED|UNKNOWN_(?:CIPHER|PBE|DIGEST)/.test(code)) {
      throw malformed(t`its encryption is not supported; convert it with openssl pkcs8 -topk8 -v2 aes-256-cbc`);
    }
    throw malformed(t`the password is wrong, or the content is damaged; enter the password again`);
  }
}

function exported(key: KeyObject): JwtKey {
  const { refusal = "" } = ALGORITHMS.find(({ isKey }) => isKey(key)) ?? {
    refusal: t`it is a key of type ${String(key.asymmetricKeyType)}; the service accepts RSA (RS256) only`,
  };
  if (refusal !== "") throw malformed(refusal);
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

/** Default lifetime of a token; ms. */
export const TOKEN_LIFETIME_MS = 60_000;
/** Share of a token's lifetime after which the next one is signed. */
const RENEWAL = 0.8;

/** Lifetime in ms, or no expiry: such a token is valid as long as its key record exists. */
export type TokenLifetime = number | "endless";

/** Claims of a token and the key that signs it. */
export interface TokenClaims {
  readonly keyId: string;
  readonly audience: string;
  /** PKCS#8 or PKCS#1 PEM. */
  readonly privateKeyPem: string;
}

/** Tokens by network, signed once and used for 80 % of their lifetime. */
export interface AccessTokens {
  /**
   * Returns the token for one request of this network. The request counts as pending until `ended` is called.
   *
   * @throws {ChainError} `JWT_SETTING_MISSING`, `JWT_KEY_MALFORMED`, `JWT_KEY_TOO_SHORT`
   */
  token(profile: NetworkProfile, privateKeyPem: string | undefined, lifetime?: TokenLifetime): Promise<string>;
  /** Call when a request that carried this token has ended. */
  ended(token: string): void;
  /** Resolves when no pending request carries a token of this key ID. */
  idle(network: string, keyId: string): Promise<void>;
  /** Drops the token of a network whose key was removed. */
  forget(network: string): void;
}

interface Issued extends TokenClaims {
  readonly network: string;
  readonly lifetime: TokenLifetime;
  readonly token: Promise<string>;
  readonly at: number;
  text: string | undefined;
  /** Number of requests in progress that carry the token or wait for its signature. */
  open: number;
}

/**
 * Tokens that are signed once and reused while fresh.
 *
 * @param clock - Local clock.
 */
export function createAccessTokens(clock: Clock): AccessTokens {
  return new IssuedTokens(clock);
}

class IssuedTokens implements AccessTokens {
  readonly #clock: Clock;
  /** Newest token of each network. */
  readonly #fresh = new Map<string, Issued>();
  /** Tokens that pending requests carry, newest or not. */
  readonly #open = new Set<Issued>();
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts the request before the first `await`, so that a later call of `idle` waits for it. */
  async token(profile: NetworkProfile, privateKeyPem: string | undefined, lifetime: TokenLifetime = TOKEN_LIFETIME_MS) {
    const issued = this.#issued(profile.name, claimsOf(profile, privateKeyPem), lifetime);
    issued.open += 1;
    this.#open.add(issued);
    try {
      issued.text = await issued.token;
      return issued.text;
    } catch (error) {
      this.#close(issued);
      throw error;
    }
  }

  ended(token: string): void {
    const issued = [...this.#open].find(({ text }) => text === token);
    if (issued !== undefined) this.#close(issued);
  }

  async idle(network: string, keyId: string): Promise<void> {
    const carries = (it: Issued): boolean => it.network === network && it.keyId === keyId;
    while ([...this.#open].some(carries)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  forget(network: string): void {
    this.#fresh.delete(network);
  }

  #issued(network: string, claims: TokenClaims, lifetime: TokenLifetime): Issued {
    const now = this.#clock.now();
    const known = this.#fresh.get(network);
    if (known !== undefined && isSame(known, claims, lifetime) && isFresh(known, now)) return known;
    const token = signToken(claims, expiry(now, lifetime));
    const next = { ...claims, network, lifetime, at: now, token, text: undefined, open: 0 };
    this.#fresh.set(network, next);
    token.catch(() => this.#fresh.get(network) === next && this.#fresh.delete(network));
    return next;
  }

  #close(issued: Issued): void {
    issued.open -= 1;
    if (issued.open > 0) return;
    this.#open.delete(issued);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/**
 * Returns the trimmed JWT settings of a network. The key ID is opaque otherwise.
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
 * @param expiresAt - Unix seconds; without it the token has no `exp`
 * @throws {ChainError} `JWT_KEY_MALFORMED`, `JWT_KEY_TOO_SHORT`
 */
export async function signToken(
  { keyId, audience, privateKeyPem }: TokenClaims,
  expiresAt: number | undefined,
): Promise<string> {
  const key = await importPKCS8(parseJwtKey(privateKeyPem).privateKeyPem, ALGORITHM);
  return new SignJWT({ aud: audience, ...defined({ exp: expiresAt }) })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT", kid: keyId })
    .sign(key);
}

/** Returns the expiry of a token that is signed now, in Unix seconds; undefined without expiry. */
export function expiry(now: number, lifetime: TokenLifetime): number | undefined {
  return lifetime === "endless" ? undefined : Math.floor((now + lifetime) / 1000);
}

/** After the clock was set back, a token may be newer than now: it is signed again. */
function isFresh({ at, lifetime }: Issued, now: number): boolean {
  return now >= at && (lifetime === "endless" || now - at < lifetime * RENEWAL);
}

function isSame(issued: Issued, claims: TokenClaims, lifetime: TokenLifetime): boolean {
  return (
    issued.keyId === claims.keyId &&
    issued.audience === claims.audience &&
    issued.privateKeyPem === claims.privateKeyPem &&
    issued.lifetime === lifetime
  );
}
