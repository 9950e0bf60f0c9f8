import type { Dispatcher } from "undici";
import { isChainError } from "../../errors/chain-error.ts";
import type { Clock } from "../../time/clock.ts";
import { createDispatcher } from "../http/http-dispatcher.ts";
import { createHttpGateway, type HttpGateway } from "../http/http-gateway.ts";
import type { ClockSample, GatewayLog } from "../http/http-sender.ts";
import { boundTo, type NetworkProfile } from "../network-profile.ts";
import { claimsOf, expiry, signToken, TOKEN_LIFETIME_MS, type TokenClaims } from "./access-token.ts";
import {
  type ConnectionFacts,
  diagnoseConnection,
  likelyAudiences,
  type ProbeOutcome,
} from "./connection-diagnosis.ts";
import type { Finding } from "./finding.ts";

export interface ConnectionTestOptions {
  readonly clock: Clock;
  readonly privateKeyPem?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly dispatcher?: Dispatcher | undefined;
  readonly log?: GatewayLog | undefined;
  /** Both clocks from an earlier answer, for a gateway that says nothing now. */
  readonly clockSample?: ClockSample | undefined;
}

/** Long enough for a clock that is wrong by its time zone. Such a token is made for a test alone and never kept. */
const LONG_LIFE_MS = 24 * 60 * 60 * 1000;

/**
 * Tests a network: one probe with its settings, and when a token gets no answer a few more that differ in one thing
 * each, so that an answer names the cause. All of them go to the network's own URL.
 *
 * @throws {ChainError} `URL_NOT_ALLOWED`, or the reason of the signal
 */
export async function testConnection(
  profile: NetworkProfile,
  options: ConnectionTestOptions,
  signal?: AbortSignal,
): Promise<readonly Finding[]> {
  const dispatcher = options.dispatcher ?? createDispatcher();
  try {
    const test = new ConnectionTest(profile, { ...options, dispatcher }, signal);
    return diagnoseConnection(await test.run());
  } finally {
    if (options.dispatcher === undefined) await dispatcher.destroy();
  }
}

/** One run, with the clocks of the answers it got on the way. */
class ConnectionTest {
  readonly #profile: NetworkProfile;
  readonly #options: ConnectionTestOptions & { readonly dispatcher: Dispatcher };
  readonly #signal: AbortSignal | undefined;
  #clockSample: ClockSample | undefined;

  constructor(
    profile: NetworkProfile,
    options: ConnectionTestOptions & { readonly dispatcher: Dispatcher },
    signal: AbortSignal | undefined,
  ) {
    this.#profile = profile;
    this.#options = options;
    this.#signal = signal;
    this.#clockSample = options.clockSample;
  }

  async run(): Promise<ConnectionFacts> {
    const { outcome, authorization } = await this.#probe();
    const silent = outcome.kind === "failed" && outcome.error.code === "GATEWAY_SILENT";
    const differences = silent ? await this.#findDifference() : {};
    return {
      profile: this.#profile,
      outcome,
      authorization,
      hasApiKey: this.#options.apiKey !== undefined,
      privateKeyPem: this.#options.privateKeyPem,
      localTime: this.#options.clock.now(),
      clockSample: this.#clockSample,
      ...differences,
    };
  }

  async #probe(): Promise<{ outcome: ProbeOutcome; authorization?: string | undefined }> {
    if (!this.#profile.jwt) return { outcome: await this.#probeWith(undefined) };
    try {
      const token = await this.#token(TOKEN_LIFETIME_MS);
      return { outcome: await this.#probeWith(token), authorization: `Bearer ${token}` };
    } catch (error) {
      if (!isChainError(error)) throw error;
      return { outcome: { kind: "failed", error } };
    }
  }

  /** Which single change gets an answer: a longer life means our clock, another audience means the audience. */
  async #findDifference(): Promise<Pick<ConnectionFacts, "acceptedWithLongLife" | "acceptedAudience">> {
    if (await this.#isAccepted(await this.#token(LONG_LIFE_MS))) return { acceptedWithLongLife: true };
    for (const audience of likelyAudiences(this.#profile)) {
      if (await this.#isAccepted(await this.#token(TOKEN_LIFETIME_MS, { audience })))
        return { acceptedAudience: audience };
    }
    return {};
  }

  async #isAccepted(token: string): Promise<boolean> {
    const outcome = await this.#probeWith(token);
    return outcome.kind === "answered" || !["GATEWAY_SILENT", "GATEWAY_UNREACHABLE"].includes(outcome.error.code);
  }

  async #probeWith(token: string | undefined): Promise<ProbeOutcome> {
    const gateway = this.#gateway(token);
    try {
      return { kind: "answered", probe: await gateway.probe(this.#signal) };
    } catch (error) {
      if (!isChainError(error)) throw error;
      return { kind: "failed", error };
    } finally {
      this.#clockSample = gateway.clockSample ?? this.#clockSample;
    }
  }

  #gateway(token: string | undefined): HttpGateway {
    const { clock, dispatcher, apiKey, log } = this.#options;
    return createHttpGateway(this.#profile, {
      clock,
      dispatcher,
      ...(apiKey === undefined ? {} : { apiKey: boundTo(this.#profile, apiKey) }),
      ...(log === undefined ? {} : { log }),
      ...(token === undefined ? {} : { accessToken: boundTo(this.#profile, async () => token) }),
    });
  }

  #token(lifetimeMs: number, change: Partial<TokenClaims> = {}): Promise<string> {
    const { clock, privateKeyPem } = this.#options;
    const claims = { ...claimsOf(this.#profile, privateKeyPem), ...change };
    return signToken(claims, expiry(clock.now(), lifetimeMs));
  }
}
