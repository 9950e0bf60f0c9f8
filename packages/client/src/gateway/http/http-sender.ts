import { type JsonObject, printJson } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import { isBoundTo, type NetworkProfile, type OriginBound, parseGatewayUrl } from "../network.ts";
import {
  classifyExchange,
  type ExchangeContext,
  type ExchangeOutcome,
  exchange,
  type HttpExchange,
  parseHttpDate,
} from "./http-exchange.ts";

/** Log of requests. It never receives a body or the value of a secret header. */
export interface GatewayLog {
  debug(message: string): void;
}

export interface SenderOptions {
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  /** Creates the token to send while JWT is enabled in the profile. It may be a new one each time. */
  readonly accessToken?: OriginBound<() => Promise<string>> | undefined;
  /** Called when a request that carried a token has ended, with any outcome. */
  readonly tokenEnded?: ((token: string) => void) | undefined;
  readonly apiKey?: OriginBound<string> | undefined;
  readonly log?: GatewayLog | undefined;
}

export interface SendRequest {
  readonly endpoint: string;
  readonly path: string;
  readonly body: JsonObject;
  readonly timeoutMs: number;
  readonly tries: number;
  readonly signal?: AbortSignal | undefined;
}

export interface SendResult {
  /** URL of the request. */
  readonly endpoint: string;
  readonly exchange: HttpExchange;
  readonly verdict: ExchangeOutcome;
}

/** Local and gateway time at an answer, in Unix ms. */
export interface ClockSample {
  readonly server: number;
  readonly local: number;
}

/** Credentials of one request, and the origins of those that are withheld. */
interface Carried {
  readonly token: string | undefined;
  readonly apiKey: string | undefined;
  readonly withheld: readonly string[];
}

/**
 * Sends single requests for one profile. Only this class attaches credentials, and only for an origin that they are
 * bound to. It masks these credentials in the response before any other code reads it.
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

  /** True if the base URL has the solidified view too. */
  get hasBothViews(): boolean {
    return this.#solidity === undefined || this.#solidity === this.endpoints[0];
  }

  /** Time of the last answer with a `Date`: a hint for the clock check, never a proof. */
  get clockSample(): ClockSample | undefined {
    return this.#clockSample;
  }

  /**
   * Sends once.
   *
   * @throws the error of the token source, before a byte was sent, or the reason of the signal
   */
  async send({ path, body, endpoint: base, ...sending }: SendRequest): Promise<SendResult> {
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
      verdict: classifyExchange(result, this.#context(endpoint, sending.tries, carried)),
    };
  }

  /** A plain node serves its solidified view on another port. Other gateways serve both under one URL. */
  #baseFor(base: string, path: string): string {
    const own = base === this.endpoints[0] && path.startsWith("/walletsolidity/");
    return own ? (this.#solidity ?? base) : base;
  }

  async #carriedTo(url: string): Promise<Carried> {
    const { accessToken, apiKey } = this.#options;
    const bound = [...(this.#profile.jwt && accessToken !== undefined ? [accessToken] : []), ...[apiKey ?? []].flat()];
    return {
      token:
        this.#profile.jwt && accessToken !== undefined && isBoundTo(accessToken, url)
          ? await accessToken.value()
          : undefined,
      apiKey: apiKey !== undefined && isBoundTo(apiKey, url) ? apiKey.value : undefined,
      withheld: [...new Set(bound.filter((it) => !isBoundTo(it, url)).flatMap(({ origins }) => origins))],
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

  /** Created again for each new token. */
  #removerOf({ token, apiKey }: Carried): EchoRemover {
    const secrets = [...(token === undefined ? [] : secretsOfToken(token)), ...(apiKey === undefined ? [] : [apiKey])];
    const joined = secrets.join("\n");
    if (joined !== this.#echoes.secrets) this.#echoes = { secrets: joined, remove: echoRemover(secrets) };
    return this.#echoes.remove;
  }

  #context(endpoint: string, tries: number, { withheld }: Carried): ExchangeContext {
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

/** Header names with values that are not secret. */
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

const MASK = "***";
/** Shorter texts are not secret, and masking them would change answers that contain them by chance. */
const SHORTEST = 8;

/** Masks the credentials of a request in a text. */
export type EchoRemover = (text: string) => string;

/**
 * Returns a function that masks credentials in a response, however the gateway repeats them. It recognizes another
 * case, folding, hex, base64, and the escapes of URLs, JSON and HTML. A text without credentials stays unchanged.
 * No pattern is built from a credential: an engine that rejects a pattern would print it.
 */
export function echoRemover(credentials: readonly string[]): EchoRemover {
  const secrets = credentials.filter((it) => it.length >= SHORTEST);
  if (secrets.length === 0) return (text) => text;
  const forms = [...new Set(secrets.flatMap(formsOf))];
  const beginnings = secrets.map(lower);
  const remove: EchoRemover = (text) => {
    const plain = plainText(text);
    const direct = plain.isSame ? [] : stretchesOf(lower(text), forms);
    const stretches = [
      ...direct,
      ...stretchesOf(lower(plain.text), forms).map(([from, to]) => plain.originalOf(from, to)),
    ];
    const without = stretches.length === 0 ? text : masked(text, stretches);
    return beginnings.reduce(withoutBeginning, without);
  };
  return (text) => remove(text.replace(HEX, (hex) => withoutInHex(hex, remove)));
}

/** Nodes hex-encode their messages, which are decoded later. */
const HEX = /(?:[0-9a-f]{2}){8,}/gi;

function withoutInHex(hex: string, remove: EchoRemover): string {
  const text = Buffer.from(hex, "hex").toString("utf8");
  const without = remove(text);
  return without === text ? hex : Buffer.from(without, "utf8").toString("hex");
}

/** Returns the secret parts of a token: the whole, and the signature, without which the rest is useless. */
export function secretsOfToken(token: string): readonly string[] {
  return [token, token.slice(token.lastIndexOf(".") + 1)];
}

/** Masks credentials in an exchange: in its body and in the message of its failure. */
function withoutEchoes(exchange: HttpExchange, remove: EchoRemover): HttpExchange {
  switch (exchange.kind) {
    case "answer":
      return { ...exchange, body: remove(exchange.body) };
    case "cut":
      return { ...exchange, body: remove(exchange.body), reason: remove(exchange.reason) };
    case "no-answer":
      return { ...exchange, reason: remove(exchange.reason) };
  }
}

type Stretch = readonly [from: number, to: number];

/** Returns the encodings of a credential, in lower case. */
function formsOf(secret: string): readonly string[] {
  const cases = [secret, secret.toLowerCase(), secret.toUpperCase()].map((it) => Buffer.from(it, "utf8"));
  const plain = [secret, plainText(secret).text];
  return [...plain, ...cases.map((it) => it.toString("hex")), ...cases.flatMap(base64Of)].map(lower);
}

/**
 * Inside a longer base64 text, a text has one of three forms, depending on its offset; characters shared with its
 * neighbours are omitted.
 */
function base64Of(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6)];
    return [whole.toString("base64").slice(from, to), whole.toString("base64url").slice(from, to)];
  });
}

