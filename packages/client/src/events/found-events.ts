import type { Address } from "@finality/tron/primitives";
import { type EventWatch, eventKey, type FoundEvent, type WatchedEvent } from "./event-entry.ts";
import { matchesFilter } from "./event-filter.ts";

/** Events of one chain, by their key, and the keys that each watch counts. */
interface ChainEvents {
  readonly found: Map<string, FoundEvent>;
  readonly watches: Map<string, EventWatch>;
  readonly keys: Map<string, Set<string>>;
}

/** Events that were read, by chain. A chain is a key of `chainKey`. */
export class FoundEvents {
  readonly #chains = new Map<string, ChainEvents>();

  /** Adds a watch. Events that were read before count for it too. */
  watch(of: string, watch: EventWatch): void {
    const { found, watches, keys } = this.#chain(of);
    watches.set(watch.id, watch);
    const matching = [...found].filter(([, { event }]) => isWatched(watch, event)).map(([key]) => key);
    keys.set(watch.id, new Set(matching));
  }

  /** The newest read decides in which block an event is. @returns whether it was new */
  put(of: string, event: WatchedEvent, withdrawn: boolean): boolean {
    const { found, watches, keys } = this.#chain(of);
    const key = eventKey(event);
    const known = found.get(key);
    if (known?.withdrawn === false && known.event.block.id === event.block.id) return false;
    found.set(key, { event, withdrawn });
    for (const watch of watches.values()) if (isWatched(watch, event)) keys.get(watch.id)?.add(key);
    return known === undefined && !withdrawn;
  }

  /** Marks the events of these contracts after a block: they do not count until they are found again. */
  withdraw(of: string, contracts: ReadonlySet<Address>, after: number): void {
    const { found } = this.#chain(of);
    for (const [key, { event }] of found) {
      if (event.block.number > after && contracts.has(event.contract)) found.set(key, { event, withdrawn: true });
    }
  }

  /** Returns the events of a watch up to a block, the oldest first, in the order of the chain. */
  of(chain: string, { id, after }: EventWatch, readTo: number): readonly FoundEvent[] {
    const { found, keys } = this.#chain(chain);
    return [...(keys.get(id) ?? [])]
      .flatMap((key) => found.get(key) ?? [])
      .filter(({ event: { block }, withdrawn }) => block.number > after.number && (withdrawn || block.number <= readTo))
      .sort((left, right) => left.event.block.number - right.event.block.number);
  }

  /** Returns the number of events of a watch, withdrawn ones included. */
  count(chain: string, { id }: EventWatch): number {
    return this.#chain(chain).keys.get(id)?.size ?? 0;
  }

  /** Forgets the events in blocks up to a height. */
  forget(height: number): void {
    for (const { found, keys } of this.#chains.values()) {
      for (const [key, { event }] of found) {
        if (event.block.number > height) continue;
        found.delete(key);
        for (const ofWatch of keys.values()) ofWatch.delete(key);
      }
    }
  }

  /** Returns all events of each chain. */
  entries(): readonly (readonly [of: string, events: readonly FoundEvent[]])[] {
    return [...this.#chains].map(([of, { found }]) => [of, [...found.values()]] as const);
  }

  #chain(of: string): ChainEvents {
    const chain = this.#chains.get(of) ?? { found: new Map(), watches: new Map(), keys: new Map() };
    this.#chains.set(of, chain);
    return chain;
  }
}

function isWatched(watch: EventWatch, event: WatchedEvent): boolean {
  return watch.contract === event.contract && matchesFilter(watch.filter, event);
}
