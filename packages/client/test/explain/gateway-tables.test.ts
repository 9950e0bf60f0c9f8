import assert from "node:assert/strict";
import { explain } from "../../src/explain/explain.ts";
import type { ExplainContext, Explanation } from "../../src/explain/explanation.ts";

const hex = (text: string): string => Buffer.from(text, "utf8").toString("hex");
const refusal = (code: string, message: string): string => JSON.stringify({ code, message: hex(message) });

/** A row of the document, with the expected texts of its explanation. */
interface Row {
  readonly input: string;
  readonly context?: ExplainContext;
  readonly expected: Pick<Explanation, "category" | "code"> & { readonly entry?: string };
  readonly retry: "yes" | "no" | "after";
  readonly fix: RegExp;
}

/** The body of a test for a row. */
function row({ input, context, expected, retry, fix }: Row): () => void {
  return () => {
    const explanation = explain(input, context);

    const { category, code, entry } = explanation;
    assert.deepEqual({ category, code, ...(expected.entry && { entry }) }, expected);
    assert.equal(explanation.retry.sameBytes, retry);
    assert.match(explanation.fix, fix);
    assert.equal(explanation.raw, input);
  };
}

const http = (code: string, entry: string) => ({ category: "http", code, entry }) as const;
const validation = (code: string, entry?: string) =>
  ({ category: "validation", code, ...(entry && { entry }) }) as const;
const execution = (code: string) => ({ category: "execution", code }) as const;

describe("the tables of the gateway document: errors of HTTP", () => {
  it(
    "S99 connection refused: verify the URL, fail over",
    row({
      input: "Error: connect ECONNREFUSED 127.0.0.1:9090",
      expected: http("ECONNREFUSED", "http-refused"),
      retry: "yes",
      fix: /URL.*fail over.*same bytes/s,
    }),
  );
  it(
    "S100 5xx: back off reads, find out about writes first, fail over",
    row({
      input: "Bad gateway",
      context: { status: 502 },
      expected: http("HTTP_502", "http-5xx"),
      retry: "yes",
      fix: /growing pauses.*whether it was processed.*another URL/is,
    }),
  );
  for (const status of [400, 404, 405, 413, 415, 422]) {
    it(
      `S101 ${status}: fix the client`,
      row({
        input: "<html>nothing here</html>",
        context: { status },
        expected: { category: "http", code: `HTTP_${status}` },
        retry: "no",
        fix: /client|URL|path|less/,
      }),
    );
  }
  it(
    "S102 timeout: reads with a longer timeout, the outcome of a write is unknown, split expensive queries",
    row({
      input: "AxiosError: timeout of 30000ms exceeded",
      expected: http("TIMEOUT", "http-timeout"),
      retry: "yes",
      fix: /longer timeout.*split.*unknown/is,
    }),
  );
  for (const status of [401, 403]) {
    it(
      `S103 ${status}: configure the API key`,
      row({
        input: "",
        context: { status },
        expected: http(`HTTP_${status}`, "http-401"),
        retry: "no",
        fix: /API Key/,
      }),
    );
  }
  it("M1b: of a broadcast, a status of the 4xx kind asks for the same bytes once its cause is corrected", () => {
    for (const status of [400, 401, 403, 404, 405, 413]) {
      const { retry } = explain("<html>no</html>", { status, endpoint: "/wallet/broadcasttransaction" });

      assert.equal(retry.sameBytes, "after");
      assert.match(retry.when ?? "", /never a new transaction/);
    }
  });
  it(
    "S104 429: back off and honour Retry-After",
    row({
      input: "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\n\r\n{}",
      expected: http("HTTP_429", "http-429"),
      retry: "yes",
      fix: /Retry-After/,
    }),
  );
  it(
    "S105 no response does not prove that the node did not process the request",
    row({
      input: "Error: socket hang up",
      expected: http("ECONNRESET", "http-reset"),
      retry: "yes",
      fix: /same bytes only/,
    }),
  );
  it(
    "S106 a body of HTTP is shown and not trusted",
    row({
      input: '{"code":"SIGERROR"}',
      context: { status: 503 },
      expected: http("HTTP_503", "http-5xx"),
      retry: "yes",
      fix: /same bytes/,
    }),
  );
});

