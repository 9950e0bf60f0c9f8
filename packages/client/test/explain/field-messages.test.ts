import assert from "node:assert/strict";
import type { AbiIndex } from "../../../tron/src/abi/abi-index.ts";
import { loadDictionary } from "../../src/explain/documented-sources.ts";
import { explain } from "../../src/explain/explain.ts";
import { rangesIn } from "../../src/explain/explained-range.ts";

const HASH = "0x7f0b4a4c6d3f4f5c9a1e7f0b4a4c6d3f4f5c9a1e7f0b4a4c6d3f4f5c9a1eabcd";
const rpc = (code: number, message: string, data?: string | object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message, ...(data === undefined ? {} : { data }) } });

let abi: AbiIndex;

before(async () => {
  abi = await loadDictionary();
});

const entryOf = (text: string): string => explain(text, { abi }).entry;
const textOf = (text: string): string => {
  const { title, cause, fix, retry } = explain(text, { abi });
  return `${title}. ${cause} ${fix} ${retry.sameBytes}: ${retry.when ?? ""}`;
};
/** Returns the failures that the decoder and the hovers find in a text. */
const failuresOf = (text: string): readonly string[] => {
  const explainHere = (input: string) => explain(input, { abi });
  const inLines = text.split("\n").flatMap((line) => rangesIn(line, explainHere));
  const found = [explainHere(text), ...inLines.map(({ explanation }) => explanation)];
  return found.filter(({ category }) => category !== "none").map(({ entry }) => `${entry}: ${text}`);
};

type Rows = readonly (readonly [text: string, entry: string])[];

/** Checks the entry that explains each text. */
function assertEntries(rows: Rows): void {
  const wrong = rows.flatMap(([text, entry]) => {
    const found = entryOf(text);
    return found === entry ? [] : [`${found} instead of ${entry}: ${text}`];
  });
  assert.deepEqual(wrong, []);
}

/** Advice to send a second transaction while an earlier one may still be executed. */
const SECOND = /sign (?:it )?again|build (?:it|a new|and)|send (?:it )?anew|raise the fee/i;

