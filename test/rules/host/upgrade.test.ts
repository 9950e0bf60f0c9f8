import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { appendFile, copyFile, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseNetworks } from "../../../packages/client/src/gateway/network-settings.ts";
import { submitTransaction } from "../../../packages/client/src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
import { JournalFile } from "../../../packages/node/src/journal/journal-file.ts";
import { hex, type TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { Masking } from "../../../src/host/log/masking.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { FakeSecrets, loadWithEditor, memento } from "../../support/fakes/fake-editor.ts";
import { FakeGateway } from "../../support/fakes/fake-gateway.ts";
import { fakeBytes, TRANSFER } from "../../support/tracking/journal-entries.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/upgrade");
const VERSIONS = readdirSync(FIXTURES, { withFileTypes: true }).flatMap((it) => (it.isDirectory() ? it.name : []));
/** Lines of a later version: an unknown format, kind of fact and kind of intent. */
const OF_LATER: readonly (readonly [what: string, line: string])[] = [
  ["a format", '{"v":2,"w":"later","n":0,"kind":"signed","txId":"00"}'],
  ["an entry kind", `{"v":1,"w":"later","n":0,"kind":"escrowed","txId":"${"cd".repeat(32)}","at":1}`],
  [
    "an intent kind",
    `{"v":1,"w":"later","n":0,"kind":"signed","txId":"${"cd".repeat(32)}","at":1,"intent":{"kind":"escrow"}}`,
  ],
];
const context = { network: "Shop", intent: TRANSFER, expiration: 1_767_225_660_000, solidHeight: 0 };

const signed = (number: number) => ({ ...fakeBytes(number), signatures: [hex("00".repeat(65))] });

/** Transactions and networks that a version showed. */
interface Expected {
  readonly transactions: readonly { readonly txId: string; readonly kind: string }[];
  readonly networks: readonly object[];
}

async function fixtureOf<T>(version: string, name: string): Promise<T> {
  return JSON.parse(await readFile(join(FIXTURES, version, name), "utf8")) as T;
}

/** Returns the current state kind. Version 0.1.0 treated a proxy's status as a rejection by the node. */
function currentKind(version: string, kind: string): string {
  return version === "0.1.0" && kind === "rejected" ? "unknown" : kind;
}

