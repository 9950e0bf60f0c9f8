import { t } from "@vscode/l10n";
import { accountMessages } from "./account-messages.ts";
import { admissionMessages } from "./admission-messages.ts";
import { clientMessages, walletMessages } from "./client-messages.ts";
import { contractMessages, executionMessages } from "./contract-messages.ts";
import { exchangeMessages } from "./exchange-messages.ts";
import { httpSymptoms } from "./network-messages.ts";
import { programMessages } from "./program-messages.ts";
import { generalMessages, requestMessages } from "./request-messages.ts";
import { rpcMessages } from "./rpc-messages.ts";
import { setupMessages } from "./setup-messages.ts";
import { committeeMessages, stakeMessages } from "./stake-messages.ts";
import {
  type Captures,
  type CatalogueEntry,
  comparable,
  type FixedBounds,
  findWithin,
  matchWhole,
  type Template,
  templateOf,
  wordsIn,
} from "./template.ts";
import { tokenMessages } from "./token-messages.ts";
import { toolMessages } from "./tool-messages.ts";
import { topicMessages } from "./topic-messages.ts";

/** All known messages with their texts. */
export const messageEntries: readonly CatalogueEntry[] = [
  ...admissionMessages,
  ...accountMessages,
  ...stakeMessages,
  ...contractMessages,
  ...tokenMessages,
  ...committeeMessages,
  ...executionMessages,
  ...requestMessages,
  ...toolMessages,
  ...rpcMessages,
  ...walletMessages,
  ...clientMessages,
  ...setupMessages,
  ...programMessages,
  ...exchangeMessages,
  ...topicMessages,
];

/** Entries with common words: inside a text they count only if it refers to the chain. */
const COMMON: ReadonlySet<string> = new Set([
  "permission-denied",
  "json-syntax",
  "json-state",
  "json-unclosed",
  "json-not-an-object",
  "body-empty",
  "identifier-expected",
  "string-expected",
  "value-expected",
  "integer-out-of-range",
  "number-malformed",
  "number-overflow",
  "value-unusable",
  "field-unreadable",
  "hex-undecodable",
  "null-address",
  "null-field",
  "vm-unknown",
  "vm-jvm-stack",
  "protobuf-malformed",
  "address-unreadable",
  "tool-funds",
  "tool-empty-answer",
  "signature-error",
  "signature-unreadable",
  "signed-twice",
  "body-too-big",
]);

/** Returns true if the text of an entry is common to programs of all kinds. */
export function isCommon({ id }: CatalogueEntry): boolean {
  return COMMON.has(id);
}

export interface MessageMatch {
  readonly entry: CatalogueEntry;
  readonly captures: Captures;
}

/** Returns the catalogue entry with an id, or the entry for unknown messages. */
export function entryOf(id: string): CatalogueEntry {
  return byId.get(id) ?? unknownEntry;
}

const unknownEntry: CatalogueEntry = {
  id: "generic-unknown",
  texts: [],
  category: "none",
  title: t`Not recognised`,
  cause: t`This is not a message of the chain, the gateway or a contract.`,
  fix: t`Open the whole answer, or paste it.`,
  retry: "nothing-to-retry",
  source: "none",
};

/**
 * Returns the entry whose text this message is, the most specific one first.
 *
 * @param message - Decoded, without the prefixes that `stripPrefix` removes.
 * @param weak - Also matches texts that consist mostly of placeholders, if the node is known to be the source.
 */
export function matchMessage(message: string, weak = false): MessageMatch | undefined {
  const text = comparable(message.slice(0, MAX_MESSAGE));
  for (const { entry, template } of rowsNamedIn(wordsIn(text))) {
    if (template.weight < MIN_WEIGHT && !weak) break;
    const captures = matchWhole(template, text);
    if (captures !== undefined) return { entry, captures };
  }
  return undefined;
}

/**
 * Returns the only entry that the beginning of a message matches: its end is missing, or other words follow.
 *
 * @param least - Number of characters after which the beginning counts.
 */