describe("explain JSON-RPC errors", () => {
  const earlier: Rows = [
    ...["already known", "known transaction: 7f0b4a4c", "Known transaction", "AlreadyKnown"].map(
      (message) => [rpc(-32_000, message), "rpc-known"] as const,
    ),
    [rpc(-32_010, "Transaction with the same hash was already imported."), "rpc-known"],
    [rpc(-32_000, "INTERNAL_ERROR: existing tx with same hash"), "rpc-known"],
    [rpc(-32_000, "tx already exists in cache"), "rpc-known"],
    ["Error: already known", "rpc-known"],
    ["ProviderError: already known", "rpc-known"],
    ["Returned error: already known", "rpc-known"],
    ["web3.exceptions.Web3RPCError: {'code': -32000, 'message': 'already known'}", "rpc-known"],
    [rpc(-32_000, "nonce too low"), "rpc-nonce-used"],
    [rpc(-32_000, "nonce too low: next nonce 5, tx nonce 4"), "rpc-nonce-used"],
    [rpc(-32_603, "Internal JSON-RPC error.", { code: -32_000, message: "nonce too low" }), "rpc-nonce-used"],
    [rpc(-32_010, "Transaction nonce is too low. Try incrementing the nonce."), "rpc-nonce-used"],
    [
      rpc(-32_010, "There is another transaction with same nonce in the queue. Try increasing the gas price."),
      "rpc-nonce-used",
    ],
    [rpc(-32_000, "INTERNAL_ERROR: could not replace existing tx"), "rpc-nonce-used"],
    [rpc(-32_000, "replacement transaction underpriced"), "rpc-nonce-used"],
    ["ProviderError: Nonce too low. Expected nonce to be 5 but got 4.", "rpc-nonce-used"],
    [
      "Error: nonce has already been used (transaction=undefined, code=NONCE_EXPIRED, version=6.13.1)",
      "rpc-nonce-used",
    ],
    ["Error: replacement fee too low (code=REPLACEMENT_UNDERPRICED, version=providers/5.7.2)", "rpc-nonce-used"],
    [
      `Error: transaction was replaced (hash="${HASH}", reason="repriced", code=TRANSACTION_REPLACED)`,
      "rpc-nonce-used",
    ],
    [
      "Error: server returned an error response: error code -32000: nonce too low: next nonce 7, tx nonce 6",
      "rpc-nonce-used",
    ],
    ["- Error #0: (code: -32000, message: nonce too low: next nonce 7, tx nonce 6, data: None)", "rpc-nonce-used"],
    [
      "TransactionExecutionError: Nonce provided for the transaction is lower than the current nonce of the account.",
      "rpc-nonce-used",
    ],
    [
      "Error: VM Exception while processing transaction: the tx doesn't have the correct nonce. account has nonce of: 5",
      "rpc-nonce-used",
    ],
    [rpc(-32_000, "nonce too high"), "rpc-nonce-ahead"],
  ];

  it("W2: advises to query the earlier transaction when one may be in the pool", () => {
    assertEntries(earlier);
    for (const [text] of earlier) {
      assert.match(
        textOf(text),
        /Look up the hash or txID of the earlier transaction first.*look up its txID before/,
        text,
      );
      assert.doesNotMatch(textOf(text), SECOND, text);
    }
  });

  it("W2: leaves the outcome open after an internal error of the node", () => {
    const rows: Rows = [
      ...["internal error", "Internal server error", "unexpected error", "method handler crashed"].map(
        (message) => [rpc(-32_000, message), "rpc-internal"] as const,
      ),
      [rpc(-32_603, "Internal JSON-RPC error."), "rpc-internal"],
      ["ProviderError: Internal error", "rpc-internal"],
      [rpc(-32_000, "context deadline exceeded"), "http-timeout"],
      [rpc(-32_002, "request timed out"), "http-timeout"],
    ];
    assertEntries(rows);
    for (const [text] of rows) assert.match(textOf(text), /yes: these bytes and never a new transaction/, text);
  });

  it("W2: reads revert data in a message", () => {
    const reason =
      "0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000056e6f626f64000000000000000000000000000000000000000000000000000000";
    assert.match(textOf(rpc(-32_015, "VM execution error.", `Reverted ${reason}`)), /Reverted: nobod/);
    assert.match(textOf(rpc(-32_015, "Transaction execution error: Reverted 0x7a933234")), /0x7a933234|7a933234/);
    assert.match(textOf('error code -32015: VM execution error., data: "Reverted 0x7a933234"'), /7a933234/);
    assert.match(textOf(rpc(3, "execution reverted: not owner")), /Reverted: not owner/);
    assertEntries([
      [rpc(-32_015, "VM execution error.", "revert"), "revert-empty"],
      [rpc(-32_015, "VM execution error.", "Bad instruction fd"), "result-ILLEGAL_OPERATION"],
      [rpc(-32_015, "VM execution error.", "out of gas"), "result-OUT_OF_ENERGY"],
    ]);
  });

  it("W2: leaves the outcome open after an unknown message", () => {
    for (const code of [-32_000, -32_003, -32_010, -32_050]) {
      const explanation = textOf(rpc(code, "the transaction could not be handled"));
      assert.match(
        explanation,
        /The JSON-RPC request failed.*look up its hash or txID before you build anything new/,
        explanation,
      );
      assert.doesNotMatch(explanation, /correct the request first/i);
    }
  });

  it("W2: names the cause of a refused request", () => {
    assertEntries([
      [rpc(-32_000, "insufficient funds for gas * price + value: have 0 want 1"), "tool-funds"],
      [rpc(-32_010, "Insufficient funds. The account you tried to send transaction from has 5."), "tool-funds"],
      [rpc(-32_004, "Upfront cost exceeds account balance"), "tool-funds"],
      [rpc(-32_007, "100/second request limit reached - reduce calls per second"), "http-429"],
      [rpc(-32_000, "max initcode size exceeded: code size 50000 limit 49152"), "vm-revert-code-size"],
      [rpc(-32_000, "unknown account"), "tool-no-account"],
      [rpc(-32_000, "intrinsic gas too low: have 21000, want 53000"), "rpc-gas-limit"],
      [rpc(-32_000, "exceeds block gas limit"), "rpc-gas-limit"],
      [rpc(-32_000, "only replay-protected (EIP-155) transactions allowed over RPC"), "rpc-chain"],
      [rpc(-32_000, "invalid sender"), "rpc-chain"],
      [rpc(-32_000, "txpool is full"), "rpc-pool-full"],
      [rpc(-32_000, "missing trie node 0d8a"), "rpc-state-missing"],
      [rpc(-32_001, "Resource not found"), "rpc-not-found"],
      [rpc(-32_004, "Method eth_sendTransaction not supported"), "rpc-method"],
      [rpc(-32_006, "JSON-RPC version not supported"), "rpc-request"],
      [
        '{"code":4100,"message":"The requested method and/or account has not been authorized."}',
        "wallet-not-connected",
      ],
      ['{"code":4900,"message":"The Provider is disconnected from all chains."}', "wallet-not-connected"],
      ['{"code":4902,"message":"Unrecognized chain ID \\"0x2b6653dc\\"."}', "rpc-chain"],
      [
        rpc(-32_002, "Request of type 'wallet_requestPermissions' already pending for origin http://localhost"),
        "wallet-busy",
      ],
    ]);
  });
});

