import assert from "node:assert/strict";
import type { BroadcastOutcome } from "../../packages/client/src/gateway/gateway.ts";
import { readAnswer } from "../../packages/client/src/gateway/wire/answer.ts";
import { readBroadcast } from "../../packages/client/src/gateway/wire/broadcast.ts";
import { parseTransactionInfo } from "../../packages/client/src/gateway/wire/transaction.ts";
import { shortReason } from "../../packages/client/src/labels/transactions.ts";
import { outcomeInInfo } from "../../packages/client/src/transaction-state/execution-outcome.ts";
import type { TxId } from "../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type JsonObject, printJson } from "../../packages/tron/src/primitives/json.ts";
import { gatewayAt, recordedTransfer } from "../support/fakes/gateway-fixtures.ts";
import { closedUrl, cut, drop, type Handler, hang, json, startServer, text } from "../support/http/http-server.ts";
import { type ExchangeFile, loadExchanges } from "../support/recorded/exchanges.ts";

const ENDPOINT = "http://127.0.0.1:8090";
const RECORDED: readonly ExchangeFile[] = ["broadcast", "contracts", "node2-configs", "receipts"];

/** Returns the category of the gateway document for an outcome. */
function categoryOf(outcome: BroadcastOutcome): "HTTP" | "validation" | "none" {
  if (outcome.kind === "accepted") return "none";
  if (outcome.kind === "already-known") return "validation";
  const code = outcome.kind === "unknown" ? outcome.cause.code : outcome.code;
  return code.startsWith("GATEWAY_") ? "HTTP" : "validation";
}

function bodiesOf(path: string): readonly JsonObject[] {
  return RECORDED.flatMap(loadExchanges)
    .filter((it) => it.path.endsWith(path))
    .map((it) => it.responseBody)
    .filter(isJsonObject);
}

describe("error classification", () => {
  it("S98 classifies every recorded code of the node as validation", () => {
    const refused = bodiesOf("/broadcasttransaction").filter((it) => typeof it.code === "string");
    assert.ok(refused.length >= 40, `${refused.length}`);
    for (const body of refused) {
      const { outcome } = readBroadcast({ endpoint: ENDPOINT, body: printJson(body) }, String(body.txid) as TxId);
      assert.equal(categoryOf(outcome), "validation", printJson(body));
    }
  });

  it("S98 classifies accepted transactions as no error until the receipt reports a failed execution", () => {
    const accepted = bodiesOf("/broadcasttransaction").filter((it) => it.result === true);
    assert.ok(accepted.length >= 40, `${accepted.length}`);
    for (const body of accepted) {
      const { outcome } = readBroadcast({ endpoint: ENDPOINT, body: printJson(body) }, String(body.txid) as TxId);
      assert.equal(categoryOf(outcome), "none");
    }
    const failed = bodiesOf("/gettransactioninfobyid").filter((it) => it.result === "FAILED");
    assert.ok(failed.length >= 40, `${failed.length}`);
    for (const body of failed) {
      const info = readAnswer({ endpoint: ENDPOINT, body: printJson(body) }, parseTransactionInfo);
      assert.ok(info !== undefined);
      assert.equal(outcomeInInfo(info, "TriggerSmartContract")?.kind, "failed", printJson(body));
    }
  });

  it("S98 classifies everything without an answer of the node as HTTP", async () => {
    const statuses = [400, 401, 403, 404, 405, 408, 413, 429, 500, 502, 503, 504].map((status) =>
      json({ code: "SIGERROR", result: true }, status),
    );
    const handlers: readonly Handler[] = [...statuses, drop, hang, cut, text("<html>Welcome</html>"), text("")];
    for (const [index, handler] of handlers.entries()) {
      assert.equal(categoryOf(await outcomeWith(handler)), "HTTP", `handler ${index}`);
    }
    await using unreachable = gatewayAt(await closedUrl());
    assert.equal(categoryOf((await unreachable.gateway.broadcast(recordedTransfer())).outcome), "HTTP");
  });

  it("S117 shortens a validation message to its reason", () => {
    const code = "CONTRACT_VALIDATE_ERROR";
    for (const before of [
      "Contract validate error : Validate TransferContract error, ",
      "contract validate error : validate transfercontract error, ",
      "Validate TransferContract error, ",
      "Validate Transfer contract error, ",
      "Validate InternalTransfer error, ",
    ]) {
      assert.equal(shortReason(code, `${before}balance is not sufficient.`), "balance is not sufficient", before);
    }
    assert.equal(shortReason(code, "Contract validate error : No contract!"), "No contract!");
    assert.equal(shortReason(code, "Contract validate error : "), code);
  });

  it("S117 keeps the reason of every recorded validation message", () => {
    const messages = bodiesOf("/broadcasttransaction")
      .filter((it) => it.code === "CONTRACT_VALIDATE_ERROR")
      .map((it) => readBroadcast({ endpoint: ENDPOINT, body: printJson(it) }, String(it.txid) as TxId).outcome)
      .map((it) => (it.kind === "rejected" ? it.message : ""));
    assert.ok(messages.length >= 8);
    for (const message of messages) {
      const reason = shortReason("CONTRACT_VALIDATE_ERROR", message);
      assert.ok(reason !== "" && message.replace(/\.$/, "").endsWith(reason), message);
      assert.doesNotMatch(reason, /validate .*error/i);
    }
  });
});

/** Returns the outcome of a broadcast to a gateway with this handler. */
async function outcomeWith(handler: Handler): Promise<BroadcastOutcome> {
  await using server = await startServer(handler);
  await using it = gatewayAt(server.url, {}, { timeoutMs: 10 });
  return (await it.clock.runUntil(it.gateway.broadcast(recordedTransfer()))).outcome;
}
