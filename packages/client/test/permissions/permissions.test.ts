import assert from "node:assert/strict";
import * as fc from "fast-check";
import { anyIntent, intentKinds } from "../../../../test/support/tracking/intents.ts";
import { type Address, parseAddress } from "../../../tron/src/primitives/address.ts";
import { type Hex, hex } from "../../../tron/src/primitives/bytes.ts";
import { foreignText } from "../../../tron/src/primitives/plain-text.ts";
import { contractTypes } from "../../../tron/src/transaction/contract-types.ts";
import { contractFromIntent } from "../../../tron/src/transaction/intent-contract.ts";
import {
  allowsOperation,
  findOperation,
  isDefaultSetup,
  maskOf,
  operationOf,
  operations,
  operationsIn,
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

describe("signer selection", () => {
  it("takes as few keys as possible, the heaviest first", () => {
    const permission = quorum(4n, [A, 1n], [B, 3n], [C, 3n]);

    assert.deepEqual(signersFrom(permission, new Set([A, B, C])), [B, C]);
    assert.deepEqual(signersFrom(permission, new Set([A, C])), [C, A]);
  });

  it("takes the first of equal keys", () => {
    assert.deepEqual(signersFrom(quorum(1n, [A, 1n], [B, 1n]), new Set([B, A])), [A]);
  });

  it("returns no key when the keys weigh too little or none is available", () => {
    assert.equal(signersFrom(quorum(3n, [A, 1n], [B, 1n], [C, 1n]), new Set([A, B])), undefined);
    assert.equal(signersFrom(quorum(1n, [A, 1n]), new Set([B])), undefined);
  });

  it("returns all minimal sets of keys", () => {
    assert.deepEqual(sufficientSets(quorum(3n, [A, 3n], [B, 2n], [C, 1n])), [[A], [B, C]]);
    assert.deepEqual(sufficientSets(quorum(9n, [A, 3n])), []);
  });
});

describe("permissions of an account", () => {
  const usual = ownKeyAlone(A);
  const active = { id: 2, name: foreignText("active"), threshold: 1n, keys: [{ address: A, weight: 1n }] };

  it("are usual while its own key alone decides", () => {
    assert.ok(isDefaultSetup(A, usual));
    assert.ok(isDefaultSetup(A, { ...usual, actives: [active] }));
    assert.ok(!isDefaultSetup(B, usual));
    assert.ok(!isDefaultSetup(A, { ...usual, actives: [{ ...active, keys: [{ address: B, weight: 1n }] }] }));
    assert.ok(!isDefaultSetup(A, { ...usual, owner: { ...usual.owner, threshold: 2n } }));
    assert.ok(!isDefaultSetup(A, { ...usual, owner: { ...usual.owner, keys: [] } }));
  });

  it("are signed with their names as written", () => {
    const name = "pay‮ments";
    const { activePermissions } = permissionSetOf({ ...usual, actives: [{ ...active, name: foreignText(name) }] });

    assert.equal(activePermissions[0]?.name, name);
  });
});

const USUAL = hex(`7fff1fc0033e0108${"00".repeat(24)}`);

describe("operations of a permission", () => {
  it("are the contract types of the protocol, by number and name", () => {
    assert.deepEqual(
      operations.map(({ number, name }) => [number, name]),
      contractTypes.map(({ number, name }) => [number, name.replace(/Contract$/, "")]),
    );
  });

  it("are the contract types of each kind of intent", () => {
    for (const kind of intentKinds) {
      const [intent] = fc.sample(anyIntent(kind), { numRuns: 1, seed: 7 });
      assert.ok(intent);
      assert.equal(operationOf[kind], contractFromIntent(intent).type, kind);
    }
  });

  it("are the bits of a mask, the lowest bit of each byte first", () => {
    assert.ok(allowsOperation(USUAL, 1) && allowsOperation(USUAL, 31) && allowsOperation(USUAL, 59));
    assert.ok(!allowsOperation(USUAL, 46) && !allowsOperation(USUAL, 54) && !allowsOperation(USUAL, 255));
    assert.equal(maskOf(operationsIn(USUAL)), USUAL);
    for (const numbers of fc.sample(fc.uniqueArray(fc.nat(255)), { numRuns: 100, seed: 3 }))
      assert.deepEqual(
        operationsIn(maskOf(numbers)),
        numbers.toSorted((left, right) => left - right),
      );
  });

  it("are empty for a mask that is too short", () => {
    assert.deepEqual(operationsIn("" as Hex), []);
  });

  it("are found by number and by name, with and without suffix", () => {
    for (const operation of [1, "Transfer", " transfercontract "]) assert.equal(findOperation(operation)?.number, 1);
    assert.equal(findOperation("Sing"), undefined);
    assert.equal(findOperation(3), undefined);
  });
});
