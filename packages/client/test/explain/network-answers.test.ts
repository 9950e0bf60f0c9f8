import assert from "node:assert/strict";
import { failureOf } from "../../../../test/support/failures/failure-of.ts";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { gatewayAt, recordedBlock, recordedTransfer } from "../../../../test/support/fakes/gateway-fixtures.ts";
import { type Handler, hang, json, startServer, text } from "../../../../test/support/http/http-server.ts";
import { TRANSFER } from "../../../../test/support/tracking/journal-entries.ts";
import { MemoryJournal } from "../../../../test/support/tracking/memory-journal.ts";
import type { TxId } from "../../../tron/src/primitives/bytes.ts";
import { explain } from "../../src/explain/explain.ts";
import { readAnswer } from "../../src/gateway/wire/answer.ts";
import { parseBlockTransaction, parseTransactionInfo } from "../../src/gateway/wire/transaction.ts";
import { decideActions } from "../../src/retry/permitted-actions.ts";
import { submitTransaction } from "../../src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../src/tracking/transaction-tracker.ts";
import { outcomeInInfo } from "../../src/transaction-state/execution-outcome.ts";

const TX_ID = "ab".repeat(32) as TxId;
const hex = (message: string): string => Buffer.from(message, "utf8").toString("hex");
const explained = (answer: object) => explain(JSON.stringify(answer));
const textOf = (answer: object): string => {
  const { title, cause, fix, retry } = explained(answer);
  return `${title} ${cause} ${fix} ${retry.when ?? ""}`;
};

/** Info of a deployment or call in a block. */
const CALL = { id: TX_ID, blockNumber: 7, blockTimeStamp: 1, contract_address: `41${"cd".repeat(20)}`, fee: 1 };

function infoOf(answer: object) {
  const info = readAnswer({ endpoint: "https://node.test", body: JSON.stringify(answer) }, parseTransactionInfo);
  assert.ok(info !== undefined);
  return info;
}

/** Returns the state of a transaction after its only submission got this answer. */
async function stateAfter(handler: Handler, jwt = false) {
  await using server = await startServer(handler);
  await using it = gatewayAt(server.url, { jwt }, { accessToken: async () => "a.b.c", timeoutMs: 10 });
  const { gateway, clock } = it;
  const log = new TransactionTracker({
    store: new MemoryJournal(),
    gatewayFor: async () => gateway,
    clock: new FakeClock(),
  });
  const context = { network: "test", intent: TRANSFER, expiration: 9, solidHeight: 0 };
  const tracked = await clock.runUntil(submitTransaction({ log, gateway, clock }, recordedTransfer(), context));
  const reason = tracked.state.kind === "unknown" ? tracked.state.reason : "";
  return { kind: tracked.state.kind, reason, mayRenew: decideActions(tracked).createReplacement.allowed };
}

