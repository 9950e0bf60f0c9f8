import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BroadcastOutcome } from "../../packages/client/src/gateway/gateway.ts";
import type { TrackedTransaction } from "../../packages/client/src/transaction-state/tracked-transaction.ts";
import { systemClock } from "../../packages/node/src/system-clock.ts";
import { ChainError } from "../../packages/tron/src/errors/chain-error.ts";
import { consentOfClick } from "../../src/sending/consent.ts";
import { TransactionService } from "../../src/sending/transaction-service.ts";
import { FakeGateway } from "../support/fakes/fake-gateway.ts";
import { fakeBytes, TRANSFER } from "../support/tracking/journal-entries.ts";

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const lost: BroadcastOutcome = {
  kind: "unknown",
  cause: new ChainError("GATEWAY_UNREACHABLE", { endpoint: "http://fake.test", attempts: 1, reason: "reset" }),
};

describe("window restart", () => {
  let folder: string;
  const opened: TransactionService[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "finality-restart-"));
  });

  afterEach(() => {
    for (const transactions of opened.splice(0)) transactions.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  function openTransactions(gateway: FakeGateway): TransactionService {
    const transactions = new TransactionService({
      folder,
      gatewayFor: async () => gateway,
      clock: systemClock,
      log: silent,
    });
    opened.push(transactions);
    return transactions;
  }

  async function send(transactions: TransactionService): Promise<TrackedTransaction> {
    const { txId, rawDataHex } = fakeBytes(1);
    const context = { network: "test", intent: TRANSFER, expiration: 1_767_225_660_000, solidHeight: 0 };
    return await transactions.submit({ txId, rawDataHex, signatures: [] }, context, consentOfClick(txId));
  }

  async function until(
    transactions: TransactionService,
    kind: TrackedTransaction["state"]["kind"],
  ): Promise<TrackedTransaction> {
    const { txId } = fakeBytes(1);
    const { promise, resolve } = Promise.withResolvers<TrackedTransaction>();
    const look = (): void => {
      const tracked = transactions.get(txId);
      if (tracked?.state.kind === kind) resolve(tracked);
    };
    transactions.onDidChange(look);
    look();
    return await promise;
  }

  it("restores all transactions, and continues tracking unsettled ones", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(3);
    const first = openTransactions(gateway);
    const sent = await send(first);
    first.dispose();
    gateway.mine([sent.txId]);
    gateway.mineEmpty(20);
    gateway.solidify();

    const second = openTransactions(gateway);
    await second.ready();

    assert.equal(second.list().length, 1);
    assert.deepEqual(second.get(sent.txId)?.signed, sent.signed);
    await until(second, "solidified");
  });

  it("searches for a payment whose answer was lost, and never rebroadcasts it automatically", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(3);
    gateway.answerBroadcast(lost);
    const first = openTransactions(gateway);
    const sent = await send(first);
    first.dispose();
    gateway.mine([sent.txId]);
    gateway.mineEmpty(20);
    gateway.solidify();

    const second = openTransactions(gateway);
    await second.ready();
    await until(second, "solidified");

    assert.equal(sent.state.kind, "unknown");
    assert.equal(gateway.requests.filter((it) => it.startsWith("broadcast")).length, 1);
  });
});