describe("explain texts of other programs", () => {
  it("W8: ignores a field `Error` without a class of the node", () => {
    const ordinary = [
      '{"Id":"9f86d0","State":{"Status":"exited","OOMKilled":false,"ExitCode":0,"Error":""},"Name":"/shop"}',
      '[{"Id":"9f86d0","State":{"Status":"running","Error":""}}]',
      '{"Success":true,"Error":""}',
      '{"Error":"no such container"}',
      '{"Error":"disk full","Code":28}',
      '{"Error":"Invalid token"}',
      '{"Error":"null"}',
      '{"Error":"timeout"}',
      '{"Response":"False","Error":"Movie not found!"}',
      '{"Error":"class com.shop.OrderException : order is closed"}',
      '{"level":"error","Error":"dial unix /var/run/docker.sock: permission denied","msg":"cannot start"}',
      '{"Error":{"Code":"NoSuchBucket","Message":"The specified bucket does not exist"}}',
    ];
    assert.deepEqual(ordinary.flatMap(failuresOf), []);
  });

  it("W8: reads a field `Error` of a node or its gateway", () => {
    assertEntries([
      ['{"Error":"class org.tron.core.exception.BadItemException : something new"}', "generic-BadItemException"],
      ['{"Error":"class java.lang.IllegalArgumentException : something new"}', "generic-IllegalArgumentException"],
      ['{"Error":"balance is not sufficient"}', "balance-insufficient"],
      ['POST https://api.trongrid.io/wallet/getaccount {"Error":"something new"}', "generic-Error"],
      ['{"Error":"ApiKey not exists"}', "http-401"],
    ]);
  });

  it("W9: ignores a sentence of a node in text of another program", () => {
    const ordinary = [
      "2026-11-23 07:00:12 ERROR LDAP: error code 32 - account does not exist",
      "LDAPException: 32 account does not exist (uid=bob,ou=people)",
      "javax.naming.NameNotFoundException: [LDAP: error code 32 - No Such Object]; account does not exist",
      "2026-11-23 07:00:12,412 WARN  [pool-1] c.e.shop.OrderService - Transaction expired: order 42",
      "OrderService - Transaction expired: order 42",
      "2026-11-23 07:00:12 ERROR PaymentService balance is not sufficient for invoice 42",
      "WARN  WalletService - Not enough balance for order 1042",
      "java.lang.IllegalArgumentException: Invalid address",
      "java.lang.ArithmeticException: long overflow",
      "SQLSTATE[25P02]: In failed sql transaction: transaction not found",
      "Owner account does not exist",
    ];
    assert.deepEqual(ordinary.flatMap(failuresOf), []);
  });

  it("W9: reads the same sentence alone or with a trace of the chain", () => {
    assertEntries([
      ["account does not exist", "account-unknown-here"],
      ["2026-11-23 07:00:12.412 ERROR [main] account does not exist", "account-unknown-here"],
      ["ERROR: balance is not sufficient", "balance-insufficient"],
      ["org.tron.core.Wallet - OrderService: Transaction expired: order 42", "transaction-expired"],
      ["the node said 'balance is not sufficient', giving up", "balance-insufficient"],
      ["broadcast failed (Transaction expired) for order 42", "transaction-expired"],
      ["TJRabPrwbZy45sbavfcjinPJC18kjpRTv8: account does not exist, order 42", "account-unknown-here"],
    ]);
  });

  it("E7: ignores common errors and web answers", () => {
    const ordinary = [
      "The specified account does not exist.",
      "ValueError: amount must be greater than 0",
      'Traceback (most recent call last):\n    raise ValueError("amount must be greater than 0")\nValueError: amount must be greater than 0',
      "RangeError: amount must be greater than 0",
      '{"code":404,"message":"Order not found"}',
      '{"code":400,"message":"Bad Request","errors":[{"field":"email"}]}',
      '{"code":500,"message":"Internal error"}',
      '{"code":0,"message":"success","data":null}',
      '{"code":-1,"message":"system busy"}',
      '{"code":-32000,"message":"cannot open display"}',
      '{"code":"invalid_amount","message":"amount must be greater than 0"}',
      '{"code":"OTHER_ERROR","message":"printer is offline"}',
      '{"status":400,"error":"Bad Request","message":"amount must be greater than 0","path":"/orders"}',
      '{"timestamp":"2026-11-23T07:00:12Z","status":500,"error":"Internal Server Error","path":"/api/orders"}',
      '{"statusCode":404,"message":"Cannot GET /orders","error":"Not Found"}',
      '{"error":{"code":404,"message":"The project was not found","status":"NOT_FOUND"}}',
      rpc(-32_601, "Method not found: textDocument/foldingRange"),
      rpc(-32_602, "Invalid params: missing field `uri`"),
      rpc(-32_603, "Request textDocument/hover failed with message: Cannot read properties of undefined"),
      rpc(-32_800, "Request cancelled"),
      rpc(-32_600, "Bad Request: No valid session ID provided"),
      "gpg: Signature does not match",
      "json: cannot unmarshal number into Go struct field Order.total of type string",
      "ssh: host already known",
      '{"code":"INSUFFICIENT_FUNDS","message":"The card has insufficient funds"}',
      '{"type":"https://example.org/probs/credit","title":"Not enough credit","status":403}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Connection closed"}}',
      "User account is not activated",
      "TypeError: Cannot read properties of undefined (reading 'map')",
    ];
    assert.deepEqual(ordinary.flatMap(failuresOf), []);
  });
});

describe("explain messages with an unknown outcome", () => {
  const rows: Rows = [
    [`TransactionNotFoundError: Transaction with hash "${HASH}" could not be found.`, "tool-not-found"],
    [
      `Transaction receipt with hash "${HASH}" could not be found. It may not be processed on a block yet.`,
      "tool-not-found",
    ],
    [`web3.exceptions.TransactionNotFound: Transaction with hash: '${HASH}' not found.`, "tool-not-found"],
    [`TimeExhausted: Transaction HexBytes('${HASH}') is not in the chain after 120 seconds`, "tool-stopped-waiting"],
    ["Error: Transaction started at 5 but was not mined within 50 blocks.", "tool-stopped-waiting"],
    [`Error: Transaction ${HASH} wasn't processed in 240 seconds!`, "tool-stopped-waiting"],
    ["Error: The contract code couldn't be stored, please check your gas limit.", "tool-code-not-found"],
    [`Transaction dropped from the mempool: ${HASH}`, "tool-dropped"],
    [
      "IgnitionError: IGN401: all the transactions of its network interaction 1 were dropped. Please try rerunning",
      "tool-dropped",
    ],
    ["HardhatError: HHE10400: Error while executing Leaf#Leaf: all the transactions were dropped.", "tool-dropped"],
    [
      "IgnitionError: IGN403: You have sent transactions from 0xf39F and they interfere with Hardhat Ignition.",
      "tool-interference",
    ],
    ["HardhatError: HHE10404: The next nonce for 0xf39F should be 5, but is 6.", "tool-interference"],
    [
      "HardhatError: HH109: Network connection timed out.\nPlease check your internet connection and networks config",
      "http-timeout",
    ],
    ["ProviderError: internal", "rpc-internal"],
    ["Error: deserialization error: missing field `effectiveGasPrice`", "tool-unreadable"],
    ["Error: Transaction receipt not found", "tool-not-found"],
    ["The deployment wasn't successful, there were timeouts:\n\nTimed out:\n\n  * Leaf#Leaf", "tool-stopped-waiting"],
    ["WalletSendTransactionError: Unexpected error", "wallet-send-failed"],
  ];

  it("W11: recommends the same bytes and a query by txID", () => {
    assertEntries(rows);
    for (const [text] of rows) {
      assert.match(textOf(text), /yes: these bytes and never a new transaction/, text);
      assert.match(textOf(text), /txID|look it up/, text);
    }
  });
});

