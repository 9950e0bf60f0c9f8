import type { JsonObject } from "@finality/tron/primitives";
import type { Dispatcher } from "undici";
import DispatcherBase from "undici/lib/dispatcher/dispatcher.js";
import type { Clock } from "../clock.ts";
import { type ExchangeOutcome, type HttpExchange, parseHttpDate } from "../http/http-exchange.ts";
import { type ClockSample, type GatewayLog, HttpSender } from "../http/http-sender.ts";
import type { NetworkProfile, OriginBound } from "../network.ts";

/** Headers of a response, or the reason for its absence. */
interface ObservedResponse {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Error code; undefined if there was none. */
  readonly code: string | undefined;
}

/** Creates a dispatcher for one request, which records observations. It uses the connections of the other one. */
class ObservedDispatcher extends DispatcherBase implements ObservedResponse {
  readonly #inner: Dispatcher;
  headers: ObservedResponse["headers"] = {};
  code: string | undefined;

  constructor(inner: Dispatcher) {
    super();
    this.#inner = inner;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#inner.dispatch(options, {
      onRequestStart: (...seen) => handler.onRequestStart?.(...seen),
      onRequestUpgrade: (...seen) => handler.onRequestUpgrade?.(...seen),
      onResponseStart: (controller, status, headers, text) => {
        this.headers = headers;
        handler.onResponseStart?.(controller, status, headers, text);
      },
      onResponseData: (...seen) => handler.onResponseData?.(...seen),
      onResponseEnd: (...seen) => handler.onResponseEnd?.(...seen),
      onResponseError: (controller, error) => {
        this.code = "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
        handler.onResponseError?.(controller, error);
      },
    });
  }
}

/** Response to one request of a connection test. */
export interface TestResponse extends ObservedResponse {
  readonly exchange: HttpExchange;
  readonly verdict: ExchangeOutcome;
  readonly ms: number;
}

export interface ConnectionClientOptions {
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
  readonly accessToken?: OriginBound<() => Promise<string>> | undefined;
  readonly apiKey?: OriginBound<string> | undefined;
  readonly log?: GatewayLog | undefined;
}

/** Returns true if a gateway limits the request rate, whatever its status is. */
export function isLimited(verdict: ExchangeOutcome): boolean {
  return verdict.kind === "failure" && verdict.meaning === "rate-limited";
}

/** Time limit for one answer; ms. */
export const ANSWER_MS = 5_000;

/** Sends the requests of a connection test with the keys of the network: each request once, without retries. */
export class ConnectionClient {
  readonly #profile: NetworkProfile;
  readonly #options: ConnectionClientOptions;
  readonly #responses = new Map<string, Promise<TestResponse>>();
  /** Number of requests sent. */
  requests = 0;
  /** True if the gateway limits the request rate. */
  isLimited = false;
  /** Both clocks at the last answer that had a `Date`. */
  clockSample: ClockSample | undefined;
  /** Rate-limit headers, with their values if these are numbers. */
  readonly limits = new Map<string, string>();

  constructor(profile: NetworkProfile, options: ConnectionClientOptions) {
    this.#profile = profile;
    this.#options = options;
  }

  /**
   * @param path - `/walletsolidity/…` goes to the URL of solidified data, if there is one
   * @throws the reason of the signal
   */
  request(path: string, body: JsonObject, timeoutMs = ANSWER_MS): Promise<TestResponse> {
    const key = `${path} ${JSON.stringify(body)}`;
    const pending = this.#responses.get(key) ?? this.#send(path, body, timeoutMs);
    this.#responses.set(key, pending);
    return pending;
  }

  async #send(path: string, body: JsonObject, timeoutMs: number): Promise<TestResponse> {
    const { clock, dispatcher, signal, log, accessToken, apiKey } = this.#options;
    const observed = new ObservedDispatcher(dispatcher);
    const sender = new HttpSender(this.#profile, { clock, dispatcher: observed, log, accessToken, apiKey });
    const [endpoint = ""] = sender.endpoints;
    const started = clock.now();
    this.requests++;
    const { exchange, verdict } = await sender.send({ endpoint, path, body, timeoutMs, tries: 1, signal });
    const { headers, code } = observed;
    const answered = { exchange, verdict, headers, code, ms: Math.max(0, clock.now() - started) };
    this.#learn(answered);
    return answered;
  }

  #learn({ exchange, verdict, headers }: TestResponse): void {
    if (exchange.kind !== "answer") return;
    if (isLimited(verdict)) this.isLimited = true;
    const server = parseHttpDate(exchange.date);
    if (server !== undefined) this.clockSample = { server, local: this.#options.clock.now() };
    for (const [name, value] of Object.entries(headers)) {
      if (LIMIT.test(name)) this.limits.set(name, NUMBER.test(String(value)) ? `${name} ${value}` : name);
    }
  }
}

const LIMIT = /^(?:x-)?rate-?limit[\w-]{0,30}$/i;
/** Any longer value could be a key that a gateway repeats. */
const NUMBER = /^\d{1,7}$/;
