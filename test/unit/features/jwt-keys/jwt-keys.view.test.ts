import assert from "node:assert/strict";
import type { JwtKeyRecord } from "../../../../packages/client/src/gateway/access/jwt.ts";
import {
  accountSteps,
  describeKey,
  describeToken,
  type InspectedToken,
  lifetimeText,
  proposedName,
} from "../../../../src/features/jwt-keys/jwt-keys.view.ts";
import { profileAt } from "../../../support/fakes/gateway-fixtures.ts";

const at = new Date(2026, 10, 23, 12).getTime();
const key: JwtKeyRecord = { id: "1", name: "Laptop", keyId: "key-1", created: at, lastUsed: at, inUse: true };
const place = { origins: ["https://own.test"] };
const described = (change: Partial<JwtKeyRecord>) => describeKey({ ...key, ...change }, place);

describe("describeKey", () => {
  it("shows state, ID, dates and storage of a key", () => {
    assert.deepEqual(described({}), {
      label: "$(pass-filled) Laptop",
      description: "in use · kid key-1",
      detail: "created 2026-11-23 · used 2026-11-23 · in secret storage, for https://own.test",
    });
  });

  it("shows missing values and a started rotation", () => {
    const { keyId: _id, lastUsed: _used, created: _created, ...bare } = { ...key, inUse: false };
    assert.deepEqual(describeKey(bare, { origins: [] }), {
      label: "$(key) Laptop",
      description: "no ID (kid) yet",
      detail: "from an earlier version · not used yet · in secret storage, for no URL",
    });
    assert.equal(describeKey({ ...bare, replaces: "2" }, place).description, "rotation started · no ID (kid) yet");
    const begun = { inUse: false, replaces: "2" };
    assert.equal(described(begun).label, "$(sync) Laptop");
    assert.equal(described(begun).description, "rotation started, not tested yet · kid key-1");
    assert.match(described({ replaces: "2" }).description, /^in use, and the key before it is still there/);
  });

  it("shows the token lifetime and the account steps, and proposes a free name", () => {
    assert.equal(lifetimeText(undefined), "tokens are valid for 60 seconds");
    assert.equal(lifetimeText(3_600_000), "tokens are valid for 3,600 seconds");
    assert.equal(lifetimeText("endless"), "tokens never expire (no exp)");
    const steps = accountSteps(profileAt("https://api.chain.test/x"), "Laptop");
    assert.match(steps, /on the clipboard.*account for api\.chain\.test.*named “Laptop”.*enter the ID/);
    assert.equal(proposedName([]), "Key 1");
    assert.equal(proposedName([{ name: "Key 1" }, { name: "Key 3" }]), "Key 2");
  });
});

const NOW = Date.UTC(2026, 10, 23, 21, 30, 0);
const token: InspectedToken = {
  network: "Bank",
  key: "Laptop",
  header: { alg: "RS256", typ: "JWT", kid: "key-1" },
  payload: { aud: "bank.test", exp: NOW / 1000 + 60 },
  local: NOW,
  server: NOW,
  head: NOW - 3_000,
};
const lineWith = (text: string, change: Partial<InspectedToken> = {}): string =>
  describeToken({ ...token, ...change })
    .split("\n")
    .find((it) => it.includes(text)) ?? "";

describe("describeToken", () => {
  it("explains header and payload", () => {
    assert.match(lineWith("kid"), /^ {2}kid {2}key-1 +of the JWT key “Laptop”$/);
    assert.match(lineWith("aud"), /^ {2}aud {2}bank\.test +the service that accepts it$/);
    assert.match(lineWith("exp"), /^ {2}exp {2}\d+ +2026-11-23 21:31:00 UTC$/);
  });

  it("compares the expiration with every clock", () => {
    assert.match(lineWith("this computer"), /21:30:00 UTC: the token expires in 60 s$/);
    assert.match(
      lineWith("clock of the newest block"),
      /21:29:57 UTC, 3 s behind this computer: the token expires in 63 s$/,
    );
    assert.match(
      lineWith("clock of the gateway", { server: NOW + 94_000 }),
      /1 min 34 s ahead of this computer: the token has expired by it, so the gateway drops it$/,
    );
    const { server: _, ...silent } = token;
    assert.match(describeToken(silent), /clock of the gateway +unknown: the gateway did not report it/);
  });

  it("warns about a token without expiration", () => {
    const text = describeToken({ ...token, payload: { aud: "bank.test" } });
    assert.match(text, /exp {2}omitted: anyone who gets this token can use it until its key record is removed/);
    assert.equal(/the token ends/.test(text), false);
  });

  it("escapes hostile values", () => {
    const text = describeToken({ ...token, header: { kid: "a\nexp  9\u202e" } });
    assert.equal(text.split("\n").filter((it) => it.startsWith("  exp")).length, 1);
    assert.equal(text.includes("\u202e"), false);
  });
});
