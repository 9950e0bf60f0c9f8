import assert from "node:assert/strict";
import {
  maskOf,
  ownKeyAlone,
  PERMISSION_UPDATE,
  permissionSetOf,
} from "../../../../packages/client/src/permissions/permissions.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import {
  changeCount,
  checkName,
  checkNumber,
  newActive,
  permissionAt,
  presetsFor,
  whyNotYet,
  withKey,
  withPermission,
} from "../../../../src/features/permissions/draft.view.ts";
import { ALICE, BOB, nameOf } from "../../../support/tracking/tracked.ts";

const here = { ours: new Set([ALICE, BOB]), nameOf };
const before = {
  ...ownKeyAlone(ALICE),
  actives: [
    {
      id: 2,
      name: foreignText("active"),
      threshold: 1n,
      keys: [{ address: ALICE, weight: 1n }],
      operations: maskOf([1, 2, 31, PERMISSION_UPDATE]),
    },
  ],
};
const set = permissionSetOf(before);

describe("permission draft", () => {
  it("adds keys, and removes those without weight", () => {
    const both = withKey(set.ownerPermission, { address: BOB, weight: 2n });

    assert.deepEqual(
      both.keys.map(({ weight }) => weight),
      [1n, 2n],
    );
    assert.deepEqual(withKey(both, { address: BOB, weight: 0n }).keys, set.ownerPermission.keys);
    assert.equal(withKey(both, { address: ALICE, weight: 3n }).keys[0]?.weight, 3n);
  });

  it("replaces, adds and removes permissions", () => {
    const pay = newActive(ALICE, maskOf([1]));
    const added = withPermission(set, 1, pay);

    assert.equal(permissionAt(added, 1)?.name, "payments");
    assert.equal(withPermission(added, 0, undefined).activePermissions.length, 1);
    assert.equal(permissionAt(withPermission(set, "owner", { ...pay, name: "o" }), "owner")?.name, "o");
    assert.equal(withPermission(set, "owner", undefined), set);
  });

  it("whyNotYet rejects an unchanged or invalid draft", () => {
    assert.equal(whyNotYet(before, set), "Nothing is changed yet.");
    const none = withPermission(set, 0, undefined);
    assert.match(whyNotYet(before, none) ?? "", /^Not yet: an account needs at least one active permission\.$/);
    const two = withPermission(set, "owner", withKey(set.ownerPermission, { address: BOB, weight: 1n }));
    assert.equal(whyNotYet(before, two), undefined);
    assert.equal(changeCount(before, two), 1);
  });

  it("checkNumber shows the resulting signers", () => {
    const withNumber = (threshold: bigint) => ({ ...set.ownerPermission, threshold });
    const check = (text: string, least = 1n) => checkNumber(text, least, withNumber, here);

    assert.deepEqual(check("1"), { kind: "good", value: 1n, message: "It is then signed by Alice alone." });
    assert.deepEqual(check("2"), { kind: "good", value: 2n, message: "It is then signed by no key." });
    assert.equal(check("").kind, "empty");
    for (const text of ["0", "-1", "1.5", "x", "9223372036854775808"]) assert.equal(check(text).kind, "wrong", text);
  });

  it("checkName accepts valid names, and presetsFor all operations except permission updates", () => {
    assert.equal(checkName("").kind, "empty");
    assert.equal(checkName("é".repeat(17)).kind, "wrong");
    assert.deepEqual(checkName(" till "), { kind: "good", value: "till" });
    assert.deepEqual(presetsFor(before).find(({ name }) => name === "everything")?.numbers, [1, 2, 31]);
    const fresh = presetsFor(ownKeyAlone(ALICE)).find(({ name }) => name === "everything");
    assert.ok(fresh?.numbers.includes(54) && !fresh.numbers.includes(PERMISSION_UPDATE));
  });
});
