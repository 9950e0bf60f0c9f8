import type { ExplainContext } from "./result/explanation.ts";
import type { Finding } from "./words/finding.ts";

/** Knows one kind of input: what it means, or undefined for any other kind. Total, and in time linear in the input. */
export type Recogniser<T> = (input: T, context: ExplainContext) => Finding | undefined;

/** What the first recogniser says that knows the input; a table is in order, and a kind that says more stands first. */
export function firstOf<T>(table: readonly Recogniser<T>[], input: T, context: ExplainContext): Finding | undefined {
  for (const recognise of table) {
    const finding = recognise(input, context);
    if (finding !== undefined) return finding;
  }
  return undefined;
}
