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
    reported: reported,
    asked,
    store: new SecretStore({ secrets: storage, masking, onUnavailable }),
  };
}

describe("the store of secrets", () => {
  it("keeps them in the editor's storage by kind and owner, and masks them from then on", async () => {
    const { store, storage, masking } = openStore();

    await store.set("apiKey", "Nile", "a-secret-key");

    assert.deepEqual([...storage.stored], [["finality.apiKey.Nile", "a-secret-key"]]);
    assert.equal(await store.get("apiKey", "Nile"), "a-secret-key");
    assert.equal(await store.get("jwtKey", "Nile"), undefined);
    assert.equal(masking.masked("sent a-secret-key"), `sent ${MASK}`);
  });

  it("P2: waits for a storage that never answers, as that of a window that is gone, for 20 s and no longer", async () => {
    const [clock, storage] = [new FakeClock(), new FakeStorage()];
    storage.get = () => new Promise(() => undefined);
    const onUnavailable = async () => "keep-for-this-window" as const;
    const store = new SecretStore({ secrets: storage, masking: new Masking(), onUnavailable, clock });

    const secret = store.get("apiKey", "Nile");

    await assert.rejects(clock.runUntil(secret), /not available \(it did not answer within 20 s\)/);
    assert.equal(clock.sleeping, 0);
  });

  it("keeps them for the window when the editor cannot, and says so once", async () => {
    const { store, storage, reported, asked } = openStore();
    storage.broken = true;

    await store.set("apiKey", "Nile", "a-secret-key");
    await store.set("signingKey", "41", "another-secret");
    await asked;

    assert.equal(await store.get("apiKey", "Nile"), "a-secret-key");
    assert.deepEqual(reported, ["the keyring is locked"]);
  });

  it("stores them after all when the person tries again", async () => {
    const { store, storage, asked } = openStore("retry");
    storage.broken = true;

    await store.set("apiKey", "Nile", "a-secret-key");
    await asked;
    await new Promise(setImmediate);

    assert.equal(storage.stored.get("finality.apiKey.Nile"), "a-secret-key");
  });

  it("says that a secret cannot be read, which is not the same as none", async () => {
    const { store, storage } = openStore();
    storage.broken = true;

    await assert.rejects(
      store.get("apiKey", "Nile"),
      (error) => isChainError(error) && error.code === "SECRETS_UNAVAILABLE" && /keyring/.test(error.message),
    );
  });

  it("deletes them wherever they are", async () => {
    const { store, storage } = openStore();
    await store.set("apiKey", "Nile", "an-old-secret");
    storage.broken = true;
    await store.set("apiKey", "Nile", "a-newer-secret");
    storage.broken = false;

    await store.delete("apiKey", "Nile");

    assert.equal(await store.get("apiKey", "Nile"), undefined);
  });

  it("keeps what is for the session alone in memory, before what is stored, and stores it never", async () => {
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

  it("says what stands against storing a key, also when the storage never answers", async () => {
    const [clock, storage] = [new FakeClock(), new FakeStorage()];
    const memory = { state: memento() as never, session: "first" };
    const onUnavailable = async () => "keep-for-this-window" as const;
    const store = new SecretStore({ secrets: storage, masking: new Masking(), onUnavailable, clock, memory });

    assert.deepEqual(await store.storageIssue(), { kind: "unproven" });
    storage.get = () => new Promise(() => undefined);

    const trouble = await clock.runUntil(store.storageIssue());

    assert.deepEqual(trouble, { kind: "missing", reason: "it did not answer within 20 s" });
  });
});

describe("a credential as it is stored", () => {
  it("H7: carries the origins that it was entered for", () => {
    const bound = { value: 'a "key" of anybody', origins: ["https://a.test", "https://b.test:1"] };
    const stored = printBoundSecret(bound);

    assert.deepEqual(parseBoundSecret(stored), bound);
    assert.equal(bareSecret(stored), bound.value);
  });

  it("H7: of an older version has none, and a damaged one goes nowhere", () => {
    assert.equal(parseBoundSecret("an-old-key"), "an-old-key");
    assert.equal(parseBoundSecret('{"secret":"a key in JSON"}'), '{"secret":"a key in JSON"}');
    for (const damaged of ["finality:bound:", "finality:bound:{", 'finality:bound:{"secret":1,"origins":[]}'])
      assert.deepEqual(parseBoundSecret(damaged), { value: "", origins: [] });
  });
});