describe("the tables of the gateway document: codes of a broadcast", () => {
  it(
    "S107 CONTRACT_VALIDATE_ERROR: decode the message, correct parameters or the state of the account",
    row({
      input: refusal("CONTRACT_VALIDATE_ERROR", "Contract validate error : something that nobody knows"),
      expected: validation("CONTRACT_VALIDATE_ERROR"),
      retry: "after",
      fix: /message.*correct.*parameters.*account/i,
    }),
  );
  it(
    "S108 SIGERROR: check key and algorithm, raw data must not change",
    row({
      input: '{"code":"SIGERROR"}',
      expected: validation("SIGERROR"),
      retry: "no",
      fix: /key.*unchanged raw data/,
    }),
  );
  it(
    "S109 BANDWITH_ERROR: add bandwidth or coins, check new accounts, several signatures and memos",
    row({
      input: '{"code":"BANDWITH_ERROR"}',
      expected: validation("BANDWITH_ERROR"),
      retry: "after",
      fix: /bandwidth.*coins.*account.*signature.*memo/,
    }),
  );
  it(
    "S110 DUP_TRANSACTION_ERROR: through another node, keep tracking the txID",
    row({
      input: '{"code":"DUP_TRANSACTION_ERROR"}',
      expected: validation("DUP_TRANSACTION_ERROR"),
      retry: "yes",
      fix: /another.*tracking the txID/,
    }),
  );
  it("S111 BANDWITH_ERROR is matched in exactly this spelling", () => {
    const other = explain('{"code":"BANDWIDTH_ERROR","message":"41"}');

    assert.equal(other.entry, "generic-unknown-code");
    assert.match(other.cause, /BANDWITH_ERROR/);
    assert.equal(other.retry.sameBytes, "yes");
  });
});

describe("the tables of the gateway document: decoded messages", () => {
  it(
    "S113 account does not exist: send it a small amount",
    row({
      input: hex("account does not exist"),
      expected: validation("CONTRACT_VALIDATE_ERROR", "account-unknown-here"),
      retry: "after",
      fix: /small amount/,
    }),
  );
  it(
    "S114 S128 balance is not sufficient: top up, then exactly the same bytes",
    row({
      input: refusal("CONTRACT_VALIDATE_ERROR", "Contract validate error : balance is not sufficient"),
      expected: validation("CONTRACT_VALIDATE_ERROR", "balance-insufficient"),
      retry: "after",
      fix: /Top up.*same signed bytes/,
    }),
  );
  it(
    "S115 signature error: fix the encoding, leave raw_data as it is",
    row({
      input: hex("signature error"),
      expected: validation("SIGERROR", "signature-error"),
      retry: "no",
      fix: /Leave raw_data.*Sign the unchanged raw data again/,
    }),
  );
  it(
    "S116 Transaction expired: see its rules",
    row({
      input: refusal("TRANSACTION_EXPIRATION_ERROR", "Transaction expired"),
      expected: validation("TRANSACTION_EXPIRATION_ERROR", "transaction-expired"),
      retry: "no",
      fix: /build and sign a new.*no earlier attempt.*too far ahead/,
    }),
  );
  for (const text of ["Validate Vote contract error, bad count", "validate FooContract error, bad count"]) {
    it(
      `S117 ${text}: read the rest`,
      row({
        input: refusal("CONTRACT_VALIDATE_ERROR", `Contract validate error : ${text}`),
        expected: validation("CONTRACT_VALIDATE_ERROR", "contract-error"),
        retry: "after",
        fix: /rest of the message/,
      }),
    );
  }
  it(
    "S118 frozenBalance must be positive: a positive number of sun",
    row({
      input: hex("frozenBalance must be positive"),
      expected: validation("CONTRACT_VALIDATE_ERROR", "stake-not-positive"),
      retry: "after",
      fix: /positive.*sun/,
    }),
  );
  for (const words of ["greater than or equal to", "more than"]) {
    it(
      `S119 a delegation below the minimum, in the words "${words} 1"`,
      row({
        input: hex(`delegateBalance must be ${words} 1 TRX`),
        expected: validation("CONTRACT_VALIDATE_ERROR", "delegation-below-minimum"),
        retry: "after",
        fix: /1,000,000 sun or more/,
      }),
    );
  }
});