describe("journal of another version", () => {
  let folder: string;
  const opened: JournalFile[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-upgrade-"));
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((it) => it.close()));
    await rm(folder, { recursive: true });
  });

  async function open() {
    const store = new JournalFile(folder, { onFollowError: assert.ifError });
    opened.push(store);
    const [clock, gateway] = [new FakeClock(), new FakeGateway()];
    const log = new TransactionTracker({ store, clock, gatewayFor: async () => gateway });
    const warnings = await log.load();
    return { store, log, gateway, warnings, services: { log, gateway, clock } };
  }

  const journal = () => readFile(join(folder, "journal.jsonl"), "utf8");

  it("exists as a fixture for every released version", async () => {
    const changelog = await readFile(join(FIXTURES, "../../../CHANGELOG.md"), "utf8");
    const released = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, version = ""]) => version);

    assert.ok(released.length > 0);
    for (const version of released) assert.ok(VERSIONS.includes(version), `no fixture of ${version}`);
  });

  for (const version of VERSIONS) {
    it(`of ${version} restores every transaction state, and accepts new entries`, async () => {
      await copyFile(join(FIXTURES, version, "journal.jsonl"), join(folder, "journal.jsonl"));
      const { transactions } = await fixtureOf<Expected>(version, "expected.json");

      const { log, warnings, services, gateway } = await open();

      assert.deepEqual(warnings, []);
      const shown = log.list().map(({ txId, state }) => ({ txId: txId as string, kind: state.kind as string }));
      assert.deepEqual(
        shown.sort((a, b) => (a.txId < b.txId ? -1 : 1)),
        transactions.map(({ txId, kind }) => ({ txId, kind: currentKind(version, kind) })),
      );
      const before = await journal();
      await submitTransaction(services, signed(7), context);
      assert.equal(gateway.requests.filter((it) => it.startsWith("broadcast")).length, 1);
      assert.ok((await journal()).startsWith(before), "existing lines changed");
    });
  }

  it("contains every kind of entry, and 0.1.0's rejections by a proxy become unknown", async () => {
    await copyFile(join(FIXTURES, "0.1.0", "journal.jsonl"), join(folder, "journal.jsonl"));
    const { log } = await open();
    const { transactions } = await fixtureOf<Expected>("0.1.0", "expected.json");

    const refused = transactions.filter(({ kind }) => kind === "rejected");
    const outcomes = refused.map(({ txId }) => log.get(txId as TxId)?.attempts[0]?.outcome);

    assert.deepEqual(
      outcomes.map((it) => it?.kind === "unknown" && it.turnedAway),
      [true],
    );
    assert.equal(log.list().filter(({ hidden }) => hidden).length, 1);
    assert.ok(log.list().some(({ signed: own }) => own?.intent.kind === "contract-call"));
    const newest = await readFile(join(FIXTURES, "0.2.0", "journal.jsonl"), "utf8");
    for (const kind of ["proven-absent", "replaced", "hidden", "adopted", "solidified"])
      assert.match(newest, new RegExp(`"kind":"${kind}"`));
  });

  for (const [what, line] of OF_LATER) {
    it(`with ${what} of a newer version is shown, reported and not sent to`, async () => {
      await copyFile(join(FIXTURES, "0.2.0", "journal.jsonl"), join(folder, "journal.jsonl"));
      await appendFile(join(folder, "journal.jsonl"), `${line}\n`);
      const before = await journal();

      const { log, warnings, services, gateway } = await open();

      const { transactions } = await fixtureOf<Expected>("0.2.0", "expected.json");
      assert.equal(log.list().length, transactions.length);
      assert.match(warnings.join(), /newer version of Finality.*nothing is sent.*Update Finality, then reload/s);
      await assert.rejects(submitTransaction(services, signed(7), context), { code: "JOURNAL_NEWER" });
      assert.deepEqual(gateway.requests, []);
      assert.equal(await journal(), before);
      assert.deepEqual(await readdir(folder), ["journal.jsonl"]);
    });
  }

  it("blocks sending as soon as a newer version writes a line", async () => {
    const { services, gateway } = await open();
    await submitTransaction(services, signed(7), context);
    const { length } = gateway.requests;

    await appendFile(join(folder, "journal.jsonl"), `${OF_LATER[0]?.[1]}\n`);

    const other = { ...context, acknowledged: [fakeBytes(7).txId] };
    await assert.rejects(submitTransaction(services, signed(8), other), { code: "JOURNAL_NEWER" });
    assert.equal(gateway.requests.length, length);
  });

  it("with newer lines still records new states, and is not compacted", async () => {
    await copyFile(join(FIXTURES, "0.2.0", "journal.jsonl"), join(folder, "journal.jsonl"));
    await appendFile(join(folder, "journal.jsonl"), `${OF_LATER[0]?.[1]}\n`);
    const before = await journal();
    const { log, store } = await open();
    assert.throws(() => store.requireReadable(), { code: "JOURNAL_NEWER" }, "before a prompt to sign");

    for (const { txId } of log.list()) await log.note({ kind: "hidden", txId, at: 2_000_000_000_000 });

    assert.equal(await store.compact(), 0);
    const after = await journal();
    assert.ok(after.startsWith(before) && after.length > before.length);
  });
});

