import {
  type AccountPermissions,
  findOperation,
  maskOf,
  type PermissionSet,
  permissionSetOf,
} from "@finality/client/permissions";
import { type Hex, hex, isJsonObject, type Json, type JsonObject, wholeNumberIn } from "@finality/tron/primitives";
import type { PermissionIntent, PermissionKey } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { exactNumber, malformedArgument, readParty } from "../../host/commands/command-arguments.ts";
import { presetsFor } from "./draft.view.ts";
import type { PermissionContext } from "./services.ts";

/** Accounts and current permissions. */
interface EditContext {
  readonly place: Pick<PermissionContext, "accounts">;
  readonly before: AccountPermissions;
}

/**
 * Parses the argument `permissions`: omitted parts stay unchanged.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function readPermissionSet(json: Json, edited: EditContext): PermissionSet {
  const { owner, witness, actives, ...unknown } = objectAt(json, "permissions");
  const [other] = Object.keys(unknown);
  if (other !== undefined) throw malformed(other, t`is not known; write "owner", "witness" or "actives"`);
  const set = permissionSetOf(edited.before);
  return {
    ...set,
    ...(owner !== undefined && { ownerPermission: permissionOf(owner, "owner", edited, set.ownerPermission) }),
    ...(witness !== undefined && {
      witnessPermission: permissionOf(witness, "witness", edited, set.witnessPermission),
    }),
    ...(actives !== undefined && { activePermissions: activesOf(actives, edited) }),
  };
}

function activesOf(json: Json, edited: EditContext): readonly PermissionIntent[] {
  if (!Array.isArray(json)) throw malformed("actives", t`must be a list`);
  return (json as readonly Json[]).map((it, index) => {
    const path = `actives[${index}]`;
    const { operations, ...permission } = objectAt(it, path);
    return {
      ...permissionOf(permission, path, edited),
      operations: operationsOf(operations, `${path}.operations`, edited),
    };
  });
}

function permissionOf(json: Json, path: string, edited: EditContext, before?: PermissionIntent): PermissionIntent {
  const { name, threshold = before?.threshold.toString() ?? 1, keys, ...unknown } = objectAt(json, path);
  const [other] = Object.keys(unknown);
  if (other !== undefined) throw malformed(`${path}.${other}`, t`is not known; write "name", "threshold" and "keys"`);
  return {
    name: typeof name === "string" ? name : (before?.name ?? path.replace(/\[.*$/, "").replace("actives", "active")),
    threshold: integerAt(threshold, `${path}.threshold`),
    keys: keys === undefined ? (before?.keys ?? []) : keysOf(keys, `${path}.keys`, edited),
  };
}

/** Weights by the names or addresses of accounts. */
function keysOf(json: Json, path: string, { place }: EditContext): readonly PermissionKey[] {
  return Object.entries(objectAt(json, path)).map(([name, weight]) => ({
    address: readParty("permissions", name, place.accounts),
    weight: integerAt(weight, `${path}.${name}`),
  }));
}

/** Names of presets or contract types, one or a list, or a mask of 32 bytes. */
function operationsOf(json: Json | undefined, path: string, { before }: EditContext): Hex {
  if (json === undefined) throw malformed(path, t`is missing`);
  if (typeof json === "string" && /^[0-9a-f]{64}$/i.test(json)) return hex(json.toLowerCase());
  const presets = presetsFor(before);
  const numbersOf = (it: Json): readonly number[] => {
    const found = typeof it === "string" ? presets.find(({ name }) => name === it.trim().toLowerCase()) : undefined;
    if (found !== undefined) return found.numbers;
    const operation = typeof it === "string" || typeof it === "number" ? findOperation(it) : undefined;
    if (operation !== undefined) return [operation.number];
    const names = presets.map(({ name }) => `"${name}"`).join(t`, `);
    throw malformed(path, t`must be ${names}, or names of contract types such as "TransferContract"`);
  };
  return maskOf((Array.isArray(json) ? (json as readonly Json[]) : [json]).flatMap(numbersOf));
}

function objectAt(json: Json | undefined, path: string): JsonObject {
  if (isJsonObject(json)) return json;
  throw malformed(path, t`must be an object`);
}

function integerAt(json: Json | undefined, path: string): bigint {
  const value = wholeNumberIn(typeof json === "number" ? exactNumber("permissions", json) : String(json));
  if (value !== undefined) return value;
  throw malformed(path, t`must be a whole number`);
}

function malformed(path: string, reason: string) {
  return malformedArgument("permissions", `${path} ${reason}`);
}
