import assert from "node:assert/strict";
import type { NetworkProfile } from "../../../../packages/client/src/gateway/network.ts";
import { parseNetworkProfile } from "../../../../packages/client/src/gateway/network-settings.ts";
import { Masking } from "../../../../src/host/log/masking.ts";
import { parseBoundSecret, SecretStore } from "../../../../src/host/secrets/secret-store.ts";
import { FakeStorage, loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";

type CredentialsModule = typeof import("../../../../src/host/secrets/network-credentials.ts");

const OWN = "https://own.test";
const OTHER = "https://other.test";
const profile = (fields: object = {}): NetworkProfile =>
  parseNetworkProfile({ name: "Bank", baseUrl: `${OWN}/chain`, ...fields }, "");

describe("NetworkCredentials", () => {
  let parts: CredentialsModule;
  let storage: FakeStorage;

  before(async () => {
    parts = await loadWithEditor<CredentialsModule>("src/host/secrets/network-credentials.ts");
  });

  beforeEach(() => {
    storage = new FakeStorage();
  });

  /** Opens a window with the shared secret storage. */
  function open() {
    const onUnavailable = async () => "keep-for-this-window" as const;
    const store = new SecretStore({ secrets: storage, masking: new Masking(), onUnavailable });
    return new parts.NetworkCredentials({
      store,
      state: memento(),
      now: () => 1,
    });
  }

  const storeBare = (kind: "apiKey" | "jwtKey", secret: string) => storage.store(`finality.${kind}.Bank`, secret);

  it("H7: keeps the origins of a credential when the URL changes", async () => {
    const entered = { value: "the key", origins: [OWN] };
    await open().set("apiKey", "Bank", entered);

    const { apiKey, jwtKey } = await open().of(profile({ baseUrl: OTHER, fallbackUrls: [OTHER] }));

    assert.deepEqual([apiKey, jwtKey], [entered, undefined]);
  });

  it("A11, H7: binds credentials of an older version only on the user's request", async () => {
    await storeBare("apiKey", "an-old-key");
    await storeBare("jwtKey", "an-old-pem");

    const before = await open().of(profile({ baseUrl: OTHER }));
    await open().bindToo(profile(), [OWN]);
    const after = await open().of(profile({ baseUrl: OTHER }));

    assert.deepEqual([before.apiKey?.origins, before.jwtKey?.origins], [[], []]);
    assert.deepEqual(after.apiKey, { value: "an-old-key", origins: [OWN] });
    assert.deepEqual(after.jwtKey?.origins, [OWN]);
  });

  it("H8: returns no credentials for the local chain", async () => {
    await open().set("apiKey", "Bank", { value: "the key", origins: [OWN] });

    const secrets = await open().of({ ...profile(), local: true });

    assert.deepEqual(secrets, { apiKey: undefined, jwtKey: undefined });
  });

  it("H7: adds origins only when bound, each once", async () => {
    const credentials = open();
    await credentials.set("apiKey", "Bank", { value: "the key", origins: [OWN] });

    await credentials.bindToo(profile(), [OTHER, OWN, OTHER]);

    const { apiKey, jwtKey } = await credentials.of(profile());
    assert.deepEqual(apiKey, { value: "the key", origins: [OWN, OTHER] });
    assert.equal(jwtKey, undefined);
    assert.deepEqual([...storage.stored.keys()], ["finality.apiKey.Bank"]);
  });

  it("H7: reports leftover credentials of another URL", async () => {
    const credentials = open();
    const left = (baseUrl: string, apiKey?: string) => credentials.leftBehind(profile({ baseUrl }), apiKey);

    assert.equal(await left(OWN, "mine"), false);
    await credentials.set("apiKey", "Bank", { value: "the key", origins: [OWN] });
    assert.deepEqual([await left(OWN), await left(OWN, "the key")], [false, false]);
    assert.deepEqual([await left(OTHER), await left(OWN, "mine")], [true, true]);
    await credentials.delete("apiKey", "Bank");
    await storeBare("jwtKey", "of an unknown origin");
    assert.equal(await left(OWN), true);
  });

  it("H7: binds a damaged credential to no origin", async () => {
    await storeBare("apiKey", "finality:bound:{");

    assert.deepEqual(await open().get("apiKey", profile()), { value: "", origins: [] });
  });

  it("notifies every window of a changed network credential", async () => {
    const [one, two] = [open(), open()];
    const changed: string[] = [];
    two.onDidChange((network) => changed.push(network));

    await one.set("apiKey", "Bank", { value: "a key", origins: [OWN] });
    await storage.store("finality.signingKey.41", "a key");
    await one.delete("apiKey", "Bank");
    two.dispose();

    assert.deepEqual(changed, ["Bank", "Bank"]);
    assert.equal(parseBoundSecret(storage.stored.get("finality.apiKey.Bank") ?? "gone"), "gone");
  });

  it("reports an unavailable storage", async () => {
    storage.broken = true;

    await assert.rejects(open().of(profile()), { code: "SECRETS_UNAVAILABLE" });
  });
});
