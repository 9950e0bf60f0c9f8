/** A value that is loaded once, on first use. */
export interface Lazy<T> {
  (): Promise<T>;
  /** Calls `use` once the value is loaded. Does nothing if it was never requested. */
  ifLoaded(use: (it: T) => void): void;
}

/** Returns a function that loads a value on the first call and returns the same value on later calls. */
export function lazy<T>(load: () => Promise<T>): Lazy<T> {
  let loaded: Promise<T> | undefined;
  const get = (): Promise<T> => {
    loaded ??= load();
    return loaded;
  };
  return Object.assign(get, {
    // The caller that loaded it received the error.
    ifLoaded: (use: (it: T) => void) => void loaded?.then(use, () => undefined),
  });
}
