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

/**
 * Energy that the creator of a contract pays for a call at most, where no other limit was set (`origin_energy_limit`).
 */
export const USUAL_OWNER_ENERGY_LIMIT = 10_000_000n;

/** Amounts are kept as decimal text. */
const amountInSun: Read<Sun> = (value) => sun(integerText(value));

const resource = oneOf("BANDWIDTH", "ENERGY");
export type Resource = ReadOf<typeof resource>;

/** Purpose of a stake: a resource, or votes only. */
const stakePurpose = oneOf("BANDWIDTH", "ENERGY", "TRON_POWER");
export type StakePurpose = ReadOf<typeof stakePurpose>;

/** The owner pays and, without another permission, signs. */
const owned = { owner: address };

/** Optional fields of every transaction. */
const common = {
  /** The bytes of `raw_data.data`. */
  memo: hex,
  /** 0 is the owner permission, 2 and more are active permissions. */
  permissionId: wholeNumber,
};

const permissionKey = object({ address, weight: integerText });

/** One key of a permission, with its weight. */
export type PermissionKey = ReadOf<typeof permissionKey>;

const permission = object(
  { name: text, threshold: integerText, keys: listOf(permissionKey) },
  {
    /** Active permissions alone: 32 bytes, one bit a contract type. */
    operations: hex,
  },
);

export type PermissionIntent = ReadOf<typeof permission>;

/** Reads each kind of intent, as the journal keeps it. */
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
      /** The caller's part of the energy, 0 to 100. */
      userPercent: integerText,
      /** Energy that the owner pays at most. */
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
      /** Blocks during which it cannot be taken back; absent is not locked. */
      lockPeriod: integerText,
      /** `lock_period` of bytes that do not lock: the chain ignores it. */
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
      /** `support` of the bytes: the chain ignores it. */
      ignoredSupport: mark,
    },
  ),
  /** Votes earn, and a witness does. */
  "claim-reward": object(owned, common),
  "account-creation": object({ ...owned, account: address }, common),
  "account-name": object({ ...owned, name: text }, common),
  /** The caller's part of the energy, 0 to 100. */
  "contract-share": object({ ...owned, contract: address, userPercent: integerText }, common),
  /** Energy that the owner pays at most for one call. */
  "contract-limit": object({ ...owned, contract: address, originEnergyLimit: integerText }, common),
  "contract-abi-removal": object({ ...owned, contract: address }, common),
  /** A contract type that this package does not build: its type name and its unchanged message. */
  other: object({ ...owned, type: text, parameter: hex, feeLimit: amountInSun }, common),
};

/** Reads an intent as the journal keeps it. */
export const readIntent = byKind(intentKinds);

/** Intent of the user, before a transaction is built. Amounts are in sun. */
export type Intent = ReadOf<typeof readIntent>;

export type IntentOf<K extends Intent["kind"]> = Extract<Intent, { readonly kind: K }>;