function stretchesOf(text: string, forms: readonly string[]): Stretch[] {
  return forms.flatMap((form) => {
    const found: Stretch[] = [];
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length))
      found.push([at, at + form.length]);
    return found;
  });
}

function masked(text: string, stretches: readonly Stretch[]): string {
  let [result, done] = ["", 0];
  for (const [from, to] of [...stretches].sort(([left], [right]) => left - right)) {
    if (from >= done) result += text.slice(done, from) + MASK;
    done = Math.max(done, to);
  }
  return result + text.slice(done);
}

/** A truncated text may end with the beginning of a credential. */
function withoutBeginning(text: string, secret: string): string {
  const shown = text.endsWith("…") ? text.slice(0, -1) : text;
  const end = lower(shown.slice(-secret.length));
  for (let length = Math.min(secret.length, end.length); length >= SHORTEST; length--) {
    if (end.endsWith(secret.slice(0, length))) return shown.slice(0, -length) + MASK;
  }
  return text;
}

/** Lower-cases without changing the length; some Unicode letters would become two. */
function lower(text: string): string {
  const result = text.toLowerCase();
  return result.length === text.length ? result : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Text with resolved escapes and without whitespace, and the original position of each character. */
interface PlainText {
  readonly text: string;
  /** True if no escape was resolved and no blank removed. */
  readonly isSame: boolean;
  /** Returns the range of the original text for a range of the plain text. */
  originalOf(from: number, to: number): readonly [from: number, to: number];
}

/** Escapes of JSON (nested, too), URLs and HTML, and the line breaks of folded lines. */
const ESCAPES =
  /\\+(?:u00([0-9a-f]{2})|x([0-9a-f]{2})|[rnt])|%(?:25)?([0-9a-f]{2})|&#x0{0,4}([0-9a-f]{2});|&#0{0,4}(\d{2,3});|&(amp|lt|gt|quot|apos);|\\+|\s+/gi;

const NAMED: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Escaped character: its length in the plain text, and both end offsets. */
interface Change {
  readonly length: number;
  readonly end: number;
  readonly originalEnd: number;
}

/** Normalizes a text for searching in any notation; the result is not for display. */
function plainText(original: string): PlainText {
  const changes: Change[] = [];
  let [text, done] = ["", 0];
  for (const match of original.matchAll(ESCAPES)) {
    const plain = resolved(match);
    text += original.slice(done, match.index) + plain;
    done = match.index + match[0].length;
    changes.push({ length: plain.length, end: text.length, originalEnd: done });
  }
  if (changes.length === 0) return { text: original, isSame: true, originalOf: (from, to) => [from, to] };
  text += original.slice(done);
  return { text, isSame: false, originalOf: (from, to) => [beginOf(changes, from), endOf(changes, to)] };
}

function resolved([, json, x, url, htmlHex, html, named]: RegExpMatchArray): string {
  const hex = json ?? x ?? url ?? htmlHex;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (html !== undefined) return String.fromCharCode(Number(html));
  return named === undefined ? "" : (NAMED[named.toLowerCase()] ?? "");
}

/** Position after the characters that were removed before it. */
function beginOf(changes: readonly Change[], at: number): number {
  const last = changes.findLast(({ end }) => end <= at);
  return last === undefined ? at : last.originalEnd + at - last.end;
}

/** Position before the characters that were removed after it. */
function endOf(changes: readonly Change[], at: number): number {
  const last = changes.findLast(({ end, length }) => end < at || (end === at && length > 0));
  return last === undefined ? at : last.originalEnd + at - last.end;
}
