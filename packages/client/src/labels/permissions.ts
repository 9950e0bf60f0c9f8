import { counted, type NameOf } from "@finality/tron/format";
import { type Address, defined, type Hex, isBlank, toBase58 } from "@finality/tron/primitives";
import type { PermissionIntent, PermissionKey } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { InsufficientWeight, RefusedAuthority } from "../permissions/permission-change.ts";
import {
  findOperation,
  OWNER_ID,
  operations,
  operationsIn,
  type Permission,
  type Quorum,
  type SignWeight,
  sufficientSets,
  weightOf,
} from "../permissions/permissions.ts";
import { partyText, quoted } from "./reviews.ts";

/** Groups of contract types. */
const GROUPS: readonly (readonly [words: string, numbers: readonly number[]])[] = [
  [t`payments`, [1, 2]],
  [t`contract calls`, [31]],
  [t`deployments`, [30]],
  [t`contract settings`, [33, 45, 48]],
  [t`stakes`, [54, 55, 56, 59]],
  [t`delegation of resources`, [57, 58]],
  [t`legacy stakes (Stake 1.0)`, [11, 12]],
  [t`votes`, [4]],
  [t`rewards`, [13]],
  [t`new accounts`, [0]],
  [t`account names`, [10, 19]],
  [t`issuing tokens`, [6, 9, 14, 15]],
  [t`exchanges`, [41, 42, 43, 44]],
  [t`market orders`, [52, 53]],
  [t`witness operations`, [5, 8, 49]],
  [t`proposals`, [16, 17, 18]],
  [t`shielded transfers`, [51]],
  [t`changing permissions`, [46]],
];

/** Bits of common masks that no node executes. */
const NOTHING: ReadonlySet<number> = new Set([3, 20, 32]);

/** Returns the name of a contract type. @example operationText(1); // "Transfer" */
export function operationText(number: number): string {
  return findOperation(number)?.name ?? t`contract type ${number}`;
}

/** Returns the group of a contract type. */
export function operationGroup(number: number): string {
  return GROUPS.find(([, numbers]) => numbers.includes(number))?.[0] ?? "";
}

/**
 * Returns what a mask allows: complete groups, and the rest by their protocol names. A mask that lacks little is
 * described by what it lacks.
 */
export function operationsText(mask: Hex): string {
  const present = operationsIn(mask).filter((it) => !NOTHING.has(it));
  const texts = textsOf(present);
  if (texts.length === 0) return t`nothing`;
  const absent = textsOf(operations.map(({ number }) => number).filter((it) => !present.includes(it)));
  const isComplete = present.every((it) => findOperation(it) !== undefined) && absent.length < texts.length;
  if (absent.length === 0) return t`everything`;
  return isComplete && absent.length <= MOST_EXCEPTIONS
    ? t`everything except ${absent.join(t`, `)}`
    : texts.join(t`, `);
}

const MOST_EXCEPTIONS = 4;

function textsOf(numbers: readonly number[]): readonly string[] {
  const whole = GROUPS.filter(([, all]) => all.every((it) => numbers.includes(it)));
  const named = new Set(whole.flatMap(([, all]) => all));
  return [...whole.map(([group]) => group), ...numbers.filter((it) => !named.has(it)).map(operationText)];
}

/** Returns the allowed contract types of a mask by group, as rows of a table. Unknown types have no group. */
export function operationRows(mask: Hex): readonly { readonly group: string; readonly names: readonly string[] }[] {
  const present = operationsIn(mask).filter((it) => !NOTHING.has(it));
  const groups = [...new Set(present.map(operationGroup))];
  return groups.map((group) => ({
    group,
    names: present.filter((it) => operationGroup(it) === group).map(operationText),
  }));
}

/** Keys here, and names of accounts. */
export interface KeysHere {
  readonly ours: ReadonlySet<Address>;
  readonly nameOf: NameOf;
}

/** Returns a key's name or address; a key that is not here is marked. */
export function keyText(address: Address, { ours, nameOf }: KeysHere): string {
  const name = nameOf(address);
  if (ours.has(address)) return name ?? toBase58(address);
  return t`${partyText({ address, ...defined({ name }) })} (no key here)`;
}

/** @example joined(["A", "B", "C"], "and"); // "A, B and C" */
export function joined(texts: readonly string[], word: "and" | "or"): string {
  const last = texts.at(-1) ?? "";
  if (texts.length < 2) return last;
  const first = texts.slice(0, -1).join(t`, `);
  return word === "and" ? t`${first} and ${last}` : t`${first} or ${last}`;
}

const MANY_SETS = 4;

/** Returns who reaches the threshold. @example "Alice alone, or Bob and Carol together" */
export function quorumText(quorum: Quorum, here: KeysHere): string {
  const name = (address: Address): string => keyText(address, here);
  const sets = sufficientSets(quorum);
  if (sets.length === 0) return t`no key`;
  if (sets.length === 1 || (sets.length <= MANY_SETS && !isEven(quorum))) {
    return sets.map((set) => setText(set.map(name))).join(t`, or `);
  }
  if (!isEven(quorum)) return weighedText(quorum, here);
  const keys = joined(
    quorum.keys.map(({ address }) => name(address)),
    "and",
  );
  const needed = sets[0]?.length ?? 0;
  return needed === 1 ? t`each of ${keys}, alone` : t`any ${needed} of ${keys}`;
}

