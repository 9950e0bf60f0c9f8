import { importPKCS8, SignJWT } from "jose";
import { ChainError } from "../../errors/chain-error.ts";
import type { Clock } from "../../time/clock.ts";
import type { NetworkProfile } from "../network-profile.ts";
import { parseJwtKey } from "./jwt-key.ts";

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
