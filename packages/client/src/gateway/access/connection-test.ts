import { isChainError } from "@finality/tron/errors";
import { defined } from "@finality/tron/primitives";
import type { Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import type { Block } from "../gateway.ts";
import type { ClockSample, GatewayLog } from "../http/http-sender.ts";
import type { ChainId, NetworkProfile, OriginBound } from "../network.ts";
import {
  checkAudience,
  checkClock,
  checkKeyId,
  checkPrivateKey,
  explainFirstAnswer,
  isGatewayAnswer,
  type TokenTrials,
  type TrialContext,
  testToken,
  tryTokens,
} from "./connection-authentication.ts";
import { checkChain, checkOtherUrl, checkPaths, checkSolidityUrl, readChain } from "./connection-chain.ts";
import {
  type CheckName,
  type CheckResult,
  checkId,
  FIRST_REQUEST,
  GENESIS,
  keyOriginsResult,
  type PlannedCheck,
  planConnection,
  SOLID_BY_HEIGHT,
} from "./connection-checks.ts";
import { ConnectionClient, type TestResponse } from "./connection-client.ts";
import {
  apiKeyMessages,
  type CheckMessage,
  gatewayMessages,
  jwtKeyMessages,
  rateLimitMessages,
  skippedMessages,
  tokenMessages,
} from "./connection-messages.ts";
import { type ConnectionProbe, checkRoute, type RouteContext, type ServerProtocol } from "./connection-route.ts";

export interface ConnectionTestOptions {
  readonly clock: Clock;
  readonly probe: ConnectionProbe;
  readonly dispatcher: Dispatcher;
  /** PKCS#8 or PKCS#1 PEM. */
  readonly jwtKey?: OriginBound<string> | undefined;
  readonly apiKey?: OriginBound<string> | undefined;
  readonly log?: GatewayLog | undefined;
  readonly watch?: ConnectionTestListener | undefined;
  /** Result that prevents the test from sending anything. */
  readonly obstacle?: CheckResult | undefined;
  /** Searches for the newest solidified block if no path returns it; undefined skips the search. */
  readonly solidBlock?: (() => Promise<Block>) | undefined;
  /** Compares the chain with the stored one, after both views are known to be the same chain. */
  readonly checkChain?: (() => Promise<CheckResult>) | undefined;
}

/** Listener for progress. A check may be reported more than once; the last result counts. */
interface ConnectionTestListener {
  begun(id: string): void;
  found(result: CheckResult): void;
}

/** Time limit of the search for the newest solidified block; ms. */
const SEARCH_MS = 3_000;
/** Time limit of the whole test; ms. */
const WHOLE_TEST_MS = 11_500;

/**
 * Tests a network: the route below HTTP, one request, then all others. A failed check stops those that depend on it, so
 * the first failure names the cause. Ends within 12 s, or at once when cancelled.
 *
 * @returns a result for each planned line, in order
 */
export async function testConnection(
  profile: NetworkProfile,
  options: ConnectionTestOptions,
  signal = new AbortController().signal,
): Promise<readonly CheckResult[]> {
  const done = new AbortController();
  const late = new AbortController();
  const over = options.clock.sleep(WHOLE_TEST_MS, done.signal).then(
    () => late.abort(),
    () => undefined,
  );
  const test = new ConnectionTest(profile, options, AbortSignal.any([signal, late.signal]));
  try {
    await test.run();
    return test.finish(undefined);
  } catch (error) {
    if (signal.aborted) return test.finish(skippedMessages.cancelled);
    if (late.signal.aborted) return test.finish(skippedMessages.late);
    throw error;
  } finally {
    done.abort();
    await over;
  }
}

/** Test run with its results so far. */
class ConnectionTest {
  readonly #profile: NetworkProfile;
  readonly #options: ConnectionTestOptions;
  readonly #signal: AbortSignal;
  readonly #plan: readonly PlannedCheck[];
  readonly #found = new Map<string, CheckResult>();
  readonly #asker: ConnectionClient;

  constructor(profile: NetworkProfile, options: ConnectionTestOptions, signal: AbortSignal) {
    this.#profile = profile;
    this.#options = options;
    this.#signal = signal;
    this.#plan = planConnection(profile);
    this.#asker = new ConnectionClient(profile, this.#access());
  }

  async run(): Promise<void> {
    const { baseUrl, fallbackUrls } = this.#profile;
    if (!this.#mayAsk() || !(await checkRoute(baseUrl, this.#way())) || !this.#checkSettings()) return;
    if (!(await this.#checkFirstAnswer())) return;
    const chain = await this.#checkChain();
    const { solidityBaseUrl } = this.#profile;
    await checkPaths({
      asker: this.#asker,
      hasOwnSolid: solidityBaseUrl !== undefined,
      begin: (check, of) => this.#begin(check, of),
      tell: this.#report,
    });
    await Promise.all(fallbackUrls.map((url) => this.#checkOther(url, chain)));
    this.#report(this.#limits());
  }

  /** @param why - Reason for lines that were not reached; undefined if an earlier failure stopped them. */
  finish(why: CheckMessage | undefined): readonly CheckResult[] {
    const failed = this.#plan.find((it) => this.#found.get(checkId(it))?.status === "failed");
    const message = why ?? skippedMessages.after(failed?.title ?? "");
    return this.#plan.map((planned) => {
      const found = this.#found.get(checkId(planned));
      if (found === undefined) this.#report({ ...lineOf(planned), status: "skipped", ...message });
      return found ?? { ...lineOf(planned), status: "skipped", ...message };
    });
  }

  readonly #report = (result: CheckResult): void => {
    this.#found.set(checkId(result), result);
    this.#options.watch?.found(result);
  };

  readonly #begin = (check: CheckName, of?: string): void =>
    this.#options.watch?.begun(checkId({ check, ...defined({ of }) }));

  #mayAsk(): boolean {
    this.#signal.throwIfAborted();
    const { obstacle, apiKey, jwtKey } = this.#options;
    this.#report(obstacle ?? keyOriginsResult(this.#profile, { apiKey, jwtKey }));
    return obstacle === undefined;
  }

  #way(): RouteContext {
    const { probe, clock } = this.#options;
    const { plainHttp } = this.#profile;
    return { probe, now: clock.now, signal: this.#signal, report: this.#report, begin: this.#begin, plainHttp };
  }

  #access(): TrialContext {
    const { clock, dispatcher, apiKey, jwtKey, log } = this.#options;
    const access = { clock, dispatcher, apiKey, log, signal: this.#signal, privateKeyPem: jwtKey?.value ?? "" };
    if (!this.#profile.jwt || jwtKey === undefined) return access;
    let token: Promise<string> | undefined;
    const value = (): Promise<string> => (token ??= testToken(this.#profile, access));
    return { ...access, accessToken: { origins: jwtKey.origins, value } };
  }

  /** Checks the JWT settings without a request. */
  #checkSettings(): boolean {
    if (!this.#profile.jwt) return true;
    const { jwtKey } = this.#options;
    const results = [checkPrivateKey(jwtKey?.value), checkKeyId(this.#profile), checkAudience(this.#profile)];
    for (const result of results) this.#report(result);
    return results.every(({ status }) => status !== "failed");
  }

  async #checkFirstAnswer(): Promise<boolean> {
    const profile = this.#profile;
    const hasApiKey = this.#options.apiKey !== undefined;
    this.#begin("gateway");
    const answered = await this.#asker.request(FIRST_REQUEST.path, FIRST_REQUEST.body);
    if (isGatewayAnswer(answered)) {
      this.#reportAccess(answered, hasApiKey);
      return true;
    }
    const [dialect, servesSolid, token] = await Promise.all([
      this.#dialectBehind(answered),
      this.#servesSolid(answered),
      this.#tokenTrials(answered),
    ]);
    const results = explainFirstAnswer({ profile, answered, hasApiKey, dialect, servesSolid, token });
    for (const result of results) this.#report(result);
    return false;
  }

  #reportAccess({ ms }: TestResponse, hasApiKey: boolean): void {
    const { jwt, apiKeyHeader } = this.#profile;
    this.#report({ check: "gateway", status: "ok", ...gatewayMessages.answered(ms), ms });
    this.#report({
      check: "api-key",
      status: "ok",
      ...(hasApiKey ? apiKeyMessages.sent(apiKeyHeader) : apiKeyMessages.none),
    });
    this.#report({ check: "token", status: "ok", ...(jwt ? tokenMessages.accepted : tokenMessages.off) });
    if (jwt) this.#report({ check: "public-key", status: "ok", ...jwtKeyMessages.accepted });
  }

  /** A server that times out speaks HTTP; other protocols are tried only if the connection closes. */
  async #dialectBehind({ exchange }: TestResponse): Promise<ServerProtocol | undefined> {
    if (exchange.kind !== "no-answer" || exchange.how === "timeout") return undefined;
    return await this.#options.probe.detectProtocol(new URL(this.#profile.baseUrl), this.#signal);
  }

  async #servesSolid({ exchange }: TestResponse): Promise<boolean> {
    const isMissing = exchange.kind === "answer" && (exchange.status === 404 || exchange.status === 405);
    if (!isMissing || this.#profile.solidityBaseUrl !== undefined) return false;
    return isGatewayAnswer(await this.#asker.request(SOLID_BY_HEIGHT, GENESIS));
  }

  async #tokenTrials(answered: TestResponse): Promise<TokenTrials | undefined> {
    const { exchange } = answered;
    const isRefusal = exchange.kind === "answer" && exchange.status === 401;
    const isSilence = exchange.kind === "no-answer" && exchange.how !== "unreachable";
    if (!this.#profile.jwt || !(isRefusal || isSilence)) return undefined;
    return await tryTokens(this.#profile, answered, this.#access());
  }

  /** @returns the chain of the network, if known */
  async #checkChain(): Promise<ChainId | undefined> {
    const { solidityBaseUrl, jwt, local } = this.#profile;
    const { clock } = this.#options;
    if (solidityBaseUrl !== undefined) {
      this.#begin("solidity-url");
      const result = await checkSolidityUrl(solidityBaseUrl, this.#asker, this.#way());
      this.#report(result);
      if (result.status === "failed") return undefined;
    }
    this.#begin("same-chain");
    const { solidBlock } = this.#options;
    const late = () => clock.sleep(SEARCH_MS, this.#signal).then(() => undefined);
    const seen = await readChain(this.#asker, () => Promise.race([orNothing(solidBlock), late()]));
    const skew = skewOf(this.#asker.clockSample, { head: seen.head, now: clock.now(), local });
    this.#report(checkClock(skew, jwt));
    const isMeasured = this.#asker.clockSample !== undefined;
    const results = checkChain(seen, { now: clock.now() + (isMeasured ? (skew ?? 0) : 0), isMeasured, local });
    for (const finding of results) this.#report(finding);
    const isSame = results.every(
      ({ check, status }) => status !== "failed" || (check !== "same-chain" && check !== "fork"),
    );
    if (isSame) await this.#checkStoredChain();
    return seen.headChain ?? seen.solidChain;
  }

  async #checkStoredChain(): Promise<void> {
    const { checkChain } = this.#options;
    if (checkChain === undefined) {
      this.#report({ check: "chain", status: "skipped", ...skippedMessages.notKept });
      return;
    }
    this.#begin("chain");
    this.#report(await unlessAborted(checkChain(), this.#signal));
  }

  async #checkOther(url: string, chain: ChainId | undefined): Promise<void> {
    const { solidityBaseUrl: _, ...network } = this.#profile;
    const asker = new ConnectionClient({ ...network, baseUrl: url, fallbackUrls: [] }, this.#access());
    this.#begin("other-url", url);
    this.#report(await checkOtherUrl(url, asker, { ...this.#way(), chain }));
  }

  #limits(): CheckResult {
    const check = "rate-limit";
    const { isLimited, requests, limits } = this.#asker;
    if (isLimited) return { check, status: "warning", ...rateLimitMessages.limitedLater(requests) };
    const seen = [...limits.values()].sort();
    return { check, status: "ok", ...(seen.length === 0 ? rateLimitMessages.none : rateLimitMessages.seen(seen)) };
  }
}

/** Returns the result, or undefined if the gateway cannot provide it. */
async function orNothing<T>(work: (() => Promise<T>) | undefined): Promise<T | undefined> {
  try {
    return await work?.();
  } catch (error) {
    if (!isChainError(error)) throw error;
    return undefined;
  }
}

/**
 * Returns the result of `work` unless the signal aborts first.
 *
 * @throws the reason of the signal
 */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", abort));
}

function lineOf({ check, of }: PlannedCheck): Pick<CheckResult, "check" | "of"> {
  return { check, ...defined({ of }) };
}

/** Returns how far the gateway's clock is ahead; ms. A block shows it only if it comes from the future. */
function skewOf(
  sample: ClockSample | undefined,
  { head, now, local }: { readonly head: Block | undefined; readonly now: number; readonly local: boolean },
): number | undefined {
  if (sample !== undefined) return sample.server - sample.local;
  const ahead = local || head === undefined ? 0 : head.timestamp - now;
  return ahead > 0 ? ahead : undefined;
}
