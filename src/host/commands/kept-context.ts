import type { ContextKey } from "./command-ids.ts";
import { setContext } from "./commands.ts";

/** What the editor keeps for the person, over all windows. */
export interface KeptState {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): Thenable<void>;
}

/**
 * A context key that depends on a file which nobody reads before it is needed: until then it is what it was the last
 * time.
 */
export class KeptContext<T extends boolean | string> {
  readonly #state: KeptState;
  readonly #key: ContextKey;
  readonly #none: T;
  #value: T;

  /** @param none - what it is when nothing is known of it */
  constructor(state: KeptState, key: ContextKey, none: T) {
    this.#state = state;
    this.#key = key;
    this.#none = none;
    const kept = state.get<unknown>(key);
    this.#value = isLike(none, kept) ? kept : none;
    setContext(key, this.#value);
  }

  /** What it is, as far as is known. */
  get value(): T {
    return this.#value;
  }

  /** Says what it is, now that the file was read. */
  set(value: T): void {
    if (value === this.#value) return;
    this.#value = value;
    setContext(this.#key, value);
    void this.#state.update(this.#key, value === this.#none ? undefined : value);
  }
}

function isLike<T extends boolean | string>(none: T, value: unknown): value is T {
  return typeof value === typeof none;
}
