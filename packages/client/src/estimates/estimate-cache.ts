import { isChainError } from "@finality/tron/errors";
import { BLOCK_INTERVAL_MS } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { ContractGateway } from "../gateway/gateway.ts";
import type { CallEstimate, CodeIntent, EstimatedCall } from "./call-estimate.ts";
import { type EstimateSource, type MeasuredCall, measureCall, priceCall, wasMeasuredFor } from "./estimate-call.ts";

/** Age in blocks after which an estimate is outdated. */
export const WINDOW_BLOCKS = 20;

/** Cached state of a call. */
export type CachedEstimate =
  | { readonly kind: "asking" }
  | { readonly kind: "known"; readonly estimate: CallEstimate; readonly askedAt: number };

type Measured = MeasuredCall | Exclude<CallEstimate, EstimatedCall>;

interface CachedMeasurement {
  readonly measured: Measured;
  readonly askedAt: number;
}

interface PendingMeasurement {
  readonly network: string;
  readonly answer: Promise<Measured>;
  readonly controller: AbortController;
  readers: number;
}

/** Network, call and urgency of an estimate. */
export interface EstimateRequest {
  readonly network: string;
  readonly intent: CodeIntent;
  /** Requests a new figure even if the current one is fresh. */
  readonly refresh?: boolean;
}

/** Chain access and clock of the cache. */
export interface CacheServices {
  readonly sourceFor: (network: string) => Promise<EstimateSource>;
  readonly now: () => number;
  /** Called when cached data changed. */
  readonly onChange: () => void;
}

/**
 * Estimates by network, contract, data, caller and value. They are requested on demand, stored for a window of blocks
 * and shared. The `fee_limit` is not part of the key: a figure is compared with any limit, but limit-dependent code is
 * measured again.
 */
export class EstimateCache {
  readonly #services: CacheServices;
  readonly #known = new Map<string, CachedMeasurement>();
  readonly #asking = new Map<string, PendingMeasurement>();
  readonly #priced = new WeakMap<CodeIntent, { readonly measured: Measured; readonly estimate: CallEstimate }>();
  readonly #queues = new Map<string, RequestQueue>();
  readonly #rounds = new Map<string, Promise<EstimateSource>>();
  readonly #waitUntil = new Map<string, { readonly until: number; readonly estimate: Measured }>();

  constructor(services: CacheServices) {
    this.#services = services;
  }

