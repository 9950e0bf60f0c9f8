import { setContext } from "./commands.ts";
import type { KeptState } from "./kept-context.ts";

const STATE = "finality.hiddenNotices";

/** The notices that the person does not want to see again, in any window, until they are asked for again. */
export class HiddenNotices {
  readonly #state: KeptState;
  #hasSome: boolean | undefined;

  constructor(state: KeptState) {
    this.#state = state;
    this.#tell();
  }

  /**
   * Another window may have hidden it, of which nobody tells this one: whoever looks says so to the palette.
   *
   * @param topic - what notices that a person may have enough of are about
   */
  has(topic: string): boolean {
    this.#tell();
    return this.#all().includes(topic);
  }

  hide(topic: string): void {
    if (!this.has(topic)) this.#keep([...this.#all(), topic]);
  }

  /** Whether this is the first time that somebody asks so: for what is said once and never again. */
  isFirst(topic: string): boolean {
    const key = `${STATE}.said.${topic}`;
    const isFirst = this.#state.get(key) !== true;
    if (isFirst) void this.#state.update(key, true);
    return isFirst;
  }

  /** Shows all of them again. @returns how many were hidden */
  showAll(): number {
    const count = this.#all().length;
    this.#keep([]);
    return count;
  }

  #keep(topics: readonly string[]): void {
    void this.#state.update(STATE, topics.length === 0 ? undefined : topics);
    this.#tell();
  }

  #all(): readonly string[] {
    const kept = this.#state.get<unknown>(STATE);
    return Array.isArray(kept) ? kept.filter((it) => typeof it === "string") : [];
  }

  #tell(): void {
    const isSome = this.#all().length > 0;
    if (isSome === this.#hasSome) return;
    this.#hasSome = isSome;
    setContext("finality.hasHiddenNotice", isSome);
  }
}
