import assert from "node:assert/strict";
import { type Address, parseAddress } from "../../../tron/src/primitives/address.ts";
import { foreignText } from "../../../tron/src/primitives/plain-text.ts";
import {
  isUsual,
  ownKeyAlone,
  permissionSetOf,
  type Quorum,
  signersFrom,
  sufficientSets,
} from "../../src/permissions/permissions.ts";

const [A, B, C] = ["aa", "bb", "cc"].map((it) => parseAddress(`41${it.repeat(20)}`)) as [Address, Address, Address];

function quorum(threshold: bigint, ...keys: readonly (readonly [Address, bigint])[]): Quorum {
  return { threshold, keys: keys.map(([address, weight]) => ({ address, weight })) };
}

describe("who reaches a threshold", () => {
  it("are as few keys as possible, the heaviest first, for each signature costs", () => {
    const permission = quorum(4n, [A, 1n], [B, 3n], [C, 3n]);

    assert.deepEqual(signersFrom(permission, new Set([A, B, C])), [B, C]);
    assert.deepEqual(signersFrom(permission, new Set([A, C])), [C, A]);
  });

  it("is the first of equal keys", () => {
    assert.deepEqual(signersFrom(quorum(1n, [A, 1n], [B, 1n]), new Set([B, A])), [A]);
  });

  it("is nobody when all keys here weigh too little, or none is here", () => {
    assert.equal(signersFrom(quorum(3n, [A, 1n], [B, 1n], [C, 1n]), new Set([A, B])), undefined);
    assert.equal(signersFrom(quorum(1n, [A, 1n]), new Set([B])), undefined);
  });

  it("are all sets of keys that have none to spare", () => {
    assert.deepEqual(sufficientSets(quorum(3n, [A, 3n], [B, 2n], [C, 1n])), [[A], [B, C]]);
    assert.deepEqual(sufficientSets(quorum(9n, [A, 3n])), []);
  });
});

describe("the permissions of an account", () => {
  const usual = ownKeyAlone(A);
  const active = { id: 2, name: foreignText("active"), threshold: 1n, keys: [{ address: A, weight: 1n }] };

  it("are usual while its own key alone decides", () => {
    assert.ok(isUsual(A, usual));
    assert.ok(isUsual(A, { ...usual, actives: [active] }));
    assert.ok(!isUsual(B, usual));
    assert.ok(!isUsual(A, { ...usual, actives: [{ ...active, keys: [{ address: B, weight: 1n }] }] }));
    assert.ok(!isUsual(A, { ...usual, owner: { ...usual.owner, threshold: 2n } }));
    assert.ok(!isUsual(A, { ...usual, owner: { ...usual.owner, keys: [] } }));
  });

  it("become what would be signed with their names as they were written", () => {
    const name = "pay‮ments";
    const { activePermissions } = permissionSetOf({ ...usual, actives: [{ ...active, name: foreignText(name) }] });

    assert.equal(activePermissions[0]?.name, name);
  });
});
