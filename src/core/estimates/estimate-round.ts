import type { ContractGateway } from "../gateway/contract-gateway.ts";
import type { EstimateSource } from "./estimate-call.ts";

/** How many requests may be under way at once. */
const AT_ONCE = 4;

/**
 * A gateway for estimates that are asked for together: what they all need (the head, parameters, accounts, contracts) is asked once,
 * never more than four requests are under way, and after a node said that it offers no `estimateenergy`, nobody asks for it again.
 */
export function estimateRound(source: EstimateSource, lane: RequestLane): EstimateSource {
  const once = new Map<string, Promise<unknown>>();
  const shared = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const known = (once.get(key) as Promise<T> | undefined) ?? lane.run(ask);
    once.set(key, known);
    return known;
  };
  let offersEstimates = true;
  const estimateEnergy: ContractGateway["estimateEnergy"] = async (run, signal) => {
    if (!offersEstimates) return await shared("estimateEnergy", () => source.estimateEnergy(run));
    try {
      return await lane.run(() => source.estimateEnergy(run, signal), signal);
    } catch (error) {
      offersEstimates &&= !saysItIsOff(error);
      if (!offersEstimates) once.set("estimateEnergy", rejected(error));
      throw error;
    }
  };
  return {
    headBlock: () => shared("head", () => source.headBlock()),
    chainParameters: () => shared("parameters", () => source.chainParameters()),
    account: (address) => shared(`account ${address}`, () => source.account(address)),
    accountResources: (address) => shared(`resources ${address}`, () => source.accountResources(address)),
    deployedContract: (address) => shared(`contract ${address}`, () => source.deployedContract(address)),
    isSolid: (address) => shared(`solid ${address}`, () => source.isSolid(address)),
    constantCall: (run, signal) => lane.run(() => source.constantCall(run, signal), signal),
    estimateEnergy,
  };
}

function saysItIsOff(error: unknown): boolean {
  return error instanceof Error && /does not support estimate|answered 404/i.test(error.message);
}

/** A rejection that may wait for somebody to ask. */
function rejected(error: unknown): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => undefined);
  return promise;
}

/** Lets so many requests run at once, the others in the order in which they came. */
export class RequestLane {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** Runs `ask` when there is room; a request whose signal is aborted by then is never made, and rejects with the signal's reason. */
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
