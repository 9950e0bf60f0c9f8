import { ChainError } from "@finality/tron/errors";
import { importPKCS8, SignJWT } from "jose";
import type { Clock } from "../../time/clock.ts";
import type { NetworkProfile } from "../network-profile.ts";
import { ALGORITHM, parseJwtKey } from "./jwt-key.ts";

/** How long a token is good for, where nobody chose; ms. */
export const TOKEN_LIFETIME_MS = 60_000;
/** The part of a token's life after which the next one is signed. */
const RENEWAL = 0.8;

/** ms, or a token without an end: whoever gets hold of one can use it as long as its key record stands. */
export type TokenLifetime = number | "endless";

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
   * The token for one request of this network, which counts as under way until `ended` hears of it.
   *
   * @throws {ChainError} `JWT_SETTING_MISSING`, `JWT_KEY_MALFORMED`, `JWT_KEY_TOO_SHORT`
   */
  token(profile: NetworkProfile, privateKeyPem: string | undefined, lifetime?: TokenLifetime): Promise<string>;
  /** A request that carried this token has ended. */
  ended(token: string): void;
  /** Resolves as soon as no request under way carries a token of this key ID. */
  idle(network: string, keyId: string): Promise<void>;
  /** Forgets the token of a network, for a key that was removed. */
  forget(network: string): void;
}

interface Issued extends TokenClaims {
  readonly network: string;
  readonly lifetime: TokenLifetime;
  readonly token: Promise<string>;
  readonly at: number;
  text: string | undefined;
  /** How many requests under way carry it, or wait for its signature. */
  open: number;
}

/**
 * Tokens that are signed once and used while they are fresh.
 *
 * @param clock - of this computer
 */
export function createAccessTokens(clock: Clock): AccessTokens {
  return new IssuedTokens(clock);
}

class IssuedTokens implements AccessTokens {
  readonly #clock: Clock;
  /** The newest of each network. */
  readonly #fresh = new Map<string, Issued>();
  /** Those that requests under way carry, newest or not. */
  readonly #open = new Set<Issued>();
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counted before anything is waited for: who asks `idle` afterwards waits for it. */
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
 * @param expiresAt - Unix seconds; without it the token has no `exp`
 * @throws {ChainError} `JWT_KEY_MALFORMED`, `JWT_KEY_TOO_SHORT`
 */
export async function signToken(
  { keyId, audience, privateKeyPem }: TokenClaims,
  expiresAt: number | undefined,
): Promise<string> {
  const key = await importPKCS8(parseJwtKey(privateKeyPem).privateKeyPem, ALGORITHM);
  return new SignJWT({ aud: audience, ...(expiresAt === undefined ? {} : { exp: expiresAt }) })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT", kid: keyId })
    .sign(key);
}

/** Unix seconds at which a token of this moment ends; undefined where it has no end. */
export function expiry(now: number, lifetime: TokenLifetime): number | undefined {
  return lifetime === "endless" ? undefined : Math.floor((now + lifetime) / 1000);
}

/** A clock that was set back makes a token older than now: it is signed again. */
function isFresh({ at, lifetime }: Issued, now: number): boolean {
  return now >= at && (lifetime === "endless" || now - at < lifetime * RENEWAL);
}

function isSame(known: Issued, claims: TokenClaims, lifetime: TokenLifetime): boolean {
  return (
    known.keyId === claims.keyId &&
    known.audience === claims.audience &&
    known.privateKeyPem === claims.privateKeyPem &&
    known.lifetime === lifetime
  );
}