describe("explain messages with a complete cause", () => {
  it("W10: knows that a refused preflight sent nothing", () => {
    const start =
      "Access to fetch at 'https://api.trongrid.io/wallet/broadcasttransaction' from origin 'http://localhost:3000'";
    const preflights = [
      `${start} has been blocked by CORS policy: Response to preflight request doesn't pass access control check`,
      `${start} has been blocked by CORS policy: Request header field tron-pro-api-key is not allowed by Access-Control-Allow-Headers in preflight response.`,
      "Cross-Origin Request Blocked: (Reason: CORS preflight response did not succeed). Status code: 405.",
    ];
    assertEntries(preflights.map((text) => [text, "http-cors-preflight"] as const));
    for (const text of preflights)
      assert.match(textOf(text), /The request itself was not sent.*yes: .*nothing was sent/, text);
    const other = `${start} has been blocked by CORS policy: No 'Access-Control-Allow-Origin' header is present`;
    assert.match(textOf(other), /may still have been processed/);
  });

  it("W10: names fees, hex and a failed estimate", () => {
    assertEntries([
      ["Returned error: transaction underpriced", "rpc-underpriced"],
      [rpc(-32_000, "max fee per gas less than block base fee: maxFeePerGas: 1, baseFee: 7"), "rpc-underpriced"],
      [
        rpc(
          -32_602,
          "invalid argument 0: json: cannot unmarshal invalid hex string into Go struct field TransactionArgs.gasPrice of type *hexutil.Big",
        ),
        "rpc-hex",
      ],
      [rpc(-32_602, "invalid argument 0: hex string without 0x prefix"), "rpc-hex"],
      [
        "Error: cannot estimate gas; transaction may fail (code=UNPREDICTABLE_GAS_LIMIT, version=5.7.2)",
        "tool-trial-reverted",
      ],
      ["EstimateGasExecutionError: Execution reverted for an unknown reason.", "tool-trial-reverted"],
    ]);
    assert.match(textOf("EstimateGasExecutionError: Execution reverted for an unknown reason."), /Nothing was sent/);
  });

  it("W10: reads a 403 with a limit as a limit", () => {
    const text =
      'Request failed with status code 403 {"Error":"request rate exceeded the allowed_rps(15), and the query server is suspended for 5s"}';
    assert.match(textOf(text), /Too many requests/);
  });
});

describe("explain messages without a signature or a broadcast", () => {
  const rows: Rows = [
    ["WalletNotFoundError: The wallet is not found.", "wallet-missing"],
    ["WalletWalletLoadError: load failed", "wallet-missing"],
    ["WalletNotSelectedError: No wallet is selected. Please select a wallet.", "wallet-not-connected"],
    ["WalletDisconnectedError: The wallet is disconnected. Please connect first.", "wallet-not-connected"],
    ["WalletSignTransactionError: Invalid transaction", "wallet-not-signed"],
    ["WalletSignMessageError: failed", "wallet-not-signed"],
    ["WalletWindowClosedError: The QR window is closed.", "wallet-not-signed"],
    ["WalletSwitchChainError: The current wallet does not support to switch chain", "wallet-network"],
    ["WalletGetNetworkError: Fail to get network", "wallet-network"],
    ["Uncaught (in promise) WalletSignTransactionError: Confirmation declined by user", "tool-declined"],
    [
      "TransportStatusError: Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)",
      "ledger-declined",
    ],
    ["Ledger device: Invalid data received (0x6a80)", "ledger-data"],
    ["Ledger device: UNKNOWN_ERROR (0x6a8a)", "ledger-path"],
    ["Ledger device: UNKNOWN_ERROR (0x6a8b)", "ledger-setting-data"],
    ["Ledger device: UNKNOWN_ERROR (0x6a8c)", "ledger-setting-hash"],
    ["Ledger device: UNKNOWN_ERROR (0x6a8d)", "ledger-setting-contract"],
    ["Ledger device: Invalid parameter received (0x6b00)", "ledger-parameter"],
    ["Ledger device: CLA_NOT_SUPPORTED (0x6e00)", "ledger-app"],
    ["LockedDeviceError: Ledger device: Locked device (0x5515)", "ledger-locked"],
    ["Ledger device: UNKNOWN_ERROR (0x6f42)", "ledger-problem"],
    ["An action was already pending on the Ledger device. Please deny or reconnect.", "ledger-problem"],
    ["TronLink is locked, please unlock it", "wallet-not-connected"],
    ['{"code":5000,"message":"User disapproved requested methods"}', "tool-declined"],
    ["Uncaught TypeError: Cannot read properties of undefined (reading 'trx')", "tool-no-tronweb"],
    ["TypeError: TronWeb is not a constructor", "tool-no-tronweb"],
    ["AccountNotFoundError: Could not find an Account to execute with this Action.", "tool-no-account"],
    [
      "Error: Leaf contains unresolved libraries. You must deploy and link the following libraries",
      "tool-stopped-first",
    ],
    ["DisconnectedDeviceDuringOperation: The device was disconnected.", "ledger-problem"],
    ["{ name: 'TransportStatusError', statusCode: 27276, statusText: 'UNKNOWN_ERROR' }", "ledger-setting-hash"],
    ['It was not possible to instantiate TronWeb. Private key is missing in your "tronbox.js".', "tool-configuration"],
    ["Error: Invalid URL provided to HttpProvider", "tool-configuration"],
    ["HardhatError: HH8: There's one or more errors in your config file", "tool-configuration"],
    ["HardhatError: HHE910: Compilation failed", "tool-stopped-first"],
    [
      "IgnitionError: IGN703: The constructor of the contract 'Leaf' expects 1 arguments but 0 were given",
      "tool-stopped-first",
    ],
    [
      'Error: overflow (operation="setValue", fault="overflow", details="Number can only safely store up to 53 bits", version=4.0.47)',
      "client-number",
    ],
    ["Error: Failed to get EIP-1559 fees; unsupported feature: eip1559", "rpc-no-fee-market"],
    ["Eip1559FeesNotSupportedError: Chain does not support EIP-1559 fees.", "rpc-no-fee-market"],
  ];

  it("W12: states that nothing was sent", () => {
    assertEntries(rows);
    for (const [text] of rows)
      assert.match(textOf(text), /nothing was (?:signed or )?sent|before it sent anything/i, text);
  });

  it("W12: finds a range in each line", () => {
    const silent = rows.filter(
      ([text]) => rangesIn(text, (input, options) => explain(input, { ...options, abi })).length === 0,
    );
    assert.deepEqual(silent, []);
  });
});

