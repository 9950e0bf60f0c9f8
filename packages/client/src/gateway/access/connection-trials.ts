import type { NetworkProfile } from "../network-profile.ts";
import { claimsOf, expiry, signToken, TOKEN_LIFETIME_MS, type TokenClaims } from "./access-token.ts";
import { type Answered, Asker, type AskerOptions } from "./connection-asker.ts";
import { isGatewayAnswer, likelyAudiences, type TokenTrials } from "./connection-diagnosis.ts";
import { FIRST } from "./connection-paths.ts";
import { checkToken } from "./jwt-checks.ts";

/** Long enough for a clock that is wrong by its time zone. Such a token is made for a test alone and never kept. */
const LONG_LIFE_MS = 24 * 60 * 60 * 1000;
/** How long another token may take to be accepted; ms. */
const TRIAL_MS = 3_000;

/** What tokens are made of, and who asks with them. */
export interface TrialContext extends AskerOptions {
  readonly privateKeyPem: string;
}

/**
 * A token for a connection test.
 *
 * @param lifetimeMs - from now on, ms
 * @throws {ChainError} `JWT_SETTING_MISSING`, `JWT_KEY_MALFORMED`, `JWT_KEY_TOO_SHORT`
 */
export function testToken(
  profile: NetworkProfile,
  { clock, privateKeyPem }: Pick<TrialContext, "clock" | "privateKeyPem">,
  change: Partial<TokenClaims> & { readonly lifetimeMs?: number } = {},
): Promise<string> {
  const { lifetimeMs = TOKEN_LIFETIME_MS, ...claims } = change;
  return signToken({ ...claimsOf(profile, privateKeyPem), ...claims }, expiry(clock.now(), lifetimeMs));
}

/**
 * Asks again with tokens that differ in one thing each, so that an answer names the cause: a longer life means our
 * clock, another audience means the audience. All of them go where the first one went.
 *
 * @throws the reason of the signal
 */
export async function tryTokens(profile: NetworkProfile, first: Answered, context: TrialContext): Promise<TokenTrials> {
  const audiences = likelyAudiences(profile);
  const [longLife, ...others] = await Promise.all([
    accepts(profile, first, context, await testToken(profile, context, { lifetimeMs: LONG_LIFE_MS })),
    ...audiences.map(async (audience) =>
      accepts(profile, first, context, await testToken(profile, context, { audience })),
    ),
  ]);
  const clockSample = [longLife, ...others].find((it) => it?.clockSample !== undefined)?.clockSample;
  const skew = clockSample === undefined ? 0 : clockSample.server - clockSample.local;
  const sent = await testToken(profile, context);
  const faults = checkToken(`Bearer ${sent}`, profile, context.clock.now() + skew);
  return {
    faults: faults.filter(({ status }) => status === "failed"),
    longLife: longLife?.isAccepted === true,
    audience: audiences.find((_, at) => others[at]?.isAccepted === true),
    clockSample,
  };
}

/** An answer of any kind, where the first one was silence; where it was a refusal, an answer as gateways give it. */
async function accepts(profile: NetworkProfile, first: Answered, context: TrialContext, token: string) {
  const { accessToken } = context;
  const bound = accessToken && { ...accessToken, value: async () => token };
  const asker = new Asker(profile, { ...context, accessToken: bound });
  const answered = await asker.ask(FIRST.path, FIRST.body, TRIAL_MS);
  const wasSilent = first.exchange.kind === "no-answer";
  const isAccepted = isGatewayAnswer(answered) || (wasSilent && answered.exchange.kind === "answer");
  return { isAccepted, clockSample: asker.clockSample };
}