describe("explain execution results", () => {
  it("G1: prefers FAILED at the top level to every receipt", () => {
    for (const more of [
      {},
      { receipt: {} },
      { receipt: { result: "SUCCESS" } },
      { receipt: { result: "DEFAULT" } },
      { receipt: { result: "SUCCESS" }, contractResult: ["00".repeat(32)] },
    ]) {
      const answer = { id: TX_ID, result: "FAILED", ...more };
      const { category, code, title, retry } = explained(answer);

      assert.deepEqual([category, code], ["execution", "FAILED"], JSON.stringify(answer));
      assert.match(title, /failed/i);
      assert.match(retry.when ?? "", /new transaction once that is solidified/);
      assert.doesNotMatch(textOf(answer), /successful|Nothing has to be done|Not executed yet/);
    }
  });

  it("G1: describes a transaction with FAILED at the top level as failed", () => {
    const { txId, rawDataHex } = recordedTransfer();
    const transaction = { txID: txId, raw_data_hex: rawDataHex };
    for (const receipt of [{ result: "SUCCESS" }, { result: "DEFAULT" }, {}]) {
      const info = { id: txId, blockNumber: 7, result: "FAILED", receipt };
      const found = explained({ transaction, info, view: "solid" });

      assert.deepEqual([found.category, found.code], ["execution", "FAILED"]);
    }
  });

  it("G9: reports no success and no failure for a contract without a receipt result", () => {
    for (const answer of [
      { ...CALL, receipt: {} },
      { ...CALL, receipt: { energy_usage_total: 100 } },
      { id: TX_ID, blockNumber: 7, contractResult: ["00".repeat(32)], receipt: { net_usage: 1 } },
    ]) {
      const { entry, retry } = explained(answer);

      assert.equal(entry, "result-not-reported");
      assert.match(retry.when ?? "", /build nothing new before/);
      assert.doesNotMatch(textOf(answer), /did what it should/);
    }
    const transfer = { id: TX_ID, blockNumber: 7, contractResult: [""], receipt: { net_usage: 1 } };
    assert.equal(explained(transfer).entry, "included");
  });

  it("G10: reads a result by name, in any case, and by number", () => {
    for (const result of [11, "11", "OUT_OF_TIME", "out_of_time"]) {
      const answer = { ...CALL, result: 1, receipt: { result } };

      assert.deepEqual(outcomeInInfo(infoOf(answer), "TriggerSmartContract"), {
        kind: "failed",
        result: "OUT_OF_TIME",
        message: "",
      });
      assert.equal(explained(answer).code, "OUT_OF_TIME");
    }
    for (const result of [1, "1", "SUCCESS", "success"]) {
      const answer = { ...CALL, receipt: { result } };

      assert.deepEqual(outcomeInInfo(infoOf(answer), "TriggerSmartContract"), { kind: "success" });
      assert.equal(explained(answer).entry, "included");
    }
    for (const result of ["FAILED", "failed", 1, "1"]) {
      assert.equal(infoOf({ ...CALL, result, receipt: { result: "SUCCESS" } }).failed, true);
      assert.equal(explained({ ...CALL, result, receipt: { result: "SUCCESS" } }).code, "FAILED");
    }
  });
});

describe("explain results in blocks", () => {
  it("G10: reads contractRet by name and by number", () => {
    for (const [contractRet, name] of [
      [1, "SUCCESS"],
      ["10", "OUT_OF_ENERGY"],
      [2, "REVERT"],
      ["REVERT", "REVERT"],
    ] as const) {
      const answer = { txID: TX_ID, raw_data: { contract: [{ type: "TransferContract" }] }, ret: [{ contractRet }] };

      assert.equal(parseBlockTransaction(answer).contractResult, name);
      assert.equal(explained(answer).code, name === "SUCCESS" ? "TRANSACTION" : name);
    }
  });
});

describe("explain broadcast answers", () => {
  it("G7: reports no success without a result and a code, and shows the message", async () => {
    const message = "Contract validate error : balance is not sufficient";
    for (const answer of [
      { result: false, txid: TX_ID, message: hex(message) },
      { txid: TX_ID, message: hex(message) },
      { result: false, txid: TX_ID, message },
    ]) {
      const { category, entry, cause, retry } = explained(answer);
      assert.deepEqual([category, entry, retry.sameBytes], ["validation", "broadcast-no-success", "yes"]);
      assert.match(cause, /balance is not sufficient/);

      const { kind, reason, mayRenew } = await stateAfter(json({ ...answer, txid: recordedTransfer().txId }));
      assert.deepEqual([kind, mayRenew], ["unknown", false]);
      assert.match(reason, /balance is not sufficient/);
    }
    assert.equal(explained({ txid: TX_ID }).category, "validation");
  });

  it("G8: reports an accepted transaction for result true, with and without a txID", async () => {
    for (const answer of [{ result: true }, { result: true, txid: TX_ID }, { result: true, code: "SUCCESS" }]) {
      assert.match(textOf(answer), /Accepted into the pool.*Track the txID/);
      assert.doesNotMatch(textOf(answer), /Nothing has to be done|Data without a failure/);
    }
    assert.equal((await stateAfter(json({ result: true }))).kind, "pending");
  });

  it("G8: reports an unknown outcome for result true beside a failure code", async () => {
    for (const code of ["SIGERROR", "CONTRACT_VALIDATE_ERROR", "DUP_TRANSACTION_ERROR", "NEW_CODE"]) {
      const { entry, retry } = explained({ result: true, code, txid: TX_ID, message: hex("no") });
      assert.deepEqual([entry, retry.sameBytes], ["broadcast-contradiction", "yes"]);
      assert.match(retry.when ?? "", /never a new transaction/);

      const { kind, mayRenew } = await stateAfter(json({ result: true, code, txid: recordedTransfer().txId }));
      assert.deepEqual([kind, mayRenew], ["unknown", false]);
    }
  });
});

