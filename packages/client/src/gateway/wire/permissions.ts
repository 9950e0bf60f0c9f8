import { type Address, foreignText, type Json, type JsonObject } from "@finality/tron/primitives";
import type { PermissionKey } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import {
  type AccountPermissions,
  FIRST_ACTIVE_ID,
  OWNER_ID,
  ownKeyAlone,
  type Permission,
  type SignWeight,
  WITNESS_ID,
} from "../../permissions/permissions.ts";
import * as read from "./answer.ts";

const MASK_DIGITS = 64;
/** Chains allow 5. */
const MOST_KEYS = 8;

/**
 * Who decides over an account, out of the answer of `getaccount`. An account that is older than permissions has none
 * there: its own key decides.
 */
export function parsePermissions(account: JsonObject, address: Address): AccountPermissions {
  const { owner_permission: owner, witness_permission: witness } = account;
  const actives = read.listField(account, "active_permission").map((it) => activeOf(it));
  if (new Set(actives.map(({ id }) => id)).size !== actives.length) {
    throw read.fault("active_permission", t`has a number twice`);
  }
  return {
    owner: owner === undefined ? ownKeyAlone(address).owner : permissionOf(owner, "owner_permission", OWNER_ID),
    ...(witness === undefined ? {} : { witness: permissionOf(witness, "witness_permission", WITNESS_ID) }),
    actives,
  };
}

function activeOf(json: Json): Permission {
  const path = "active_permission";
  const object = read.asObject(json, path);
  const id = read.numberField(object, "id");
  if (id < FIRST_ACTIVE_ID) throw read.fault(`${path}.id`, t`is ${id}`);
  const operations = read.hexField(object, "operations");
  if (operations.length !== MASK_DIGITS) throw read.fault(`${path}.operations`, t`is not a mask of 32 bytes`);
  return { ...permissionOf(object, path, id), operations };
}

function permissionOf(json: Json, path: string, id: number): Permission {
  const object = read.asObject(json, path);
  const threshold = read.integerField(object, "threshold");
  const keys = read.listField(object, "keys").map((it) => keyOf(it, path));
  if (keys.length > MOST_KEYS) throw read.fault(`${path}.keys`, t`has more keys than any chain allows`);
  if (threshold <= 0n) throw read.fault(`${path}.threshold`, t`is not more than 0`);
  if (new Set(keys.map(({ address }) => address)).size !== keys.length)
    throw read.fault(`${path}.keys`, t`has one twice`);
  return { id, name: foreignText(read.textField(object, "permission_name")), threshold, keys };
}

function keyOf(json: Json, path: string): PermissionKey {
  const object = read.asObject(json, `${path}.keys`);
  const weight = read.integerField(object, "weight");
  if (weight <= 0n) throw read.fault(`${path}.keys.weight`, t`is not more than 0`);
  return { address: read.addressField(object, "address"), weight };
}

/** What `getsignweight` says: an empty result is enough weight. The permission is left out where there is none. */
export function parseSignWeight(json: Json): SignWeight {
  const object = read.asObject(json, t`the weight`);
  const { permission } = object;
  const result = read.objectField(object, "result");
  const code = read.textField(result, "code");
  return {
    weight: read.integerField(object, "current_weight"),
    signers: read.listField(object, "approved_list").map((address) => read.addressField({ address }, "address")),
    ...(permission === undefined
      ? {}
      : { threshold: read.integerField(read.asObject(permission, "permission"), "threshold") }),
    ...(code === "" ? {} : { refusal: { code, message: foreignText(read.textField(result, "message")) } }),
  };
}
