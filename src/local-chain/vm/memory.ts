const WORD = 32;
const FIRST_CAPACITY = 1024;

/** The memory of one frame: it grows by words, and what was never written is 0. */
export class Memory {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #size = 0;

  /** Bytes, a multiple of 32: what MSIZE tells. */
  get size(): number {
    return this.#size;
  }

  extend(offset: number, size: number): void {
    if (size === 0) return;
    const end = Math.ceil((offset + size) / WORD) * WORD;
    if (end <= this.#size) return;
    this.#size = end;
    if (end <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(end, this.#bytes.length * 2));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }

  write(offset: number, size: number, value: Uint8Array): void {
    if (size === 0) return;
    this.extend(offset, size);
    this.#bytes.set(value.length === size ? value : value.subarray(0, size), offset);
  }

  /** @param shared - the memory itself and not a copy: for reading at once */
  read(offset: number, size: number, shared = false): Uint8Array {
    if (size === 0) return new Uint8Array();
    this.extend(offset, size);
    const view = this.#bytes.subarray(offset, offset + size);
    return shared ? view : view.slice();
  }
}
