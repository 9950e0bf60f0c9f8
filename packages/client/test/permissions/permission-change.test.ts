import assert from "node:assert/strict";
import { type Address, parseAddress } from "../../../tron/src/primitives/address.ts";
import { foreignText } from "../../../tron/src/primitives/plain-text.ts";
import type { PermissionIntent } from "../../../tron/src/transaction/intent.ts";
import {
  changesBetween,
  checkAuthority,
  findLockOut,
  foreignControl,
  permissionProblems,
  permissionsAllowing,
} from "../../src/permissions/permission-change.ts";
import {
  type AccountPermissions,
  maskOf,
  type PermissionSet,
  permissionSetOf,
} from "../../src/permissions/permissions.ts";

const [A, B, C] = ["aa", "bb", "cc"].map((it) => parseAddress(`41${it.repeat(20)}`)) as [Address, Address, Address];
const keys = (...all: readonly Address[]) => all.map((address) => ({ address, weight: 1n }));

/** Owner permission of two of three keys; B may transfer alone; C signs blocks. */
const SHARED: AccountPermissions = {
  owner: { id: 0, name: foreignText("owner"), threshold: 2n, keys: keys(A, B, C) },
  witness: { id: 1, name: foreignText("witness"), threshold: 1n, keys: keys(C) },
  actives: [{ id: 2, name: foreignText("pay"), threshold: 1n, keys: keys(B), operations: maskOf([1]) }],
};

describe("signing authority", () => {
  const authorityOf = (permissionId: number | undefined, kind: "transfer" | "stake", ...ours: readonly Address[]) =>
    checkAuthority(SHARED, { kind, ...(permissionId === undefined ? {} : { permissionId }) }, new Set(ours));

  it("uses the owner permission by default", () => {
    const authority = authorityOf(undefined, "stake", A, C);

    assert.equal(authority.kind, "enough");
    assert.deepEqual(authority.kind === "enough" && authority.signers, [A, C]);
  });

  it("returns what is missing, and its holders", () => {
    const authority = authorityOf(0, "stake", C);

    assert.equal(authority.kind, "short");
    if (authority.kind !== "short") return;
    assert.equal(authority.weight, 1n);
    assert.deepEqual(
      authority.missing.map(({ address }) => address),
      [A, B],
    );
  });

  it("checks the operations of an active permission first", () => {
    assert.equal(authorityOf(2, "transfer", B).kind, "enough");
    assert.equal(authorityOf(2, "stake", B).kind, "denied");
    assert.equal(authorityOf(2, "transfer", A).kind, "foreign");
  });

  it("refuses a missing permission, and one that signs blocks", () => {
    assert.equal(authorityOf(3, "transfer", B).kind, "absent");
    assert.equal(authorityOf(1, "transfer", C).kind, "absent");
  });

  it("returns the permissions that suffice", () => {
    const ids = (kind: "transfer" | "stake", ...ours: readonly Address[]) =>
      permissionsAllowing(SHARED, kind, new Set(ours)).map(({ id }) => id);

    assert.deepEqual(ids("transfer", A, B), [0, 2]);
    assert.deepEqual(ids("stake", B), []);
    assert.deepEqual(ids("transfer", B), [2]);
  });
});

const active = (name: string, operations: readonly number[], ...all: readonly Address[]): PermissionIntent => ({
  name,
  threshold: 1n,
  keys: keys(...all),
  operations: maskOf(operations),
});
const owner = (threshold: bigint, ...all: readonly Address[]): PermissionIntent => ({
  name: "owner",
  threshold,
  keys: keys(...all),
});
const set = (ownerPermission: PermissionIntent, ...activePermissions: readonly PermissionIntent[]): PermissionSet => ({
  ownerPermission,
  activePermissions,
});

