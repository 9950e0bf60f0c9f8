import { t } from "@vscode/l10n";
import { ChainError, isChainError } from "../errors/chain-error.ts";
import { type Address, parseAddress, toBase58 } from "./address.ts";
import { record, tryRead } from "./read.ts";

/** Invisible characters and characters that change the text direction: a name with one looks like another name. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;
/** Variation selector of emojis; not a part of the name. */
const DRAWN_AS_EMOJI = /\uFE0F/g;
/** Cyrillic and Greek letters that look like a Latin one, with that letter. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [..."аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwвbкkмmнhтtαaβbεeηnιiκkνvοoρpτtυuχxγy".matchAll(/(.)(.)/gu)].map(
    ([, letter = "", latin = ""]) => [letter, latin],
  ),
);

/** Normalizes a name: trims it, and reduces spaces in it to one. */
export function cleanLabel(text: string): string {
  return text.replace(DRAWN_AS_EMOJI, "").replace(/\s+/g, " ").trim();
}

/**
 * Returns the key of a name for comparison. Names that people cannot distinguish by case, blanks, width or alphabet
 * share it.
 */
export function labelKey(label: string): string {
  const plain = label.normalize("NFKC").toLowerCase().replace(/\s+/g, "");
  return [...plain]
    .filter((character) => !UNSEEN.test(character))
    .map((character) => LOOKALIKES.get(character) ?? character)
    .join("");
}

/** Returns the problem of a label, or undefined if it is valid. */
export function labelFault(text: string, taken: readonly string[]): "empty" | "unseen" | "taken" | undefined {
  const label = cleanLabel(text);
  if (UNSEEN.test(label)) return "unseen";
  const key = labelKey(label);
  if (key === "") return "empty";
  return taken.some((it) => labelKey(it) === key) ? "taken" : undefined;
}

/** Returns the name, or with the first number that makes it unique: "Savings 2". */
export function freeLabel(text: string, taken: readonly string[]): string {
  const label = cleanLabel(text);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? label : `${label} ${number}`;
    if (labelFault(candidate, taken) !== "taken") return candidate;
  }
}

/** Address with its name. */
export interface NamedAddress {
  readonly address: Address;
  readonly name: string;
}

/** Address of the address book. */
export interface KnownName extends NamedAddress {
  /** Previous address of the name, if the settings changed. The name is not trusted until the user confirms it. */
  readonly was?: Address;
}

/** Usable names, and the problems of the others. */
export interface ParsedNames {
  readonly names: readonly NamedAddress[];
  readonly problems: readonly ChainError[];
}

/** Maximum size of an address book, because each name is compared with all others. */
const MOST_NAMES = 2_000;
const LONGEST_NAME = 40;

/** Text that looks like an address or a part of one. */
const LIKE_AN_ADDRESS = /T[1-9A-HJ-NP-Za-km-z]{5,}…|…[1-9A-HJ-NP-Za-km-z]{4}|T[1-9A-HJ-NP-Za-km-z]{24,}|[0-9a-f]{30,}/i;
const LIKE_A_LINK = /:\/\/|www\.|\]\(|command:/i;

/**
 * Parses names: an object whose fields are addresses, base58 or hex, each with a name. One bad entry never hides the
 * others.
 *
 * @param location - Setting or file, for the message.
 */
export function parseNames(value: unknown, location: string): ParsedNames {
  if (value === undefined || value === null) return { names: [], problems: [] };
  const fields = tryRead(record, value);
  if (fields === undefined) return refused(location, t`it must be an object such as { "T…": "Rewards" }`);
  const entries = Object.entries(fields);
  if (entries.length > MOST_NAMES) return refused(location, t`it has ${entries.length} names, more than ${MOST_NAMES}`);
  const names = new Map<Address, string>();
  const problems: ChainError[] = [];
  for (const [key, name] of entries) {
    const read = readName(key, name);
    if (typeof read === "string") problems.push(malformed(`${location}[${JSON.stringify(key.slice(0, 50))}]`, read));
    else if (names.has(read.address)) problems.push(malformed(location, t`${toBase58(read.address)} occurs twice`));
    else names.set(read.address, read.name);
  }
  return { names: [...names].map(([address, name]) => ({ address, name })), problems };
}

/**
 * Returns the problem of a name, as the rest of a sentence; undefined if it is valid. Other names are not considered.
 */
export function nameProblem(text: string): string | undefined {
  const fault = labelFault(text, []);
  if (fault === "empty") return t`a name needs letters or digits`;
  if (fault === "unseen") return t`it has invisible characters`;
  if (LIKE_AN_ADDRESS.test(text)) return t`it looks like an address itself, and could be taken for another one`;
  if (LIKE_A_LINK.test(text)) return t`it looks like a link`;
  if (cleanLabel(text).length > LONGEST_NAME) return t`it is longer than ${LONGEST_NAME} characters`;
  return undefined;
}

/** @returns the reason why it cannot be used, as the rest of a sentence */
function readName(key: string, name: unknown): NamedAddress | string {
  if (typeof name !== "string") return t`a name must be text`;
  const problem = nameProblem(name);
  if (problem !== undefined) return problem;
  try {
    return { address: parseAddress(key.trim()), name: cleanLabel(name) };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return error.message.replace(/[.。]$/, "");
  }
}

function refused(location: string, reason: string): ParsedNames {
  return { names: [], problems: [malformed(location, reason)] };
}

function malformed(setting: string, reason: string): ChainError {
  return new ChainError("SETTING_MALFORMED", { setting, reason });
}
