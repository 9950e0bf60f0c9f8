/** Something that is loaded when it is first asked for, and once. */
export interface Lazily<T> {
  (): Promise<T>;
  /** Does something with it once it is there; nothing when nobody has asked for it. */
  ifLoaded(use: (it: T) => void): void;
}

/** Loads at the first call; every later call gets the same. */
export function lazily<T>(load: () => Promise<T>): Lazily<T> {
  let loaded: Promise<T> | undefined;
  const get = (): Promise<T> => {
    loaded ??= load();
    return loaded;
  };
  return Object.assign(get, {
    // Who asked for it was told when it could not be loaded.
    ifLoaded: (use: (it: T) => void) => void loaded?.then(use, () => undefined),
  });
}
