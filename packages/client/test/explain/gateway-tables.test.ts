import assert from "node:assert/strict";
import { explain } from "../../src/explain/explain.ts";
import type { ExplainContext } from "../../src/explain/explanation.ts";

const hex = (text: string): string => Buffer.from(text, "utf8").toString("hex");
const refusal = (code: string, message: string): string => JSON.stringify({ code, message: hex(message) });
const invalid = (message: string): string => refusal("CONTRACT_VALIDATE_ERROR", `Contract validate error : ${message}`);
const failedRun = (result: string): string =>
  JSON.stringify({ id: "ab".repeat(32), blockNumber: 1, receipt: { result }, result: "FAILED", contractResult: [""] });
const INVALID = "validation CONTRACT_VALIDATE_ERROR";

/** Rows of the gateway document: category, code, entry and retry verdict of the explanation, and its fix. */
const ROWS: readonly (readonly [title: string, input: string, expected: string, fix: RegExp, ExplainContext?])[] = [
  [
    "S99 a refused connection",
    "Error: connect ECONNREFUSED 127.0.0.1:9090",
    "http ECONNREFUSED http-refused yes",
    /URL.*fail over.*same bytes/s,
  ],
  [
    "S100 5xx",
    "Bad gateway",
    "http HTTP_502 http-5xx yes",
    /growing pauses.*whether it was processed.*another URL/is,
    { status: 502 },
  ],
  ...[
    [400, "http-4xx"],
    [404, "http-404"],
    [405, "http-405"],
    [413, "http-413"],
    [415, "http-4xx"],
    [422, "http-4xx"],
  ].map(
    ([status, entry]) =>
      [
        `S101 ${status}`,
        "<html>nothing here</html>",
        `http HTTP_${status} ${entry} no`,
        /client|URL|path|less/,
        { status: Number(status) },
      ] as const,
  ),
  [
    "S102 a timeout",
    "AxiosError: timeout of 30000ms exceeded",
    "http TIMEOUT http-timeout yes",
    /longer timeout.*split.*unknown/is,
  ],
  ...[401, 403].map(
    (status) => [`S103 ${status}`, "", `http HTTP_${status} http-401 no`, /API Key/, { status }] as const,
  ),
  [
    "S104 429",
    "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\n\r\n{}",
    "http HTTP_429 http-429 yes",
    /Retry-After/,
  ],
  ["S105 no response", "Error: socket hang up", "http ECONNRESET http-reset yes", /only the same bytes/],
  [
    "S106 a code in the body of an HTTP failure",
    '{"code":"SIGERROR"}',
    "http HTTP_503 http-5xx yes",
    /same bytes/,
    { status: 503 },
  ],
  [
    "S107 CONTRACT_VALIDATE_ERROR",
    invalid("a text without an entry"),
    `${INVALID} generic-CONTRACT_VALIDATE_ERROR after`,
    /message.*correct.*parameters.*account/i,
  ],
  ["S108 SIGERROR", '{"code":"SIGERROR"}', "validation SIGERROR code-SIGERROR no", /key.*unchanged raw data/],
  [
    "S109 BANDWITH_ERROR",
    '{"code":"BANDWITH_ERROR"}',
    "validation BANDWITH_ERROR code-BANDWITH_ERROR after",
    /bandwidth.*coins.*account.*memo.*signature/,
  ],
  [
    "S110 DUP_TRANSACTION_ERROR",
    '{"code":"DUP_TRANSACTION_ERROR"}',
    "validation DUP_TRANSACTION_ERROR code-DUP_TRANSACTION_ERROR yes",
    /another.*tracking the txID/,
  ],
  [
    "S113 an account that does not exist",
    hex("account does not exist"),
    `${INVALID} account-unknown-here after`,
    /small amount/,
  ],
  [
    "S114 S128 a balance that is not sufficient",
    invalid("balance is not sufficient"),
    `${INVALID} balance-insufficient after`,
    /Top up.*same signed bytes/,
  ],
  [
    "S115 a signature error",
    hex("signature error"),
    "validation SIGERROR signature-error no",
    /Leave raw_data.*Sign the unchanged raw data again/,
  ],
  [
    "S116 an expired transaction",
    refusal("TRANSACTION_EXPIRATION_ERROR", "Transaction expired"),
    "validation TRANSACTION_EXPIRATION_ERROR transaction-expired no",
    /build and sign a new.*no earlier attempt.*too far ahead/,
  ],
  ...["Validate Vote contract error, bad count", "validate FooContract error, bad count"].map(
    (text) => [`S117 ${text}`, invalid(text), `${INVALID} contract-error after`, /rest of the message/] as const,
  ),
  [
    "S118 frozenBalance must be positive",
    hex("frozenBalance must be positive"),
    `${INVALID} stake-not-positive after`,
    /positive.*sun/,
  ],
  ...["greater than or equal to", "more than"].map(
    (relation) =>
      [
        `S119 a delegation that must be ${relation} 1 TRX`,
        hex(`delegateBalance must be ${relation} 1 TRX`),
        `${INVALID} delegation-below-minimum after`,
        /1,000,000 sun or more/,
      ] as const,
  ),
  [
    "S125 S138 an invalid signature",
    refusal("SIGERROR", "Validate signature error: sig error"),
    "validation SIGERROR weight-below-threshold no",
    /Add signatures/,
  ],
  ["S134 S141 REVERT", failedRun("REVERT"), "execution REVERT revert-empty no", /./],
  ...["OUT_OF_ENERGY", "OUT_OF_TIME"].map(
    (result) => [`S134 S141 ${result}`, failedRun(result), `execution ${result} result-${result} no`, /./] as const,
  ),
];

