import type { RefusedAuthority, Short } from "../../core/permissions/authority.ts";
import {
  OWNER_ID,
  type Permission,
  type Quorum,
  type SignWeight,
  sufficientSets,
  weightOf,
} from "../../core/permissions/permissions.ts";
import { type Address, toBase58 } from "../../core/primitives/address.ts";
import { isBlank } from "../../core/primitives/plain-text.ts";
import type { PermissionIntent, PermissionKey } from "../../core/transaction/intent.ts";
import { counted } from "../forms/numbers.ts";
import type { NameOf } from "../forms/short.ts";
import { operationsText } from "./operation-words.ts";
import { partyText, quoted } from "./reviews.ts";

/** Which keys are here, and how their accounts are called. */
export interface KeysHere {
  readonly ours: ReadonlySet<Address>;
  readonly nameOf: NameOf;
}

/** A key by its name, or in full; whoever is not here is marked. */
export function keyText(address: Address, { ours, nameOf }: KeysHere): string {
  const name = nameOf(address);
  if (ours.has(address)) return name ?? toBase58(address);
  return `${partyText({ address, ...(name === undefined ? {} : { name }) })} (no key here)`;
}

/** @example joined(["A", "B", "C"], "and"); // "A, B and C" */
export function joined(texts: readonly string[], word: "and" | "or"): string {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} ${word} ${texts.at(-1)}`;
}

const MANY_SETS = 4;

/** Who reaches the threshold: "Alice alone", "any 2 of Alice, Bob and Carol", "Alice alone, or Bob and Carol together". */
export function quorumText(quorum: Quorum, here: KeysHere): string {
  const name = (address: Address): string => keyText(address, here);
  const sets = sufficientSets(quorum);
  if (sets.length === 0) return "nobody";
  if (sets.length === 1 || (sets.length <= MANY_SETS && !isEven(quorum))) {
    return sets.map((set) => setText(set.map(name))).join(", or ");
  }
  if (!isEven(quorum)) return weighedText(quorum, here);
  const keys = joined(
    quorum.keys.map(({ address }) => name(address)),
    "and",
  );
  const needed = sets[0]?.length ?? 0;
  return needed === 1 ? `each of ${keys}, alone` : `any ${needed} of ${keys}`;
}

function setText(names: readonly string[]): string {
  return names.length === 1 ? `${names[0]} alone` : `${joined(names, "and")} together`;
}

/** Whether every key weighs the same. */
function isEven({ keys }: Quorum): boolean {
  return keys.every(({ weight }) => weight === keys[0]?.weight);
}

function weighedText({ keys, threshold }: Quorum, here: KeysHere): string {
  const weighed = keys.map(({ address, weight }) => `${keyText(address, here)} (${weight})`);
  return `a weight of ${threshold} of ${joined(weighed, "and")}`;
}

/** A permission by its name and number: `owner (0)`, `“payments” (2)`. */
export function permissionText({ id, name }: Pick<Permission, "id" | "name">): string {
  if (id === OWNER_ID) return "owner (0)";
  return isBlank(name) ? `active (${id})` : `${quoted(name)} (${id})`;
}

/** What a permission allows. @param operations - absent for the owner permission, which allows everything */
export function allowedText({ operations }: Pick<PermissionIntent, "operations">): string {
  return operations === undefined ? "everything" : operationsText(operations);
}

/** Why keys here may not sign, and what would do, as sentences. */
export function authorityProblem(authority: RefusedAuthority, others: readonly Permission[], here: KeysHere): string {
  const does = others.map(permissionText);
  const instead =
    does.length === 0
      ? ""
      : ` ${joined(does, "or")} would do: choose ${does.length === 1 ? "it" : "one of them"} as the permission.`;
  return `${problemText(authority, here)}${instead}`;
}

function problemText(authority: RefusedAuthority, here: KeysHere): string {
  switch (authority.kind) {
    case "absent":
      return `The account has no permission with the number ${authority.id} that signs transactions.`;
    case "denied": {
      const { permission } = authority;
      return `The permission ${permissionText(permission)} does not allow this. It allows: ${allowedText(permission)}.`;
    }
    case "foreign": {
      const { permission } = authority;
      const which = permissionText(permission);
      return `No key here has a part in the permission ${which}. It is signed by ${quorumText(permission, here)}.`;
    }
    case "short":
      return shortText(authority, here);
  }
}

function shortText(authority: Short, here: KeysHere): string {
  const { permission, weight } = authority;
  const { threshold } = permission;
  const missing = authority.missing.map((it) => `${keyText(it.address, here)}, weight ${it.weight}`);
  const from = missing.length === 0 ? "" : `, from ${missing.join(" or ")}`;
  return `The keys here weigh ${weight} of the ${threshold} that the permission ${permissionText(permission)} needs. ${threshold - weight} more is missing${from}. Collect signatures with Export for Signature….`;
}

/** Which keys sign, where that is not simply the key of the account. */
export interface SigningWords {
  readonly permission: Permission;
  readonly signers: readonly Address[];
  readonly isUsual: boolean;
  /** The path that would tell who decides, where the gateway does not serve it: the own key is an assumption then. */
  readonly untold?: string | undefined;
  readonly here: KeysHere;
}

/** The lines of a review; none for an account whose own key decides alone. */
export function signingLines({ permission, signers, isUsual, untold, here }: SigningWords): readonly string[] {
  if (untold !== undefined) return [assumedText(untold)];
  if (isUsual) return [];
  const weight = `${weightOf(permission, signers)} of ${permission.threshold}`;
  const names = joined(
    signers.map((it) => keyText(it, here)),
    "and",
  );
  const how = `by the permission ${permissionText(permission)}, weight ${weight}`;
  return [`Signed by: ${names}, ${how}${signers.length > 1 ? ` (${counted(signers.length, "signature")})` : ""}`];
}

function assumedText(path: string): string {
  return `Signed by: the account's own key, which is assumed: the gateway does not serve ${path}, so it does not tell who may sign. If others decide over the account, the chain refuses this (SIGERROR) and nothing moves.`;
}

/** How far the signatures of a transaction have come. */
export interface SignatureWeight {
  /** As the account has it now; absent where it has none of the number that the transaction names. */
  readonly permission: Permission | undefined;
  /** Whose signatures these are: computed from the bytes. */
  readonly signers: readonly Address[];
  /** What they weigh in the permission. */
  readonly weight: bigint;
  /** Who has a part in the permission and has not signed; none when the threshold is reached. */
  readonly missing: readonly PermissionKey[];
  /** What the node says. */
  readonly live: SignWeight;
  /** Whether the bytes left before: else the node was shown no signature, and counts none. */
  readonly hasLeft: boolean;
}
