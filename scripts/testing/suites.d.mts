/** The types of `suites.mjs` for tests, which are TypeScript. */
export function runsSideBySide(
  root: string,
  what: { readonly only?: readonly string[]; readonly isPacked: Promise<boolean> },
): readonly AsyncIterable<{
  readonly name: string;
  readonly run: () => Promise<{ readonly passed: number; readonly failed: number }>;
}>[];