describe("explain HTTP answers", () => {
  const FREQUENCY = "The key exceeds the frequency limit(15), and the query server is suspended for 5s";
  const limits: readonly (readonly [name: string, handler: Handler, body: object | string, status: number])[] = [
    ...[403, 200].map(
      (status) => ["frequency limit", json({ Error: FREQUENCY }, status), { Error: FREQUENCY }, status] as const,
    ),
    ...["request too quickly", "Too many requests", "API rate limit exceeded"].map((message) => {
      const body = { code: 403, message };
      return [message, json(body), body, 200] as const;
    }),
    ["plain text", text("Too many requests", 403), "Too many requests", 403],
  ];

  for (const [name, handler, body, status] of limits)
    it(`F1: reads a limit under any status: ${name}, ${status}`, async () => {
      await using server = await startServer(handler, json(recordedBlock()));
      await using it = gatewayAt(server.url);
      const started = it.clock.now();
      await it.clock.runUntil(it.gateway.headBlock());
      assert.equal(server.requests.length, 2);
      if (name === "frequency limit") assert.ok(it.clock.now() - started >= 5_000);

      const { category, retry, ...found } = explain(typeof body === "string" ? body : JSON.stringify(body), { status });
      assert.deepEqual([category, retry.sameBytes], ["http", "yes"]);
      assert.match(found.fix, /^Wait/);
      assert.doesNotMatch(`${found.title} ${found.cause} ${found.fix}`, /missing or wrong/);
    });

  it("E2: reads a 403 with the text of a limit as a limit", () => {
    for (const answer of [
      { code: 403, message: "request too quickly, please slow down" },
      { status: 403, data: FREQUENCY },
      { status: 403, data: { Error: FREQUENCY } },
      { response: { status: 403, data: { Error: "request too quickly" } } },
    ]) {
      const { entry, retry } = explained(answer);
      assert.ok(["http-429", "gateway-frequency"].includes(entry), `${entry}: ${JSON.stringify(answer)}`);
      assert.equal(retry.sameBytes, "yes");
    }
  });

  it("G6: names the extension APIs of the gateway after a timeout", () => {
    assert.match(
      explain("AxiosError: timeout of 30000ms exceeded").fix,
      /Split expensive queries, or use the extension APIs/,
    );
    assert.match(explain("", { status: 408 }).fix, /extension APIs/);
  });

  it("G24: reports no answer, not a closed connection, for a broadcast without an answer in time", async () => {
    const { kind, reason } = await stateAfter(hang, true);
    assert.equal(kind, "unknown");
    assert.match(reason, /no answer in time/);
    assert.doesNotMatch(reason, /closed/);
  });

  it("G24: reads 408 as a timeout: repeats a read, and leaves a broadcast open", async () => {
    for (const status of [408, 504]) {
      await using server = await startServer(text("", status), json(recordedBlock()));
      await using it = gatewayAt(server.url);
      await it.clock.runUntil(it.gateway.headBlock());
      assert.equal(server.requests.length, 2);
      assert.equal(explain("", { status }).entry, "http-timeout");

      const { kind, reason } = await stateAfter(text("", status));
      assert.equal(kind, "unknown");
      assert.doesNotMatch(reason, /Not sent, as far as known/);
    }
  });

  it("G25: reads 401 and 403 as the API key, not as a token", async () => {
    for (const status of [401, 403]) {
      const { title, cause, fix } = explain("", { status });
      assert.match(`${title} ${fix}`, /API key is missing or wrong.*Set API Key/i);
      assert.doesNotMatch(`${title} ${cause} ${fix}`, /token/i);

      await using server = await startServer(text("", status));
      await using it = gatewayAt(server.url);
      const error = await failureOf(it.clock.runUntil(it.gateway.headBlock()));
      assert.deepEqual([error.code, server.requests.length], ["GATEWAY_UNAUTHORIZED", 1]);
    }
  });

  it("F1: does not read a limit of a broadcast as a wrong key, and allows a replacement only after a proof", async () => {
    for (const status of [200, 403, 429]) {
      const { kind, reason, mayRenew } = await stateAfter(json({ Error: FREQUENCY }, status));
      assert.deepEqual([kind, mayRenew], ["unknown", false]);
      assert.match(reason, /too many requests/);
    }
  });
});
