/** What was asked of the chain, by path. Control requests do not count. */
export class RequestCounter {
  readonly #counts = new Map<string, number>();

  count(path: string): void {
    this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
  }

  report(): { readonly total: number; readonly paths: { readonly [path: string]: number } } {
    const paths = Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
    return { total: [...this.#counts.values()].reduce((sum, it) => sum + it, 0), paths };
  }

  reset(): void {
    this.#counts.clear();
  }
}
