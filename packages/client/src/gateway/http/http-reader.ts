import { type AnyChainError, ChainError, isChainError } from "@finality/tron/errors";
import type { JsonObject } from "@finality/tron/primitives";
import { type Clock, createYielder } from "../clock.ts";
import type { Block, View } from "../gateway.ts";
import { readAnswer, readCodedAnswer, readInPieces } from "../wire/answer.ts";
import type { Endpoint } from "./endpoints.ts";
import { missingAnswerKind, nextDelay, type RetryReason, timeoutOf } from "./http-exchange.ts";
import type { HttpSender } from "./http-sender.ts";

/** Time after which a missing path is tried again; ms. */
const RETRY_MISSING_PATH_MS = 10 * 60_000;

/**
 * Observations about gateways by URL, shared by all gateway objects. They only decide which endpoint is tried first.
 */
export class GatewayMemory {
  /** Time until which a path counts as not served; local clock, Unix ms. */
  readonly #missing = new Map<string, number>();
  readonly #served = new Set<string>();
  readonly #newest = new Map<string, Block>();

  isMissing(url: string, path: string, now: number): boolean {
    const until = this.#missing.get(url + path) ?? 0;
    // A clock that was set back does not extend it.
    return now < until && until - now <= RETRY_MISSING_PATH_MS;
  }

  /** Returns true if any path is missing: then a path without an answer is probably missing too. */
  lacksSome(url: string, now: number): boolean {
    return [...this.#missing.keys()].some((it) => it.startsWith(`${url}/wallet`) && this.isMissing(it, "", now));
  }

  noteMissing(url: string, path: string, now: number): void {
    this.#missing.set(url + path, now + RETRY_MISSING_PATH_MS);
  }

  /** Returns true if the path was served before: then silence does not count against it. */
  isServed(url: string, path: string): boolean {
    return this.#served.has(url + path);
  }

  noteServed(url: string, path: string): void {
    this.#served.add(url + path);
    this.#missing.delete(url + path);
  }

  /** Newest solidified block that was found there by single reads. */
  newestSolid(url: string): Block | undefined {
    return this.#newest.get(url);
  }

  noteNewestSolid(url: string, block: Block | undefined): void {
    if (block === undefined) this.#newest.delete(url);
    else this.#newest.set(url, block);
  }

  /** Clears the observations after the profile changed, or when the user requests it. */
  forget(url: string): void {
    this.#newest.delete(url);
    for (const seen of [this.#missing, this.#served]) {
      for (const key of seen.keys()) if (key.startsWith(`${url}/`)) seen.delete(key);
    }
  }
}

/** Time for which a fallback stays first after the base URL failed; ms. */
const FALLBACK_MS = 60_000;

/** First time limit for a path that was never served before; ms. */
const UNSEEN_TIMEOUT_MS = 4_000;
/** The same if another path is known to be missing; ms. */
const NEXT_UNSEEN_TIMEOUT_MS = 1_500;
/** Not found, not allowed, not implemented. */
const NOT_SERVED: readonly number[] = [404, 405, 501];
/** Returns true for a status of a missing path. */
export const isNotServedStatus = (status: number): boolean => NOT_SERVED.includes(status);
/** Path of each view that every gateway serves, requested if another path stays unanswered. */
const LISTED: { readonly [V in View]: { readonly path: string; readonly body: JsonObject } } = {
  head: { path: "/wallet/getchainparameters", body: {} },
  solid: { path: "/walletsolidity/getblockbynum", body: { num: 0 } },
};

export interface ReaderOptions {
  readonly clock: Clock;
  /** 0 to below 1. */
  readonly random: () => number;
  /** Time limit of one read with all attempts; ms. */
  readonly deadlineMs: number;
  /** Time limit for a part of the answer in the first attempt; ms. */
  readonly timeoutMs: number;
  readonly memory: GatewayMemory;
  /** True if every path is served, so that a missing answer does not count against a path. */
  readonly servesAll: boolean;
}

/** Options of one read. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The caller reduces the range after a timeout, so the same request is not repeated. */
  readonly splits?: boolean;
}

interface Failed {
  readonly error: AnyChainError;
  readonly reason: RetryReason;
}

/** Answer with the URL that gave it, which differs from the network's own if that failed. */
export interface AnswerFromUrl<A> {
  readonly endpoint: string;
  readonly value: A;
}

type Attempt<A> = ({ readonly kind: "value" } & AnswerFromUrl<A>) | ({ readonly kind: "failed" } & Failed);

/** Reads with retries and failover: another URL at once, and a growing delay when all of them failed. */
export class HttpReader {
  readonly #sender: HttpSender;
  readonly #options: ReaderOptions;
  #preferred = 0;
  #preferredUntil = 0;

