import assert from "node:assert/strict";
import { failureOf, HTTP_RULES, httpFailureIn } from "../../src/node-messages/http-failure.ts";

describe("httpFailureIn", () => {
  it("ignores answers of a node", () => {
    for (const answer of [
      { result: true, txid: "ab".repeat(32) },
      { code: "SIGERROR", txid: "ab".repeat(32), message: "request too quickly" },
      { id: "ab".repeat(32), code: 403, receipt: {} },
      { result: { result: true }, code: 429 },
      { block_header: {}, status: 503 },
      { Error: "class org.tron.core.exception.ContractValidateException : read timed out" },
      { Error: "CPU timeout for 'JUMPDEST' operation executing" },
      { name: "Forbidden", description: "Not Found" },
      {},
    ]) {
      assert.equal(httpFailureIn(200, JSON.stringify(answer)), undefined, JSON.stringify(answer));
    }
    assert.equal(httpFailureIn(200, '{"message":"rate limit"'), undefined);
    assert.equal(httpFailureIn(200, ""), undefined);
  });

  it("F1: recognizes a rate limit for every status below 500, with its delay", () => {
    for (const [text, waitMs] of [
      ["The key exceeds the frequency limit(15), and the query server is suspended for 5s", 5_000],
      ["API rate limit exceeded, retry after 2 minutes", 120_000],
      ["request too quickly, try again in 250 ms", 250],
      ["Too many requests", undefined],
    ] as const) {
      for (const status of [200, 400, 403, 429]) {
        const failure = httpFailureIn(status, JSON.stringify({ Error: text }));
        assert.deepEqual([failure?.meaning, failure?.waitMs], ["rate-limited", waitMs], `${status} ${text}`);
      }
      assert.equal(httpFailureIn(503, JSON.stringify({ Error: text }))?.meaning, "server-error");
    }
  });

  it("recognizes the node's rate limiter, maintenance and disabled endpoints", () => {
    for (const [text, meaning] of [
      ["class java.lang.IllegalAccessException : lack of computing resources", "rate-limited"],
      [
        "class a.MaintenanceUnavailableException : Service temporarily unavailable during maintenance period",
        "maintenance",
      ],
      ["this API is unavailable due to config", "not-found"],
      ["this API is closed because this node is a lite fullnode", "not-found"],
    ] as const) {
      assert.equal(httpFailureIn(200, JSON.stringify({ Error: text }))?.meaning, meaning);
    }
  });

  it("leaves the outcome open when a gateway lost its node", () => {
    for (const text of [
      "context deadline exceeded",
      "read timed out",
      "upstream connect error",
      "connect ECONNREFUSED",
    ]) {
      const meaning = httpFailureIn(200, JSON.stringify({ Error: text }))?.meaning ?? assert.fail(text);
      assert.equal(HTTP_RULES[meaning].turnedAway, false, text);
    }
  });
});

describe("failureOf", () => {
  it("G24 G25: maps each status as the gateway document does", () => {
    const expected = {
      ...{ 302: "bad-request", 400: "bad-request", 401: "key-refused", 403: "key-refused", 404: "not-found" },
      ...{ 405: "method-refused", 408: "timeout", 413: "too-large", 422: "bad-request", 429: "rate-limited" },
      ...{ 500: "server-error", 502: "server-error", 503: "server-error", 504: "timeout" },
    };
    for (const [status, meaning] of Object.entries(expected)) {
      assert.equal(failureOf(Number(status), "<html></html>").meaning, meaning, status);
    }
  });

  it("recognizes a rate limit in a page only with a fitting status", () => {
    const page = "<html><a>Rate limits</a> Not found</html>";
    assert.equal(failureOf(404, page).meaning, "not-found");
    assert.equal(failureOf(405, page).meaning, "method-refused");
    assert.equal(failureOf(403, page).meaning, "rate-limited");
  });

  it("distinguishes a refused token and a firewall from a wrong key", () => {
    assert.equal(failureOf(401, '{"message":"jwt expired"}').meaning, "token-refused");
    assert.equal(failureOf(403, "error code: 1020").meaning, "blocked");
    assert.equal(failureOf(403, "Forbidden").meaning, "key-refused");
  });
});
