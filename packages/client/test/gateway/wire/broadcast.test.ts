import assert from "node:assert/strict";
import { fakeTxId } from "../../../../../test/support/fakes/fake-gateway.ts";
import { gatewayAt, recordedTransfer } from "../../../../../test/support/fakes/gateway-fixtures.ts";
import {
  closedUrl,
  cut,
  drop,
  type Handler,
  hang,
  json,
  startServer,
  text,
} from "../../../../../test/support/http/http-server.ts";
import { bytesToHex, type Hex } from "../../../../tron/src/primitives/bytes.ts";
import { encodeRawData } from "../../../../tron/src/transaction/raw-data-codec.ts";
import { rawDataFromJson } from "../../../../tron/src/transaction/transaction-json.ts";
import type { BroadcastOutcome } from "../../../src/gateway/gateway.ts";
import { broadcastBody } from "../../../src/gateway/wire/broadcast.ts";

const TRANSFER = recordedTransfer();
const hexOf = (message: string): string => Buffer.from(message, "utf8").toString("hex");

/** Returns the outcome of a broadcast to this handler, and the number of its requests. */
async function broadcastTo(handler: Handler, jwt = false): Promise<{ outcome: BroadcastOutcome; requests: number }> {
  await using server = await startServer(handler);
  const options = { accessToken: async () => "a.b.c", timeoutMs: 10 };
  await using it = gatewayAt(server.url, { jwt, fallbackUrls: [server.url] }, options);
  const { outcome } = await it.clock.runUntil(it.gateway.broadcast(TRANSFER));
  return { outcome, requests: server.requests.length };
}