describe("lock-out", () => {
  it("is a change after which the stored keys do not reach the owner permission", () => {
    const lockOut = findLockOut(set(owner(2n, A, C), active("pay", [1], A)), new Set([A, B]));

    assert.deepEqual([lockOut?.weight, lockOut?.threshold], [1n, 2n]);
    assert.deepEqual(
      lockOut?.others.map(({ address }) => address),
      [C],
    );
    assert.deepEqual(
      lockOut?.left.map(({ name }) => name),
      ["pay"],
    );
  });

  it("is none while the stored keys reach it together, and one when only an active permission changes permissions", () => {
    assert.equal(findLockOut(set(owner(2n, A, B, C)), new Set([A, B])), undefined);
    assert.ok(findLockOut(set(owner(1n, C), active("all", [46], A)), new Set([A])));
  });
});

describe("foreign control", () => {
  it("is reported for keys that reach the owner permission, or one that changes permissions, without the user", () => {
    const named = (it: PermissionSet) => foreignControl(it, new Set([A])).map(({ name }) => name);

    assert.deepEqual(named(set(owner(1n, A, C), active("pay", [1], C))), ["owner"]);
    assert.deepEqual(named(set(owner(1n, A), active("pay", [1, 46], C))), ["pay"]);
    assert.deepEqual(named(set(owner(2n, A, C), active("pay", [1], C))), []);
  });
});

describe("permission changes", () => {
  const before: AccountPermissions = {
    owner: { id: 0, name: foreignText("owner"), threshold: 1n, keys: keys(A) },
    actives: [
      { id: 2, name: foreignText("one"), threshold: 1n, keys: keys(A), operations: maskOf([1]) },
      { id: 3, name: foreignText("two"), threshold: 1n, keys: keys(B), operations: maskOf([2]) },
    ],
  };
  const shown = (after: PermissionSet) =>
    changesBetween(before, after).map(({ type, id, before: was, after: is, isSame }) => [
      type,
      id,
      was?.id,
      is?.name,
      isSame,
    ]);

  it("are none when everything is equal", () => {
    assert.ok(changesBetween(before, permissionSetOf(before)).every(({ isSame }) => isSame));
  });

  it("match a permission that gets another number when an earlier one is removed", () => {
    const { ownerPermission, activePermissions } = permissionSetOf(before);

    assert.deepEqual(shown({ ownerPermission, activePermissions: activePermissions.slice(1) }), [
      ["owner", 0, 0, "owner", true],
      ["active", 2, 3, "two", false],
      ["active", 2, 2, undefined, false],
    ]);
  });

  it("match a permission by number when its name changes", () => {
    const after = { ...permissionSetOf(before), activePermissions: [active("uno", [1], A), active("two", [2], B, C)] };

    assert.deepEqual(shown(after).slice(1), [
      ["active", 2, 2, "uno", false],
      ["active", 3, 3, "two", false],
    ]);
  });

  it("include a new permission", () => {
    const after = permissionSetOf(before);
    const more = { ...after, activePermissions: [...after.activePermissions, active("three", [4], C)] };

    assert.deepEqual(shown(more).at(-1), ["active", 4, undefined, "three", false]);
  });
});

describe("permission limits of the chain", () => {
  const pay = active("pay", [1], A);
  const refused = (it: PermissionSet) => permissionProblems(it).join("; ");

  it("accept the permissions of a new account", () => {
    assert.deepEqual(permissionProblems(set(owner(1n, A), pay)), []);
  });

  it("are reported one by one", () => {
    assert.match(refused(set(owner(3n, A, B), pay)), /have a total weight of 2, less than its threshold of 3/);
    assert.match(refused(set(owner(0n, A), pay)), /threshold of the owner permission must be greater than 0/);
    assert.match(refused(set(owner(1n, A, A), pay)), /has a duplicate key/);
    assert.match(refused(set({ ...owner(1n), keys: [] }, pay)), /needs a key/);
    assert.match(refused(set({ ...owner(1n), keys: [{ address: A, weight: 0n }] }, pay)), /has no weight/);
    assert.match(refused(set(owner(1n, A))), /at least one active permission/);
    assert.match(refused(set(owner(1n, A), { ...pay, name: "é".repeat(17) })), /more than 32 bytes/);
    assert.match(refused(set(owner(1n, A), owner(1n, A))), /no mask of operations/);
    assert.match(
      refused({ ...set(owner(1n, A), pay), witnessPermission: owner(1n, A, B) }),
      /witness permission has exactly one key/,
    );
  });
});