function setText(names: readonly string[]): string {
  return names.length === 1 ? t`${String(names[0])} alone` : t`${joined(names, "and")} together`;
}

/** Returns whether all keys have the same weight. */
function isEven({ keys }: Quorum): boolean {
  return keys.every(({ weight }) => weight === keys[0]?.weight);
}

function weighedText({ keys, threshold }: Quorum, here: KeysHere): string {
  const weighed = keys.map(({ address, weight }) => `${keyText(address, here)} (${weight})`);
  return t`a weight of ${String(threshold)} of ${joined(weighed, "and")}`;
}

/** Describes a permission by its name and number: `owner (0)`, `“payments” (2)`. */
export function permissionText({ id, name }: Pick<Permission, "id" | "name">): string {
  if (id === OWNER_ID) return t`owner (0)`;
  return isBlank(name) ? t`active (${id})` : `${quoted(name)} (${id})`;
}

/**
 * Returns what a permission allows.
 *
 * @param operations - absent for the owner permission, which allows everything
 */
export function allowedText({ operations }: Pick<PermissionIntent, "operations">): string {
  return operations === undefined ? t`everything` : operationsText(operations);
}

/** Returns why local keys may not sign and what to do, as sentences. */
export function authorityProblem(authority: RefusedAuthority, others: readonly Permission[], here: KeysHere): string {
  const does = others.map(permissionText);
  const instead =
    does.length === 0
      ? ""
      : does.length === 1
        ? t` ${joined(does, "or")} allows it: choose it as the permission.`
        : t` ${joined(does, "or")} allow it: choose one of them as the permission.`;
  return `${problemText(authority, here)}${instead}`;
}

function problemText(authority: RefusedAuthority, here: KeysHere): string {
  switch (authority.kind) {
    case "absent":
      return t`The account has no permission with the number ${authority.id} that signs transactions.`;
    case "denied": {
      const { permission } = authority;
      return t`The permission ${permissionText(permission)} does not allow this. It allows: ${allowedText(permission)}.`;
    }
    case "foreign": {
      const { permission } = authority;
      const which = permissionText(permission);
      return t`You have no key in the permission ${which}. It is signed by ${quorumText(permission, here)}.`;
    }
    case "short":
      return shortText(authority, here);
  }
}

function shortText(authority: InsufficientWeight, here: KeysHere): string {
  const { permission, weight } = authority;
  const { threshold } = permission;
  const missing = authority.missing.map((it) => t`${keyText(it.address, here)}, weight ${String(it.weight)}`);
  const from = missing.length === 0 ? "" : t`, from ${missing.join(t` or `)}`;
  return t`Your keys have a weight of ${String(weight)} of the ${String(threshold)} that the permission ${permissionText(permission)} needs. ${String(threshold - weight)} more is missing${from}. Collect signatures with Export for Signature….`;
}

/** Signing keys, for the review. */
export interface SigningLabels {
  readonly permission: Permission;
  readonly signers: readonly Address[];
  readonly isUsual: boolean;
  /** Path that the gateway does not serve: then the own key is an assumption. */
  readonly missingPath?: string | undefined;
  readonly here: KeysHere;
}

/** Returns the signing lines of a review; none if the own key decides alone. */
export function signingLines({ permission, signers, isUsual, missingPath, here }: SigningLabels): readonly string[] {
  if (missingPath !== undefined) return [assumedText(missingPath)];
  if (isUsual) return [];
  const weight = t`${String(weightOf(permission, signers))} of ${String(permission.threshold)}`;
  const names = joined(
    signers.map((it) => keyText(it, here)),
    "and",
  );
  const how = t`by the permission ${permissionText(permission)}, weight ${weight}`;
  return [
    t`Signed by: ${names}, ${how}${signers.length > 1 ? t` (${counted(signers.length, t`signature`, t`signatures`)})` : ""}`,
  ];
}

function assumedText(path: string): string {
  return t`Signed by: the account's own key. This is an assumption, because the gateway does not serve ${path} and does not report who may sign. If other keys control the account, the chain refuses this (SIGERROR) and nothing moves.`;
}

/** Weight of a transaction's signatures. */
export interface SignatureWeight {
  /** The account's permission now; absent if it has none with this number. */
  readonly permission: Permission | undefined;
  /** Signers, recovered from the bytes. */
  readonly signers: readonly Address[];
  /** Their weight in the permission. */
  readonly weight: bigint;
  /** Keys that have not signed; none if the threshold is reached. */
  readonly missing: readonly PermissionKey[];
  /** Answer of the node. */
  readonly live: SignWeight;
  /** Set if the bytes were sent: otherwise the node counts no signature. */
  readonly hasLeft: boolean;
}