export function matchBeginning(message: string, least: number): MessageMatch | undefined {
  const { lower } = comparable(message.slice(0, MAX_MESSAGE));
  const rows = fixedRows.filter(
    ({
      template: {
        parts: [text = ""],
      },
    }) => {
      const length = sharedLength(lower, text);
      return length >= least && !/[a-z]/.test(lower[length] ?? "");
    },
  );
  const [entry, ...others] = new Set(rows.map((row) => row.entry));
  return entry === undefined || others.length > 0 ? undefined : { entry, captures: {} };
}

/** Returns the number of equal characters at the beginning of two texts. */
function sharedLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}

/**
 * Returns the most specific entry whose text a message ends with: nodes put the name of the validated contract before
 * it.
 */
export function matchEnd(message: string): MessageMatch | undefined {
  const line = message.slice(0, MAX_MESSAGE);
  for (const { entry, template, start, isTelling } of entriesIn(line)) {
    const captures = isTelling ? matchWhole(template, comparable(line.slice(start))) : undefined;
    if (captures !== undefined) return { entry, captures };
  }
  return undefined;
}

/** Returns the general form of a message that is known to be a validation of the node. */
export function matchForm(message: string): MessageMatch | undefined {
  const text = comparable(message.slice(0, MAX_MESSAGE));
  for (const { entry, template } of forms) {
    const captures = matchWhole(template, text);
    if (captures !== undefined) return { entry, captures };
  }
  return undefined;
}

/** Entry whose fixed parts are all in a line, with their positions. */
export interface MessagePart extends FixedBounds {
  readonly entry: CatalogueEntry;
  readonly template: Template;
  readonly weight: number;
  /** True if the fixed parts are long enough to match within other words. */
  readonly isTelling: boolean;
}

/**
 * Returns the entries whose fixed parts are in a line, the most specific one first.
 *
 * @param above - Only entries with a larger weight.
 */
export function* entriesIn(line: string, above = 0): Generator<MessagePart> {
  const text = comparable(line);
  const words = wordsIn(text);
  for (const { entry, template } of rowsNamedIn(words)) {
    const { weight } = template;
    if (weight < MIN_WEIGHT || weight <= above) return;
    const part = findWithin(template, text);
    if (part !== undefined) yield { ...part, entry, template, weight, isTelling: weight >= MIN_WEIGHT_WITHIN };
  }
}

/** Inserts the values of the placeholders into a text. */
export function fill(words: string, captures: Captures): string {
  return words.replace(/\{([A-Za-z]+)\}/g, (gap, name: string) => captures[name] ?? gap);
}

const MAX_MESSAGE = 4096;
const MIN_WEIGHT = 8;
const MIN_WEIGHT_WITHIN = 14;

interface CatalogueRow {
  readonly entry: CatalogueEntry;
  readonly template: Template;
  /** Index in the catalogue, the most specific row first. */
  readonly rank: number;
}

const rowsByKey: ReadonlyMap<string | undefined, readonly CatalogueRow[]> = Map.groupBy(
  rowsOf(messageEntries),
  ({ template }) => template.key,
);

/** Returns the rows that a text with these words may match, the most specific one first. */
function rowsNamedIn(words: ReadonlySet<string>): readonly CatalogueRow[] {
  const named = [...(rowsByKey.get(undefined) ?? [])];
  for (const word of words) {
    const rows = rowsByKey.get(word);
    if (rows !== undefined) named.push(...rows);
  }
  return named.sort((left, right) => left.rank - right.rank);
}
const forms = rowsOf(generalMessages);
/** Rows whose text has no placeholder. */
const fixedRows = rowsOf(messageEntries).filter(({ template }) => template.parts.length === 1);

/** Sorts the most specific texts first. */
function rowsOf(entries: readonly CatalogueEntry[]): readonly CatalogueRow[] {
  return entries
    .flatMap((entry) => entry.texts.map((text) => ({ entry, template: templateOf(text) })))
    .sort((left, right) => right.template.weight - left.template.weight)
    .map((row, rank) => ({ ...row, rank }));
}

const byId: ReadonlyMap<string, CatalogueEntry> = new Map(
  [...messageEntries, ...httpSymptoms].map((entry) => [entry.id, entry]),
);