describe("stored state of another version", () => {
  type Keys = typeof import("../../../src/host/secrets/signing-keys.ts");
  type Secrets = typeof import("../../../src/host/secrets/secret-store.ts");
  type Credentials = typeof import("../../../src/host/secrets/network-credentials.ts");
  let parts: Keys & Secrets & Credentials;
  let folder: string;

  before(async () => {
    parts = {
      ...(await loadWithEditor<Keys>("src/host/secrets/signing-keys.ts")),
      ...(await loadWithEditor<Secrets>("src/host/secrets/secret-store.ts")),
      ...(await loadWithEditor<Credentials>("src/host/secrets/network-credentials.ts")),
    };
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-upgrade-"));
  });

  afterEach(() => rm(folder, { recursive: true }));

  /** Returns the editor with the state and secrets of that version. */
  async function editorOf(version: string) {
    const state = memento();
    for (const [key, value] of Object.entries(await fixtureOf<object>(version, "state.json")))
      await state.update(key, value);
    const stored = new Map(Object.entries(await fixtureOf<Record<string, string>>(version, "secrets.json")));
    const storage = {
      get: async (key: string) => stored.get(key),
      store: async (key: string, value: string) => void stored.set(key, value),
      delete: async (key: string) => void stored.delete(key),
      keys: async () => [...stored.keys()],
      onDidChange: () => ({ dispose: () => undefined }),
    };
    const onUnavailable = () => Promise.reject(new Error("Secret storage is available."));
    const store = new parts.SecretStore({ secrets: storage as never, masking: new Masking(), onUnavailable });
    return { state, store, stored };
  }

  for (const version of VERSIONS) {
    it(`of ${version} restores accounts, watch-only flags and keys`, async () => {
      const { state, store, stored } = await editorOf(version);
      const keys = new parts.SigningKeys(state as never, store, folder);

      await keys.start();

      const [alice, shop] = keys.list();
      assert.deepEqual(
        [alice, shop].map((it) => [it?.label, it?.watchOnly]),
        [
          ["Alice", false],
          ["Shop", true],
        ],
      );
      assert.equal(await store.get("signingKey", alice?.address ?? ""), [...stored.values()][0]);
      assert.equal((await readdir(join(folder, "accounts"))).length, 2);
      await keys.close();
    });

    it(`of ${version} restores the same networks`, async () => {
      const settings = await fixtureOf<Record<string, unknown>>(version, "settings.json");
      const { networks } = await fixtureOf<Expected>(version, "expected.json");

      const { profiles, problems } = parseNetworks(settings["finality.networks"]);

      assert.deepEqual([profiles, problems], [networks, []]);
    });
  }

  it("of 0.1.0 restores an API key that is bound to no URL", async () => {
    const { state, store } = await editorOf("0.1.0");
    const { "finality.networks": written } = await fixtureOf<Record<string, unknown>>("0.1.0", "settings.json");
    const [network] = parseNetworks(written).profiles;
    const credentials = new parts.NetworkCredentials({ store, state: state as never, now: () => 0 });
    assert.ok(network);

    const before = await credentials.of(network);
    await credentials.bindToo(network, ["https://shop.test"]);
    const after = await credentials.of(network);

    assert.deepEqual(before.apiKey, { value: "an API key of nobody", origins: [] });
    assert.deepEqual(after.apiKey, { value: "an API key of nobody", origins: ["https://shop.test"] });
    credentials.dispose();
  });

  it("of a newer version keeps unknown fields and accounts when an account is added", async () => {
    const { state } = await editorOf("0.2.0");
    const list = state.get<readonly object[]>("finality.accounts") ?? [];
    await state.update("finality.accounts", [
      ...list.map((it) => ({ ...it, guardians: ["of later"] })),
      { address: "an address of later", label: "Later" },
    ]);
    const later = new parts.SigningKeys(state as never, new FakeSecrets() as never);

    await later.add({ address: `41${"0a".repeat(20)}` as never, label: "New", watchOnly: true });

    const kept = state.get<readonly { label: string; guardians?: unknown }[]>("finality.accounts") ?? [];
    assert.deepEqual(
      kept.map(({ label, guardians }) => [label, guardians]),
      [
        ["Alice", ["of later"]],
        ["Shop", ["of later"]],
        ["New", undefined],
        ["Later", undefined],
      ],
    );
  });
});
