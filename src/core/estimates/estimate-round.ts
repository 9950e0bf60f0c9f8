import { isChainError } from "../errors/chain-error.ts";
import type { ContractGateway } from "../gateway/gateway.ts";
import type { EstimateSource } from "./estimate-call.ts";

/** How many requests may be under way at once. */
const AT_ONCE = 4;

/**
 * A gateway for estimates that are asked for together: what they all need (the head, parameters, accounts, contracts)
 * is asked once, never more than four requests are under way, and after a node said that it offers no `estimateenergy`,
 * nobody asks for it again. After it said that there were too many, whatever waits for its turn is not sent; nor is
 * what nobody waits for any more.
 */
export function estimateRound(source: EstimateSource, queue: RequestQueue): EstimateSource {
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
      // Whoever asks from now on asks anew.
      if (!isWanted(readers)) once.delete(key);
      return isWanted(readers) ? ask() : Promise.reject(signal?.reason);
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
        if (saysItIsOff(error)) off = { error };
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
      shared(`contract ${address}`, () => source.deployedContract(address), signal),
    isSolid: (address, signal) => shared(`solid ${address}`, () => source.isSolid(address), signal),
    constantCall: (run, signal) => inQueue(() => source.constantCall(run, signal), signal),
    estimateEnergy,
  };
}

/** An answer for several, and the signals of those who wait for it. */
interface Shared {
  readonly answer: Promise<unknown>;
  readonly readers: (AbortSignal | undefined)[];
}

function isWanted(readers: Shared["readers"]): boolean {
  return readers.some((signal) => signal?.aborted !== true);
}

/** A node whose switch is off, or one of before 4.7.0.1, which has no such path. */
function saysItIsOff(error: unknown): boolean {
  if (!isChainError(error)) return false;
  if (error.code === "NODE_REFUSED") return error.details.message.includes("does not support estimate");
  return error.code === "GATEWAY_HTTP_STATUS" && error.details.status === 404;
}

/** Lets so many requests run at once, the others in the order in which they came. */
export class RequestQueue {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /**
   * Runs `ask` when there is room; a request whose signal is aborted by then is never made, and rejects with the
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
