import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { failureOf } from "../../../../../test/support/failures/failure-of.ts";
import { settled } from "../../../../../test/support/fakes/fake-clock.ts";
import { fakeTxId } from "../../../../../test/support/fakes/fake-gateway.ts";
import {
  gatewayAt,
  profileAt,
  recordedBlock,
  recordedTransfer,
} from "../../../../../test/support/fakes/gateway-fixtures.ts";
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
import { isChainError } from "../../../../tron/src/errors/chain-error.ts";
import { parseAddress } from "../../../../tron/src/primitives/address.ts";
import { sun } from "../../../../tron/src/primitives/amount.ts";
import type { Hex } from "../../../../tron/src/primitives/bytes.ts";
import { createHttpGateway } from "../../../src/gateway/http/http-gateway.ts";

const OWNER = parseAddress("410a3a98b458fa3094cc846fe82df15c0509e9df11");
const TO = parseAddress("41b26fd5573713d1fb09031bcce7bc59f301cbfe3e");
const BLOCK = json(recordedBlock());
const GENESIS = "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc";
const GLOBALS = [Symbol.for("undici.globalDispatcher.1"), Symbol.for("undici.globalDispatcher.2")];

describe("HttpGateway requests", () => {
  it("S1 S156 are POST with JSON to the path of the base URL, without a version", async () => {
    await using server = await startServer(BLOCK);
    await using it = gatewayAt(`${server.url}/sub/path/`);
    await it.gateway.headBlock();
    await it.gateway.solidBlock();
    assert.deepEqual(
      server.requests.map(({ method, path, body, headers }) => [method, path, body, headers["content-type"]]),
      [
        ["POST", "/sub/path/wallet/getnowblock", "{}", "application/json"],
        ["POST", "/sub/path/walletsolidity/getnowblock", "{}", "application/json"],
      ],
    );
  });

  it("F8: read an answer with a byte order mark, and one in UTF-16", async () => {
    const body = JSON.stringify(recordedBlock());
    for (const bytes of [Buffer.from(`\uFEFF${body}`), Buffer.from(`\uFEFF${body}`, "utf16le")]) {
      await using server = await startServer((response) => response.end(bytes));
      await using it = gatewayAt(server.url);

      assert.ok((await it.gateway.headBlock()).number > 0);
    }
  });

  it("S6 S97 are not sent before a call", async () => {
    await using server = await startServer(BLOCK);
    await using it = gatewayAt(server.url);
    await settled();
    assert.equal(it.gateway.endpoint, server.url);
    assert.equal(server.requests.length, 0);
  });

  it("H1: read the chain ID from the genesis block of the configured URLs only", async () => {
    const genesis = json({ blockID: GENESIS, block_header: { raw_data: { parentHash: "00".repeat(32) } } });
    await using full = await startServer(genesis);
    await using solid = await startServer(genesis);
    await using other = await startServer(genesis);
    await using it = gatewayAt(full.url, { solidityBaseUrl: solid.url, fallbackUrls: [other.url] });

    assert.equal(await it.gateway.chainId("head"), GENESIS);
    assert.equal(await it.gateway.chainId("solid"), GENESIS);
    assert.deepEqual(
      [...full.requests, ...solid.requests].map(({ path, body }) => [path, body]),
      [
        ["/wallet/getblockbynum", '{"num":0}'],
        ["/walletsolidity/getblockbynum", '{"num":0}'],
      ],
    );
    await using lost = gatewayAt(await closedUrl(), { fallbackUrls: [other.url] });
    await assert.rejects(lost.gateway.chainId("head"), { code: "GATEWAY_UNREACHABLE" });
    assert.equal(other.requests.length, 0);
  });

  it("H1: refuse a block of another height as genesis block, and return undefined for a missing one", async () => {
    const id = "0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e";
    const bodies = [
      { blockID: id, block_header: { raw_data: { number: 67_053_101 } } },
      { blockID: id, block_header: { raw_data: {} } },
      { blockID: GENESIS, block_header: { raw_data: { number: 7 } } },
    ];
    for (const body of bodies) {
      await using server = await startServer(json(body));
      await using it = gatewayAt(server.url);
      await assert.rejects(it.gateway.chainId("head"), /the genesis block is a block of another height/);
    }
    await using server = await startServer(json({}));
    await using it = gatewayAt(server.url);
    assert.equal(await it.gateway.chainId("head"), undefined);
  });

  it("S2 go to the solidity port of a plain node for the solidified view", async () => {
    await using full = await startServer(BLOCK);
    await using solid = await startServer(BLOCK);
    await using it = gatewayAt(full.url, { solidityBaseUrl: solid.url });
    await it.gateway.headBlock();
    await it.gateway.solidBlock();
    assert.deepEqual([full.requests.length, solid.requests[0]?.path], [1, "/walletsolidity/getnowblock"]);
  });

  it("S4 S66 S92 S93 carry the token after one space, and the API key", async () => {
    await using server = await startServer(json({}));
    const options = { accessToken: async () => "aa.bb.cc", apiKey: "key-1", deadlineMs: 1 };
    await using it = gatewayAt(server.url, { jwt: true, apiKeyHeader: "TRON-PRO-API-KEY" }, options);
    const { gateway } = it;
    const [id, signed] = [fakeTxId(1), recordedTransfer()];
    await Promise.all([gateway.headTransaction(id), gateway.headTransactionInfo(id), gateway.broadcast(signed)]);
    await Promise.all([gateway.solidTransaction(id), gateway.solidTransactionInfo(id)]);
    await Promise.all([gateway.account(OWNER), gateway.accountResources(OWNER), gateway.solidBlocks(1, 2)]);
    await Promise.allSettled([
      gateway.headBlock(),
      gateway.solidBlock(),
      gateway.chainParameters(),
      gateway.nodeInfo(),
    ]);
    await Promise.allSettled([gateway.buildTransfer({ owner: OWNER, to: TO, amount: sun(1n) }), gateway.probe()]);
    assert.equal(new Set(server.requests.map(({ path }) => path)).size, 13);
    for (const { rawHeaders, headers } of server.requests) {
      assert.equal(rawHeaders[rawHeaders.indexOf("authorization") + 1], "Bearer aa.bb.cc");
      assert.equal(rawHeaders[rawHeaders.indexOf("TRON-PRO-API-KEY") + 1], "key-1");
      assert.equal(headers["chain-pro-api-key"], undefined);
    }
  });

  it("S87 carry no token while JWT is off", async () => {
    await using server = await startServer(BLOCK);
    await using it = gatewayAt(server.url, {}, { accessToken: async () => assert.fail("no token is needed") });
    await it.gateway.headBlock();
    assert.equal(server.requests[0]?.headers.authorization, undefined);
  });

  it("S35 S36 S37 S67 build a transfer with hex addresses and an exact integer of sun", async () => {
    await using server = await startServer(json({ Error: "class a.B : no" }));
    await using it = gatewayAt(server.url);
    const request = { owner: OWNER, to: TO, amount: sun(9_007_199_254_740_993n), memo: "6869" as Hex, permissionId: 2 };
    await failureOf(it.gateway.buildTransfer(request));
    assert.equal(
      server.requests[0]?.body,
      `{"owner_address":"${OWNER}","to_address":"${TO}","amount":9007199254740993,"visible":false,"extra_data":"6869","Permission_id":2}`,
    );
  });

  it("keep the global dispatcher of the process", async () => {
    const marks = (): readonly unknown[] => GLOBALS.map((it) => Reflect.get(globalThis, it));
    const before = marks();
    await using server = await startServer(BLOCK);
    await using it = gatewayAt(server.url);
    await it.gateway.headBlock();
    assert.deepEqual(
      marks().map((mark, index) => mark === before[index]),
      [true, true],
    );
  });

  it("set no global dispatcher in a new process", () => {
    const module = new URL("../../../src/gateway/http/http-gateway.ts", import.meta.url).href;
    const script = `await import(${JSON.stringify(module)});
      console.log([1, 2].map((n) => Symbol.for("undici.globalDispatcher." + n) in globalThis).join());`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    assert.equal(output.trim(), "false,false");
  });

  it("log a numbered line each, without token, key or body", async () => {
    const lines: string[] = [];
    await using server = await startServer(BLOCK);
    const log = { debug: (line: string) => lines.push(line) };
    const options = { accessToken: async () => "secret.to.ken", apiKey: "secret-key", log };
    await using it = gatewayAt(server.url, { jwt: true }, options);
    await it.gateway.headBlock();
    await it.gateway.broadcast(recordedTransfer());
    assert.match(
      lines.join("\n"),
      /^#1 POST \S+\/wallet\/getnowblock \[.*authorization: \*\*\*.*\]\n#1 200, \d+ characters, \d+ ms\n#2 POST/,
    );
    assert.doesNotMatch(lines.join("\n"), /secret|abab|raw_data/);
  });
});

