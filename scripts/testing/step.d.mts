export interface Told {
  readonly outcome: "running" | "passed" | "failed" | "skipped";
  readonly file: string;
  readonly title: string;
  readonly trouble?: string;
}

/** The types of `step.mjs` for tests, which are TypeScript. */
export function readSummary(summary: string): { readonly tests: readonly Told[]; readonly running: Told | undefined };

export function prepareOutput(root: string): void;

export function runTests(
  root: string,
  run: {
    readonly name: string;
    readonly suites: readonly string[];
    readonly args: readonly string[];
    readonly endingMs?: number;
  },
): Promise<{ readonly passed: number; readonly failed: number }>;
