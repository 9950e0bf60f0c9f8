import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { type CutProxy, openCutProxy } from "../../../test/support/postgres/cut-proxy.ts";
import { DATABASE_PASSWORD, type PostgresServer, startPostgres } from "../../../test/support/postgres/server.ts";
import {
  ACCEPTED,
  ALICE,
  answeredEntry,
  blockReference,
  signedEntry,
  startedEntry,
  TIMED_OUT,
  TRANSFER,
} from "../../../test/support/tracking/journal-entries.ts";
import type { ChainId } from "../../client/src/gateway/network.ts";
import { type Claim, type NewRun, RUN_VERSION } from "../../client/src/runs/run-store.ts";
import type { JournalEntry } from "../../client/src/transaction-state/journal-entry.ts";
import { Database } from "../src/database.ts";
import { migrate } from "../src/migrate.ts";
import { PostgresRunStore } from "../src/postgres-run-store.ts";
import { migrations } from "../src/schema.ts";
import { parseStoreUrl } from "../src/store-url.ts";

const CHAIN = "0".repeat(64) as ChainId;
const RUN: NewRun = {
  id: "payroll",
  network: { network: "test", chain: CHAIN },
  owner: ALICE,
  title: "Payroll",
  fileHash: "ab".repeat(32),
  version: RUN_VERSION,
  createdAt: 1_000,
};
const WORKER = { id: "one", version: RUN_VERSION };
const LEASE = { limit: 10, leaseMs: 60_000 };
const rowsOf = (count: number, prefix = "key") =>
  Array.from({ length: count }, (_, index) => ({ row: index + 1, key: `${prefix} ${index + 1}`, intent: TRANSFER }));

