import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { startServer } from "../../../test/support/http/http-server.ts";
import {
  DATABASE_PASSWORD,
  freePort,
  type PostgresServer,
  startPostgres,
} from "../../../test/support/postgres/server.ts";
import type { ChainId } from "../../client/src/gateway/network.ts";
import { PostgresRunStore } from "../../postgres/src/postgres-run-store.ts";
import { parseStoreUrl } from "../../postgres/src/store-url.ts";
import { toBase58 } from "../../tron/src/primitives/address.ts";
import { sun } from "../../tron/src/primitives/amount.ts";
import type { JsonObject } from "../../tron/src/primitives/json.ts";
import { CommandChain } from "./support/chain.ts";
import { partOf, runJson } from "./support/test-terminal.ts";

const SECRET = "a secret of the webhook";

describe("finality worker", function () {
  this.timeout(60_000);
  let server: PostgresServer;
  let chain: CommandChain;
  let store: PostgresRunStore;
  let url: string;

  before(async () => {
    server = await startPostgres({ fsync: false });
  });

  after(() => server.stop());

  beforeEach(async () => {
    chain = await CommandChain.start();
    url = server.createDatabase();
    const settings = parseStoreUrl(url, {}, DATABASE_PASSWORD);
    assert.ok(settings.kind === "settings");
    store = await PostgresRunStore.open(settings);
  });

  afterEach(async () => {
    await store.close();
    await chain.close();
  });

  const env = () => ({
    ...chain.env,
    PGPASSWORD: DATABASE_PASSWORD,
    KEY: chain.privateKey(0),
    FINALITY_WEBHOOK_SECRET: SECRET,
  });

  /** Stores a run of payments from the first account to the second one. */
  async function createRun(rows: number, owner = chain.address(0)): Promise<void> {
    const { blockID } = await chain.post("/wallet/getblockbynum", { num: 0 });
    await store.create(
      {
        id: "payroll",
        network: { network: "Local chain", chain: String(blockID) as ChainId },
        owner,
        title: "Payroll",
        fileHash: "ab".repeat(32),
        version: 1,
        createdAt: 1,
      },
      Array.from({ length: rows }, (_, index) => ({
        row: index + 1,
        key: `key ${index}`,
        intent: { kind: "transfer", owner, to: chain.address(1), amount: sun(BigInt(index + 1)) } as const,
      })),
    );
  }

  const worker = (...args: readonly string[]) =>
    runJson(["worker", "--local", "--store", url, "--key-env", "KEY", "--exit-when-finished", ...args], { env: env() });

  /** Makes blocks until a worker ends. */
  async function whileMining<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    void work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await chain.post("/local/mine", { blocks: 1 });
      await wait(100);
    }
    return await work;
  }

  it("pays each row of a run, and reports each as one signed webhook", async () => {
    await createRun(3);
    const bodies = new Map<string, string>();
    let refusals = 1;
    await using receiver = await startServer((outgoing, { body, headers }) => {
      const id = String(headers["webhook-id"]);
      const text = `${id}.${headers["webhook-timestamp"]}.${body}`;
      const signature = `v1,${createHmac("sha256", SECRET).update(text).digest("base64")}`;
      if (headers["webhook-signature"] === signature && refusals-- <= 0) bodies.set(id, body);
      outgoing.writeHead(refusals < 0 ? 204 : 500).end();
    });

    const { exitCode, events } = await whileMining(worker("--webhook", receiver.url));
    for (let tries = 0; bodies.size < 3 && tries < 3; tries++) await worker("--webhook", receiver.url);

    assert.equal(exitCode, 0);
    assert.ok(events.some(({ message }) => message === "The run is finished."));
    const rows = [...bodies.values()].map((it) => JSON.parse(it));
    assert.deepEqual([...new Set(rows.map(({ type }) => type))], ["row.succeeded"]);
    assert.deepEqual(rows.map(({ data }) => data.row).sort(), [1, 2, 3]);
    assert.equal(
      (await store.rows("payroll", { from: 1, limit: 9 })).every(({ attempts }) => attempts.length === 1),
      true,
    );
  });

  it("pays a file that was stored for workers, and lists it", async () => {
    const files = { "pay.csv": `recipient,amount\n${toBase58(chain.address(1))},2\n${toBase58(chain.address(1))},3\n` };
    const input = { env: { ...env(), FINALITY_STORE: url }, files, folder: "/nowhere" };
    const stored = await runJson(["run", "pay.csv", "--local", "--key-env", "KEY", "--yes", "--detach"], input);
    const before = await runJson(["runs"], input);
    await whileMining(worker());
    const after = await runJson(["runs"], input);

    assert.deepEqual([stored.exitCode, partOf(stored.line, "result").end], [0, "stored"]);
    const [was, is] = [before, after].map(
      ({ line }) => (partOf(line, "result").runs as readonly JsonObject[])[0]?.counts,
    );
    assert.deepEqual([(was as JsonObject).waiting, (is as JsonObject).succeeded], [2, 2]);
  });

  it("leaves rows of other accounts alone", async () => {
    await createRun(1, chain.address(1));
    const { exitCode } = await worker();
    const [row] = await store.rows("payroll", { from: 1, limit: 1 });

    assert.deepEqual([exitCode, row?.attempts], [0, []]);
  });

  it("refuses a password in the URL, an external signer, and webhooks without a secret or encryption", async () => {
    const refused = async (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> => {
      const { line } = await runJson(["worker", "--local", ...args], { env: { ...env(), ...more } });
      return String(partOf(line, "error").cause);
    };
    const withKey = ["--store", url, "--key-env", "KEY"];
    const withPassword = await refused(["--store", "postgres://pay:hunter2@127.0.0.1/runs", "--key-env", "KEY"]);

    assert.match(withPassword, /contains a password/);
    assert.doesNotMatch(withPassword, /hunter2/);
    assert.match(await refused(["--key-env", "KEY"]), /needs --store/);
    assert.match(await refused([...withKey, "--webhook", "http://example.org/"]), /https/);
    assert.match(
      await refused([...withKey, "--webhook", "https://example.org/"], { FINALITY_WEBHOOK_SECRET: "short" }),
      /16 characters/,
    );
    assert.match(await refused([...withKey, "--store-password-fd", "hunter2"]), /number of a file descriptor/);
  });

  it("serves metrics and its health on loopback", async () => {
    await createRun(1);
    const port = await freePort();
    const running = worker("--metrics", String(port));
    const read = async (path: string): Promise<string> => {
      for (let tries = 0; tries < 100; tries++) {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
        if (answer !== undefined) return await answer.text();
        await wait(50);
      }
      return assert.fail("The worker serves no metrics.");
    };
    const [metrics, health] = [await read("/metrics"), await read("/healthz")];
    await whileMining(running);

    assert.match(metrics, /finality_leading \d\n/);
    assert.match(metrics, /# EOF/);
    assert.equal(health, "ok\n");
  });
});