describe("the tables of the gateway document: rules for retries", () => {
  const expired = refusal("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");
  const headTime = 1_700_000_000_000;

  it("S121 an expiration that is over is built and signed again", () => {
    const explanation = explain(expired, { headTime, expiration: headTime - 1 });

    assert.equal(explanation.retry.sameBytes, "no");
    assert.deepEqual(explanation.candidates, []);
  });

  it("S124 S139 an expiration too far ahead waits, with the same bytes", () => {
    const explanation = explain(expired, { headTime, expiration: headTime + 25 * 3_600_000 });

    assert.equal(explanation.retry.sameBytes, "after");
  });

  it("S116 without the times both cases are named", () => {
    assert.equal(explain(expired).candidates.length, 2);
  });

  it(
    "S125 S138 SIGERROR: never the invalid signature again",
    row({
      input: refusal("SIGERROR", "Validate signature error: sig error"),
      expected: validation("SIGERROR"),
      retry: "no",
      fix: /Add signatures/,
    }),
  );
  for (const result of ["REVERT", "OUT_OF_ENERGY", "OUT_OF_TIME"]) {
    it(
      `S134 S141 ${result}: a new transaction`,
      row({
        input: JSON.stringify({
          id: "ab".repeat(32),
          blockNumber: 1,
          receipt: { result },
          result: "FAILED",
          contractResult: [""],
        }),
        expected: execution(result),
        retry: "no",
        fix: /./,
      }),
    );
  }
  it("S132 OUT_OF_ENERGY says to check fee_limit, S133 OUT_OF_TIME to read the exact message", () => {
    assert.match(explain("OUT_OF_ENERGY").fix, /fee_limit/);
    assert.match(explain("OUT_OF_TIME").fix, /exact message/);
  });
});

describe("the tables of the gateway document: results of an execution", () => {
  const meanings = {
    DEFAULT: /not executed yet/i,
    SUCCESS: /success/i,
    REVERT: /revert/i,
    BAD_JUMP_DESTINATION: /jump/i,
    OUT_OF_MEMORY: /memory/i,
    PRECOMPILED_CONTRACT: /precompiled/i,
    STACK_TOO_SMALL: /underflow/i,
    STACK_TOO_LARGE: /limit exceeded/i,
    ILLEGAL_OPERATION: /illegal/i,
    STACK_OVERFLOW: /overflow/i,
    OUT_OF_ENERGY: /energy/i,
    OUT_OF_TIME: /time/i,
    JVM_STACK_OVER_FLOW: /own stack/i,
    UNKNOWN: /unexpected/i,
    TRANSFER_FAILED: /transfer/i,
    INVALID_CODE: /bytecode/i,
  };
  for (const [result, meaning] of Object.entries(meanings)) {
    it(`S129 ${result} as a bare word and in a receipt`, () => {
      const isFailure = result !== "SUCCESS" && result !== "DEFAULT";
      const failed = isFailure ? { result: "FAILED" } : {};
      const receipt = { id: "ab".repeat(32), blockNumber: 1, receipt: { result }, ...failed };

      assert.match(explain(result).title, meaning);
      assert.equal(explain(result).code, result);
      assert.equal(explain(result).category, result === "SUCCESS" ? "none" : "execution");
      assert.equal(explain(JSON.stringify(receipt)).code, result);
    });
  }

  it("S27 S130 REVERT reads contractResult[0], which is Error(string)", () => {
    const text = ["08c379a0", "20".padStart(64, "0"), "2".padStart(64, "0"), hex("no").padEnd(64, "0")].join("");
    const info = { id: "ab".repeat(32), contractResult: [text], receipt: { result: "REVERT" }, result: "FAILED" };

    assert.equal(explain(JSON.stringify(info)).title, "Reverted: no");
  });

  it("S130 what a failed deployment returned is no revert", () => {
    const info = {
      id: "ab".repeat(32),
      contractResult: ["ef00"],
      receipt: { result: "INVALID_CODE" },
      result: "FAILED",
    };

    assert.equal(explain(JSON.stringify(info)).entry, "result-INVALID_CODE");
  });
});

describe("the rule for messages in hex", () => {
  it("S112 decodes pairs of hex digits only", () => {
    const said = (message: string) => explain(JSON.stringify({ code: "OTHER_ERROR", message })).cause;

    assert.match(said(hex("Grüße")), /Grüße/);
    assert.match(said(hex("Grüße").toUpperCase()), /Grüße/);
    assert.match(said("abc"), /abc/);
    assert.match(said("0x41"), /0x41/);
  });

  it("S112 shows bytes that are not UTF-8 in both forms", () => {
    const { decoded } = explain(JSON.stringify({ code: "OTHER_ERROR", message: "ff41" }));

    assert.deepEqual(
      decoded.filter(({ name }) => name.startsWith("message")).map(({ value }) => value),
      ["\uFFFDA", "ff41"],
    );
  });
});