  constructor(sender: HttpSender, options: ReaderOptions) {
    this.#sender = sender;
    this.#options = options;
  }

  /**
   * Skips URLs that do not serve an unlisted path, and remembers them.
   *
   * @throws {ChainError} `GATEWAY_…`, `NODE_REFUSED`, `PATH_NOT_SERVED`, or the reason of the signal
   */
  async read<Q, A>(endpoint: Endpoint<Q, A>, question: Q, options: ReadOptions = {}): Promise<AnswerFromUrl<A>> {
    const { clock, deadlineMs, memory } = this.#options;
    const deadline = clock.now() + deadlineMs;
    let urls = this.#urlsFor(endpoint);
    for (let [tries, at] = [1, 0]; ; tries++) {
      const url = urls[at % urls.length];
      if (url === undefined) throw this.#notServed(endpoint);
      const timeoutMs = Math.min(this.#timeoutFor(endpoint, url, tries), Math.max(1, deadline - clock.now()));
      const attempt = await this.#try(endpoint, question, { url, tries, timeoutMs, signal: options.signal });
      if (attempt.kind === "value") {
        memory.noteServed(url, endpoint.path);
        this.#prefer(this.#sender.endpoints.indexOf(url));
        return attempt;
      }
      if (await this.#isMissing(endpoint, attempt, { url, tries, signal: options.signal })) {
        memory.noteMissing(url, endpoint.path, clock.now());
        urls = urls.filter((it) => it !== url);
        continue;
      }
      await this.#pause(endpoint, attempt, { tries, urls: urls.length, deadline, ...options });
      if (attempt.reason.kind !== "rate-limited") at++;
    }
  }

  /** Returns the URLs that serve the path as far as known, the preferred one first. */
  #urlsFor({ path, beyond }: Endpoint<never, unknown>): readonly string[] {
    const { endpoints } = this.#sender;
    const first = this.#firstChoice();
    const urls = [...endpoints.slice(first), ...endpoints.slice(0, first)];
    const { memory, clock } = this.#options;
    return beyond === undefined ? urls : urls.filter((it) => !memory.isMissing(it, path, clock.now()));
  }

  #notServed({ path, beyond = "" }: Endpoint<never, unknown>): ChainError {
    return new ChainError("PATH_NOT_SERVED", { endpoint: this.#sender.endpoints[0] ?? "", path, purpose: beyond });
  }

  #timeoutFor({ path, beyond }: Endpoint<never, unknown>, url: string, tries: number): number {
    const { memory, timeoutMs, servesAll, clock } = this.#options;
    const isUnseen = beyond !== undefined && !servesAll && !memory.isServed(url, path);
    if (!isUnseen) return timeoutOf(tries - 1, timeoutMs);
    const unseenMs = memory.lacksSome(url, clock.now()) ? NEXT_UNSEEN_TIMEOUT_MS : UNSEEN_TIMEOUT_MS;
    return timeoutOf(tries - 1, Math.min(timeoutMs, unseenMs));
  }

