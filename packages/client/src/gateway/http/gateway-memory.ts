import type { Block } from "../gateway.ts";

/** How long a path counts as one that a URL does not serve; then it is looked at again: ms. */
const LOOKED_AT_AGAIN_MS = 10 * 60_000;

/**
 * What was seen of gateways, by their URL: it holds for every gateway object that asks there. It decides which way is
 * taken first, and nothing else.
 */
export class GatewayMemory {
  /** Until when a path counts as not served; local clock, Unix ms. */
  readonly #missing = new Map<string, number>();
  readonly #served = new Set<string>();
  readonly #newest = new Map<string, Block>();

  isMissing(url: string, path: string, now: number): boolean {
    const until = this.#missing.get(url + path) ?? 0;
    // A clock that was set back does not make it longer.
    return now < until && until - now <= LOOKED_AT_AGAIN_MS;
  }

  /** Whether it was seen to lack any path: then the next one that is silent is probably lacking too. */
  lacksSome(url: string, now: number): boolean {
    return [...this.#missing.keys()].some((it) => it.startsWith(`${url}/wallet`) && this.isMissing(it, "", now));
  }

  noteMissing(url: string, path: string, now: number): void {
    this.#missing.set(url + path, now + LOOKED_AT_AGAIN_MS);
  }

  /** Whether it was seen to serve this path: silence is no sign against it then. */
  isServed(url: string, path: string): boolean {
    return this.#served.has(url + path);
  }

  noteServed(url: string, path: string): void {
    this.#served.add(url + path);
    this.#missing.delete(url + path);
  }

  /** The newest solidified block that was found there one by one. */
  newestSolid(url: string): Block | undefined {
    return this.#newest.get(url);
  }

  noteNewestSolid(url: string, block: Block | undefined): void {
    if (block === undefined) this.#newest.delete(url);
    else this.#newest.set(url, block);
  }

  /** Its profile was changed, or a person wants it to be looked at anew. */
  forget(url: string): void {
    this.#newest.delete(url);
    for (const seen of [this.#missing, this.#served]) {
      for (const key of seen.keys()) if (key.startsWith(`${url}/wallet`)) seen.delete(key);
    }
  }
}