describe("explain failures of Java and gRPC", () => {
  it("W13: names a wrong endpoint, a refusal without a reason, or an unreachable node", () => {
    assertEntries([
      ["getNowBlock error,UNIMPLEMENTED: Method not found: protocol.WalletSolidity/GetNowBlock", "grpc-unimplemented"],
      [
        "StatusRuntimeException: UNIMPLEMENTED: Method not found: protocol.Wallet/BroadcastTransaction",
        "grpc-unimplemented",
      ],
      ['broadcast transaction response: OTHER_ERROR, <ByteString@6d8a00e3 size=0 contents="">', "code-OTHER_ERROR"],
      ["OTHER_ERROR, <ByteString@1b2c3d size=0>", "code-OTHER_ERROR"],
      [
        'CONTRACT_VALIDATE_ERROR, <ByteString@1b size=60 contents="balance is not sufficient.">',
        "balance-insufficient",
      ],
      ["get account failed, reason: UNAVAILABLE: io exception.", "http-unreachable"],
      ["Caused by: io.grpc.StatusRuntimeException: UNAVAILABLE: io exception", "http-unreachable"],
      ["StatusRuntimeException: RESOURCE_EXHAUSTED: gRPC message exceeds maximum size 4194304: 5000000", "grpc-size"],
      [
        'Return{result=false, code=CONTRACT_VALIDATE_ERROR, message=<ByteString@1b size=60 contents="balance is not sufficient.">}',
        "balance-insufficient",
      ],
      ["WARN reason: DEADLINE_EXCEEDED: CallOptions deadline exceeded after 4.9s", "http-timeout"],
    ]);
    assert.match(textOf("OTHER_ERROR, <ByteString@1b2c3d size=0>"), /Look up the txID|look up the txID/);
  });
});

describe("explain TRON operations", () => {
  it("W4: names the proposal that is off on a private chain", () => {
    for (const code of ["d0", "d1", "d2", "d3"]) {
      const explanation = textOf(`Invalid operation code: opCode[${code}];`);
      assert.match(explanation, /allowTvmTransferTrc10.*off on a new private chain/, code);
      assert.doesNotMatch(explanation, /Compile for an EVM version/);
    }
    for (const [code, proposal] of [
      ["d4", "allowTvmSolidity059"],
      ["d5", "allowTvmFreeze"],
      ["d8", "allowTvmVote"],
      ["da", "unfreezeDelayDays"],
    ]) {
      const explanation = textOf(`Invalid operation code: opCode[${code}];`);
      assert.ok(explanation.includes(proposal ?? ""), explanation);
      assert.doesNotMatch(explanation, /Compile for an EVM version/);
    }
    assert.match(textOf("Invalid operation code: opCode[fe];"), /Compile for an EVM version/);
  });
});

