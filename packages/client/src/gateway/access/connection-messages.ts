import { t } from "@vscode/l10n";

/** What a finding of a connection test says, and what to do about it. */
export interface Said {
  readonly sentence: string;
  readonly nextStep?: string;
}

const KEYS_ELSEWHERE = t`If the keys belong there too, edit the network: "Keys are sent to".`;

/** Of the URLs to which the keys of a network are not sent. */
export const originWords = {
  /** @param sentence - why nothing was asked */
  withheld: (sentence: string): Said => ({ sentence, nextStep: KEYS_ELSEWHERE }),
  elsewhere: (origin: string): Said => ({
    sentence: t`${origin} is asked without the keys of this network: they were entered for another URL.`,
    nextStep: KEYS_ELSEWHERE,
  }),
  /** @param sentence - why */
  addressRefused: (sentence: string): Said => ({ sentence, nextStep: t`Run Edit Network for this network.` }),
  noKeys: { sentence: t`This network has no keys that could go anywhere.` },
  here: { sentence: t`The keys of this network were entered for the URLs that it asks.` },
} as const;

const SET_JWT_KEY = t`Run Create JWT Key or Import JWT Key for this network.`;

export const jwtKeyWords = {
  missing: {
    sentence: t`JWT is on, but this network has no private key, so no token can be made.`,
    nextStep: SET_JWT_KEY,
  },
  fine: (bits: number): Said => ({ sentence: t`The JWT key is RSA with ${bits} bits.` }),
  /** @param sentence - what is wrong with it */
  unusable: (sentence: string): Said => ({ sentence, nextStep: SET_JWT_KEY }),
  accepted: { sentence: t`The public key in the account belongs to the private key that is used here.` },
  /** The gateway may know another one. */
  otherPublicKey: {
    sentence: t`The public key in the account may not be the other half of the private key that is used here.`,
    nextStep: t`Compare it by JWT Keys…, which copies the public key, with the one on the JWT page of the account.`,
  },
} as const;

const COPY_KEY_ID = t`Copy the ID beside your key on the JWT page of the account, and enter it by JWT Keys….`;

export const keyIdWords = {
  missing: { sentence: t`JWT is on, but the key ID (kid) is not set.`, nextStep: COPY_KEY_ID },
  holdsKey: { sentence: t`The key ID (kid) holds a key instead of an ID.`, nextStep: COPY_KEY_ID },
  fingerprint: (id: string): Said => ({
    sentence: t`The key ID (kid) "${id}" may be the fingerprint of the key. The ID is shown beside it in your account.`,
    nextStep: COPY_KEY_ID,
  }),
  fine: (id: string): Said => ({ sentence: t`The key ID (kid) is "${id}".` }),
  other: (id: string): Said => ({
    sentence: t`The key ID (kid) "${id}" may not be that of a key of this account.`,
    nextStep: t`Compare it with the ID beside your key on the JWT page of the account, and change it by JWT Keys….`,
  }),
} as const;

const TAKE_AUDIENCE = t`Take the audience from the documentation of the service, and edit the network.`;

export const audienceWords = {
  missing: { sentence: t`JWT is on, but the audience is not set.`, nextStep: TAKE_AUDIENCE },
  noDomain: (audience: string): Said => ({
    sentence: t`The audience "${audience}" is not a plain domain name such as example.org.`,
    nextStep: TAKE_AUDIENCE,
  }),
  otherDomain: (audience: string, host: string): Said => ({
    sentence: t`The audience "${audience}" is not the domain of ${host}. That is unusual.`,
    nextStep: TAKE_AUDIENCE,
  }),
  fine: (audience: string): Said => ({ sentence: t`The audience is "${audience}".` }),
  /** @param right - for which a token was accepted */
  wrong: (audience: string, right: string): Said => ({
    sentence: t`The audience "${audience}" is wrong: the gateway accepted a token for "${right}".`,
    nextStep: t`Set the audience of this network to ${right}.`,
  }),
  other: (audience: string): Said => ({
    sentence: t`The audience "${audience}" may not be the one that the service expects.`,
    nextStep: t`Take the audience from the service's own documentation: it is usually its domain name.`,
  }),
} as const;

