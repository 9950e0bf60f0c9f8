import { t } from "@vscode/l10n";
import {
  type DecodedField,
  type ExplainContext,
  type Explanation,
  type RetryVerdict,
  verdictOf,
  verdictOfRequest,
} from "./explanation.ts";
import { fill } from "./messages/catalogue.ts";
import type { Captures, CatalogueEntry } from "./messages/template.ts";

/** Explanation before the raw text is added. */
export type Diagnosis = Omit<Explanation, "raw">;

/** Fields that an explainer adds to the texts of an entry, or that replace them. */
export type Details = Partial<Diagnosis>;

export type CodedDetails = Details & Pick<Diagnosis, "code">;

/** Returns the texts of an entry with filled placeholders. */
export function diagnosisOf(entry: CatalogueEntry, captures: Captures, details: CodedDetails): Diagnosis {
  return {
    category: entry.category,
    entry: entry.id,
    title: fill(entry.title, captures),
    cause: fill(entry.cause, captures),
    fix: fill(entry.fix, captures),
    retry: retryOf(entry),
    decoded: [],
    sources: [entry.source],
    candidates: [],
    ...details,
  };
}

/** Returns text of the chain for use in a sentence: one line, shortened. */
export function clip(text: string, length = 300): string {
  const line = text.slice(0, length).replace(/[\s\p{Cc}]+/gu, " ");
  return text.length <= length ? line : `${line}…`;
}

/** Returns a diagnosis without an entry, for recognised text that is no failure. */
export function plainDiagnosis(
  code: string,
  texts: Pick<Diagnosis, "title" | "cause" | "fix">,
  details: Details = {},
): Diagnosis {
  return {
    category: "none",
    code,
    entry: code.toLowerCase().replaceAll("_", "-"),
    retry: verdictOf("nothing-to-retry"),
    decoded: [],
    sources: [],
    candidates: [],
    ...texts,
    ...details,
  };
}

/** Returns the retry verdict of an entry. For an entry without its own verdict, the cause has to be corrected. */
export function retryOf({ retry }: CatalogueEntry): RetryVerdict {
  if (retry === undefined) return verdictOf("fix-request");
  return typeof retry === "string" ? verdictOf(retry) : retry;
}

/** Returns the same for a request that the node refused with a message. */
export function retryOfRequest(entry: CatalogueEntry, message: string): RetryVerdict {
  return entry.retry === undefined ? verdictOfRequest(message) : retryOf(entry);
}

/** Source of recognised content outside the catalogue: addresses, blocks, transactions, hex, results of a run. */
export const READ_DATA = "what is read";

/** Fix text for input without a failure. */
export const NOTHING_TO_DO = t`No action is needed.`;

/** Returns one decoded line; none if there is nothing to show. */
export function field(
  name: string,
  value: string | number | bigint | undefined,
  kind: DecodedField["kind"] = "text",
): readonly DecodedField[] {
  return value === undefined || value === "" ? [] : [{ name, value: String(value), kind }];
}

/** Decoded field for a text that ends too early. */
export const cutField = field(t`cut off`, t`the text ends before the answer does; what is missing is not known`);

/** Explains one kind of input; returns undefined for any other kind. Total, and in time linear in the input. */
export type Explainer<T> = (input: T, context: ExplainContext) => Diagnosis | undefined;

/**
 * Returns the diagnosis of the first explainer that knows the input. A table is in order: kinds that give more
 * information come first.
 */
export function firstOf<T>(table: readonly Explainer<T>[], input: T, context: ExplainContext): Diagnosis | undefined {
  for (const explainer of table) {
    const diagnosis = explainer(input, context);
    if (diagnosis !== undefined) return diagnosis;
  }
  return undefined;
}