  /** Returns the cached state without a request. */
  get(network: string, intent: CodeIntent): CachedEstimate | undefined {
    const key = keyOf(network, intent);
    if (this.#asking.has(key)) return { kind: "asking" };
    const known = this.#known.get(key);
    return known && { kind: "known", estimate: this.#price(known.measured, intent), askedAt: known.askedAt };
  }

  /** True until the first request. */
  get isEmpty(): boolean {
    return this.#known.size === 0 && this.#asking.size === 0;
  }

  /** Returns the age of a figure in blocks, by the usual block interval. */
  ageInBlocks({ askedAt }: Extract<CachedEstimate, { kind: "known" }>): number {
    return Math.max(0, Math.floor((this.#services.now() - askedAt) / BLOCK_INTERVAL_MS));
  }

  /**
   * Returns the estimate of a call: a cached one of this window, the answer of a pending request, or a new one.
   *
   * @throws the signal's reason when the signal aborts; the request ends when no caller waits for it any more
   */
  async estimate(question: EstimateRequest, signal?: AbortSignal): Promise<CallEstimate> {
    signal?.throwIfAborted();
    const { network, intent, refresh = false } = question;
    const key = keyOf(network, intent);
    const known = this.#known.get(key);
    if (!refresh && known !== undefined && !this.#isOld(known) && isFor(known.measured, intent))
      return priced(known.measured, intent);
    const asking = this.#asking.get(key) ?? this.#start(key, question);
    asking.readers += 1;
    const leave = (): void => {
      asking.readers -= 1;
      if (asking.readers > 0) return;
      asking.controller.abort(signal?.reason);
      // Later callers start a new request.
      if (signal?.aborted && this.#asking.get(key) === asking) this.#end(key, asking);
    };
    return priced(await withSignal(asking.answer, leave, signal), intent);
  }

  #isOld({ askedAt, measured }: CachedMeasurement): boolean {
    const passed = this.#services.now() - askedAt;
    return measured.kind === "unavailable" || passed >= WINDOW_BLOCKS * BLOCK_INTERVAL_MS;
  }

  /** Costs are displayed often and change seldom. */
  #price(measured: Measured, intent: CodeIntent): CallEstimate {
    const known = this.#priced.get(intent);
    if (known?.measured === measured) return known.estimate;
    const estimate = priced(measured, intent);
    this.#priced.set(intent, { measured, estimate });
    return estimate;
  }

  #start(key: string, { network, intent }: EstimateRequest): PendingMeasurement {
    const controller = new AbortController();
    const answer = this.#measure(network, intent, controller.signal);
    const asking: PendingMeasurement = { network, answer, controller, readers: 0 };
    this.#asking.set(key, asking);
    const end = (): void => this.#end(key, asking);
    const store = (measured: Measured): void => {
      // Drops an answer that no caller waits for: a later request has a newer one.
      if (this.#asking.get(key) === asking) this.#known.set(key, { measured, askedAt: this.#services.now() });
    };
    answer.then(store).then(end, end);
    this.#services.onChange();
    return asking;
  }

  #end(key: string, asking: PendingMeasurement): void {
    if (this.#asking.get(key) !== asking) return;
    this.#asking.delete(key);
    const { network } = asking;
    if (![...this.#asking.values()].some((it) => it.network === network)) this.#rounds.delete(network);
    this.#services.onChange();
  }

  async #measure(network: string, intent: CodeIntent, signal: AbortSignal): Promise<Measured> {
    const pause = this.#waitUntil.get(network);
    if (pause !== undefined && this.#services.now() < pause.until) return pause.estimate;
    try {
      const measured = await measureCall(await this.#roundOf(network), intent, 1, signal);
      this.#obey(network, measured);
      return measured;
    } catch (error) {
      if (!isChainError(error)) throw error;
      return { kind: "unavailable", reason: "gateway", error };
    }
  }

  /** Pauses requests to this network after a 429. */
  #obey(network: string, measured: Measured): void {
    if (measured.kind !== "unavailable" || measured.error.code !== "GATEWAY_RATE_LIMITED") return;
    const wait = measured.error.details.retryAfterMs ?? BLOCK_INTERVAL_MS;
    this.#waitUntil.set(network, { until: this.#services.now() + wait, estimate: measured });
  }

  /** Concurrent requests form one round and share the common data. */
  #roundOf(network: string): Promise<EstimateSource> {
    const queue = this.#queues.get(network) ?? new RequestQueue();
    this.#queues.set(network, queue);
    const round =
      this.#rounds.get(network) ?? this.#services.sourceFor(network).then((source) => estimateRound(source, queue));
    this.#rounds.set(network, round);
    return round;
  }
}

function priced(measured: Measured, intent: CodeIntent): CallEstimate {
  return measured.kind === "measured" ? priceCall(measured, intent) : measured;
}

/** Code whose energy depends on the limit is measured for each limit. */
function isFor(measured: Measured, intent: CodeIntent): boolean {
  return measured.kind !== "measured" || wasMeasuredFor(measured, intent);
}

function keyOf(network: string, intent: CodeIntent): string {
  const what =
    intent.kind === "contract-call"
      ? [intent.contract, intent.data, intent.tokenId ?? "", intent.tokenValue ?? ""]
      : ["creation", intent.bytecode];
  return [network, intent.owner, intent.callValue, ...what].join("|");
}

/** Waits for a shared answer; `leave` is called once, when this reader is done or gives up. */
async function withSignal<T>(answer: Promise<T>, leave: () => void, signal?: AbortSignal): Promise<T> {
  let giveUp: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal?.reason);
    signal?.addEventListener("abort", giveUp, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    if (giveUp !== undefined) signal?.removeEventListener("abort", giveUp);
    leave();
  }
}

/** Maximum number of concurrent requests. */
const AT_ONCE = 4;

/**
 * Returns a gateway for one round of estimates. Shared data (head, parameters, accounts, contracts) are requested
 * once, and at most four requests run at a time. `estimateenergy` is not tried again after the node reports it as off;
 * after a rate limit, waiting requests are dropped.
 */
function estimateRound(source: EstimateSource, queue: RequestQueue): EstimateSource {
  const once = new Map<string, Shared>();
  let refusal: { readonly error: unknown } | undefined;
  const inQueue = <T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    queue.run(async () => {
      if (refusal !== undefined) throw refusal.error;
      try {
        return await ask();
      } catch (error) {
        if (isChainError(error) && error.code === "GATEWAY_RATE_LIMITED") refusal = { error };
        throw error;
      }
    }, signal);
  const shared = <T>(key: string, ask: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const known = once.get(key);
    if (known !== undefined) {
      known.readers.push(signal);
      return known.answer as Promise<T>;
    }
    const readers = [signal];
    const answer = inQueue(() => {
      // Later callers start a new request.
      if (!hasReaders(readers)) once.delete(key);
      return hasReaders(readers) ? ask() : Promise.reject(signal?.reason);
    });
    once.set(key, { answer, readers });
    return answer;
  };
  let off: { readonly error: unknown } | undefined;
  const estimateEnergy: ContractGateway["estimateEnergy"] = (run, signal) =>
    inQueue(async () => {
      if (off !== undefined) throw off.error;
      try {
        return await source.estimateEnergy(run, signal);
      } catch (error) {
        if (isSwitchedOff(error)) off = { error };
        throw error;
      }
    }, signal);
  return {
    headBlock: (signal) => shared("head", () => source.headBlock(), signal),
    chainParameters: (signal) => shared("parameters", () => source.chainParameters(), signal),
    account: (address, signal) => shared(`account ${address}`, () => source.account(address), signal),
    accountResources: (address, signal) =>
      shared(`resources ${address}`, () => source.accountResources(address), signal),
    deployedContract: (address, signal) =>
      shared(t`contract ${address}`, () => source.deployedContract(address), signal),
    isSolid: (address, signal) => shared(`solid ${address}`, () => source.isSolid(address), signal),
    constantCall: (run, signal) => inQueue(() => source.constantCall(run, signal), signal),
    estimateEnergy,
  };
}

/** Answer that several callers wait for, with their signals. */
interface Shared {
  readonly answer: Promise<unknown>;
  readonly readers: (AbortSignal | undefined)[];
}

function hasReaders(readers: Shared["readers"]): boolean {
  return readers.some((signal) => signal?.aborted !== true);
}

/** Matches nodes whose switch is off, and those before 4.7.0.1, which lack this path. */
function isSwitchedOff(error: unknown): boolean {
  if (!isChainError(error)) return false;
  if (error.code === "NODE_REFUSED") return error.details.message.includes("does not support estimate");
  return error.code === "GATEWAY_HTTP_STATUS" && error.details.status === 404;
}

/** Limits the number of concurrent requests; the others wait in order. */
class RequestQueue {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /**
   * Runs `ask` when a slot is free. A request that was aborted while it waited is not sent and rejects with the
   * signal's reason.
   */
  async run<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      signal?.throwIfAborted();
      return await ask();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
