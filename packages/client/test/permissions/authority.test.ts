import assert from "node:assert/strict";
import { type Address, parseAddress } from "../../../tron/src/primitives/address.ts";
import { foreignText } from "../../../tron/src/primitives/plain-text.ts";
import { authorityFor, permissionsThatDo } from "../../src/permissions/authority.ts";
import { maskOf } from "../../src/permissions/operations.ts";
import type { AccountPermissions } from "../../src/permissions/permissions.ts";

const [A, B, C] = ["aa", "bb", "cc"].map((it) => parseAddress(`41${it.repeat(20)}`)) as [Address, Address, Address];
const keys = (...all: readonly Address[]) => all.map((address) => ({ address, weight: 1n }));

/** Two of three decide; B pays alone; C signs blocks. */
const SHARED: AccountPermissions = {
  owner: { id: 0, name: foreignText("owner"), threshold: 2n, keys: keys(A, B, C) },
  witness: { id: 1, name: foreignText("witness"), threshold: 1n, keys: keys(C) },
  actives: [{ id: 2, name: foreignText("pay"), threshold: 1n, keys: keys(B), operations: maskOf([1]) }],
};

describe("whether keys may sign", () => {
  const judged = (permissionId: number | undefined, kind: "transfer" | "stake", ...ours: readonly Address[]) =>
    authorityFor(SHARED, { kind, ...(permissionId === undefined ? {} : { permissionId }) }, new Set(ours));

  it("is judged by the owner permission where none is named", () => {
    const authority = judged(undefined, "stake", A, C);

    assert.equal(authority.kind, "enough");
    assert.deepEqual(authority.kind === "enough" && authority.signers, [A, C]);
  });

  it("says what is missing, and who has it", () => {
    const authority = judged(0, "stake", C);

    assert.equal(authority.kind, "short");
    if (authority.kind !== "short") return;
    assert.equal(authority.weight, 1n);
    assert.deepEqual(
      authority.missing.map(({ address }) => address),
      [A, B],
    );
  });

  it("asks what an active permission allows before it counts", () => {
    assert.equal(judged(2, "transfer", B).kind, "enough");
    assert.equal(judged(2, "stake", B).kind, "denied");
    assert.equal(judged(2, "transfer", A).kind, "foreign");
  });

  it("takes no permission that is not there, nor one that signs blocks", () => {
    assert.equal(judged(3, "transfer", B).kind, "absent");
    assert.equal(judged(1, "transfer", C).kind, "absent");
  });

  it("names the permissions that would do", () => {
    const ids = (kind: "transfer" | "stake", ...ours: readonly Address[]) =>
      permissionsThatDo(SHARED, kind, new Set(ours)).map(({ id }) => id);

    assert.deepEqual(ids("transfer", A, B), [0, 2]);
    assert.deepEqual(ids("stake", B), []);
    assert.deepEqual(ids("transfer", B), [2]);
  });
});
