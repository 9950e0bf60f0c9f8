import assert from "node:assert/strict";
import type { AccountPermissions } from "../../../../packages/client/src/permissions/permissions.ts";
import { parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import { readPermissionSet } from "../../../../src/features/permissions/edit-arguments.ts";

const ALICE = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
const BOB = parseAddress("T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb");
const before: AccountPermissions = {
  owner: {
    id: 0,
    name: foreignText("both"),
    threshold: 2n,
    keys: [
      { address: ALICE, weight: 1n },
      { address: BOB, weight: 1n },
    ],
  },
  actives: [],
};
const known = { place: { accounts: [] }, before };

describe("readPermissionSet", () => {
  it("keeps omitted fields", () => {
    const keys = { T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb: 2 };

    assert.deepEqual(readPermissionSet({ owner: { keys } }, known).ownerPermission, {
      name: "both",
      threshold: 2n,
      keys: [{ address: BOB, weight: 2n }],
    });
    assert.equal(readPermissionSet({ owner: { threshold: 1 } }, known).ownerPermission.threshold, 1n);
  });

  it("T6: rejects numbers that may have lost digits", () => {
    // biome-ignore lint/correctness/noPrecisionLoss: digits are lost on purpose
    const [lossy, least] = [9007199254740993, -9007199254740993];
    for (const threshold of [lossy, least])
      assert.throws(
        () => readPermissionSet({ owner: { threshold } }, known),
        /as a text, so that it keeps every digit/,
      );
    const keys = { T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb: lossy };
    assert.throws(() => readPermissionSet({ owner: { keys } }, known), /as a text, so that it keeps every digit/);
    const text = readPermissionSet({ owner: { threshold: "9007199254740993" } }, known);
    assert.equal(text.ownerPermission.threshold, 9007199254740993n);
    const active = { keys: { T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb: 1 }, operations: "payments" };

    assert.equal(readPermissionSet({ actives: [active] }, known).activePermissions[0]?.threshold, 1n);
  });

  it("rejects unknown fields", () => {
    const active = { keys: {}, operations: "payments", treshold: 2 };

    assert.throws(() => readPermissionSet({ owner: { treshold: 2 } }, known), /owner\.treshold is not known/);
    assert.throws(() => readPermissionSet({ actives: [active] }, known), /actives\[0\]\.treshold is not known/);
    assert.throws(
      () => readPermissionSet({ owner: { operations: "payments" } }, known),
      /owner\.operations is not known/,
    );
  });
});
