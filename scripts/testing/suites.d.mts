export interface Run {
  readonly name: string;
  run(): Promise<{ readonly passed: number; readonly failed: number }>;
}

/** The types of `suites.mjs` for tests, which are TypeScript. */
export const SLOWEST_FIRST: readonly string[];
export const SHARED_WORKBENCHES: readonly (readonly string[])[];
export function runsSideBySide(
  root: string,
  what: { readonly only?: readonly string[]; readonly isPacked: Promise<boolean> },
): readonly AsyncIterable<Run>[];
