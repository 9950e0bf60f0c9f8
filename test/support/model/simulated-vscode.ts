type Listener<T> = (value: T) => void;

/** In the place of `vscode`: what the transaction service needs of it. */
export class EventEmitter<T> {
  readonly #listeners = new Set<Listener<T>>();

  readonly event = (listener: Listener<T>): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

/** A test may take the trust away. */
export const workspace = { isTrusted: true };

export const window = { showWarningMessage: async (): Promise<undefined> => undefined };
