import { isJsonObject, type Json, printJson, wholeNumberIn } from "@finality/tron/primitives";
import { listOf, objectOf } from "../explain/decode/json.ts";

/** Variable in the storage of a contract. */
export interface StorageVariable {
  readonly label: string;
  /** As Solidity writes it. */
  readonly type: string;
  /** Number of the slot, decimal. */
  readonly slot: string;
  /** First byte in the slot. */
  readonly offset: number;
  readonly bytes: number;
}

/** Place in the storage that two versions of a contract use for different variables. */
export interface StorageCollision {
  readonly slot: string;
  readonly before: StorageVariable;
  readonly after: StorageVariable;
}

/** Check of an upgrade by OpenZeppelin's rules. */
export interface UpgradeCheck {
  /** Storage of the current implementation; undefined for a first deployment. */
  readonly before: readonly StorageVariable[] | undefined;
  readonly after: readonly StorageVariable[];
  /** Reasons why the code is unsafe behind a proxy, as OpenZeppelin names them, each with its place in the source. */
  readonly errors: readonly { readonly kind: string; readonly source: string }[];
  /** Changes of the storage that are refused, in the words of OpenZeppelin; empty if the layouts are compatible. */
  readonly storageErrors: readonly string[];
}

/** Reads the result of a check that ran in a process of its own. @throws {TypeError} it is none */
export function readUpgradeCheck(json: Json): UpgradeCheck {
  if (!isJsonObject(json) || !Array.isArray(json.errors)) throw new TypeError(printJson(json));
  return {
    before: json.before === null || json.before === undefined ? undefined : variablesOf(json.before),
    after: variablesOf(json.after ?? null),
    errors: listOf(json.errors).map((it) => {
      const { kind, source } = objectOf(it);
      return { kind: String(kind), source: String(source) };
    }),
    storageErrors: listOf(json.storageErrors ?? null).map(String),
  };
}

function variablesOf(json: Json): readonly StorageVariable[] {
  return listOf(json).map((it) => {
    const { label, type, slot, offset, bytes } = objectOf(it);
    return {
      label: String(label),
      type: String(type),
      slot: String(slot),
      offset: Number(offset ?? 0),
      bytes: Number(bytes ?? 0),
    };
  });
}

/** Returns whether an upgrade may be signed. */
export function isUpgradeSafe({ errors, storageErrors }: UpgradeCheck): boolean {
  return errors.length === 0 && storageErrors.length === 0;
}

/** Returns the places that a variable had before and another variable, or another type, has after the upgrade. */
export function storageCollisions({ before = [], after }: UpgradeCheck): readonly StorageCollision[] {
  return before.flatMap((one) =>
    after
      .filter(
        (other) => overlap(one, other) && !(one.label === other.label && one.type === other.type && isAt(one, other)),
      )
      .map((other) => ({ slot: later(one.slot, other.slot), before: one, after: other })),
  );
}

/** Returns variables of the new version that use storage which the old one did not. */
export function addedVariables({ before = [], after }: UpgradeCheck): readonly StorageVariable[] {
  return after.filter((it) => !before.some((other) => overlap(it, other)));
}

function isAt(one: StorageVariable, other: StorageVariable): boolean {
  return one.slot === other.slot && one.offset === other.offset;
}

const SLOT_BYTES = 32n;

function overlap(one: StorageVariable, other: StorageVariable): boolean {
  const [a, b] = [startOf(one), startOf(other)];
  return a < b + BigInt(other.bytes) && b < a + BigInt(one.bytes);
}

function startOf({ slot, offset }: StorageVariable): bigint {
  return slotNumber(slot) * SLOT_BYTES + BigInt(offset);
}

function slotNumber(slot: string): bigint {
  return wholeNumberIn(slot) ?? 0n;
}

function later(one: string, other: string): string {
  return slotNumber(one) > slotNumber(other) ? one : other;
}