describe("explain messages of public threads", () => {
  const GANACHE_RUN = "0x2f6a6404c1cbb4f8341d75aabea34bdfc7ea0ab100f1de9d22eaa26ddc547914";

  it("threads: names the transaction or the key that TronWeb refuses", () => {
    assertEntries([
      ["Error: Invalid transaction provided", "tool-transaction"],
      ["Invalid hex transaction provided", "tool-transaction"],
      ["Invalid private key provided", "tool-private-key"],
      ["Error: Invalid contract address provided", "tool-argument"],
    ]);
    assert.match(textOf("Error: Invalid transaction provided"), /Pass the whole unchanged transaction/);
  });

  it("threads: reads a thrown text in the output of test runners, browsers and monitors", () => {
    const wrappings: readonly ((text: string) => string)[] = [
      (text) => `Error: the string "${text}" was thrown, throw an Error :)`,
      (text) => `thrown: "${text}"`,
      (text) => `Uncaught (in promise) "${text}"`,
      (text) => `Uncaught (in promise): ${text}`,
      (text) => `Uncaught '${text}'`,
      (text) => `Non-Error promise rejection captured with value: ${text}`,
      (text) => `UnhandledPromiseRejectionWarning: ${text}`,
      (text) => `Unhandled error. ('${text}')`,
    ];
    for (const text of ["Invalid contract address provided", "balance is not sufficient", "Transaction expired"])
      assertEntries(wrappings.map((wrap) => [wrap(text), entryOf(text)]));
    assert.deepEqual(failuresOf('Error: the string "expected 1 to be 2" was thrown, throw an Error :)'), []);
  });

  it("threads: reads sentences of explorers and wallets", () => {
    assertEntries([
      ["The account is out of energy, or the contract's fee limit has been exceeded.", "vm-out-of-energy-tool"],
      ["FAILED-OUT OF ENERGY", "result-OUT_OF_ENERGY"],
      ["FAIL-Out of Energy>", "result-OUT_OF_ENERGY"],
      ["Error in Txn: Out of energy", "result-OUT_OF_ENERGY"],
      ["Contract execution failed: OUT OF ENERGY", "result-OUT_OF_ENERGY"],
      ["reverted (out of energy)", "result-OUT_OF_ENERGY"],
      ["FAILED - TRANSACTION REVERT.", "result-REVERT"],
      [
        "Unable to unfreeze TRX. This could be caused because the minimal freeze period hasn`t been reached yet",
        "wallet-unfreeze-failed",
      ],
      ["Something went wrong while trying to unfreeze TRX", "wallet-unfreeze-failed"],
    ]);
    assert.deepEqual(
      ["You are out of energy! Wait 5 minutes to play again.", "Test FAILED - TIMEOUT"].flatMap(failuresOf),
      [],
    );
  });

  it("threads: reads missing funds in the messages of Ethereum nodes", () => {
    const texts = [
      "sender doesn't have enough funds to send tx. The max upfront cost is: 5000066191091876292 and the sender's account only has: 1999803004163219134",
      "VM Exception while processing transaction: sender doesn't have enough funds to send tx. The upfront cost is: 10 and the sender's account (0x12) only has: 1",
      "insufficient sender balance for gas * price + value: address 0x12 have 1 want 2",
      "insufficient MaxFeePerGas for sender balance",
      "err: insufficient funds for gas * price + value: address 0x00 have 1 want 2",
      "transaction up-front cost 0x12 exceeds transaction sender account balance 0x0",
      "The total cost (gas * gas fee + value) of executing this transaction exceeds the balance of the account.",
      rpc(-32_003, "lack of funds (0) for max fee (420)"),
      rpc(-32_010, "InsufficientFunds, Account balance: 3020000000000000000, cumulative cost: 5809177184380485770"),
    ];
    assertEntries(texts.map((text) => [text, "tool-funds"]));
    for (const text of texts) assert.match(textOf(text), /after: after the account was funded/, text);
    const ordinary = ["insufficient funds for transfer of invoice 12", "Payment failed: insufficient funds"];
    assert.deepEqual(ordinary.flatMap(failuresOf), []);
  });

  it("threads: reads reverts of relays and of Ganache", () => {
    const run = { error: "revert", program_counter: 92, return: "0x" };
    const ganache = "VM Exception while processing transaction: revert";
    assertEntries([
      ["revert: Error(ReentrancyAttack: failed call)", "revert-error-string"],
      ["revert: Panic(0x11)", "revert-panic-11"],
      ["[Request ID: ab] execution reverted: CONTRACT_REVERT_EXECUTED", "revert-empty"],
      [rpc(3, "[Request ID: ab] execution reverted: CONTRACT_REVERT_EXECUTED", "0x"), "revert-empty"],
      [rpc(-32_000, ganache, { [GANACHE_RUN]: run, name: "RuntimeError" }), "revert-empty"],
      [rpc(-32_000, ganache, { [GANACHE_RUN]: { ...run, reason: "not owner" } }), "revert-error-string"],
      [rpc(-32_000, ganache, { hash: GANACHE_RUN, programCounter: 92, reason: "not owner" }), "revert-error-string"],
    ]);
    assert.match(textOf(rpc(-32_000, ganache, { [GANACHE_RUN]: { ...run, reason: "not owner" } })), /not owner/);
    const ordinary = ["revert: feat(core): add a thing", 'Revert "fix: Error(foo)"', "revert: Fix the build"];
    assert.deepEqual(ordinary.flatMap(failuresOf), []);
  });

  it("threads: reads failures of Remix, viem, ethers and gRPC", () => {
    const remix = "VM error: revert.\n\nrevert\n\tThe transaction has been reverted to the initial state.\n";
    assertEntries([
      [`${remix}Reason provided by the contract: "Not owner".\nDebug the transaction.`, "revert-error-string"],
      ["transact to Vault.pay errored: VM error: revert.", "revert-empty"],
      ["VM error: out of gas", "result-OUT_OF_ENERGY"],
      ['ContractFunctionRevertedError: The contract function "mint" reverted.', "revert-empty"],
      ["UnknownRpcError: An unknown RPC error occurred.", "rpc-internal"],
      ['missing response (requestBody="{}", code=SERVER_ERROR)', "http-unreachable"],
      ["timeout (code=TIMEOUT)", "http-timeout"],
      ["Error: Non-200 status code: '522'", "http-5xx"],
      ["io.grpc.StatusRuntimeException: UNKNOWN", "http-5xx"],
      ["java.lang.IllegalStateException: Channel shutdown invoked", "http-unreachable"],
      [
        "Error: Could not find built Migrations contract: Cannot read property 'fullNode' of undefined",
        "tool-configuration",
      ],
      ["User has not unlocked TronPay", "wallet-not-connected"],
      ["Error: Provided address is invalid, the capitalization checksum test failed", "client-address"],
      ["contract validate error : Owner no asset!", "token-balance-zero"],
    ]);
  });

  it("threads: names a parameter that is not in hex", () => {
    assertEntries([
      [
        "ValueError: {'code': -32602, 'message': 'Invalid params: invalid type: integer `100`, expected a 0x-prefixed, hex-encoded number of length 64.'}",
        "rpc-hex",
      ],
      ['Errors encountered in param 0: Invalid value "0x0" supplied to : QUANTITY', "rpc-hex"],
      ["invalid argument 0: hex string has length 38, want 40 for common.Address", "rpc-hex"],
      [rpc(-32_602, "too many arguments, want at most 1"), "rpc-parameters"],
    ]);
  });

  it("threads: ignores a status of another service", () => {
    const ordinary = [
      "An error occurred (ExpiredTokenException) when calling the ListBuckets operation: The provided token has expired.",
      '{"message":"Bad credentials","documentation_url":"https://docs.github.com/rest","status":"401"}',
      '{"message":"Not Found","documentation_url":"https://docs.github.com/rest","status":"404"}',
      '{"cod":401, "message": "Invalid API key. Please see https://openweathermap.org/faq#error401 for more info."}',
      '{"status":401,"message":"Session expired"}',
      '{"statusCode":400,"message":["email must be an email"],"error":"Bad Request"}',
      '{"error":"invalid_token","error_description":"The access token expired"}',
      "npm ERR! code E401\nnpm ERR! 401 Unauthorized - GET https://registry.npmjs.org/x",
      "Error: connect ECONNREFUSED 127.0.0.1:5432",
      "Error: getaddrinfo ENOTFOUND smtp.gmail.com",
      "pymongo.errors.ServerSelectionTimeoutError: localhost:27017: [Errno 111] Connection refused",
      "pip._vendor.urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='files.pythonhosted.org', port=443): Read timed out.",
    ];
    assert.deepEqual(ordinary.flatMap(failuresOf), []);
    assertEntries([
      ['POST https://api.trongrid.io/wallet/getaccount {"status":401,"message":"Bad credentials"}', "http-401"],
      ["npm ERR! tronbox: Request failed with status code 401", "http-401"],
      ["dial tcp 10.0.0.5:18545: connect: connection refused\n\tgithub.com/ethereum/go-ethereum/rpc", "http-refused"],
      ["npm ERR! hardhat: connect ECONNREFUSED 127.0.0.1:8545", "http-refused"],
    ]);
  });

  it("threads: reads a node that does not start for its database or its key", () => {
    assertEntries([
      ["ERROR [main] [DB](LevelDbDataSourceImpl.java:155) Database block-index corrupted", "node-database-damaged"],
      ["java.lang.RuntimeException: Can't initialize database, account", "node-database-damaged"],
      [
        "org.rocksdb.RocksDBException: Corruption: missing start of fragmented record(2)\n\tat org.tron.common.storage.rocksdb.RocksDbDataSourceImpl.initDB",
        "node-database-damaged",
      ],
      [
        "org.rocksdb.RocksDBException: While lock file: /data/output-directory/database/block/LOCK: Resource temporarily unavailable",
        "node-database-locked",
      ],
      ["IO error: lock /data/database/trans/LOCK: already held by process", "node-database-locked"],
      ["java.io.IOException: Unable to acquire lock on '/data/database/proposal/LOCK'", "node-database-locked"],
      ["IllegalArgumentException: Private key(1234) must be 64-bits hex string.", "tool-private-key"],
      [
        'invalid private key (argument="privateKey", value="[ REDACTED ]", code=INVALID_ARGUMENT, version=6.13.4)',
        "tool-private-key",
      ],
      ["Expected private key to be an Uint8Array with length 32", "tool-private-key"],
    ]);
  });

  it("threads: reads a missing compiler, an incompatible upgrade, and verifications of explorers", () => {
    assertEntries([
      ["Error: Cannot find module '/home/user/.tronbox/solc/soljson_v0.8.6.js'", "tool-compiler"],
      ["Error: Could not find a compiler version matching 0.5.16.", "tool-compiler"],
      ["Failed to download the Solidity compiler 0.8.20", "tool-compiler"],
      ["Error: Contract `Vault` is not upgrade safe", "tool-storage-layout"],
      ["Error: New storage layout is incompatible", "tool-storage-layout"],
      ["Contract source verification: Pending in queue", "verify-pending"],
      ["Response: `NOTOK`\nDetails: `Pending in queue`", "verify-pending"],
      ["Fail - Unable to verify", "verify-failed"],
      [
        "The address provided as argument contains a contract, but its bytecode doesn't match any of your local contracts.",
        "verify-failed",
      ],
      ["Failed to verify contract: compiler version commit not found", "verify-failed"],
      ["Error in plugin hardhat-verify: Missing API Key", "verify-key"],
      ["NOTOK: Missing/Invalid API Key", "verify-key"],
      ["Etherscan: invalid API key", "verify-key"],
    ]);
  });

  it("threads: reads a contract without ABI, and types unknown to the library", () => {
    assertEntries([
      ["ValueError: can not call a contract without ABI", "client-no-abi"],
      ["TypeError: Cannot read properties of undefined (reading 'entrys')", "client-no-abi"],
      ["web3.exceptions.NoABIFound: There is no ABI found for this contract.", "client-no-abi"],
      ['invalid type (argument="type", value="trcToken", code=INVALID_ARGUMENT, version=6.7.1)', "client-type"],
      ['InvalidAbiEncodingTypeError: Type "trcToken" is not a valid encoding type.', "client-type"],
      ["eth_abi.exceptions.NoEntriesFound: No matching entries for 'trcToken' in encoder registry", "client-type"],
    ]);
  });

  it("threads: reads failures of nodes, wallets and devices in other libraries", () => {
    assertEntries([
      ['BlockNotFoundError: Block at hash "0x12ab" could not be found.', "tool-block-not-found"],
      ["web3.exceptions.BlockNotFound: Block with id: '0x2eb8f6b' not found.", "tool-block-not-found"],
      ["ConnectorChainMismatchError: chains differ", "wallet-network"],
      [
        "The current chain of the wallet (id: 1) does not match the target chain for the transaction (id: 10 – OP).",
        "wallet-network",
      ],
      ["TransportStatusError: Ledger device: UNKNOWN_ERROR (0xb007)", "ledger-problem"],
      ["Ledger device: UNKNOWN_ERROR (0xb005)", "ledger-data"],
      ["ClientConnectionException: Invalid response received: 503; Service Unavailable", "http-5xx"],
      ["ClientConnectionException: Invalid response received: 401; ", "http-401"],
      ["Gas estimation failed: 'execution reverted'. This transaction will likely revert.", "tool-trial-reverted"],
      ["Gas estimation errored. The transaction execution will likely fail.", "tool-trial-reverted"],
      ["FAIL - Timeout for contract execution", "result-OUT_OF_TIME"],
      ["FAILED-CONTRACT EXECUTION TIMEOUT", "result-OUT_OF_TIME"],
      [rpc(-32_000, "Daily request limit exceeded"), "gateway-quota"],
      [rpc(-32_600, "You have exceeded your monthly compute units"), "gateway-quota"],
      [rpc(429, "Monthly quota exceeded"), "gateway-quota"],
    ]);
  });

  it("threads: leaves the outcome open when a tool stopped waiting or hides the answer", () => {
    const texts = [
      "in wait_for_transaction_receipt\n    raise self\nweb3._utils.threads.Timeout: 120 seconds",
      "in waitForTransactionReceipt\n    return wait(tx)\nweb3._utils.threads.Timeout: 10 seconds",
      "web3._utils.threads.Timeout: 10 seconds",
      "PHP Fatal error:  Uncaught Tron\\Exceptions\\TransactionException: Transfer Fail in /srv/TRX.php:82",
      '{"exception":"Tron\\\\Exceptions\\\\TransactionException: Transfer Fail"}',
    ];
    assertEntries([
      [texts[0] ?? "", "tool-stopped-waiting"],
      [texts[1] ?? "", "tool-stopped-waiting"],
      [texts[2] ?? "", "http-timeout"],
      [texts[3] ?? "", "tool-transfer-failed"],
      [texts[4] ?? "", "tool-transfer-failed"],
    ]);
    for (const text of texts) {
      assert.match(textOf(text), /[Ll]ook|check the account's last transactions|Track its txID/, text);
      assert.match(textOf(text), /never a new transaction/, text);
    }
  });

  it("threads: ignores similar texts of other programs", () => {
    const ordinary = [
      "ERROR: Database orders corrupted, run REPAIR TABLE",
      "E: Could not get lock /var/lib/dpkg/lock - open (11: Resource temporarily unavailable)",
      "Error: Cannot find module './compiler'",
      "Cannot find compiler gcc",
      "Job 42: Pending in queue",
      "Can't initialize database, exiting",
      "org.rocksdb.RocksDBException: Corruption: bad block",
      "RocksDBException: While lock file: /var/lib/kafka-streams/app/0_0/rocksdb/store/LOCK: Resource temporarily unavailable",
      "Unable to verify contract of employment",
      "WireGuard: private key must be 32 bytes",
      "The transaction will likely fail to commit",
      "Email verification failed. Please try again.",
      "TransactionException: Transfer Fail",
      "Invalid type: expected string",
      "Test FAILED - TIMEOUT FOR STEP 3",
      "Layout is incompatible with the stored version",
      "Private key must be kept secret",
      '{"error":{"type":"rate_limit_error","message":"Too many requests"},"type":"error"}',
      '{"error":{"code":403,"message":"Forbidden","errors":[{"domain":"usageLimits"}]}}',
      '{"message":"You are being rate limited.","retry_after":3,"global":true}',
      '{"error":{"root_cause":[{"type":"circuit_breaking_exception"}]},"status":429}',
      "toomanyrequests: Rate exceeded, see https://www.docker.com/increase-rate-limit",
      "Quota exceeded: 429 Too Many Requests https://console.cloud.google.com/apis",
    ];
    assert.deepEqual(ordinary.flatMap(failuresOf), []);
  });
});
