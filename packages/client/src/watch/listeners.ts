export interface Subscription {
  dispose(): void;
}

/** Who is told of something. One that fails keeps the others from nothing. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #failed: (error: unknown) => void;

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  add(listener: (value: T) => void): Subscription {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  tell(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}
