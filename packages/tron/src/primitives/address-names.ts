import { t } from "@vscode/l10n";
import { ChainError, isChainError } from "../errors/chain-error.ts";
import { type Address, parseAddress, toBase58 } from "./address.ts";
import { cleanLabel, labelFault } from "./label.ts";
import { record, tryRead } from "./read.ts";

/** An address and what it is called. */
export interface NamedAddress {
  readonly address: Address;
  readonly name: string;
}

/** An address of the book. */
export interface KnownName extends NamedAddress {
  /** Previous address of the name, if the settings changed. The name is not trusted until the user confirms it. */
  readonly was?: Address;
}

/** The names that can be used, and what is wrong with the others. */
export interface ParsedNames {
  readonly names: readonly NamedAddress[];
  readonly problems: readonly ChainError[];
}

/** More is no address book that a person wrote, and each name is compared with all others. */
const MOST_NAMES = 2_000;
const LONGEST_NAME = 40;

/** Text that looks like an address or a part of one. */
const LIKE_AN_ADDRESS = /T[1-9A-HJ-NP-Za-km-z]{5,}…|…[1-9A-HJ-NP-Za-km-z]{4}|T[1-9A-HJ-NP-Za-km-z]{24,}|[0-9a-f]{30,}/i;
const LIKE_A_LINK = /:\/\/|www\.|\]\(|command:/i;

/**
 * Reads names: an object whose fields are addresses, base58 or hex, with a name each. One bad entry never hides the
 * others.
 *
 * @param place - the setting or file, for the message
 */
export function parseNames(value: unknown, place: string): ParsedNames {
  if (value === undefined || value === null) return { names: [], problems: [] };
  const fields = tryRead(record, value);
  if (fields === undefined) return refused(place, t`it has to be an object such as { "T…": "Rewards" }`);
  const entries = Object.entries(fields);
  if (entries.length > MOST_NAMES) return refused(place, t`it has ${entries.length} names, more than ${MOST_NAMES}`);
  const names = new Map<Address, string>();
  const problems: ChainError[] = [];
  for (const [key, name] of entries) {
    const read = readName(key, name);
    if (typeof read === "string") problems.push(malformed(`${place}[${JSON.stringify(key.slice(0, 50))}]`, read));
    else if (names.has(read.address)) problems.push(malformed(place, t`${toBase58(read.address)} is there twice`));
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

/** @returns why it cannot be used, as the rest of a sentence */
function readName(key: string, name: unknown): NamedAddress | string {
  if (typeof name !== "string") return t`a name has to be text`;
  const problem = nameProblem(name);
  if (problem !== undefined) return problem;
  try {
    return { address: parseAddress(key.trim()), name: cleanLabel(name) };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return error.message.replace(/[.。]$/, "");
  }
}

function refused(place: string, reason: string): ParsedNames {
  return { names: [], problems: [malformed(place, reason)] };
}

function malformed(setting: string, reason: string): ChainError {
  return new ChainError("SETTING_MALFORMED", { setting, reason });
}