describe("broadcast", () => {
  it("S68 sends raw_data, the signatures and visible false", async () => {
    await using server = await startServer(json({ result: true, txid: TRANSFER.txId }));
    await using it = gatewayAt(server.url);
    const answer = await it.gateway.broadcast(TRANSFER);
    const body = JSON.parse(server.requests[0]?.body ?? "");
    assert.equal(server.requests[0]?.path, "/wallet/broadcasttransaction");
    assert.deepEqual(Object.keys(body).sort(), ["raw_data", "raw_data_hex", "signature", "txID", "visible"]);
    assert.deepEqual([body.visible, body.txID, body.signature], [false, TRANSFER.txId, TRANSFER.signatures]);
    assert.equal(bytesToHex(encodeRawData(rawDataFromJson(body.raw_data, false))), TRANSFER.rawDataHex);
    assert.deepEqual(answer, {
      outcome: { kind: "accepted" },
      endpoint: server.url,
      txId: TRANSFER.txId,
      raw: `{"result":true,"txid":"${TRANSFER.txId}"}\n`,
    });
  });

  it("S20 refuses bytes that do not belong to the txID before it sends anything", async () => {
    await using server = await startServer(json({ result: true }));
    await using it = gatewayAt(server.url);
    const { outcome } = await it.gateway.broadcast({ ...TRANSFER, txId: fakeTxId(5) });
    assert.deepEqual(
      [outcome.kind, outcome.kind === "rejected" && outcome.code],
      ["rejected", "TRANSACTION_MALFORMED"],
    );
    assert.equal(server.requests.length, 0);
    assert.throws(() => broadcastBody({ ...TRANSFER, rawDataHex: "0a00" as Hex }), { code: "TRANSACTION_MALFORMED" });
  });

  it("S30 accepts only a true result", async () => {
    for (const answer of [
      {},
      { result: false },
      { result: "true" },
      { txid: TRANSFER.txId },
      { result: true, code: "SIGERROR" },
    ]) {
      assert.equal((await broadcastTo(json(answer))).outcome.kind, "unknown", JSON.stringify(answer));
    }
    assert.equal((await broadcastTo(json({ result: true }))).outcome.kind, "accepted");
    assert.equal((await broadcastTo(json({ result: true, code: "SUCCESS" }))).outcome.kind, "accepted");
  });

  it("S31 S107 S108 S114 S115 S116 keeps code and message of a refusal", async () => {
    for (const [code, message] of [
      ["SIGERROR", "Validate signature error: sig error"],
      [
        "CONTRACT_VALIDATE_ERROR",
        "Contract validate error : Validate TransferContract error, balance is not sufficient.",
      ],
      ["TRANSACTION_EXPIRATION_ERROR", "Transaction expired"],
      ["SERVER_BUSY", "Server busy."],
      ["NOT_ENOUGH_EFFECTIVE_CONNECTION", "Effective connection:1 lt minEffectiveConnection:2"],
    ] as const) {
      for (const wire of [message, hexOf(message)]) {
        const { outcome } = await broadcastTo(json({ code, txid: TRANSFER.txId, message: wire }));
        assert.deepEqual(outcome, { kind: "rejected", code, message });
      }
    }
  });

  it("S110 recognizes both texts of a duplicate", async () => {
    for (const message of ["Dup transaction.", "Transaction already exists."]) {
      const { outcome } = await broadcastTo(json({ code: "DUP_TRANSACTION_ERROR", message: hexOf(message) }));
      assert.deepEqual(outcome, { kind: "already-known", message });
    }
  });

  it("S31 returns unknown with code and message for codes that prove nothing", async () => {
    for (const [code, message] of [
      ["OTHER_ERROR", "Error: null"],
      ["NOT_ENOUGH_EFFECTIVE_CONNECTION", "P2P broadcast failed."],
      ["BANDWIDTH_ERROR", "a code of tomorrow"],
    ] as const) {
      const { outcome } = await broadcastTo(json({ code, message: hexOf(message) }));
      assert.ok(outcome.kind === "unknown" && outcome.cause.code === "NODE_REFUSED");
      assert.deepEqual([outcome.cause.details.code, outcome.cause.details.message], [code, message]);
    }
  });

  it("S34 returns unknown for an answer about another txID", async () => {
    const { outcome } = await broadcastTo(json({ result: true, txid: fakeTxId(9) }));
    assert.ok(outcome.kind === "unknown");
    assert.match(outcome.cause.message, new RegExp(`another transaction, ${fakeTxId(9)}`));
  });

  it("S100 S102 S105 S106 returns unknown without a valid answer, and does not repeat the request", async () => {
    const handlers: readonly [string, Handler][] = [
      ["reset", drop],
      ["timeout", hang],
      ["cut", cut],
      ["503", text("busy", 503)],
      ["500 with an Error body", json({ Error: "class a.B : c" }, 500)],
      ["408", text("", 408)],
      ["redirect", text("", 302, { location: "/elsewhere" })],
      ["HTML", text("<html>")],
      ["empty", text("")],
      ["list", json([])],
      ["a megabyte", text("x".repeat(1_000_000))],
    ];
    for (const [name, handler] of handlers) {
      const { outcome, requests } = await broadcastTo(handler);
      assert.deepEqual([outcome.kind, requests], ["unknown", 1], name);
    }
  });

  it("S3 S105 returns unknown with the reason when a connection is dropped with JWT", async () => {
    const { outcome } = await broadcastTo(drop, true);
    assert.deepEqual([outcome.kind, outcome.kind === "unknown" && outcome.cause.code], ["unknown", "GATEWAY_SILENT"]);
  });

  it("S99 returns unknown after a refused connection", async () => {
    await using it = gatewayAt(await closedUrl());
    const { outcome, raw } = await it.gateway.broadcast(TRANSFER);
    assert.ok(outcome.kind === "unknown" && outcome.cause.code === "GATEWAY_UNREACHABLE");
    assert.equal(raw, undefined);
  });

  it("M1b: S94 S101 S103 S104 returns turned away, not rejected, for a 4xx status with any body", async () => {
    const refusal = { code: "SIGERROR", txid: TRANSFER.txId, message: hexOf("sig error") };
    const bodies: readonly ((status: number) => Handler)[] = [
      (status) => text("<html>no</html>", status),
      (status) => json(refusal, status),
      (status) => json({ Error: "class a.ValidateException : no" }, status),
    ];
    for (const [status, code] of [
      [400, "GATEWAY_HTTP_STATUS"],
      [401, "GATEWAY_UNAUTHORIZED"],
      [403, "GATEWAY_UNAUTHORIZED"],
      [404, "GATEWAY_HTTP_STATUS"],
      [405, "GATEWAY_HTTP_STATUS"],
      [413, "GATEWAY_HTTP_STATUS"],
      [429, "GATEWAY_RATE_LIMITED"],
      [451, "GATEWAY_HTTP_STATUS"],
    ] as const) {
      for (const body of bodies) {
        const { outcome, requests } = await broadcastTo(body(status));
        assert.equal(outcome.kind, "unknown", `${status}`);
        assert.deepEqual([outcome.cause.code, outcome.turnedAway, requests], [code, true, 1]);
      }
    }
  });

  it("M1b: returns rejected for an Error body only with a class of the node that fails before it reads a transaction", async () => {
    for (const [error, code] of [
      ["class java.lang.NullPointerException : null", "NullPointerException"],
      ['class org.tron.core.services.http.JsonFormat$ParseException : 1:1: Expected "{".', "ParseException"],
      ["class java.lang.Exception : body size is too big, the limit is 4194304", "Exception"],
    ] as const) {
      const { outcome } = await broadcastTo(json({ Error: error }));
      assert.deepEqual(outcome.kind === "rejected" && outcome.code, code);
    }
    for (const [error, turnedAway] of [
      ["invalid API key", true],
      ["this API is unavailable due to config", true],
      ["class java.lang.IllegalAccessException : lack of computing resources", true],
      ["class java.lang.OutOfMemoryError : Java heap space", undefined],
      ["class java.util.concurrent.TimeoutException : null", undefined],
    ] as const) {
      const { outcome } = await broadcastTo(json({ Error: error }));
      assert.equal(outcome.kind, "unknown", error);
      assert.equal(outcome.turnedAway, turnedAway, error);
    }
  });

  it("M1b: S104 keeps Retry-After of a 429", async () => {
    const { outcome } = await broadcastTo(text("slow down", 429, { "retry-after": "7" }));

    assert.ok(outcome.kind === "unknown" && outcome.cause.code === "GATEWAY_RATE_LIMITED");
    assert.equal(outcome.cause.details.retryAfterMs, 7_000);
    assert.match(outcome.cause.message, /Wait 7 s/);
  });

  it("ends with the reason of the signal", async () => {
    await using server = await startServer(hang);
    await using it = gatewayAt(server.url);
    const stop = AbortSignal.abort("closed");
    await assert.rejects(it.gateway.broadcast(TRANSFER, stop), (reason) => reason === "closed");
  });
});