export const tokenWords = {
  wellFormed: { sentence: t`The token is well-formed.` },
  off: { sentence: t`JWT is off for this network, and no token was asked for.` },
  accepted: { sentence: t`The token was accepted.` },
  /** The clock is the cause. */
  late: { sentence: t`A token that ends a day later was accepted: see the clock.` },
  forOtherAudience: { sentence: t`A token for another audience was accepted: see the audience.` },
  /** @param sentence - one of `tokenFaults` */
  faulty: (sentence: string): Said => ({ sentence, nextStep: t`Report this with the log, or set the JWT key anew.` }),
  wanted: {
    sentence: t`The connection was closed without an answer to a request that had no token, as gateways with JWT on do.`,
    nextStep: t`Turn JWT on for this network, with the key, its ID and the audience of your account.`,
  },
  /** A gateway that is silent to a well-formed token: which setting is odd stands first. */
  dropped: (keyId: string, audience: string, first: "key-id" | "audience"): Said => {
    const names = [t`the key ID (kid) "${keyId}"`, t`the audience "${audience}"`];
    const inOrder = (first === "audience" ? names.reverse() : names).join(t`, `);
    return {
      sentence: t`The service dropped a well-formed token: ${inOrder} or the registered public key does not fit it.`,
      nextStep: t`Compare all three with the JWT page of the account, in this order.`,
    };
  },
} as const;

/** What the service would refuse in a token. */
export const tokenFaults = {
  notSent: t`No token was sent, although JWT is on.`,
  twoSpaces: t`The header Authorization has more than one space after Bearer.`,
  otherForm: t`The header Authorization is not of the form Bearer <token>.`,
  undecodable: t`The token cannot be decoded.`,
  noJwt: t`The token does not say that it is a JWT (typ).`,
  endNoNumber: t`The end of the token (exp) is not a number of seconds.`,
  algorithm: (used: string, accepted: string) => t`The token is signed with ${used}; only ${accepted} is accepted.`,
  keyId: (named: string, set: string) => t`The token names the key ID "${named}", the network "${set}".`,
  audience: (named: string, set: string) => t`The token is for the audience "${named}", the network says "${set}".`,
  expired: (seconds: number) =>
    t`The token had expired ${seconds} s before it arrived. Check the clock of this computer.`,
} as const;

export const apiKeyWords = {
  refused: (status: number, header: string, isSet: boolean): Said => ({
    sentence: isSet
      ? t`The gateway answered ${status}: the API key in the header ${header} is wrong.`
      : t`The gateway answered ${status}: the API key in the header ${header} is missing.`,
    nextStep: t`Run Set API Key with the key from your account.`,
  }),
  /** Some gateways answer so to a token too. */
  refusedWithToken: (status: number, header: string, isSet: boolean): Said => ({
    sentence: isSet
      ? t`The gateway answered ${status}: the API key in the header ${header} is wrong, or the token is not accepted.`
      : t`The gateway answered ${status}: the API key in the header ${header} is missing, or the token is not accepted.`,
    nextStep: t`Run Set API Key with the key from your account, then compare key ID, audience and public key with its JWT page.`,
  }),
  sent: (header: string): Said => ({ sentence: t`An API key is sent in the header ${header}.` }),
  none: { sentence: t`No API key is set, and none was asked for.` },
} as const;

export const clockWords = {
  fine: (seconds: number): Said => ({ sentence: t`The clock of this computer fits (${seconds} s apart).` }),
  unknown: { sentence: t`The gateway tells no time of its own, so the clocks were not compared.` },
  /** @param way - where it is by that of the gateway */
  apart: (seconds: number, way: "ahead" | "behind"): Said => ({
    sentence:
      way === "behind"
        ? t`The clock of this computer is ${seconds} s behind that of the gateway.`
        : t`The clock of this computer is ${seconds} s ahead of that of the gateway.`,
    nextStep: t`Set the clock of this computer, then test again.`,
  }),
  /** @param seconds - by how much; undefined where that is not known */
  slow: (seconds: number | undefined): Said => ({
    sentence: t`The clock of this computer is behind${seconds === undefined ? "" : t` by ${seconds} s`}, so every token has expired when it arrives.`,
    nextStep: t`Set the clock of this computer (time zone and daylight saving too), then test again.`,
  }),
} as const;
