import type { Category, RetryVerdict } from "../result/explanation.ts";
import type { RetryCase } from "../result/retry-verdict.ts";

/** Meaning of one message or code. Its text may use the placeholders of the message: `{limit}`. */
export interface CatalogueEntry {
  /** Stable and unique. */
  readonly id: string;
  /** The node's texts; `{name}` stands for what varies. Compared without regard to case and to blanks at the ends. */
  readonly texts: readonly string[];
  readonly category: Category;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  /** Absent: what the code says decides. */
  readonly retry?: RetryCase | RetryVerdict;
  readonly source: string;
}

/** The common part of a group of entries and its rows: id, text or texts, title, cause, fix. */
export function group(
  shared: Pick<CatalogueEntry, "category" | "source" | "retry">,
  rows: readonly Row[],
): readonly CatalogueEntry[] {
  return rows.map(([id, texts, title, cause, fix]) => ({
    ...shared,
    id,
    texts: typeof texts === "string" ? [texts] : texts,
    title,
    cause,
    fix,
  }));
}

export type Row = readonly [id: string, texts: string | readonly string[], title: string, cause: string, fix: string];