  /**
   * Returns true if a URL refuses a path, or does not answer it but answers a listed path. A single closed connection
   * may be an accident.
   */
  async #isMissing(
    { path, view, beyond }: Endpoint<never, unknown>,
    { error, reason }: Failed,
    { url, tries, signal }: { url: string; tries: number; signal: AbortSignal | undefined },
  ): Promise<boolean> {
    const { memory, timeoutMs, servesAll } = this.#options;
    if (beyond === undefined) return false;
    if (error.code === "GATEWAY_HTTP_STATUS") return isNotServedStatus(error.details.status);
    const isSilent =
      (reason.kind === "network" || reason.kind === "silent") && error.code !== "GATEWAY_ANSWER_MALFORMED";
    if (!isSilent || servesAll || memory.isServed(url, path)) return false;
    if (tries === 1 && missingAnswerKind(error) === "closed") return false;
    const { path: listed, body } = LISTED[view];
    const sent = await this.#sender.send({ endpoint: url, path: listed, body, tries: 1, timeoutMs, signal });
    return sent.verdict.kind === "body";
  }

  async #try<Q, A>(
    { path, body, parse, pieces, coded }: Endpoint<Q, A>,
    question: Q,
    { url: endpoint, ...sending }: { url: string; tries: number; timeoutMs: number; signal: AbortSignal | undefined },
  ): Promise<Attempt<A>> {
    const { verdict, endpoint: url } = await this.#sender.send({
      endpoint,
      path,
      body: body(question),
      ...sending,
    });
    if (verdict.kind === "failure") return { ...verdict, kind: "failed" };
    try {
      const answer = { endpoint, body: verdict.body };
      const inTurns = pieces && readInPieces(answer, pieces, createYielder(this.#options.clock));
      const read = coded === true ? readCodedAnswer : readAnswer;
      const value = inTurns === undefined ? read(answer, parse) : await inTurns;
      return { kind: "value", endpoint: url, value };
    } catch (error) {
      if (!isChainError(error)) throw error;
      return { kind: "failed", error, reason: reasonOf(error) };
    }
  }

  /** Waits for the next attempt, or throws the failure. */
  async #pause<Q, A>(
    { access }: Endpoint<Q, A>,
    failed: Failed,
    { tries, urls, deadline, signal, splits = false }: ReadOptions & { tries: number; urls: number; deadline: number },
  ): Promise<void> {
    const { clock, random } = this.#options;
    const { reason, error } = failed;
    const round = Math.ceil(tries / urls);
    if (splits && round * urls === tries && isTooMuch(reason)) throw withTries(error, tries);
    const remainingMs = deadline - clock.now();
    const delay = nextDelay({ access, tries: round, reason, remainingMs, random: random() });
    if (delay === undefined) throw withTries(error, tries);
    const elsewhere = tries % urls !== 0 && reason.kind !== "rate-limited";
    if (!elsewhere) await clock.sleep(delay, signal);
  }

  #firstChoice(): number {
    return this.#options.clock.now() < this.#preferredUntil ? this.#preferred : 0;
  }

  #prefer(index: number): void {
    if (index === this.#firstChoice()) return;
    this.#preferred = index;
    this.#preferredUntil = this.#options.clock.now() + FALLBACK_MS;
  }
}

/** A smaller answer may succeed. */
function isTooMuch(reason: RetryReason): boolean {
  if (reason.kind === "server") return reason.retryAfterMs === undefined;
  return reason.kind === "network" || reason.kind === "silent";
}

function reasonOf(error: AnyChainError): RetryReason {
  switch (error.code) {
    case "GATEWAY_RATE_LIMITED":
      return { kind: "rate-limited" };
    case "GATEWAY_ANSWER_MALFORMED":
      return { kind: "garbled" };
    default:
      return { kind: "final" };
  }
}

function withTries(error: AnyChainError, attempts: number): AnyChainError {
  if (error.code !== "GATEWAY_UNREACHABLE") return error;
  return new ChainError("GATEWAY_UNREACHABLE", { ...error.details, attempts }, { cause: error });
}
