import assert from "node:assert/strict";
import { explain } from "../../src/explain/explain.ts";

const hex = (text: string): string => Buffer.from(text, "utf8").toString("hex");
const TX_ID = "cd".repeat(32);
const fault = (text: string): string => JSON.stringify({ Error: text });
const refused = (message: string): string =>
  JSON.stringify({
    code: "CONTRACT_VALIDATE_ERROR",
    txid: TX_ID,
    message: hex(`Contract validate error : ${message}`),
  });
const simulated = (code: string, message: string, more: object = {}): string =>
  JSON.stringify({ result: { code, message: hex(message) }, ...more });
const rpc = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } });
const info = (receipt: string, more = '"fee":1'): string =>
  `{"id":"${TX_ID}","blockNumber":10,${more},"receipt":${receipt}}`;
const word = (value: number): string => value.toString(16).padStart(64, "0");
const reason = `08c379a0${word(32)}${word(2)}${hex("no").padEnd(64, "0")}`;

/** Input, category, entry and verdict of its explanation, and what its text contains and does not contain. */
type ExchangeCase = readonly [input: string, expected: string, text: RegExp, absent?: RegExp];

/** Returns the case of a request that may have arrived. */
const unanswered = (input: string, entry: string): ExchangeCase => [
  input,
  `http ${entry} yes`,
  /never a new transaction/,
];

