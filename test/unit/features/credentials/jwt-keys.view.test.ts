import assert from "node:assert/strict";
import type { JwtKeyRecord } from "../../../../packages/client/src/gateway/access/jwt.ts";
import {
  accountSteps,
  describeKey,
  lifetimeText,
  proposedName,
} from "../../../../src/features/credentials/jwt-keys.view.ts";
import { profileAt } from "../../../support/fakes/gateway-fixtures.ts";

const at = new Date(2026, 10, 23, 12).getTime();
const key: JwtKeyRecord = { id: "1", name: "Laptop", keyId: "key-1", created: at, lastUsed: at, inUse: true };
const place = { origins: ["https://own.test"] };
const described = (change: Partial<JwtKeyRecord>) => describeKey({ ...key, ...change }, place);

describe("the list of JWT keys", () => {
  it("says of a key at a glance whether it is in use, its ID, its dates and where it is", () => {
    assert.deepEqual(described({}), {
      label: "$(pass-filled) Laptop",
      description: "in use · kid key-1",
      detail: "created 2026-11-23 · used 2026-11-23 · in secret storage, for https://own.test",
    });
  });

  it("says what is missing, or was begun", () => {
    const { keyId: _id, lastUsed: _used, created: _created, ...bare } = { ...key, inUse: false };
    assert.deepEqual(describeKey(bare, { origins: [] }), {
      label: "$(key) Laptop",
      description: "no ID (kid) yet",
      detail: "from an earlier version · not used yet · in secret storage, for no URL",
    });
    assert.equal(describeKey({ ...bare, replaces: "2" }, place).description, "rotation begun · no ID (kid) yet");
    const begun = { inUse: false, replaces: "2" };
    assert.equal(described(begun).label, "$(sync) Laptop");
    assert.equal(described(begun).description, "rotation begun, not tested yet · kid key-1");
    assert.match(described({ replaces: "2" }).description, /^in use, and the key before it is still there/);
  });

  it("says how long tokens last", () => {
    assert.equal(lifetimeText(undefined), "tokens last 60 seconds");
    assert.equal(lifetimeText(3_600_000), "tokens last 3,600 seconds");
    assert.equal(lifetimeText("endless"), "tokens have no end (no exp)");
  });

  it("tells the steps on the account page in order, with the host of the service and the name", () => {
    const steps = accountSteps(profileAt("https://api.chain.test/x"), "Laptop");
    assert.match(steps, /on the clipboard.*account for api\.chain\.test.*named “Laptop”.*enter the ID/);
  });

  it("proposes the first name that is free", () => {
    assert.equal(proposedName([]), "Key 1");
    assert.equal(proposedName([{ name: "Key 1" }, { name: "Key 3" }]), "Key 2");
  });
});
