/**
 * The arguments with which rows and buttons of ours call commands. They are the only calls that show a click of the
 * person: the palette, keybindings, links, tasks and other extensions can pass anything, but no object that was made
 * here.
 */
export class OwnClicks {
  readonly #made = new WeakSet<object>();

  /** Remembers an argument as one of ours. */
  of<T extends object>(argument: T): T {
    this.#made.add(argument);
    return argument;
  }

  has(argument: unknown): boolean {
    return typeof argument === "object" && argument !== null && this.#made.has(argument);
  }
}