describe("explain by the tables of the gateway document", () => {
  for (const [title, input, expected, fix, context] of ROWS)
    it(title, () => {
      const { category, code, entry, retry, ...explanation } = explain(input, context);

      assert.equal([category, code, entry, retry.sameBytes].join(" "), expected);
      assert.match(explanation.fix, fix);
      assert.equal(explanation.raw, input);
    });

  it("M1b: allows the same bytes of a broadcast after the cause of a 4xx status is corrected", () => {
    for (const status of [400, 401, 403, 404, 405, 413]) {
      const { retry } = explain("<html>no</html>", { status, endpoint: "/wallet/broadcasttransaction" });

      assert.equal(retry.sameBytes, "after");
      assert.match(retry.when ?? "", /never a new transaction/);
    }
  });

  it("S111 recognizes BANDWITH_ERROR in exactly this spelling", () => {
    const other = explain('{"code":"BANDWIDTH_ERROR","message":"41"}');

    assert.equal(other.entry, "generic-unknown-code");
    assert.match(other.cause, /BANDWITH_ERROR/);
    assert.equal(other.retry.sameBytes, "yes");
  });

  it("S116 S121 S124 S139 chooses the cause of an expiry by the head time, and names both without it", () => {
    const expired = refusal("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");
    const headTime = 1_700_000_000_000;
    const past = explain(expired, { headTime, expiration: headTime - 1 });
    const farAhead = explain(expired, { headTime, expiration: headTime + 25 * 3_600_000 });

    assert.deepEqual([past.retry.sameBytes, past.candidates], ["no", []]);
    assert.equal(farAhead.retry.sameBytes, "after");
    assert.equal(explain(expired).candidates.length, 2);
  });

  it("S132 S133 recommends to check fee_limit after OUT_OF_ENERGY, and the exact message after OUT_OF_TIME", () => {
    assert.match(explain("OUT_OF_ENERGY").fix, /fee_limit/);
    assert.match(explain("OUT_OF_TIME").fix, /exact message/);
  });
});

describe("explain execution results of the gateway document", () => {
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
    it(`S129 explains ${result} alone and in a receipt`, () => {
      const isFailure = result !== "SUCCESS" && result !== "DEFAULT";
      const failed = isFailure ? { result: "FAILED" } : {};
      const receipt = { id: "ab".repeat(32), blockNumber: 1, receipt: { result }, ...failed };

      assert.match(explain(result).title, meaning);
      assert.equal(explain(result).code, result);
      assert.equal(explain(result).category, result === "SUCCESS" ? "none" : "execution");
      assert.equal(explain(JSON.stringify(receipt)).code, result);
    });
  }

  it("S27 S130 reads Error(string) of REVERT from contractResult[0]", () => {
    const text = ["08c379a0", "20".padStart(64, "0"), "2".padStart(64, "0"), hex("no").padEnd(64, "0")].join("");
    const info = { id: "ab".repeat(32), contractResult: [text], receipt: { result: "REVERT" }, result: "FAILED" };

    assert.equal(explain(JSON.stringify(info)).title, "Reverted: no");
  });

  it("S130 does not read the code of a failed deployment as a revert", () => {
    const info = {
      id: "ab".repeat(32),
      contractResult: ["ef00"],
      receipt: { result: "INVALID_CODE" },
      result: "FAILED",
    };

    assert.equal(explain(JSON.stringify(info)).entry, "result-INVALID_CODE");
  });
});

describe("explain messages in hex", () => {
  it("S112 decodes pairs of hex digits only", () => {
    const causeOf = (message: string) => explain(JSON.stringify({ code: "OTHER_ERROR", message })).cause;

    assert.match(causeOf(hex("Grüße")), /Grüße/);
    assert.match(causeOf(hex("Grüße").toUpperCase()), /Grüße/);
    assert.match(causeOf("abc"), /abc/);
    assert.match(causeOf("0x41"), /0x41/);
  });

  it("S112 shows bytes that are not UTF-8 in both forms", () => {
    const { decoded } = explain(JSON.stringify({ code: "OTHER_ERROR", message: "ff41" }));

    assert.deepEqual(
      decoded.filter(({ name }) => name.startsWith("message")).map(({ value }) => value),
      ["\uFFFDA", "ff41"],
    );
  });
});
