import { type JsonObject, printJson } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Dispatcher } from "undici";
import type { Clock } from "../../time/clock.ts";
import { type Bound, isFor, type NetworkProfile, parseGatewayUrl } from "../network-profile.ts";
import { type EchoRemover, echoRemover, secretsOfToken, withoutEchoes } from "./echoes.ts";
import { type Asked, type ExchangeVerdict, judgeExchange } from "./exchange-verdict.ts";
import { exchange, type HttpExchange, parseHttpDate } from "./http-exchange.ts";

/** Where requests are written down. It never gets a body, nor the value of a secret header. */
export interface GatewayLog {
  debug(message: string): void;
}

export interface SenderOptions {
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  /** Makes the token to send, when the JWT switch of the profile is on. It may be a new one each time. */
  readonly accessToken?: Bound<() => Promise<string>> | undefined;
  /** Told when a request that carried a token has ended, whatever came of it. */
  readonly tokenEnded?: ((token: string) => void) | undefined;
  readonly apiKey?: Bound<string> | undefined;
  readonly log?: GatewayLog | undefined;
}

export interface Sending {
  readonly endpoint: string;
  readonly path: string;
  readonly body: JsonObject;
  readonly timeoutMs: number;
  readonly tries: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Sent {
  /** The URL that was asked. */
  readonly endpoint: string;
  readonly exchange: HttpExchange;
  readonly verdict: ExchangeVerdict;
}

/** Both clocks at the moment of an answer, in Unix ms. */
export interface ClockSample {
  readonly server: number;
  readonly local: number;
}

/** What one request carries to say who asks, and the origins of what it may not carry. */
interface Carried {
  readonly token: string | undefined;
  readonly apiKey: string | undefined;
  readonly withheld: readonly string[];
}

/**
 * Sends single requests for one profile: its headers, its log lines, its URLs and no others.
 *
 * This is the only place that attaches credentials, and it does so only where the URL is of an origin that they are
 * bound to. What it attached it takes out of what comes back, before anybody reads it.
 */
export class HttpSender {
  /** Base URLs in the order of preference: the profile's own first. */
  readonly endpoints: readonly string[];
  readonly #profile: NetworkProfile;
  readonly #options: SenderOptions;
  readonly #solidity: string | undefined;
  #requests = 0;
  #echoes: { readonly secrets: string; readonly remove: EchoRemover } = { secrets: "", remove: (text) => text };
  #clockSample: ClockSample | undefined;

  /** @throws {ChainError} `URL_NOT_ALLOWED` */
  constructor(profile: NetworkProfile, options: SenderOptions) {
    this.#profile = profile;
    this.#options = options;
    const parse = (url: string): string =>
      parseGatewayUrl(url, (origin) => profile.plainHttp?.includes(origin) === true);
    this.endpoints = [profile.baseUrl, ...profile.fallbackUrls].map(parse);
    this.#solidity = profile.solidityBaseUrl === undefined ? undefined : parse(profile.solidityBaseUrl);
  }

  /** Whether the own URL has the solidified view too. */
  get hasBothViews(): boolean {
    return this.#solidity === undefined || this.#solidity === this.endpoints[0];
  }

  /** From the last answer with a `Date`: a hint for the clock check, never a proof. */
  get clockSample(): ClockSample | undefined {
    return this.#clockSample;
  }

  /**
   * Sends once.
   *
   * @throws what the token source throws, before a byte was sent, or the reason of the signal
   */
  async send({ path, body, endpoint: base, ...sending }: Sending): Promise<Sent> {
    const { clock, dispatcher, tokenEnded = () => undefined } = this.#options;
    const endpoint = this.#baseFor(base, path);
    const carried = await this.#carriedTo(endpoint);
    const headers = this.#headers(carried);
    const id = ++this.#requests;
    const started = clock.now();
    const question = { endpoint, path, headers, body: printJson(body), timeoutMs: sending.timeoutMs };
    this.#log(`#${id} POST ${endpoint}${path} [${maskedHeaders(headers)}]`);
    const remove = this.#removerOf(carried);
    const exchanged = await exchange(dispatcher, question, clock, sending.signal).finally(
      () => carried.token !== undefined && tokenEnded(carried.token),
    );
    const result = withoutEchoes(exchanged, remove);
    this.#log(`#${id} ${summary(result)}, ${clock.now() - started} ms`);
    if (result.kind === "answer") this.#noteTime(result.date);
    return {
      endpoint,
      exchange: result,
      verdict: judgeExchange(result, this.#asked(endpoint, sending.tries, carried)),
    };
  }

  /** A plain node serves its solidified view on another port. Other gateways have both under one URL. */
  #baseFor(base: string, path: string): string {
    const own = base === this.endpoints[0] && path.startsWith("/walletsolidity/");
    return own ? (this.#solidity ?? base) : base;
  }

  async #carriedTo(url: string): Promise<Carried> {
    const { accessToken, apiKey } = this.#options;
    const wanted = [...(this.#profile.jwt && accessToken !== undefined ? [accessToken] : []), ...[apiKey ?? []].flat()];
    return {
      token:
        this.#profile.jwt && accessToken !== undefined && isFor(accessToken, url)
          ? await accessToken.value()
          : undefined,
      apiKey: apiKey !== undefined && isFor(apiKey, url) ? apiKey.value : undefined,
      withheld: [...new Set(wanted.filter((it) => !isFor(it, url)).flatMap(({ origins }) => origins))],
    };
  }

  #headers({ token, apiKey }: Carried): Readonly<Record<string, string>> {
    return {
      "content-type": "application/json",
      accept: "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(apiKey === undefined ? {} : { [this.#profile.apiKeyHeader]: apiKey }),
    };
  }

  /** Made anew when the token is a new one. */
  #removerOf({ token, apiKey }: Carried): EchoRemover {
    const secrets = [...(token === undefined ? [] : secretsOfToken(token)), ...(apiKey === undefined ? [] : [apiKey])];
    const joined = secrets.join("\n");
    if (joined !== this.#echoes.secrets) this.#echoes = { secrets: joined, remove: echoRemover(secrets) };
    return this.#echoes.remove;
  }

  #asked(endpoint: string, tries: number, { withheld }: Carried): Asked {
    const { jwt, apiKeyHeader } = this.#profile;
    const boundTo = withheld.length === 0 ? {} : { boundTo: withheld.join(", ") };
    return { endpoint, jwt, apiKeyHeader, tries, now: this.#options.clock.now(), ...boundTo };
  }

  #noteTime(date: string | undefined): void {
    const server = parseHttpDate(date);
    if (server !== undefined) this.#clockSample = { server, local: this.#options.clock.now() };
  }

  #log(message: string): void {
    this.#options.log?.debug(message);
  }
}

const PLAIN_HEADERS = new Set(["content-type", "accept"]);

/** Header names with the values that are no secret. */
function maskedHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${PLAIN_HEADERS.has(name) ? value : "***"}`)
    .join(", ");
}

function summary(result: HttpExchange): string {
  switch (result.kind) {
    case "answer":
      return t`${result.status}, ${result.body.length} characters`;
    case "cut":
      return t`${result.status}, but the answer cannot be used: ${result.reason}`;
    case "no-answer":
      return t`no answer: ${result.reason}`;
  }
}