describe("HttpGateway URLs", () => {
  it("must be https, or http on this computer", () => {
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    for (const url of [
      "http://example.org",
      "ftp://localhost",
      "https://me:pw@example.org",
      "example.org",
      "http://127.0.0.1.example.org",
    ]) {
      assert.throws(() => createHttpGateway(profileAt(url), { clock }), { code: "URL_NOT_ALLOWED" }, url);
      assert.throws(() => createHttpGateway(profileAt("https://a.org", { fallbackUrls: [url] }), { clock }), {
        code: "URL_NOT_ALLOWED",
      });
    }
    for (const url of ["https://example.org/x/", "http://localhost:9090", "http://[::1]:1", "http://127.0.0.1:8090"]) {
      assert.ok(createHttpGateway(profileAt(url), { clock }).endpoint);
    }
  });

  it("are not repeated with their password in an error", () => {
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    assert.throws(
      () => createHttpGateway(profileAt("https://me:hunter2@example.org"), { clock }),
      (error) => {
        return isChainError(error) && !JSON.stringify([error.message, error.details]).includes("hunter2");
      },
    );
  });
});

describe("HttpGateway reads", () => {
  it("S100 S135 S136 are repeated after 5xx", async () => {
    await using server = await startServer(text("busy", 503), text("", 502), BLOCK);
    await using it = gatewayAt(server.url);
    const block = await it.clock.runUntil(it.gateway.headBlock());
    assert.equal(block.number > 0 && server.requests.length, 3);
  });

  it("S99 S135 are repeated after a reset and a truncated answer", async () => {
    await using server = await startServer(drop, cut, BLOCK);
    await using it = gatewayAt(server.url);
    await it.clock.runUntil(it.gateway.headBlock());
    assert.equal(server.requests.length, 3);
  });

  it("S99 S100 continue at the next URL without a pause, and stay there", async () => {
    await using second = await startServer(BLOCK);
    const first = await closedUrl();
    await using it = gatewayAt(first, { fallbackUrls: [second.url] });
    const started = it.clock.now();
    await it.gateway.headBlock();
    await it.gateway.headBlock();
    assert.deepEqual([second.requests.length, it.clock.now() - started], [2, 0]);
  });

  it("return the URL that answered about a transaction", async () => {
    const txId = fakeTxId(1);
    await using second = await startServer((response, request, number) => {
      json(request.path.endsWith("infobyid") ? { id: txId } : { txID: txId })(response, request, number);
    });
    await using it = gatewayAt(await closedUrl(), { fallbackUrls: [second.url] });
    const answers = await it.gateway.transactionAnswers(txId, "head");
    assert.deepEqual(answers, { endpoint: second.url, transaction: { txID: txId }, info: { id: txId } });

    await using solid = await startServer(json({}));
    await using plain = gatewayAt(second.url, { solidityBaseUrl: solid.url });
    assert.equal((await plain.gateway.transactionAnswers(txId, "solid")).endpoint, solid.url);
  });

  it("S99 report the URL and the number of attempts of a closed port", async () => {
    const url = await closedUrl();
    await using it = gatewayAt(url);
    const error = await failureOf(it.clock.runUntil(it.gateway.headBlock()));
    assert.deepEqual(
      [error.code, error.details],
      ["GATEWAY_UNREACHABLE", { endpoint: url, attempts: 5, reason: "connection refused", how: "unreachable" }],
    );
  });

  it("G23: query estimateenergy once without an answer", async () => {
    await using server = await startServer(drop);
    await using it = gatewayAt(server.url);
    const run = { owner: OWNER, contract: TO, data: "a9059cbb" as Hex, callValue: sun(0n) };

    await assert.rejects(it.gateway.estimateEnergy(run), { code: "GATEWAY_UNREACHABLE" });

    assert.equal(server.requests.length, 1);
  });

  it("S102 end after the timeout without an answer", async () => {
    await using server = await startServer(hang);
    await using it = gatewayAt(server.url, {}, { timeoutMs: 30, deadlineMs: 400 });
    const error = await failureOf(it.clock.runUntil(it.gateway.headBlock()));
    assert.equal(error.code, "GATEWAY_UNREACHABLE");
    assert.match(error.message, /no answer within 1 s/);
  });

  it("S104 S137 S153 wait for the seconds of Retry-After, or until its date by the server's clock", async () => {
    const date = { date: "Sat, 21 Nov 2026 03:08:49 GMT", "retry-after": "Sat, 21 Nov 2026 03:08:59 GMT" };
    for (const [headers, wait] of [
      [{ "retry-after": "7" }, 7_000],
      [date, 10_000],
    ] as const) {
      await using server = await startServer(text("slow down", 429, headers), BLOCK);
      await using it = gatewayAt(server.url);
      const started = it.clock.now();
      await it.clock.runUntil(it.gateway.headBlock());
      assert.equal(it.clock.now() - started, wait);
    }
  });

  it("S104 report the wait when it is longer than the deadline", async () => {
    await using server = await startServer(text("", 429, { "retry-after": "3600" }));
    await using it = gatewayAt(server.url);
    const error = await failureOf(it.clock.runUntil(it.gateway.headBlock()));
    assert.match(error.message, /too many requests. Wait 3600 s/);
    assert.equal(server.requests.length, 1);
  });

  it("S94 S103 report the header of the profile and are not repeated after 401 and 403", async () => {
    for (const status of [401, 403]) {
      await using server = await startServer(json({ Error: "ApiKey not exists" }, status));
      await using it = gatewayAt(server.url);
      const error = await failureOf(it.gateway.headBlock());
      assert.equal(error.code, "GATEWAY_UNAUTHORIZED");
      assert.match(error.message, new RegExp(`${status}.*CHAIN-PRO-API-KEY`));
      assert.equal(server.requests.length, 1);
    }
  });

  it("S101 are not repeated after 400, 404 and 405", async () => {
    for (const status of [400, 404, 405]) {
      await using server = await startServer(text("<html>", status));
      await using it = gatewayAt(server.url);
      const error = await failureOf(it.gateway.chainParameters());
      assert.deepEqual([error.code, server.requests.length], ["GATEWAY_HTTP_STATUS", 1]);
    }
  });

  it("do not follow a redirect, which would send the keys to another URL", async () => {
    await using other = await startServer(BLOCK);
    await using server = await startServer(text("", 307, { location: `${other.url}/wallet/getnowblock` }));
    await using it = gatewayAt(server.url, {}, { apiKey: "k" });
    const error = await failureOf(it.gateway.headBlock());
    assert.deepEqual([error.code, other.requests.length], ["GATEWAY_HTTP_STATUS", 0]);
  });

  it("S106 report HTML, empty, truncated and excessive bodies, shortened", async () => {
    const bodies = ["<html>Welcome</html>", "", '{"blockID":', "\u0000\uffff".repeat(250_000), "null", "[]", "7"];
    for (const body of bodies) {
      await using server = await startServer(text(body));
      await using it = gatewayAt(server.url);
      const error = await failureOf(it.clock.runUntil(it.gateway.headBlock()));
      assert.ok(error.code === "GATEWAY_ANSWER_MALFORMED", error.code);
      assert.equal(error.details.body, body.length > 2000 ? `${body.slice(0, 1999)}…` : body);
    }
  });

  it("S106 end an endless answer after 16 MiB", async () => {
    const flood: Handler = (response) => {
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536))) {}
      };
      response.on("drain", more);
      more();
    };
    await using server = await startServer(flood);
    await using it = gatewayAt(server.url, {}, { deadlineMs: 1 });
    const error = await failureOf(it.clock.runUntil(it.gateway.headBlock()));
    assert.match(error.message, /larger than 16 MiB/);
  });

  it("report a refusal of the node with its class and text, and are not repeated", async () => {
    await using server = await startServer(
      json({ Error: "class x.ContractValidateException : Amount must be greater than 0." }),
    );
    await using it = gatewayAt(server.url);
    const error = await failureOf(it.gateway.buildTransfer({ owner: OWNER, to: TO, amount: sun(0n) }));
    assert.ok(error.code === "NODE_REFUSED");
    assert.deepEqual(
      [error.details.code, error.details.message],
      ["ContractValidateException", "Amount must be greater than 0."],
    );
    assert.equal(server.requests.length, 1);
  });

  it("wait for the rate limiter of a node, which answers 200, as after 429", async () => {
    const limited = json({ Error: "class java.lang.IllegalAccessException : lack of computing resources" });
    await using server = await startServer(limited, BLOCK);
    await using it = gatewayAt(server.url);
    await it.clock.runUntil(it.gateway.headBlock());
    assert.equal(server.requests.length, 2);
  });

  it("end at once with the reason of the signal, also during a pause or a request", async () => {
    await using hanging = await startServer(hang);
    await using failing = await startServer(text("", 503));
    for (const { url } of [hanging, failing]) {
      await using it = gatewayAt(url);
      const stop = new AbortController();
      const work = it.gateway.headBlock(stop.signal);
      while (hanging.requests.length === 0 || (url === failing.url && it.clock.sleeping === 0)) await settled();
      stop.abort("closed");
      await assert.rejects(work, (reason) => reason === "closed");
    }
  });

  it("S3 report a silent gateway after two attempts when a connection is dropped with JWT, and an unreachable one without", async () => {
    await using server = await startServer(drop);
    await using it = gatewayAt(server.url, { jwt: true }, { accessToken: async () => "a.b.c" });
    const error = await failureOf(it.clock.runUntil(it.gateway.chainParameters()));
    assert.equal(error.code, "GATEWAY_SILENT");
    assert.match(error.message, /Test Connection/);
    assert.equal(server.requests.length, 2);

    await using without = gatewayAt(server.url);
    const other = await failureOf(without.clock.runUntil(without.gateway.headBlock()));
    assert.equal(other.code, "GATEWAY_UNREACHABLE");
  });

  it("S14 are not sent when the token cannot be signed", async () => {
    await using server = await startServer(BLOCK);
    const failing = () => Promise.reject(new Error("no key"));
    await using it = gatewayAt(server.url, { jwt: true }, { accessToken: failing });
    await assert.rejects(it.gateway.headBlock(), /no key/);
    assert.equal(server.requests.length, 0);
  });

  it("S70 return undefined for {}", async () => {
    await using server = await startServer(json({}));
    await using it = gatewayAt(server.url);
    const { gateway } = it;
    const id = fakeTxId(7);
    const lookups = [gateway.headTransaction(id), gateway.solidTransaction(id), gateway.headTransactionInfo(id)];
    const answers = await Promise.all([
      ...lookups,
      gateway.solidTransactionInfo(id),
      gateway.account(OWNER),
      gateway.accountResources(OWNER),
    ]);
    assert.deepEqual(answers, Array(6).fill(undefined));
  });

  it("S70 refuse an answer about another transaction", async () => {
    const { txId, rawDataHex } = recordedTransfer();
    await using server = await startServer(json({ txID: txId, raw_data_hex: rawDataHex, raw_data: {} }));
    await using it = gatewayAt(server.url);
    const error = await failureOf(it.clock.runUntil(it.gateway.solidTransaction(fakeTxId(1))));
    assert.equal(error.code, "GATEWAY_ANSWER_MALFORMED");
    assert.equal((await it.gateway.solidTransaction(txId))?.txId, txId);
  });

  it("S76 read parameters by key, a missing value as 0, and every digit", async () => {
    const body =
      '{"chainParameter":[{"key":"getNew","value":9007199254740993},{"key":"getMemoFee"},{"key":"getEnergyFee","value":210}]}';
    await using server = await startServer(text(body));
    await using it = gatewayAt(server.url);
    const parameters = await it.gateway.chainParameters();
    assert.deepEqual(
      ["getEnergyFee", "getMemoFee", "getNew"].map((it) => parameters.get(it)),
      [210n, 0n, 9_007_199_254_740_993n],
    );
  });

  it("read solidified blocks one by one when the gateway has no ranges", async () => {
    const one = recordedBlock() as { blockID: string; block_header: { raw_data: { number: number } } };
    const height = one.block_header.raw_data.number;
    await using server = await startServer((response, { path, body }, number) => {
      if (path.endsWith("limitnext")) return text("", 405)(response, server.requests[0] as never, number);
      const known = JSON.parse(body).num === height;
      json(known ? one : {})(response, server.requests[0] as never, number);
    });
    await using it = gatewayAt(server.url);
    assert.deepEqual(
      (await it.gateway.solidBlocks(height, height + 9)).map((it) => it.number),
      [height],
    );
    assert.deepEqual(
      (await it.gateway.solidBlocks(height, height + 1)).map((it) => it.number),
      [height],
    );
    assert.deepEqual(
      server.requests.map(({ path }) => path.split("/").at(-1)),
      ["getblockbylimitnext", ...Array.from({ length: 5 }, () => "getblockbynum")],
    );
  });

  it("request at most 100 blocks at once, and none for an empty range", async () => {
    await using server = await startServer(json({}));
    await using it = gatewayAt(server.url);
    assert.deepEqual(await it.gateway.solidBlocks(5, 5), []);
    await it.gateway.solidBlocks(1, 1_000);
    assert.deepEqual(
      server.requests.map(({ body }) => body),
      ['{"startNum":1,"endNum":101}'],
    );
  });

  it("probe an endpoint that every gateway serves once, and measure both clocks", async () => {
    const head = json(recordedBlock(), 200, { date: "Sat, 21 Nov 2026 03:08:49 GMT" });
    await using server = await startServer(head, head, drop);
    await using it = gatewayAt(server.url);
    assert.equal((await it.gateway.probe()).serverTime, Date.UTC(2026, 10, 21, 3, 8, 49));
    assert.deepEqual(it.gateway.clockSample, { server: Date.UTC(2026, 10, 21, 3, 8, 49), local: it.clock.now() });
    await failureOf(it.gateway.probe());
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ["/wallet/getchainparameters", "/wallet/getnowblock", "/wallet/getchainparameters"],
    );
  });
});
