import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { FakeSecrets, loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../../src/host/secrets/signing-keys.ts");
type Keys = InstanceType<Parts["SigningKeys"]>;

const addressOf = (number: number): Address => parseAddress(`41${number.toString(16).padStart(40, "0")}`);
const account = (number: number) => ({ address: addressOf(number), label: `Account ${number}`, watchOnly: true });

describe("accounts of several windows", () => {
  let parts: Parts;
  let folder: string;
  let windows: Keys[];

  before(async () => {
    parts = await loadWithEditor<Parts>("src/host/secrets/signing-keys.ts");
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-accounts-"));
    windows = [];
  });

  afterEach(async () => {
    for (const it of windows) it.dispose();
    await rm(folder, { recursive: true });
  });

  /** A window has the state of the editor as it was when it opened. */
  async function open(state = memento()): Promise<Keys> {
    const keys = new parts.SigningKeys(state as never, new FakeSecrets() as never, folder);
    windows.push(keys);
    await keys.start?.();
    return keys;
  }

  const labels = (keys: Keys): readonly string[] => keys.list().map(({ label }) => label);

  /** Resolves when this window lists so many. */
  async function listed(keys: Keys, count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (keys.list().length === count) resolve();
    };
    keys.onDidChange(look);
    look();
    await promise;
  }

  it("P3: an account that is added in one window appears in the other, and goes there when it is removed", async () => {
    const [first, second] = [await open(), await open()];

    await first.add(account(1));
    await listed(second, 1);
    assert.deepEqual(labels(second), ["Account 1"]);

    await second.remove(addressOf(1));
    await listed(first, 0);
  });

  it("P3: of accounts that two windows add at once none is lost", async () => {
    const [first, second] = [await open(), await open()];
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);

    await Promise.all(numbers.map((it) => (it % 2 === 0 ? first : second).add(account(it))));
    await Promise.all([listed(first, 20), listed(second, 20)]);

    assert.deepEqual(labels(await open()), labels(first));
  });

  it("P3: what was listed before there were files is kept, in its order", async () => {
    const state = memento();
    await state.update("finality.accounts", [account(3), account(1), account(2)]);

    const keys = await open(state);

    assert.deepEqual(labels(keys), ["Account 3", "Account 1", "Account 2"]);
    assert.deepEqual(labels(await open()), labels(keys));
  });

  it("P3: what a version that knows no files added meanwhile is kept, and what was removed stays away", async () => {
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

  it("P3: a list that a window remembers from earlier brings nothing back that another one removed", async () => {
    const state = memento();
    const first = await open(state);
    await first.add(account(1));
    await first.add(account(2));
    first.dispose();
    await (await open()).remove(addressOf(1));

    assert.deepEqual(labels(await open(state)), ["Account 2"]);
  });

  it("leave out what cannot be read, and hold no key", async () => {
    const first = await open();
    await first.add(account(1), "ab".repeat(32));
    const place = join(folder, "accounts");
    const [file = ""] = await readdir(place);
    assert.ok(!(await readFile(join(place, file), "utf8")).includes("abab"));
    await writeFile(join(place, file.replace(/^41/, "42")), "garbage");

    assert.deepEqual(labels(await open()), ["Account 1"]);
  });
});
