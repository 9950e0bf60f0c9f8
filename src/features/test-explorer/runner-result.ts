/** Result of one test of a runner. */
export interface RunnerTest {
  /** Titles of its suites, then its own. */
  readonly path: readonly string[];
  readonly state: "passed" | "failed" | "skipped";
  /** As the runner reports it, ms. */
  readonly durationMs?: number;
  readonly failure?: RunnerFailure;
}

/** Failure that a runner reports. Its texts are those of a program. */
export interface RunnerFailure {
  readonly message: string;
  /** Compared values, if the runner prints a difference. */
  readonly expected?: string;
  readonly actual?: string;
  /** Location in the test file, from 1. */
  readonly location?: { readonly line: number; readonly column: number };
}
