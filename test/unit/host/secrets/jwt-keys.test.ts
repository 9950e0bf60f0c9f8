import assert from "node:assert/strict";
import type { NetworkProfile } from "../../../../packages/client/src/gateway/network.ts";
import { parseNetworkProfile } from "../../../../packages/client/src/gateway/network-settings.ts";
import { Masking } from "../../../../src/host/log/masking.ts";
import { SecretStore } from "../../../../src/host/secrets/secret-store.ts";
import { FakeStorage, loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";

type CredentialsModule = typeof import("../../../../src/host/secrets/network-credentials.ts");

const OWN = "https://own.test";
const HOUR = 3_600_000;
const network = (fields: object = {}): NetworkProfile =>
  parseNetworkProfile({ name: "Bank", baseUrl: OWN, ...fields }, "");
const local: NetworkProfile = { ...network(), name: "Local chain", baseUrl: "http://127.0.0.1:1", local: true };
const key = (value: string) => ({ value, origins: [OWN] });

describe("JwtKeys", () => {
  let parts: CredentialsModule;
  let storage: FakeStorage;
  let now: number;

  before(async () => {
    parts = await loadWithEditor<CredentialsModule>("src/host/secrets/network-credentials.ts");
  });

  beforeEach(() => {
    storage = new FakeStorage();
    now = 1_790_000_000_000;
  });

  /** Opens a window with the shared secret storage. */
  function open(state = memento()) {
    const onUnavailable = async () => "keep-for-this-window" as const;
    const store = new SecretStore({ secrets: storage, masking: new Masking(), onUnavailable });
    const credentials = new parts.NetworkCredentials({ store, state, now: () => now });
    const keys = credentials.jwtKeysOf(network());
    assert.ok(keys);
    return { credentials, keys, list: () => credentials.jwtKeys(network()) };
  }

  it("store name, ID and date, and use the first key until another is chosen", async () => {
    const { keys, list, credentials } = open();

    const first = await keys.add(key("PEM 1"), { name: "Laptop", keyId: "kid-1" });
    now += HOUR;
    const second = await keys.add(key("PEM 2"), { name: "Laptop" });

    assert.deepEqual(await list(), [
      { id: first.id, name: "Laptop", keyId: "kid-1", created: 1_790_000_000_000, inUse: true },
      { id: second.id, name: "Laptop 2", created: now, inUse: false },
    ]);
    assert.deepEqual(await credentials.jwtKeyInUse(network()), { ...key("PEM 1"), id: first.id, keyId: "kid-1" });
    await keys.use(second.id);
    assert.deepEqual(await credentials.jwtKeyInUse(network()), { ...key("PEM 2"), id: second.id });
  });

  it("S89 allow at most three keys, also when two windows add one at the same time", async () => {
    const [one, two] = [open(), open()];
    await one.keys.add(key("PEM 1"), { name: "a" });
    await one.keys.add(key("PEM 2"), { name: "b" });

    const both = await Promise.allSettled([one, two].map(({ keys }) => keys.add(key("PEM 3"), { name: "c" })));

    const refused = both.flatMap((it) => (it.status === "rejected" ? [it.reason] : []));
    assert.ok(
      refused.every(
        (it) => it.code === "JWT_KEYS_FULL" && /the most that the service allows for an account/.test(it.message),
      ),
    );
    assert.ok(refused.length > 0 && (await one.list()).length <= 3);
    await assert.rejects(
      async () => {
        for (;;) await one.keys.add(key("PEM 4"), { name: "d" });
      },
      { code: "JWT_KEYS_FULL" },
    );
    assert.equal((await two.list()).length, 3);
  });

  it("keep both keys that two windows add at the same time", async () => {
    const [one, two] = [open(), open()];

    await Promise.all([one.keys.add(key("PEM 1"), { name: "a" }), two.keys.add(key("PEM 2"), { name: "b" })]);

    const pems = await Promise.all((await one.list()).map(({ id }) => two.keys.privateKey(id)));
    assert.deepEqual(pems.map((it) => it?.value).sort(), ["PEM 1", "PEM 2"]);
  });

  it("read the key of an earlier version as first record, with the ID of the settings", async () => {
    await storage.store("finality.jwtKey.Bank", "an old PEM");
    const { credentials, keys } = open();
    const settings = network({ keyId: "kid-0" });

    const [record, ...others] = await credentials.jwtKeys(settings);

    assert.deepEqual([record, others], [{ id: "first", name: "Key 1", keyId: "kid-0", inUse: true }, []]);
    const inUse = await credentials.jwtKeyInUse(settings);
    assert.deepEqual(inUse, { value: "an old PEM", origins: [], id: "first", keyId: "kid-0" });
    assert.ok(record);
    await keys.change(record, { name: "Old one", keyId: "kid-00" });
    const [changed] = await credentials.jwtKeys(settings);
    assert.deepEqual([changed?.name, changed?.keyId, changed?.created], ["Old one", "kid-00", undefined]);
    const { keys: more, list } = open();

    await more.add(key("PEM 1"), { name: "New" });

    assert.deepEqual(
      (await list()).map(({ name, inUse }) => [name, inUse]),
      [
        ["Old one", true],
        ["New", false],
      ],
    );
  });

  it("do not restore a removed key when another window renames or binds it", async () => {
    const [one, two] = [open(), open()];
    const record = await one.keys.add(key("PEM 1"), { name: "a" });
    await two.keys.remove(record.id);

    await one.keys.change(record, { name: "b" });
    await one.credentials.bindToo(network(), ["https://more.test"]);

    assert.deepEqual(await one.list(), []);
    assert.ok(![...storage.stored.values()].some((it) => it.includes("PEM 1")));
  });

  it("keep a key whose record was lost", async () => {
    const { keys, list } = open();
    const { id } = await keys.add(key("PEM 1"), { name: "a", keyId: "kid-1" });
    await storage.store(`finality.jwtRecord.${id} Bank`, "{ damaged");

    assert.deepEqual(await list(), [{ id, name: "Key", inUse: true }]);
    assert.deepEqual(await keys.privateKey(id), key("PEM 1"));
  });

  it("return no key in place of a lost one", async () => {
    const { keys, list, credentials } = open();
    const first = await keys.add(key("PEM 1"), { name: "a" });
    await keys.add(key("PEM 2"), { name: "b" });
    await storage.delete(`finality.jwtRecordKey.${first.id} Bank`);

    assert.deepEqual(
      (await list()).map(({ name, inUse }) => [name, inUse]),
      [["b", false]],
    );
    assert.equal(await credentials.jwtKeyInUse(network()), undefined);
    storage.stored.clear();
    assert.deepEqual(await list(), []);
  });

  it("report an unavailable storage instead of no keys", async () => {
    const { keys, list } = open();
    await keys.add(key("PEM 1"), { name: "a" });
    storage.broken = true;

    await assert.rejects(list(), { code: "SECRETS_UNAVAILABLE" });
  });

  it("separate networks with similar names", async () => {
    const { keys, credentials } = open();
    await keys.add(key("PEM 1"), { name: "a" });
    const odd = network({ name: "x Bank" });
    await credentials.jwtKeysOf(odd)?.add(key("PEM 2"), { name: "b" });

    assert.deepEqual([(await credentials.jwtKeys(network())).length, (await credentials.jwtKeys(odd)).length], [1, 1]);
    await credentials.delete("jwtKey", "Bank");
    assert.deepEqual([(await credentials.jwtKeys(network())).length, (await credentials.jwtKeys(odd)).length], [0, 1]);
  });

  it("notify every window of a change with the network", async () => {
    const [one, two] = [open(), open()];
    const changed: string[] = [];
    const record = await one.keys.add(key("PEM 1"), { name: "a" });
    two.credentials.onDidChange((it) => changed.push(it));

    await one.keys.use(record.id);
    await one.keys.change(record, { name: "b" });
    await one.keys.setLifetime(30_000);
    await one.keys.remove(record.id);

    assert.ok(changed.length >= 4 && changed.every((it) => it === "Bank"), changed.join());
  });

  it("store the time of last use outside of the secret storage", async () => {
    const state = memento();
    const { keys, list } = open(state);
    const { id } = await keys.add(key("PEM 1"), { name: "a" });
    const before = storage.stored.size;

    keys.noteUse(id);
    await list();
    now += HOUR / 2;
    keys.noteUse(id);

    assert.equal((await list())[0]?.lastUsed, 1_790_000_000_000);
    now += HOUR / 2;
    keys.noteUse(id);
    assert.equal((await list())[0]?.lastUsed, now);
    assert.equal(storage.stored.size, before);
    await keys.remove(id);
    assert.deepEqual(state.get("finality.jwtKeysLastUsed"), {});
  });

  it("store the token lifetime", async () => {
    const { keys, credentials } = open();
    await keys.add(key("PEM 1"), { name: "a" });

    assert.equal((await credentials.jwtKeyInUse(network()))?.lifetime, undefined);
    await keys.setLifetime(300_000);
    assert.equal((await credentials.jwtKeyInUse(network()))?.lifetime, 300_000);
    await keys.setLifetime("endless");
    assert.equal((await credentials.jwtKeyInUse(network()))?.lifetime, "endless");
  });

  it("H8: store keys of the local chain per chain, apart from networks of the settings", async () => {
    const { credentials } = open();
    assert.equal(credentials.jwtKeysOf(local), undefined);
    credentials.setLocalChain("one");
    await credentials.jwtKeysOf(local)?.add({ value: "PEM 1", origins: ["http://127.0.0.1:1"] }, { name: "a" });
    await credentials.set("apiKey", "Local chain", { value: "sesame seed", origins: ["http://127.0.0.1:1"] });
    assert.deepEqual(await credentials.localAccess(), { jwt: true, apiKey: true });

    credentials.setLocalChain("two");

    assert.deepEqual(await credentials.of(local), { apiKey: undefined, jwtKey: undefined });
    for (const name of ["one", "local chain one", "Local chain one"]) {
      assert.deepEqual(await credentials.of(network({ name })), { apiKey: undefined, jwtKey: undefined });
    }
    assert.equal(network({ name: " local chain one" }).name, "local chain one");
    await credentials.forgetLocalChains();
    assert.deepEqual([...storage.stored.keys()], []);
  });
});
