import type { RetryVerdict } from "../../packages/client/src/explain/explanation.ts";

export interface Meaning {
  readonly category: string;
  readonly code: string;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly verdict: RetryVerdict;
  readonly sources: readonly string[];
}

export function explainText(text: string): Promise<{ readonly whole: Meaning; readonly findings: readonly Meaning[] }>;
