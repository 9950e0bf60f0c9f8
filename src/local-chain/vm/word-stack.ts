/**
 * The stack of one frame. Its height is checked before an operation begins (`run-frame.ts`), so nothing here checks it.
 */
export class WordStack {
  readonly #words: bigint[] = [];

  get length(): number {
    return this.#words.length;
  }

  push(word: bigint): void {
    this.#words.push(word);
  }

  pop(): bigint {
    return this.#words.pop() as bigint;
  }

  /** The topmost first. */
  popN(count: number): bigint[] {
    const words: bigint[] = [];
    for (let left = count; left > 0; left -= 1) words.push(this.#words.pop() as bigint);
    return words;
  }

  /** @param depth - 0 is the top */
  peek(depth: number): bigint {
    return this.#words[this.#words.length - 1 - depth] as bigint;
  }

  /** @param position - 1 is the top */
  dup(position: number): void {
    this.#words.push(this.#words[this.#words.length - position] as bigint);
  }

  /** @param position - 1 is the word below the top */
  swap(position: number): void {
    const top = this.#words.length - 1;
    const other = top - position;
    const word = this.#words[top] as bigint;
    this.#words[top] = this.#words[other] as bigint;
    this.#words[other] = word;
  }
}