describe("PostgresRunStore", function () {
  this.timeout(60_000);
  let server: PostgresServer;
  let url: string;
  let proxy: CutProxy;
  let store: PostgresRunStore;
  const opened: PostgresRunStore[] = [];

  before(async () => {
    server = await startPostgres({ fsync: false });
    proxy = await openCutProxy(server.port);
  });

  after(async () => {
    await proxy.close();
    server.stop();
  });

  const configOf = (at = url) => {
    const settings = parseStoreUrl(at, {}, DATABASE_PASSWORD);
    if (settings.kind === "refused") throw new Error(settings.reason);
    return settings;
  };
  const open = async (at = url): Promise<PostgresRunStore> => {
    const other = await PostgresRunStore.open(configOf(at));
    opened.push(other);
    return other;
  };
  const behindProxy = (): string => url.replace(`:${server.port}`, `:${proxy.port}`);
  const claimOne = async (from: PostgresRunStore = store, id = "one"): Promise<Claim> => {
    const [claim] = await from.claim({ ...WORKER, id }, { ...LEASE, limit: 1 });
    assert.ok(claim);
    return claim;
  };
  const sql = async (text: string): Promise<readonly pg.QueryResultRow[]> => {
    const client = new pg.Client(configOf().config);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  /** Ends a lease by the clock of the database. */
  const endLeases = () => sql("UPDATE finality.claims SET lease_until = clock_timestamp() - interval '1 second'");

  beforeEach(async () => {
    url = server.createDatabase();
    store = await open();
  });

  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  it("stores a run with all its rows, or nothing", async () => {
    await store.create(RUN, rowsOf(3));
    await store.create(RUN, rowsOf(3));
    const taken = store.create({ ...RUN, id: "again" }, [...rowsOf(1, "other"), { ...rowsOf(2)[1], row: 2 } as never]);

    await assert.rejects(taken, { code: "RUN_KEY_USED" });
    await assert.rejects(store.create(RUN, rowsOf(2)), { code: "RUN_DIFFERS" });
    const [run, ...others] = await store.runs();
    assert.deepEqual([run?.rows, run?.attempted, run?.network, others], [3, 0, RUN.network, []]);
    assert.deepEqual(await store.rows("payroll", { from: 2, limit: 1 }), [{ ...rowsOf(3)[1], attempts: [] }]);
  });

  it("lets workers claim disjoint rows at the same time", async () => {
    await store.create(RUN, rowsOf(60));
    const others = await Promise.all([open(), open()]);
    const claims = await Promise.all(
      [store, ...others].flatMap((it, index) => [1, 2].map(() => it.claim({ ...WORKER, id: String(index) }, LEASE))),
    );

    const rows = claims.flat().map(({ row }) => row);
    assert.deepEqual([rows.length, new Set(rows).size], [60, 60]);
    assert.deepEqual(await store.claim(WORKER, LEASE), []);
  });

  it("fences a worker whose lease another one took over", async () => {
    await store.create(RUN, rowsOf(1));
    const late = await claimOne();
    await endLeases();
    const next = await claimOne(await open(), "two");

    assert.deepEqual([late.fence, next.fence], [1n, 2n]);
    assert.deepEqual(await store.extend([late], 1_000), []);
    assert.equal(await store.commitAttempt(late, signedEntry(1)), "fenced");
    assert.equal(await store.commitAttempt(next, signedEntry(2)), "committed");
    const { entries } = await store.journal.load();
    assert.deepEqual(entries, [signedEntry(2)]);
  });

  it("stores one attempt of a claim only, and the same attempt once", async () => {
    await store.create(RUN, rowsOf(2));
    const [claim, other] = await store.claim(WORKER, LEASE);
    assert.ok(claim && other);

    const results = await Promise.all([
      store.commitAttempt(claim, signedEntry(1)),
      store.commitAttempt(claim, signedEntry(1)),
      store.commitAttempt(claim, signedEntry(2)),
      store.commitAttempt(other, signedEntry(1)),
    ]);

    assert.deepEqual(results, ["committed", "committed", "attempt-exists", "tx-id-used"]);
    assert.equal((await store.journal.load()).entries.length, 1);
  });

  it("gives an attempt that may not have arrived to the next worker, until an answer decides it", async () => {
    await store.create(RUN, rowsOf(1));
    const { txId } = signedEntry(1);
    await store.commitAttempt(await claimOne(), signedEntry(1));
    await endLeases();
    const next = await claimOne();
    await store.journal.append([startedEntry(txId), answeredEntry(txId, TIMED_OUT)]);
    await store.release([next]);
    const third = await claimOne();
    await store.journal.append([answeredEntry(txId, ACCEPTED, { attempt: 2 })]);
    await store.release([third]);

    assert.deepEqual([next.attempts, third.attempts, third.fence], [[txId], [txId], 3n]);
    assert.deepEqual(await store.claim(WORKER, LEASE), []);
  });

  it("permits another attempt once, after the last one", async () => {
    await store.create(RUN, rowsOf(1));
    const [first, second] = [signedEntry(1), signedEntry(2)];
    await store.commitAttempt(await claimOne(), first);
    await store.journal.append([
      {
        kind: "solidified",
        txId: first.txId,
        at: 1,
        block: blockReference(9),
        outcome: { kind: "failed", result: "REVERT", message: "no" },
      },
    ]);
    const reason = { kind: "failure", message: "It failed." } as const;
    await store.permitRetry("payroll", 1, second.txId, reason);
    assert.deepEqual(await store.claim(WORKER, LEASE), []);
    await store.permitRetry("payroll", 1, first.txId, reason);
    await endLeases();
    const claim = await claimOne();
    assert.deepEqual([claim.attempts, claim.retryAfter], [[first.txId], first.txId]);
    assert.equal(await store.commitAttempt(claim, second), "committed");
    await store.permitRetry("payroll", 1, first.txId, reason);
    assert.equal(await store.commitAttempt(claim, signedEntry(3)), "attempt-exists");
    // The bytes of the first attempt never leave again.
    await assert.rejects(store.journal.append([startedEntry(first.txId)]), { code: "RESEND_REFUSED" });
  });

  it("refuses a second attempt after a refusal if the bytes were submitted twice", async () => {
    await store.create(RUN, rowsOf(1));
    const { txId } = signedEntry(1);
    await store.commitAttempt(await claimOne(), signedEntry(1));
    const refusal = answeredEntry(txId, { kind: "rejected", code: "SIGERROR", message: "no" });
    await store.journal.append([startedEntry(txId), startedEntry(txId, 2), refusal]);
    await store.permitRetry("payroll", 1, txId, { kind: "rejection", message: "Refused." });
    await endLeases();
    assert.deepEqual(await store.claim(WORKER, LEASE), []);
    await store.journal.append([{ kind: "not-found", txId, at: 5, time: 9 }]);
    await store.permitRetry("payroll", 1, txId, { kind: "rejection", message: "Refused." });
    assert.equal((await claimOne()).retryAfter, txId);
  });

  it("does not give rows of a newer format to an older worker, nor rows of a paused run", async () => {
    await store.create({ ...RUN, version: RUN_VERSION + 1 }, rowsOf(1));
    assert.deepEqual(await store.claim(WORKER, LEASE), []);
    await store.setControl("payroll", "paused");
    assert.deepEqual(await store.claim({ ...WORKER, version: RUN_VERSION + 1 }, LEASE), []);
    await store.setControl("payroll", "running");
    assert.equal((await store.claim({ ...WORKER, version: RUN_VERSION + 1 }, LEASE)).length, 1);
  });

  it("commits once when the acknowledgement of a commit is lost", async () => {
    await store.create(RUN, rowsOf(8));
    const cut = await open(behindProxy());
    const claims = await cut.claim(WORKER, { ...LEASE, limit: 8 });
    for (const [index, claim] of claims.entries()) {
      proxy.cutWrites(index % 2);
      assert.equal(await cut.commitAttempt(claim, signedEntry(index)), "committed");
      await cut.journal.append([startedEntry(signedEntry(index).txId)]);
    }
    const { entries } = await store.journal.load();

    assert.ok(proxy.cuts >= 4 && cut.repeatedStatements > 0);
    assert.equal(entries.length, 16);
    assert.deepEqual(
      (await store.rows("payroll", { from: 1, limit: 99 })).map((it) => it.attempts.length),
      Array(8).fill(1),
    );
  });

  it("reports an unknown commit if the database stays away, and settles it later", async () => {
    await store.create(RUN, rowsOf(1));
    const { config, shown } = configOf(behindProxy());
    const cut = await PostgresRunStore.open({ config, shown }, { patienceMs: 50 });
    opened.push(cut);
    const claim = await claimOne(cut);
    proxy.cutWrites(9);
    await assert.rejects(cut.commitAttempt(claim, signedEntry(1)), { code: "RUN_COMMIT_UNKNOWN" });
    proxy.cutWrites(0);

    // The server may still execute the statement, so reading the row settles nothing. The same bytes do.
    assert.equal(await cut.commitAttempt(claim, signedEntry(1)), "committed");
    assert.equal(await cut.commitAttempt(claim, signedEntry(2)), "attempt-exists");
    const [row] = await store.rows("payroll", { from: 1, limit: 1 });
    assert.deepEqual([row?.attempts, (await store.journal.load()).entries.length], [[signedEntry(1).txId], 1]);
  });

  it("goes on after a crash of the database, with every committed fact", async () => {
    await store.create(RUN, rowsOf(2));
    const claim = await claimOne();
    await store.commitAttempt(claim, signedEntry(1));
    server.crash();
    await store.journal.append([startedEntry(signedEntry(1).txId)]);

    assert.equal((await store.journal.load()).entries.length, 2);
    assert.equal((await store.claim(WORKER, LEASE)).length, 1);
  });

  it("passes the facts of other workers to listeners, each once and in order", async () => {
    const other = await open();
    await other.journal.load();
    const heard: JournalEntry[] = [];
    const following = other.journal.onDidAppend((entries) => heard.push(...entries));
    await store.create(RUN, rowsOf(1));
    await store.commitAttempt(await claimOne(), signedEntry(1));
    await store.journal.append([startedEntry(signedEntry(1).txId)]);
    const behind = await other.journal.appendInOrder([startedEntry(signedEntry(5).txId)]);
    for (let tries = 0; heard.length < 2 && tries < 100; tries++) await wait(20);
    following.dispose();

    assert.deepEqual([heard.map(({ kind }) => kind), behind], [["signed", "broadcast-started"], []]);
  });

  it("lets one worker lead, and the next one when its connection is gone", async () => {
    const other = await open();
    const network = { network: "test", chain: CHAIN };
    const lead = await store.lead(network);
    assert.ok(lead);
    assert.equal(await other.lead(network), undefined);
    await sql("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'");
    for (let tries = 0; !lead.lost.aborted && tries < 100; tries++) await wait(20);
    const next = await other.lead(network);

    assert.deepEqual([lead.lost.aborted, next?.lost.aborted], [true, false]);
    await next?.release();
    const again = await store.lead(network);
    await again?.release();
    assert.ok(again);
  });

  it("refuses changes of stored facts and rows", async () => {
    await store.create(RUN, rowsOf(1));
    await store.commitAttempt(await claimOne(), signedEntry(1));
    for (const text of [
      "DELETE FROM finality.journal",
      "UPDATE finality.journal SET line = ''",
      "UPDATE finality.rows SET key = 'free'",
      "DELETE FROM finality.rows",
      "TRUNCATE finality.attempts CASCADE",
    ])
      await assert.rejects(sql(text), /append-only/, text);
    const second =
      "INSERT INTO finality.attempts (run, \"row\", number, tx_id, fence) VALUES ('payroll', 1, 2, 'x', 1)";
    await assert.rejects(sql(second), /attempts_live/);
  });

  it("extends the schema for newer programs, and refuses a schema that needs them", async () => {
    const database = new Database(configOf().config, "store");
    const next = { version: 2, needs: 1, sql: "ALTER TABLE finality.runs ADD COLUMN note text" };
    await migrate(database, [...migrations, next]);
    await (await open()).runs();
    await migrate(database, [...migrations, next, { version: 3, needs: 3, sql: "SELECT 1" }]);
    await database.close();

    await assert.rejects(open(), /needs schema version 3, and this program knows version 1/);
  });

  it("verifies the certificate and the name of the server", async () => {
    const [{ config }, tls] = [configOf(), server.certificate.cert];
    const at = (host: string, ca?: string) =>
      PostgresRunStore.open(
        { config: { ...config, host, ssl: { ...(ca && { ca }), rejectUnauthorized: true } }, shown: host },
        { patienceMs: 50 },
      );
    await (await at("localhost", tls)).close();

    await assert.rejects(at("localhost"), { code: "RUN_STORE_UNAVAILABLE" });
    await assert.rejects(at("127.0.0.1", tls), { code: "RUN_STORE_UNAVAILABLE" });
  });
});
