import type { TrackedTransaction } from "@finality/client/tracking";
import { stateText } from "@finality/tron/errors";
import { addressIn, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import {
  accountOf,
  addressText,
  contractOf,
  type FactContext,
  searchTextOf,
  stateOf,
  tagsIn,
} from "./transaction-facts.view.ts";

/** Property that a filter compares; `text` is searched in everything. */
export const filterKinds = ["text", "state", "network", "account", "contract", "tag"] as const;

export type FilterKind = (typeof filterKinds)[number];

/** Condition of a filter. Addresses are 42 hex digits. */
export interface FilterPart {
  readonly kind: FilterKind;
  readonly value: string;
}

/** Conditions that a shown transaction meets, at most one of each kind. */
export type TransactionFilter = readonly FilterPart[];

/** Condition with the number of transactions that meet it. */
interface Facet {
  readonly part: FilterPart;
  readonly count: number;
}

/** Returns a filter with one more condition, in place of an earlier one of the same kind. */
export function narrowed(filter: TransactionFilter, part: FilterPart): TransactionFilter {
  return [...filter.filter(({ kind }) => kind !== part.kind), part];
}

/** Tests transactions of a list against filters. Stores the searched text of each until names or notes change. */
export class TransactionMatcher {
  readonly #context: FactContext;
  #texts = new WeakMap<TrackedTransaction, string>();

  constructor(context: FactContext) {
    this.#context = context;
  }

  /** Call when names, notes or networks changed. */
  forget(): void {
    this.#texts = new WeakMap();
  }

  matches(tracked: TrackedTransaction, filter: TransactionFilter): boolean {
    return filter.every((part) => this.#meets(tracked, part));
  }

  /** Returns the conditions that at least one of these transactions meets, the most frequent first within a kind. */
  facetsOf(all: readonly TrackedTransaction[]): readonly Facet[] {
    return filterKinds.flatMap((kind) => {
      const counts = new Map<string, number>();
      for (const tracked of all)
        for (const value of this.#valuesOf(tracked, kind)) counts.set(value, (counts.get(value) ?? 0) + 1);
      const facets = [...counts].map(([value, count]) => ({ part: { kind, value }, count }));
      return facets.sort((left, right) => right.count - left.count);
    });
  }

  #meets(tracked: TrackedTransaction, { kind, value }: FilterPart): boolean {
    if (kind !== "text") return this.#valuesOf(tracked, kind).includes(value);
    const text = this.#textOf(tracked);
    return wordsIn(value).every((word) => text.includes(word));
  }

  #textOf(tracked: TrackedTransaction): string {
    const known = this.#texts.get(tracked);
    if (known !== undefined) return known;
    const text = searchTextOf(tracked, this.#context);
    this.#texts.set(tracked, text);
    return text;
  }

  #valuesOf(tracked: TrackedTransaction, kind: FilterKind): readonly string[] {
    switch (kind) {
      case "text":
        return [];
      case "state":
        return [stateOf(tracked)];
      case "network":
        return [this.#context.networkOf(tracked)];
      case "account":
        return [accountOf(tracked) ?? []].flat();
      case "contract":
        return [contractOf(tracked) ?? []].flat();
      case "tag":
        return tagsIn(this.#context.noteOf(tracked.txId));
    }
  }
}

/** Words of a search, in lower case. */
function wordsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((it) => it !== "");
}

/** Describes a condition. @example "Network: Nile" */
export function partText({ kind, value }: FilterPart, { nameOf }: Pick<FactContext, "nameOf">): string {
  const address = addressIn(value);
  const named = address === undefined ? visibleLine(value, 60) : addressText(address, nameOf);
  switch (kind) {
    case "text":
      return `“${named}”`;
    case "state":
      return t`State: ${stateName(value)}`;
    case "network":
      return t`Network: ${named}`;
    case "account":
      return t`Account: ${named}`;
    case "contract":
      return t`Contract: ${named}`;
    case "tag":
      return t`Tag: ${named}`;
  }
}

/** Returns the name of a state in filters. */
function stateName(state: string): string {
  if (state === "solidified") return t`final`;
  return state === "failed" ? t`failed` : stateText(state);
}

/** Describes a filter in one line. */
export function filterText(filter: TransactionFilter, context: Pick<FactContext, "nameOf">): string {
  return filter.map((part) => partText(part, context)).join(" · ");
}
