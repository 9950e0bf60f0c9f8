const MAXIMUM = 200;
/** Longer texts do not fit into the address of a link. */
const LONGEST = 2_000;

/** Texts that links refer to by a number, because an address cannot hold them. */
export class KeptInputs {
  readonly #texts = new Map<string, string>();
  #next = 1;

  /** The argument of a link that opens the text. */
  argumentFor(input: string, origin: string): Readonly<Record<string, string>> {
    if (input.length <= LONGEST) return { input, origin };
    const kept = String(this.#next++);
    this.#texts.set(kept, input);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAXIMUM && oldest !== undefined) this.#texts.delete(oldest);
    return { kept, origin };
  }

  get(kept: string): string | undefined {
    return this.#texts.get(kept);
  }
}
