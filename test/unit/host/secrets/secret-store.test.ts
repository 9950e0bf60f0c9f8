import assert from "node:assert/strict";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { MASK, Masking } from "../../../../src/host/log/masking.ts";
import {
  bareSecret,
  parseBoundSecret,
  printBoundSecret,
  SecretStore,
} from "../../../../src/host/secrets/secret-store.ts";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";
import { FakeStorage, memento } from "../../../support/fakes/fake-editor.ts";

function openStore(answer: "retry" | "keep-for-this-window" = "keep-for-this-window", storage = new FakeStorage()) {
  const masking = new Masking();
  const reported: string[] = [];
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const onUnavailable = async (reason: string) => {
    reported.push(reason);
    if (answer === "retry") storage.broken = false;
    resolve();
    return answer;
  };
  return {
    storage,
    masking,
    reported,
    asked,
    store: new SecretStore({ secrets: storage, masking, onUnavailable }),
  };
}

describe("SecretStore", () => {
  it("stores secrets by kind and owner, and masks them", async () => {
    const { store, storage, masking } = openStore();

    await store.set("apiKey", "Nile", "a-secret-key");

    assert.deepEqual([...storage.stored], [["finality.apiKey.Nile", "a-secret-key"]]);
    assert.equal(await store.get("apiKey", "Nile"), "a-secret-key");
    assert.equal(await store.get("jwtKey", "Nile"), undefined);
    assert.equal(masking.masked("sent a-secret-key"), `sent ${MASK}`);
  });

  it("P2: waits at most 20 s for a storage that does not answer", async () => {
    const [clock, storage] = [new FakeClock(), new FakeStorage()];
    storage.get = () => new Promise(() => undefined);
    const onUnavailable = async () => "keep-for-this-window" as const;
    const store = new SecretStore({ secrets: storage, masking: new Masking(), onUnavailable, clock });

    const secret = store.get("apiKey", "Nile");

    await assert.rejects(clock.runUntil(secret), /not available \(it did not answer within 20 s\)/);
    assert.equal(clock.sleeping, 0);
  });

  it("keeps secrets in memory when the storage fails, and reports it once", async () => {
    const { store, storage, reported, asked } = openStore();
    storage.broken = true;

    await store.set("apiKey", "Nile", "a-secret-key");
    await store.set("signingKey", "41", "another-secret");
    await asked;

    assert.equal(await store.get("apiKey", "Nile"), "a-secret-key");
    assert.deepEqual(reported, ["the keyring is locked"]);
  });

  it("stores them when the user retries", async () => {
    const { store, storage, asked } = openStore("retry");
    storage.broken = true;

    await store.set("apiKey", "Nile", "a-secret-key");
    await asked;
    await new Promise(setImmediate);

    assert.equal(storage.stored.get("finality.apiKey.Nile"), "a-secret-key");
  });

  it("reports a secret that cannot be read instead of none", async () => {
    const { store, storage } = openStore();
    storage.broken = true;

    await assert.rejects(
      store.get("apiKey", "Nile"),
      (error) => isChainError(error) && error.code === "SECRETS_UNAVAILABLE" && /keyring/.test(error.message),
    );
  });

  it("deletes a secret from storage and memory", async () => {
    const { store, storage } = openStore();
    await store.set("apiKey", "Nile", "an-old-secret");
    storage.broken = true;
    await store.set("apiKey", "Nile", "a-newer-secret");
    storage.broken = false;

    await store.delete("apiKey", "Nile");

    assert.equal(await store.get("apiKey", "Nile"), undefined);
  });

  it("prefers a session secret over the stored one, and never stores it", async () => {
    const { store, storage, asked } = openStore("retry");
    await store.set("signingKey", "41", "stored");
    storage.broken = true;

    store.setForSession("signingKey", "41", "of-the-session");
    await store.set("apiKey", "Nile", "a-secret-key");
    await asked;
    await new Promise(setImmediate);

    assert.equal(await store.get("signingKey", "41"), "of-the-session");
    assert.equal(storage.stored.get("finality.signingKey.41"), "stored");
    store.deleteOfSession("signingKey", "41");
    assert.equal(await store.get("signingKey", "41"), "stored");
  });

  it("reports why a key cannot be stored", async () => {
    const [clock, storage] = [new FakeClock(), new FakeStorage()];
    const memory = { state: memento() as never, session: "first" };
    const onUnavailable = async () => "keep-for-this-window" as const;
    const store = new SecretStore({ secrets: storage, masking: new Masking(), onUnavailable, clock, memory });

    assert.deepEqual(await store.storageIssue(), { kind: "unproven" });
    storage.get = () => new Promise(() => undefined);

    const issue = await clock.runUntil(store.storageIssue());

    assert.deepEqual(issue, { kind: "missing", reason: "it did not answer within 20 s" });
  });
});

describe("stored credential", () => {
  it("H7: contains its origins", () => {
    const bound = { value: 'a "key"', origins: ["https://a.test", "https://b.test:1"] };
    const stored = printBoundSecret(bound);

    assert.deepEqual(parseBoundSecret(stored), bound);
    assert.equal(bareSecret(stored), bound.value);
  });

  it("H7: has no origins when it is damaged or of an older version", () => {
    assert.equal(parseBoundSecret("an-old-key"), "an-old-key");
    assert.equal(parseBoundSecret('{"secret":"a key in JSON"}'), '{"secret":"a key in JSON"}');
    for (const damaged of ["finality:bound:", "finality:bound:{", 'finality:bound:{"secret":1,"origins":[]}'])
      assert.deepEqual(parseBoundSecret(damaged), { value: "", origins: [] });
  });
});