const groups: { readonly [what: string]: readonly ExchangeCase[] } = {
  "a result as a number, or before the end": [
    [info('{"result":10,"energy_usage_total":100}'), "execution result-OUT_OF_ENERGY no", /Out of energy/],
    [info('{"result":"10"}'), "execution result-OUT_OF_ENERGY no", /Out of energy/],
    [info('{"result":1}'), "none included no", /Executed successfully/],
    [info('{"result":13}'), "execution result-UNKNOWN no", /unexpected error/],
    [info('{"result":99}'), "execution generic-result no", /99/],
    [info('{"result":"DEFAULT"}'), "execution result-DEFAULT no", /Not executed yet/, /successfully/],
    [info('{"result":0}'), "execution result-DEFAULT no", /Not executed yet/, /successfully/],
    [info('{"energy_usage_total":9}', '"result":1'), "execution result-FAILED no", /execution failed/],
  ],
  "a minimum in another node version": [
    ...["more than 1TRX", "more than 1 TRX", "greater than or equal to 1TRX", "greater than or equal to 1 TRX"].map(
      (minimum): ExchangeCase => [
        refused(`delegateBalance must be ${minimum}`),
        "validation delegation-below-minimum after",
        /1,000,000 sun/,
      ],
    ),
  ],
  "a message under another code": [
    [
      `{"code":"CONTRACT_VALIDATE_ERROR","txid":"${TX_ID}","message":"${hex("Transaction expired")}"}`,
      "validation transaction-expired no",
      /more than 24 h ahead/,
    ],
    [
      `{"code":"CONTRACT_VALIDATE_ERROR","txid":"${TX_ID}","message":"${hex("signature error")}"}`,
      "validation signature-error no",
      /sign the unchanged raw data again/i,
    ],
    [
      `{"code":"OTHER_ERROR","txid":"${TX_ID}","message":"${hex("Transaction expired")}"}`,
      "validation transaction-expired yes",
      /It may still be executed/,
    ],
    [refused("account does not exist"), "validation account-unknown-here after", /sender, or the recipient/],
  ],
  "a simulation that an overloaded node stopped": [
    [
      simulated(
        "OTHER_ERROR",
        "class org.tron.core.vm.program.Program$OutOfTimeException : CPU timeout for 'SLOAD' operation executing",
      ),
      "execution vm-timeout yes",
      /try again or use another node/,
    ],
  ],
  "a refused request": [
    [
      fault("class org.tron.core.exception.StoreException : STREAMED"),
      "validation generic-StoreException no",
      /correct the request/,
      /funded/,
    ],
    [
      fault("class org.tron.core.exception.BadItemException : Wrong limit."),
      "validation generic-BadItemException no",
      /Wrong limit/,
      /funded/,
    ],
    [
      fault("class org.tron.core.exception.ContractValidateException : account [41ab] does not exist"),
      "validation account-unknown-here after",
      /funded/,
    ],
    [refused("Contract not exists"), "validation settings-contract-unknown after", /cause is corrected/, /funded/],
    [refused("Witness[41ab] not exists"), "validation witness-unknown after", /cause is corrected/, /funded/],
    [refused("Proposal[99] not exists"), "validation proposal-unknown after", /cause is corrected/, /funded/],
    [refused("Account[41ab] not exists"), "validation account-unknown after", /funded/],
    [refused("No enough balance for fee!"), "validation rule-fee after", /funded/],
    [
      fault(
        "class org.tron.core.services.http.JsonFormat$ParseException : 1:21: INVALID base58 String, Illegal character 0 at 2",
      ),
      "validation base58-expected no",
      /value at 1:21 is/,
    ],
    [refused("49 isn't a validate ContractType"), "validation permission-operation-unknown after", /Bit 49 of/],
    [
      fault("class com.alibaba.fastjson.JSONException : can not cast to int, value : abc"),
      "validation value-unusable no",
      /form/,
      /not JSON/,
    ],
    [
      fault("class org.tron.core.exception.JsonRpcInvalidParamsException : invalid address"),
      "validation address-unreadable no",
      /address/i,
      /sender's/i,
    ],
    ["Error: Invalid address provided", "validation tool-argument no", /address/i, /sender's/i],
    [fault("class java.security.InvalidParameterException : data isn't set."), "validation rule-missing no", /data/],
    [
      fault(
        "class java.security.InvalidParameterException : While trying to deploy, data and parameter can not be both set.",
      ),
      "validation rule-one-alone no",
      /data and parameter/,
    ],
    [
      fault(
        "class org.tron.core.exception.MaintenanceUnavailableException : Service temporarily unavailable during maintenance period",
      ),
      "http node-maintenance yes",
      /pause/,
    ],
  ],
  "a status in the body": [
    [
      '{"Success":false,"Error":"The server is temporarily unavailable","StatusCode":503}',
      "http http-5xx yes",
      /never a new transaction/,
    ],
    ['{"Success":false,"Error":"Invalid API key","StatusCode":401}', "http http-401 no", /key/],
    ['{"Success":false,"Error":"no Authorization","StatusCode":403}', "http http-401 no", /key/],
    [
      '{"Success":false,"Error":"request rate exceeded the allowed_rps(3), and the query server is suspended for 30 s","StatusCode":403}',
      "http gateway-frequency yes",
      /3 a second.*30 s/s,
    ],
    ['{"message":"Unauthorized"}', "http http-401 no", /key/],
    ['{"message":"Internal server error"}', "http http-5xx yes", /never a new transaction/],
    ['{"error":"Bad Gateway"}', "http http-5xx yes", /never a new transaction/],
    ['{"message":"The upstream server is timing out"}', "http http-timeout yes", /never a new transaction/],
    [`{"message":"No credentials found for given 'iss'"}`, "http http-token no", /token/],
    [
      '{"message":"Request failed with status code 503","code":"ERR_BAD_RESPONSE","status":503}',
      "http http-5xx yes",
      /\(503\)/,
    ],
    ["Gateway Timeout", "http http-timeout yes", /never a new transaction/],
    ["404 page not found", "http http-404 no", /path/],
    [
      '{"message":"You cannot consume this service"}',
      "none generic-report no",
      /You cannot consume.*look up its txID/s,
      /Nothing in it/,
    ],
    ['{"result":false,"message":"upstream said no"}', "validation broadcast-no-success yes", /upstream said no/],
    ['{"result":false}', "validation broadcast-no-success yes", /Look the txID up/, /Nothing in it/],
    ['{"Error":"request too quickly"}', "http http-429 yes", /Too many requests/],
    ['{"code":429,"message":"request too quickly"}', "http http-429 yes", /Too many requests/],
    ['{"result":false,"message":"Invalid address"}', "validation address-invalid no", /address/],
  ],
  "a code of a tool": [
    [
      "{ code: 'ERR_ASSERTION', actual: 1, expected: 2, operator: 'strictEqual' }",
      "none generic-report no",
      /ERR_ASSERTION/,
      /no document/,
    ],
    ["{ code: 'MODULE_NOT_FOUND', requireStack: [] }", "none generic-report no", /MODULE_NOT_FOUND/, /no document/],
    [
      `[UnhandledPromiseRejection: x] {\n  code: 'ERR_UNHANDLED_REJECTION'\n}\n{ code: 'SIGERROR', txid: '${TX_ID}', message: '' }`,
      "validation code-SIGERROR no",
      /sign/,
    ],
    [
      '{"code":4001,"message":"Confirmation declined by user"}',
      "validation tool-declined no",
      /refused the request/,
      /may have arrived/,
    ],
    [
      "ERROR: Metacoin has not been deployed to detected network (network/artifact mismatch)",
      "validation tool-not-deployed no",
      /not deployed/,
      /may have arrived/,
    ],
  ],
  "a simulation": [
    [
      simulated("CONTRACT_EXE_ERROR", "something odd"),
      "execution generic-CONTRACT_EXE_ERROR no",
      /something odd/,
      /no document/,
    ],
    [
      simulated("CONTRACT_EXE_ERROR", "REVERT opcode executed", { constant_result: [reason] }),
      "execution revert-error-string no",
      /"no"/,
    ],
    [
      simulated(
        "OTHER_ERROR",
        "class org.tron.core.vm.program.Program$OutOfEnergyException : Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[1000], curOpEnergy[20000], usedEnergy[900]",
      ),
      "execution vm-out-of-energy no",
      /On the chain/,
      /^The whole fee_limit|\. The whole fee_limit/,
    ],
    [
      fault("class org.tron.core.vm.program.Program$PrecompiledContractException : y"),
      "execution result-PRECOMPILED_CONTRACT no",
      /built into the chain/,
      /funded/,
    ],
    [
      rpc(-32000, "Contract validate error : account [41ab] does not exist"),
      "validation account-unknown-here after",
      /never activated/,
    ],
    [rpc(-32603, "Internal error"), "http rpc-internal yes", /never a new transaction/],
    [rpc(-32005, "daily request count exceeded, request rate limited"), "http http-429 yes", /pause/],
    [rpc(429, "compute units exceeded"), "http http-429 yes", /pause/],
  ],
  "a network failure": [
    unanswered("curl: (28) Operation timed out after 30001 milliseconds with 0 bytes received", "http-timeout"),
    unanswered("curl: (6) Could not resolve host: api", "http-name"),
    unanswered("curl: (35) OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to api:443", "http-reset"),
    unanswered("Invoke-WebRequest : Unable to connect to the remote server", "http-unreachable"),
    unanswered("TypeError: fetch failed", "http-unreachable"),
    unanswered("AxiosError: Network Error", "http-unreachable"),
    unanswered("connect EHOSTUNREACH 10.0.0.7:8090", "http-unreachable"),
    unanswered(
      "HTTPConnectionPool(host='node', port=8090): Max retries exceeded with url: /wallet/broadcasttransaction",
      "http-unreachable",
    ),
    unanswered("The operation has timed out.", "http-timeout"),
    unanswered(
      "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='api.example', port=443): Read timed out. (read timeout=10)",
      "http-timeout",
    ),
    unanswered("context deadline exceeded (Client.Timeout exceeded while awaiting headers)", "http-timeout"),
    unanswered("dial tcp: lookup api: no such host", "http-name"),
    unanswered("unexpected EOF", "http-reset"),
    unanswered("java.net.SocketTimeoutException: Read timed out", "http-timeout"),
    unanswered("java.net.UnknownHostException: api.example", "http-name"),
    unanswered("io.grpc.StatusRuntimeException: DEADLINE_EXCEEDED: deadline exceeded after 4.99s", "http-timeout"),
    unanswered("io.grpc.StatusRuntimeException: UNAVAILABLE: io exception", "http-unreachable"),
    unanswered("rpc error: code = Unavailable desc = transport is closing", "http-5xx"),
    unanswered("AbortError: This operation was aborted", "http-timeout"),
    unanswered("TypeError: terminated", "http-reset"),
    unanswered("net::ERR_CONNECTION_REFUSED", "http-refused"),
    unanswered("net::ERR_NAME_NOT_RESOLVED", "http-name"),
    unanswered("net::ERR_CONNECTION_RESET", "http-reset"),
    unanswered("net::ERR_TIMED_OUT", "http-timeout"),
    unanswered("net::ERR_EMPTY_RESPONSE", "http-reset"),
    unanswered("Error [ERR_STREAM_PREMATURE_CLOSE]: Premature close", "http-reset"),
    unanswered("<!DOCTYPE html><html><head><title>api | 522: Connection timed out</title></head>", "http-5xx"),
    unanswered('{"Error":"request timed out"}', "http-timeout"),
    [
      '{"Error":"class java.util.concurrent.TimeoutException : Idle timeout expired"}',
      "validation generic-TimeoutException yes",
      /never a new transaction/,
    ],
    [
      '{"Error":"class java.lang.OutOfMemoryError : Java heap space"}',
      "validation generic-OutOfMemoryError yes",
      /Java heap space.*never a new transaction/s,
    ],
    [
      "class org.tron.core.exception.TransactionExpirationException : Transaction expiration time is 42, but next slot time is 43",
      "validation transaction-expired no",
      /no earlier attempt|first and only/,
    ],
    [
      JSON.stringify({
        code: "SIGERROR",
        message: hex("Validate signature error: 9f transaction signature validate failed"),
      }),
      "validation signature-error no",
      /sign/,
    ],
  ],
  "revert data": [
    ["0x08c379a0", "none selector no", /Error Error\(string\).*Solidity/s, /No artifact/],
    ["0x4e487b71", "none selector no", /Error Panic\(uint256\)/],
    [`0x${reason.slice(0, -60)}`, "abi revert-error-string no", /"no"/],
    [`0x08c379a0${word(32)}${word(9)}6e6f`, "abi revert-error-string no", /Reverted: no/],
    [`0x${reason.slice(0, -59)}`, "abi revert-error-string no", /"no"/],
    ["0x", "none empty-data no", /no reason/],
    [`0x1234567890abcdef${"0".repeat(33)}`, "none hex-odd no", /a digit/i],
  ],
  "a line around a message of the node": [
    [
      "Caused by: a.b.IllegalException: SIGERROR, Validate signature error: sig error",
      "validation weight-below-threshold no",
      /sign/,
    ],
    [
      "result error(CONTRACT_VALIDATE_ERROR): Contract validate error : No deposit!\n\tat a.b.C.d(C.java:5)",
      "validation rule-nothing after",
      /deposit/i,
    ],
  ],
  "a code of another program": [
    ["{ code: 'REPLACEMENT_PART_MISSING' }", "none json no", /./],
    ['{"code":"0","msg":"","data":[]}', "none json no", /./],
    ['{"code":"BTC","name":"Bitcoin"}', "none json no", /./],
  ],
  "complete signatures": [
    [
      JSON.stringify({
        result: {},
        approved_list: ["T"],
        current_weight: 1,
        transaction: { result: { result: true }, txid: TX_ID, transaction: {} },
      }),
      ...(["none signatures-enough no", /enough/, /unsigned/] as const),
    ],
  ],
  "a tool": [
    [
      'TimeoutError: timeout (operation="waitForTransaction", code=TIMEOUT, version=6.13.1)',
      "http tool-stopped-waiting yes",
      /never a new transaction/,
    ],
    ["Error: Transaction reverted and Hardhat couldn't infer the reason.", "abi revert-empty no", /no data/],
    ['Reverted with reason "nope"', "abi revert-error-string no", /nope/],
    [
      "hit a require or revert statement with the following reason given:\n   * Not yours\n",
      "abi revert-error-string no",
      /Not yours/,
    ],
    ["    └─ ← [Revert] ERC20InsufficientBalance(0x00, 0, 1)", "abi revert-custom-error no", /InsufficientBalance/],
    ["    └─ ← [Revert] not yet", "abi revert-error-string no", /not yet/],
    ["Error: script failed: Nope()", "abi revert-custom-error no", /Nope/],
    ["{ code: 'EXAMPLE_ERROR' }", "none generic-report no", /EXAMPLE_ERROR/],
    ["Error: Invalid transaction provided", "validation tool-transaction no", /TronWeb/],
    [
      "Error: Address TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp has no permission to sign",
      "validation tool-signature no",
      /before anything is sent/,
    ],
    ['Error: Methods with state mutability "view" must use call()', "validation tool-call-kind no", /is view/],
    [
      "Error: Function requires either a private key or address to be set",
      "validation tool-not-ready no",
      /Nothing was sent/,
    ],
    ["Error: constructor needs 2 but 1 provided", "validation tool-constructor no", /takes 2, and 1/],
    ["Fail with error 'TransferHelper: TRANSFER_FROM_FAILED'", "abi revert-error-string no", /TRANSFER_FROM_FAILED/],
    ["Failed with error: 'Ownable: caller is not the owner'", "abi revert-error-string no", /caller is not the owner/],
    [
      "Warning! Error encountered during contract execution [Out of Energy]",
      "execution vm-out-of-energy-tool no",
      /limit/,
    ],
    ["TronLink was redesigned", "none generic-unknown no", /look up its txID/, /nothing to send/],
    ["TronLink is locked", "validation wallet-not-connected no", /Nothing was signed or sent/],
  ],
  "transaction info": [
    [
      JSON.stringify({
        id: TX_ID,
        blockNumber: 1,
        result: "FAILED",
        receipt: { net_usage: 5 },
        resMessage: hex("no OwnerAccount"),
      }),
      "execution result-FAILED no",
      /no OwnerAccount/,
      /no document/,
    ],
    [JSON.stringify({ result: "FAILED" }), "execution result-FAILED no", /receipt\.result/, /no document/],
  ],
};

describe("explain long data", () => {
  it("ignores failure words in long data such as translations", () => {
    const texts = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`text.${index}`, "Something that people read"]),
    );

    const { category, entry } = explain(
      JSON.stringify({ ...texts, slow: "The session timed out", off: "connection refused" }),
    );

    assert.deepEqual([category, entry], ["none", "json"]);
    assert.equal(explain('{"msg":"read timed out"}').entry, "http-timeout");
  });
});

describe("explain a status with a more specific body", () => {
  const body =
    '{"Success":false,"Error":"The key exceeds the frequency limit(15), and the query server is suspended for 5s"}';

  it("reads a limit with 403 as a limit, not as a wrong key", () => {
    const { code, entry, retry } = explain(body, { status: 403 });

    assert.deepEqual([code, entry, retry.sameBytes], ["HTTP_403", "gateway-frequency", "yes"]);
    assert.equal(explain(body.replace("StatusCode", "x"), { status: 502 }).entry, "http-5xx");
  });
});

for (const [what, rows] of Object.entries(groups))
  describe(`explain ${what}`, () => {
    for (const [input, expected, text, absent] of rows)
      it(input.replaceAll(/\s+/g, " ").slice(0, 130), () => {
        const { title, cause, fix, retry, ...found } = explain(input);
        const words = `${title}. ${cause} ${fix} ${retry.when ?? ""}`;

        assert.equal([found.category, found.entry, retry.sameBytes].join(" "), expected, words);
        assert.match(words, text);
        if (absent !== undefined) assert.doesNotMatch(words, absent);
        assert.equal(found.raw, input);
      });
  });
