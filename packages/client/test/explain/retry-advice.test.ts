import assert from "node:assert/strict";
import { BROADCAST_CODES, classifyBroadcastCode } from "../../../tron/src/node-messages/node-message.ts";
import { explain } from "../../src/explain/explain.ts";
import { messageEntries } from "../../src/explain/messages/catalogue.ts";

const hex = (text: string): string => Buffer.from(text, "utf8").toString("hex");
const TX_ID = "cd".repeat(32);
const word = (value: number): string => value.toString(16).padStart(64, "0");
const adviceFor = (input: object | string): string => {
  const { cause, fix, retry } = explain(typeof input === "string" ? input : JSON.stringify(input));
  return `${cause} ${fix} ${retry.sameBytes}: ${retry.when ?? ""}`;
};
const info = (result: string) => ({ id: TX_ID, blockNumber: 7, receipt: { result }, contractResult: [word(1)] });

describe("retry advice of explain", () => {
  it("recommends nothing new after success", () => {
    const { retry } = explain(JSON.stringify(info("SUCCESS")));

    assert.equal(retry.sameBytes, "no");
    assert.match(retry.when ?? "", /a new transaction would repeat what it did/);
  });

  it("recommends a new transaction only after a solidified failure", () => {
    assert.match(adviceFor({ ...info("OUT_OF_ENERGY"), result: "FAILED" }), /new transaction once that is solidified/);
  });

  for (const contractRet of ["REVERT", "OUT_OF_ENERGY", "OUT_OF_TIME"])
    it(`reads ${contractRet} of a transaction as a possible simulation`, () => {
      const { code, retry, fix } = explain(
        JSON.stringify({ txID: TX_ID, raw_data: {}, ret: [{ ret: "FAILED", contractRet }] }),
      );
      assert.doesNotMatch(fix, /build/);

      assert.deepEqual([code, retry.sameBytes], [contractRet, "no"]);
      assert.match(retry.when ?? "", /nothing new before its solidified information shows the failure/);
    });

  for (const text of [
    "REVERT opcode executed",
    "OUT_OF_ENERGY",
    "AssertionError: expected 'REVERT' to equal 'SUCCESS'",
    "Error: Transaction ran out of gas",
    "class org.tron.core.vm.program.Program$OutOfTimeException : CPU timeout for 'PUSH1' operation executing",
  ])
    it(`does not claim an execution on the chain: ${text.slice(0, 60)}`, () => {
      const { category, retry } = explain(text);

      assert.deepEqual([category, retry.sameBytes], ["execution", "no"]);
      assert.match(retry.when ?? "", /once its solidified information shows this.*for a simulation/i);
    });

  for (const [code = "", message = ""] of [
    ["TRANSACTION_EXPIRATION_ERROR", "Transaction expired"],
    ["TRANSACTION_EXPIRATION_ERROR", ""],
    ["CONTRACT_VALIDATE_ERROR", "Contract validate error : Amount must be greater than 0."],
    ["TOO_BIG_TRANSACTION_ERROR", ""],
  ])
    it(`recommends a new transaction after ${code} only when no earlier attempt can execute: ${message}`, () => {
      assert.match(adviceFor({ code, txid: TX_ID, message: hex(message) }), /no earlier attempt can be executed/);
    });

  it("recommends a query before a new transaction when the code leaves the outcome open", () => {
    const advice = adviceFor({
      code: "OTHER_ERROR",
      message: hex("Error: Too big transaction result, TxId ab, the size is 9 bytes, maxTxSize 8"),
    });

    assert.match(advice, /Look up the txID first.* yes: these bytes/);
  });

  for (const answer of [
    { txid: TX_ID },
    { result: false, txid: TX_ID },
    { result: false, code: "SUCCESS", txid: TX_ID },
    { code: "", txid: TX_ID, message: "" },
    { code: null, txid: TX_ID },
  ])
    it(`leaves the outcome open for an answer without a code: ${JSON.stringify(answer).slice(0, 40)}`, () => {
      const { category, entry, retry } = explain(JSON.stringify(answer));

      assert.deepEqual([category, entry, retry.sameBytes], ["validation", "broadcast-no-success", "yes"]);
      assert.match(retry.when ?? "", /never a new transaction/);
    });

  it("recommends only the same bytes after every code that proves no refusal", () => {
    let tried = 0;
    for (const code of [...Object.keys(BROADCAST_CODES), "NEW_CODE"])
      for (const message of ["", ...messageEntries.flatMap(({ texts }) => texts)]) {
        if (code === "SUCCESS" || classifyBroadcastCode(code, message) === "not-pooled") continue;
        const { fix, retry } = explain(JSON.stringify({ code, txid: TX_ID, message: hex(message) }));

        tried++;
        assert.equal(retry.sameBytes, "yes", `${code}: ${message}`);
        if (/\b(?:build|make|create|sign)\b/i.test(fix))
          assert.match(fix, /txID|no earlier attempt/, `${code}: ${message}: ${fix}`);
      }
    assert.ok(tried > 1_000, String(tried));
  });

  it("reads codes as protocol numbers", () => {
    const answer = { result: false, code: 5, txid: TX_ID, message: "" };

    assert.equal(explain(JSON.stringify(answer)).code, "DUP_TRANSACTION_ERROR");
    assert.equal(explain(JSON.stringify({ result: true, code: 0, txid: TX_ID })).title, "Accepted into the pool");
    assert.equal(explain(JSON.stringify({ ...answer, code: 77 })).retry.sameBytes, "yes");
  });

  for (const code of ["DUP_TRANSACTION_ERROR", "OTHER_ERROR", "NOT_ENOUGH_EFFECTIVE_CONNECTION", "NEW_CODE"])
    it(`finds the answer to a broadcast in another answer: ${code}`, () => {
      const { retry } = explain(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { code, txid: TX_ID, message: "" } }));

      assert.equal(retry.sameBytes, "yes");
    });

  for (const text of [
    "Error: Cannot find result in solidity node",
    `{\n  error: 'Cannot find result in solidity node',\n  transaction: { txID: '${TX_ID}', raw_data: { expiration: 1 }, signature: [ 'ab' ] }\n}`,
    `TransactionNotMinedError: Transaction was not mined within 750 seconds, please make sure your transaction was properly sent.`,
    `WaitForTransactionReceiptTimeoutError: Timed out while waiting for transaction with hash "0x${TX_ID}" to be confirmed.`,
  ])
    it(`recognizes a tool that stopped waiting: ${text.replaceAll(/\s+/g, " ").slice(0, 60)}`, () => {
      const { category, entry, retry } = explain(text);

      assert.deepEqual([category, entry, retry.sameBytes], ["http", "tool-stopped-waiting", "yes"]);
      assert.match(retry.when ?? "", /never a new transaction/);
    });
});
