import { type Address, parseAddress, toBase58 } from "../primitives/address.ts";
import type { Intent } from "./intent.ts";

/** As many characters at each end of an address as people compare; its first one is always T. */
const COMPARED_AT_START = 4;
const COMPARED_AT_END = 4;

/** `transfer`, `approve` and the recipient of `transferFrom`: which word of the arguments is the other party. */
const PARTY_IN_WORD: { readonly [selector: string]: number } = { a9059cbb: 0, "095ea7b3": 0, "23b872dd": 1 };
const SELECTOR_LENGTH = 8;
const WORD_LENGTH = 64;
const ADDRESS_LENGTH = 40;

/**
 * The accounts that look like another one where people see the two ends of it: the same first and last characters with
 * another middle. Such addresses are made to be copied from a history by mistake.
 */
export function lookalikesOf(address: Address, known: Iterable<Address>): readonly Address[] {
  const ends = endsOf(address);
  return [...new Set(known)].filter((it) => it !== address && endsOf(it) === ends);
}

/** Returns the recipients and approved spenders of an intent. */
export function partiesOf(intent: Intent): readonly Address[] {
  switch (intent.kind) {
    case "transfer":
    case "token-transfer":
      return [intent.to];
    case "delegate":
    case "undelegate":
      return [intent.receiver];
    case "contract-call":
      return partyInCall(intent.data);
    default:
      return [];
  }
}

function endsOf(address: Address): string {
  const text = toBase58(address);
  return `${text.slice(0, COMPARED_AT_START)} ${text.slice(-COMPARED_AT_END)}`;
}

function partyInCall(data: string): readonly Address[] {
  const at = PARTY_IN_WORD[data.slice(0, SELECTOR_LENGTH)];
  if (at === undefined) return [];
  const end = SELECTOR_LENGTH + (at + 1) * WORD_LENGTH;
  const digits = data.slice(end - ADDRESS_LENGTH, end);
  return digits.length === ADDRESS_LENGTH ? [parseAddress(`41${digits}`)] : [];
}
