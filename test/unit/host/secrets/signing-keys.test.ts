import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { policyFromJson, policyToJson } from "../../../../packages/client/src/keys/key-policy.ts";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { type Address, parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { bytesToHex } from "../../../../packages/tron/src/primitives/bytes.ts";
import { addressOfPrivateKey, generatePrivateKey } from "../../../../packages/tron/src/transaction/signature.ts";
import { FakeSecrets, loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";

type KeysModule = typeof import("../../../../src/host/secrets/signing-keys.ts");
const CHAIN = "c4a1".repeat(10);
const code = (expected: string) => (error: unknown) => isChainError(error) && error.code === expected;

interface Pair {
  readonly address: Address;
  readonly privateKey: string;
}

function pair(): Pair {
  const key = generatePrivateKey();
  return { address: addressOfPrivateKey(key), privateKey: bytesToHex(key) };
}

describe("SigningKeys of a local chain", () => {
  let parts: KeysModule;
  let secrets: FakeSecrets;
  let keys: InstanceType<KeysModule["SigningKeys"]>;

  before(async () => {
    parts = await loadWithEditor<KeysModule>("src/host/secrets/signing-keys.ts");
  });

  beforeEach(() => {
    secrets = new FakeSecrets();
    keys = new parts.SigningKeys(memento() as never, secrets as never);
  });

  const keyOf = (address: Address) => keys.withPrivateKey(address, (key) => bytesToHex(key));
  async function bring(...accounts: readonly (Pair & { readonly label: string })[]): Promise<void> {
    await keys.storeKeysOfChain(accounts, CHAIN);
    await keys.addOfChain(accounts, CHAIN);
    keys.setChain(CHAIN);
  }

  it("H8: never overwrite, rename or delete the user's key of the same address", async () => {
    const own = pair();
    await keys.add({ address: own.address, label: "Savings", watchOnly: false }, own.privateKey);

    await bring({ ...own, label: "Alice" });

    assert.deepEqual(
      keys.list().map(({ label, chain }) => [label, chain]),
      [["Savings", undefined]],
    );
    assert.equal(keys.isOfChain(own.address), false);
    keys.setChain(undefined);
    await keys.removeOfChains(() => true);
    assert.equal(await keyOf(own.address), own.privateKey);
    assert.equal(keys.find(own.address)?.label, "Savings");
    assert.deepEqual([...secrets.kept.keys()], [`signingKey ${own.address}`]);
  });

  it("H8: never delete a user's key that this window does not list yet", async () => {
    const own = pair();
    await secrets.set("signingKey", own.address, own.privateKey);

    await bring({ ...own, label: "Alice" });
    await keys.removeOfChains(() => true);

    assert.equal(await secrets.get("signingKey", own.address), own.privateKey);
  });

  it("H8: are all refused when one key belongs to another address", async () => {
    const [good, address, key] = [pair(), pair().address, pair().privateKey];

    const bringing = bring({ ...good, label: "Alice" }, { address, privateKey: key, label: "Bob" });

    await assert.rejects(bringing, code("SIGNING_KEY_FOREIGN"));
    assert.equal(secrets.kept.size, 0);
  });

  it("H8: do not sign with a stored key of another address", async () => {
    const own = pair();
    await keys.add({ address: own.address, label: "Savings", watchOnly: false }, own.privateKey);
    await secrets.set("signingKey", own.address, pair().privateKey);
    let wasUsed = false;

    await assert.rejects(
      keys.withPrivateKey(own.address, () => {
        wasUsed = true;
      }),
      code("SIGNING_KEY_FOREIGN"),
    );

    assert.equal(wasUsed, false);
  });

  it("sign while the chain runs, and are removed with it", async () => {
    const alice = pair();
    await bring({ ...alice, label: "Alice" });

    assert.equal(await keyOf(alice.address), alice.privateKey);
    assert.equal(keys.isOfChain(alice.address), true);
    await keys.removeOfChains((chain) => chain === CHAIN);

    assert.equal(secrets.kept.size, 0);
    await assert.rejects(keyOf(alice.address), code("SIGNING_KEY_MISSING"));
  });
});

describe("SigningKeys of the user", () => {
  let parts: KeysModule;
  let secrets: FakeSecrets;
  let state: ReturnType<typeof memento>;
  const open = () => new parts.SigningKeys(state as never, secrets as never);

  before(async () => {
    parts = await loadWithEditor<KeysModule>("src/host/secrets/signing-keys.ts");
  });

  beforeEach(() => {
    [secrets, state] = [new FakeSecrets(), memento()];
  });

  it("keep their policy when the key is imported again", async () => {
    const own = pair();
    const keys = open();
    await keys.add(
      { address: own.address, label: "Savings", watchOnly: false, path: "m/44'/195'/0'/0/2" },
      own.privateKey,
    );
    await keys.setPolicy(own.address, policyToJson({ kind: "retype-above", amount: sun(7n) }));

    await keys.add({ address: own.address, label: "Nest egg", watchOnly: false }, own.privateKey);

    const expected = { kind: "retype-above", amount: "7" };
    assert.deepEqual([keys.find(own.address)?.policy, open().find(own.address)?.policy], [expected, expected]);
    assert.equal(open().find(own.address)?.label, "Nest egg");
  });

  it("keep their order when an account changes", async () => {
    const [first, second] = [pair(), pair()];
    const keys = open();
    await keys.add({ address: first.address, label: "One", watchOnly: false }, first.privateKey);
    await keys.add({ address: second.address, label: "Two", watchOnly: false }, second.privateKey);

    await keys.setPolicy(first.address, { kind: "never-real" });

    assert.deepEqual(
      keys.list().map(({ label }) => label),
      ["One", "Two"],
    );
  });

  it("sign only on local chains when the stored policy is damaged", async () => {
    const { address } = pair();
    await state.update("finality.accounts", [{ address, label: "Savings", watchOnly: false, policy: "silent" }]);

    assert.deepEqual(policyFromJson(open().find(address)?.policy), { kind: "never-real" });
  });

  it("are not stored when they are for this session only", async () => {
    const own = pair();
    const keys = open();

    await keys.add({ address: own.address, label: "Guest", watchOnly: false, sessionOnly: true }, own.privateKey);

    assert.equal(await keys.withPrivateKey(own.address, (key) => bytesToHex(key)), own.privateKey);
    assert.equal(keys.find(own.address)?.sessionOnly, true);
    assert.deepEqual([...secrets.kept], []);
    assert.equal(JSON.stringify(state.get("finality.accounts") ?? []).includes(own.address), false);
    assert.equal(open().find(own.address), undefined);
  });

  it("for this session leave the watch-only account and the stored key in place", async () => {
    const own = pair();
    const keys = open();
    await keys.add({ address: own.address, label: "Treasury", watchOnly: true });
    await secrets.set("signingKey", own.address, "stored");
    await keys.add({ address: own.address, label: "Treasury", watchOnly: false, sessionOnly: true }, own.privateKey);

    await keys.remove(own.address);

    assert.equal(keys.find(own.address)?.watchOnly, true);
    assert.equal(await secrets.get("signingKey", own.address), "stored");
  });
});

describe("SigningKeys account of an external signer", () => {
  let parts: KeysModule;
  let secrets: FakeSecrets;
  let state: ReturnType<typeof memento>;
  let keys: InstanceType<KeysModule["SigningKeys"]>;
  const { address } = pair();

  before(async () => {
    parts = await loadWithEditor<KeysModule>("src/host/secrets/signing-keys.ts");
  });

  beforeEach(async () => {
    secrets = new FakeSecrets();
    state = memento();
    keys = new parts.SigningKeys(state as never, secrets as never);
    await keys.add({ address, label: "Wallet", watchOnly: false, signer: "outside" });
  });

  it("has no private key", async () => {
    assert.deepEqual([keys.find(address)?.watchOnly, keys.isOutside(address), secrets.kept.size], [false, true, 0]);

    await assert.rejects(
      keys.withPrivateKey(address, () => assert.fail("passed a key")),
      code("SIGNING_KEY_MISSING"),
    );
  });

  it("is stored as watch-only for older versions, and is restored afterwards", async () => {
    const stored = () => state.get<readonly object[]>("finality.accounts") ?? [];
    assert.deepEqual(stored(), [{ address, label: "Wallet", watchOnly: true, signer: "outside" }]);

    const another = pair();
    await keys.add({ address: another.address, label: "Other", watchOnly: true });
    await keys.remove(another.address);

    assert.deepEqual(stored(), [{ address, label: "Wallet", watchOnly: true, signer: "outside" }]);
    const second = new parts.SigningKeys(state as never, secrets as never);
    assert.deepEqual([second.isOutside(address), second.find(address)?.watchOnly], [true, false]);
  });

  it("becomes a normal account when its key is imported", async () => {
    const own = pair();
    await keys.add({ address: own.address, label: "Own", watchOnly: false, signer: "outside" });

    await keys.add({ address: own.address, label: "Own", watchOnly: false }, own.privateKey);

    assert.equal(keys.isOutside(own.address), false);
    assert.equal(await keys.withPrivateKey(own.address, (key) => bytesToHex(key)), own.privateKey);
  });
});

type Keys = InstanceType<KeysModule["SigningKeys"]>;

const addressOf = (number: number): Address => parseAddress(`41${number.toString(16).padStart(40, "0")}`);
const account = (number: number) => ({ address: addressOf(number), label: `Account ${number}`, watchOnly: true });

describe("SigningKeys of several windows", () => {
  let parts: KeysModule;
  let folder: string;
  let windows: Keys[];

  before(async () => {
    parts = await loadWithEditor<KeysModule>("src/host/secrets/signing-keys.ts");
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-accounts-"));
    windows = [];
  });

  afterEach(async () => {
    for (const it of windows) it.dispose();
    await rm(folder, { recursive: true });
  });

  /** Opens a window with its own copy of VS Code's state. */
  async function open(state = memento()): Promise<Keys> {
    const keys = new parts.SigningKeys(state as never, new FakeSecrets() as never, folder);
    windows.push(keys);
    await keys.start?.();
    return keys;
  }

  const labels = (keys: Keys): readonly string[] => keys.list().map(({ label }) => label);

  /** Resolves when this window lists this number of accounts. */
  async function listed(keys: Keys, count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = (): void => {
      if (keys.list().length === count) resolve();
    };
    keys.onDidChange(check);
    check();
    await promise;
  }

  it("P3: show accounts that another window adds and removes", async () => {
    const [first, second] = [await open(), await open()];

    await first.add(account(1));
    await listed(second, 1);
    assert.deepEqual(labels(second), ["Account 1"]);

    await second.remove(addressOf(1));
    await listed(first, 0);
  });

  it("P3: keep all accounts that two windows add at the same time", async () => {
    const [first, second] = [await open(), await open()];
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);

    await Promise.all(numbers.map((it) => (it % 2 === 0 ? first : second).add(account(it))));
    await Promise.all([listed(first, 20), listed(second, 20)]);

    assert.deepEqual(labels(await open()), labels(first));
  });

  it("P3: migrate the accounts of VS Code's state in their order", async () => {
    const state = memento();
    await state.update("finality.accounts", [account(3), account(1), account(2)]);

    const keys = await open(state);

    assert.deepEqual(labels(keys), ["Account 3", "Account 1", "Account 2"]);
    assert.deepEqual(labels(await open()), labels(keys));
  });

  it("P3: add accounts of an older version, and do not restore removed ones", async () => {
    const state = memento();
    const keys = await open(state);
    for (const number of [1, 2, 3]) await keys.add(account(number));
    const other = await open();
    await other.remove(addressOf(2));
    const atDowngrade = memento();
    for (const key of ["finality.accounts", "finality.accounts.written"]) await atDowngrade.update(key, state.get(key));
    const older = atDowngrade.get<readonly object[]>("finality.accounts") ?? [];
    await atDowngrade.update("finality.accounts", [...older, account(4)]);

    const again = await open(atDowngrade);

    assert.deepEqual(labels(again), ["Account 1", "Account 3", "Account 4"]);
    assert.deepEqual(labels(await open()), ["Account 1", "Account 3", "Account 4"]);
  });

  it("P3: do not restore accounts from an outdated list", async () => {
    const state = memento();
    const first = await open(state);
    await first.add(account(1));
    await first.add(account(2));
    first.dispose();
    await (await open()).remove(addressOf(1));

    assert.deepEqual(labels(await open(state)), ["Account 2"]);
  });

  it("ignore unreadable files, and write no key to a file", async () => {
    const first = await open();
    await first.add(account(1), "ab".repeat(32));
    const accounts = join(folder, "accounts");
    const [file = ""] = await readdir(accounts);
    assert.ok(!(await readFile(join(accounts, file), "utf8")).includes("abab"));
    await writeFile(join(accounts, file.replace(/^41/, "42")), "garbage");

    assert.deepEqual(labels(await open()), ["Account 1"]);
  });
});
