/** The types of `suites.mjs` for tests, which are TypeScript. */
export function runsSideBySide(
  root: string,
  what: { readonly only?: readonly string[]; readonly isPacked: Promise<boolean> },
): { readonly lanes: readonly AsyncIterable<Run>[]; readonly repeats: readonly Run[] };

interface Run {
  readonly name: string;
  readonly run: () => Promise<{ readonly passed: number; readonly failed: number }>;
}
