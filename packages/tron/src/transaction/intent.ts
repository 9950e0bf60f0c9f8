import { type Address, parseAddress, toBase58 } from "../primitives/address.ts";
import { type Sun, sun } from "../primitives/amount.ts";
import {
  address,
  byKind,
  hex,
  integerText,
  listOf,
  mark,
  object,
  oneOf,
  type Read,
  type ReadOf,
  text,
  wholeNumber,
} from "../primitives/read.ts";

/** Default of `origin_energy_limit`: maximum energy that the creator of a contract pays for a call. */
export const USUAL_OWNER_ENERGY_LIMIT = 10_000_000n;

/** Amounts are stored as decimal text. */
const amountInSun: Read<Sun> = (value) => sun(integerText(value));

const resource = oneOf("BANDWIDTH", "ENERGY");
export type Resource = ReadOf<typeof resource>;

/** Purpose of a stake: a resource, or votes only. */
const stakePurpose = oneOf("BANDWIDTH", "ENERGY", "TRON_POWER");
export type StakePurpose = ReadOf<typeof stakePurpose>;

/** Account that pays and, without another permission, signs. */
const owned = { owner: address };

/** Optional fields of every transaction. */
const common = {
  /** Bytes of `raw_data.data`. */
  memo: hex,
  /** 0 is the owner permission, 2 and above are active permissions. */
  permissionId: wholeNumber,
};

const permissionKey = object({ address, weight: integerText });

/** Key of a permission, with its weight. */
export type PermissionKey = ReadOf<typeof permissionKey>;

const permission = object(
  { name: text, threshold: integerText, keys: listOf(permissionKey) },
  {
    /** Only for active permissions: 32 bytes, one bit per contract type. */
    operations: hex,
  },
);

export type PermissionIntent = ReadOf<typeof permission>;

/** Parses each kind of intent, as the journal stores it. */
export const intentKinds = {
  transfer: object({ ...owned, to: address, amount: amountInSun }, common),
  "token-transfer": object({ ...owned, to: address, tokenId: text, amount: integerText }, common),
  "contract-call": object(
    { ...owned, contract: address, data: hex, callValue: amountInSun, feeLimit: amountInSun },
    { ...common, tokenId: integerText, tokenValue: integerText },
  ),
  "contract-creation": object(
    {
      ...owned,
      name: text,
      bytecode: hex,
      abi: hex,
      callValue: amountInSun,
      feeLimit: amountInSun,
      /** Caller's share of the energy, 0 to 100. */
      userPercent: integerText,
      /** Maximum energy that the owner pays. */
      originEnergyLimit: integerText,
    },
    common,
  ),
  stake: object({ ...owned, resource: stakePurpose, amount: amountInSun }, common),
  unstake: object({ ...owned, resource: stakePurpose, amount: amountInSun }, common),
  withdraw: object(owned, common),
  "cancel-unstakes": object(owned, common),
  delegate: object(
    { ...owned, resource, amount: amountInSun, receiver: address },
    {
      ...common,
      /** Lock period in blocks; undefined for none. */
      lockPeriod: integerText,
      /** `lock_period` of bytes that do not lock, which the chain ignores. */
      ignoredLockPeriod: integerText,
    },
  ),
  undelegate: object({ ...owned, resource, amount: amountInSun, receiver: address }, common),
  "permission-update": object(
    { ...owned, ownerPermission: permission, activePermissions: listOf(permission) },
    { ...common, witnessPermission: permission },
  ),
  vote: object(
    { ...owned, votes: listOf(object({ witness: address, count: integerText })) },
    {
      ...common,
      /** `support` of the bytes, which the chain ignores. */
      ignoredSupport: mark,
    },
  ),
  /** Withdraws rewards of votes and of a witness. */
  "claim-reward": object(owned, common),
  "account-creation": object({ ...owned, account: address }, common),
  "account-name": object({ ...owned, name: text }, common),
  /** Caller's share of the energy, 0 to 100. */
  "contract-share": object({ ...owned, contract: address, userPercent: integerText }, common),
  /** Maximum energy that the owner pays for one call. */
  "contract-limit": object({ ...owned, contract: address, originEnergyLimit: integerText }, common),
  "contract-abi-removal": object({ ...owned, contract: address }, common),
  /** Contract type that this package does not build: its type name and its unchanged message. */
  other: object({ ...owned, type: text, parameter: hex, feeLimit: amountInSun }, common),
};

/** Parses an intent from the journal. */
export const readIntent = byKind(intentKinds);

/** Intent of the user, before a transaction is built. Amounts are in sun. */
export type Intent = ReadOf<typeof readIntent>;

export type IntentOf<K extends Intent["kind"]> = Extract<Intent, { readonly kind: K }>;

/** Number of characters at each end of an address that users compare; the first one is always T. */
const COMPARED_AT_START = 4;
const COMPARED_AT_END = 4;

/** `transfer`, `approve` and the recipient of `transferFrom`: which argument is the other party. */
const PARTY_IN_WORD: { readonly [selector: string]: number } = { a9059cbb: 0, "095ea7b3": 0, "23b872dd": 1 };
const SELECTOR_LENGTH = 8;
const WORD_LENGTH = 64;
const ADDRESS_LENGTH = 40;

/**
 * Returns accounts that look like another one at the two ends: the same first and last characters with a different
 * middle. Such addresses are made so that users copy them from a history by mistake.
 */
export function lookalikesOf(address: Address, named: Iterable<Address>): readonly Address[] {
  const ends = addressEnds(address);
  return [...new Set(named)].filter((it) => it !== address && addressEnds(it) === ends);
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

/** Returns the characters at the two ends of an address, which are equal for addresses that look alike. */
export function addressEnds(address: Address): string {
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
