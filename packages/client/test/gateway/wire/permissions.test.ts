import assert from "node:assert/strict";
import { type Address, parseAddress } from "../../../../tron/src/primitives/address.ts";
import type { JsonObject } from "../../../../tron/src/primitives/json.ts";
import { rawText } from "../../../../tron/src/primitives/plain-text.ts";
import { parsePermissions } from "../../../src/gateway/wire/permissions.ts";

const OWNER = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
const MASK = `7fff1fc0033e0108${"00".repeat(24)}`;
const keys = [{ address: OWNER, weight: 1 }];
const active: JsonObject = { type: "Active", id: 2, permission_name: "active", threshold: 1, operations: MASK, keys };
const account = (change: JsonObject = {}): JsonObject => ({
  owner_permission: { permission_name: "owner", threshold: 1, keys },
  active_permission: [active],
  ...change,
});
const refused = (change: JsonObject, reason: RegExp): void =>
  assert.throws(() => parsePermissions(account(change), OWNER), reason);

describe("the permissions in the answer of getaccount", () => {
  it("are read as a node prints them", () => {
    const { owner, witness, actives } = parsePermissions(
      account({ witness_permission: { type: "Witness", id: 1, permission_name: "witness", threshold: 1, keys } }),
      OWNER,
    );

    assert.deepEqual([owner.id, rawText(owner.name), owner.threshold], [0, "owner", 1n]);
    assert.deepEqual(owner.keys, [{ address: OWNER as Address, weight: 1n }]);
    assert.equal(witness?.id, 1);
    assert.deepEqual(
      actives.map(({ id, operations }) => [id, operations]),
      [[2, MASK]],
    );
  });

  it("are the own key's alone where the account is older than permissions", () => {
    const { owner, actives } = parsePermissions({}, OWNER);

    assert.deepEqual(owner.keys, [{ address: OWNER, weight: 1n }]);
    assert.deepEqual(actives, []);
  });

  it("are refused when somebody tells what no chain has", () => {
    const owner = (change: JsonObject) => ({ owner_permission: { threshold: 1, keys, ...change } });
    refused(owner({ threshold: 0 }), /threshold is not more than 0/);
    refused(owner({ threshold: "2" }), /threshold is not an integer/);
    refused(owner({ keys: [{ address: OWNER }] }), /weight is not more than 0/);
    refused(owner({ keys: [{ address: OWNER, weight: -1 }] }), /weight is not more than 0/);
    refused(owner({ keys: [{ address: "41", weight: 1 }] }), /address is not an address/);
    refused(owner({ keys: [...keys, ...keys] }), /has one twice/);
    refused(owner({ keys: Array.from({ length: 9 }, () => keys[0] ?? null) }), /more keys than any chain/);
    refused({ owner_permission: "me" }, /is not an object/);
    refused({ active_permission: [active, active] }, /has a number twice/);
    refused({ active_permission: [{ ...active, id: 1 }] }, /id is 1/);
    refused({ active_permission: [{ ...active, operations: "7f" }] }, /mask of 32 bytes/);
    refused({ active_permission: {} }, /is not a list/);
  });
});
