import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { submitTransaction } from "../../../packages/client/src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
import { JournalFile } from "../../../packages/node/src/journal/journal-file.ts";
import { ChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { FakeGateway } from "../../support/fakes/fake-gateway.ts";
import {
  ACCEPTED,
  answeredEntry,
  fakeBytes,
  signedEntry,
  startedEntry,
  TIMED_OUT,
  TRANSFER,
} from "../../support/tracking/journal-entries.ts";
import type { PayingOrder, PayingReport } from "../../support/tracking/paying-process.ts";

const WINDOW = join(import.meta.dirname, "../../support/tracking/paying-process.ts");
const PAYMENTS = 40;
const context = { network: "test", intent: TRANSFER, expiration: 1_767_225_660_000, solidHeight: 0 };

describe("two windows with one journal", () => {
  let folder: string;
  const children: ChildProcess[] = [];
  const opened: JournalFile[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-windows-"));
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await Promise.all(opened.splice(0).map((it) => it.close()));
    await rm(folder, { recursive: true });
  });

  async function open(path = folder, gatewayOf?: () => Promise<FakeGateway>) {
    const store = new JournalFile(path, { onFollowError: assert.ifError });
    opened.push(store);
    const [clock, gateway] = [new FakeClock(), new FakeGateway()];
    const log = new TransactionTracker({ store, clock, gatewayFor: gatewayOf ?? (async () => gateway) });
    const warnings = await log.load();
    return { log, gateway, clock, warnings, services: { log, gateway, clock } };
  }

  async function startWindow(): Promise<ChildProcess> {
    const child = fork(WINDOW, [folder], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
    children.push(child);
    await answer(child);
    return child;
  }

  const answer = (child: ChildProcess): Promise<PayingReport> =>
    new Promise((resolve) => child.once("message", (report) => resolve(report as PayingReport)));

  function pay(child: ChildProcess, order: PayingOrder): Promise<PayingReport> {
    const done = answer(child);
    child.send(order);
    return done;
  }

  it("send a payment once when both processes submit it at the same time", async () => {
    const windows = [await startWindow(), await startWindow()];

    for (let intent = 1; intent <= PAYMENTS; intent++) {
      const reports = await Promise.all(
        windows.map((it, window) => pay(it, { intent, bytes: 1_000 * (window + 1) + intent })),
      );
      const outcomes = reports.map((it) => (it === "ready" ? it : it.outcome));
      assert.deepEqual(outcomes.sort(), ["EQUAL_TRANSACTION_ALIVE", "sent"], `payment ${intent}`);
    }

    const { log } = await open();
    const kinds = Map.groupBy(log.list(), ({ state }) => state.kind);
    assert.equal(kinds.get("pending")?.length, PAYMENTS);
    for (const { txId, state, attempts } of kinds.get("replaced") ?? []) {
      assert.deepEqual(attempts, [], "a refused payment was not broadcast");
      assert.equal(state.kind === "replaced" && log.get(state.by)?.state.kind, "pending", txId);
    }
  });

  it("refuse an equal payment of the other window until its txID is acknowledged", async () => {
    const [first, second] = [await open(), await open()];
    first.gateway.answerBroadcast(() => ({ kind: "accepted" }));
    const paid = await submitTransaction(first.services, { ...fakeBytes(1), signatures: [] }, context);

    const again = { ...fakeBytes(2), signatures: [] };
    await assert.rejects(submitTransaction(second.services, again, context), { code: "EQUAL_TRANSACTION_ALIVE" });
    assert.deepEqual(second.gateway.requests, []);
    const third = { ...fakeBytes(3), signatures: [] };
    const knowing = { ...context, acknowledged: [paid.txId] };
    const sent = await submitTransaction(second.services, third, knowing);

    assert.equal(sent.state.kind, "pending");
  });

  it("accept the next payment after a refused one", async () => {
    const { services, log } = await open();
    await log.record(signedEntry(1), startedEntry(fakeBytes(1).txId));
    const rival = { ...fakeBytes(2), signatures: [] };
    await assert.rejects(submitTransaction(services, rival, context), { code: "EQUAL_TRANSACTION_ALIVE" });

    const next = await submitTransaction(
      services,
      { ...fakeBytes(3), signatures: [] },
      {
        ...context,
        acknowledged: [fakeBytes(1).txId],
      },
    );

    assert.equal(next.state.kind, "pending");
  });

  it("open a journal of another machine whose network is unknown here", async () => {
    const here = await open();
    const { txId } = signedEntry(1);
    await here.log.record(signedEntry(1, { network: "Only here", label: "Rent" }), startedEntry(txId));
    await here.log.record(answeredEntry(txId, TIMED_OUT));
    await here.log.record(signedEntry(2, { network: "Only here" }), startedEntry(signedEntry(2).txId));
    await here.log.record(answeredEntry(signedEntry(2).txId, ACCEPTED));
    const elsewhere = join(folder, "another", "machine");
    await mkdir(elsewhere, { recursive: true });
    await copyFile(join(folder, "journal.jsonl"), join(elsewhere, "journal.jsonl"));

    const unknown = new ChainError("NETWORK_UNKNOWN", { network: "Only here" });
    const there = await open(elsewhere, () => Promise.reject(unknown));

    assert.deepEqual(there.warnings, []);
    assert.deepEqual(there.log.list(), here.log.list());
    const stop = new AbortController();
    const reported = new Promise((resolve) => there.log.onDidChangeIssue(resolve));
    const running = there.log.start(stop.signal);
    assert.equal(await there.clock.runUntil(reported), "Only here");
    assert.match(there.log.issueOf("Only here")?.message ?? "", /no network "Only here"\. Add it/);
    stop.abort();
    await running;
    await there.log.record({ kind: "hidden", txId, at: 9_000 });
    assert.equal(there.log.get(txId)?.hidden, true);
  });
});
