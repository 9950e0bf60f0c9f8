import assert from "node:assert/strict";
import { toBinary } from "@bufbuild/protobuf";
import * as fc from "fast-check";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { loadExchanges } from "../../../../test/support/recorded/exchanges.ts";
import { buildWithTronWeb } from "../../../../test/support/samples/tronweb-builder.ts";
import {
  anyIntent,
  anyValidity,
  OWNER,
  RECIPIENT,
  TRANSFER,
  VALIDITY,
} from "../../../../test/support/tracking/intents.ts";
import { intentKey } from "../../../client/src/retry/conflicting-transactions.ts";
import { isChainError } from "../../src/errors/chain-error.ts";
import { bytesToHex, type Hex, hexToBytes, type TxId } from "../../src/primitives/bytes.ts";
import { isJsonObject, type JsonObject, parseJson, printJson } from "../../src/primitives/json.ts";
import { builtFromIntent, type SignedTransaction } from "../../src/transaction/built-transaction.ts";
import { contractTypeByName } from "../../src/transaction/contract-types.ts";
import type { Intent } from "../../src/transaction/intent.ts";
import { decodeRawData, encodeRawData, encodeTransaction } from "../../src/transaction/raw-data-codec.ts";
import { addressOfPrivateKey, generatePrivateKey, signTransactionId } from "../../src/transaction/signature.ts";
import { LONGEST_FILE, printTransactionFile, readTransactionFile } from "../../src/transaction/transaction-file.ts";
import { messageFromJson, rawDataToJson } from "../../src/transaction/transaction-json.ts";

const KEYS = Array.from({ length: 6 }, () => generatePrivateKey());

function signed(intent: Intent = TRANSFER, signers = 1): SignedTransaction {
  const built = builtFromIntent(intent, VALIDITY);
  return { ...built, signatures: KEYS.slice(0, signers).map((key) => signTransactionId(built.txId, key)) };
}

function transactionJson(of: SignedTransaction): JsonObject {
  const value = parseJson(printTransactionFile(of));
  assert.ok(isJsonObject(value));
  return value;
}

/** Returns the JSON of a signed transfer with changes. */
function json(changes: JsonObject = {}): string {
  return printJson({ ...transactionJson(signed()), ...changes });
}

function rawOf({ rawDataHex }: SignedTransaction) {
  return decodeRawData(hexToBytes(rawDataHex)).raw;
}

describe("transaction file", () => {
  it("keeps intent, bytes and signers when it is printed and read again", () => {
    return fc.assert(
      fc.property(anyIntent(), anyValidity, fc.integer({ min: 0, max: 5 }), (intent, validity, count) => {
        const built = builtFromIntent(intent, validity);
        const keys = KEYS.slice(0, count);
        const signatures = keys.map((key) => signTransactionId(built.txId, key));

        const found = readTransactionFile(printTransactionFile({ ...built, signatures }));

        assert.deepEqual([found.txId, found.rawDataHex, found.signatures], [built.txId, built.rawDataHex, signatures]);
        assert.deepEqual(found.signers, keys.map(addressOfPrivateKey));
        assert.equal(found.intent.kind, intent.kind);
        assert.equal(intentKey(found.intent), intentKey(intent));
      }),
      { numRuns: howOften(20, 300) },
    );
  });

  it("is read in both visible forms, and as hex of the whole transaction or of raw_data", () => {
    const transaction = signed();
    const raw = rawOf(transaction);
    const visible = printJson({ ...transactionJson(transaction), visible: true, raw_data: rawDataToJson(raw, true) });
    const whole = bytesToHex(encodeTransaction(raw, transaction.signatures.map(hexToBytes)));

    const found = [visible, whole, `0x${whole.toUpperCase()}\n`].map((it) => readTransactionFile(it));
    const unsigned = readTransactionFile(transaction.rawDataHex);

    for (const it of found) assert.deepEqual(it, readTransactionFile(printTransactionFile(transaction)));
    assert.deepEqual([unsigned.txId, unsigned.signatures], [transaction.txId, []]);
  });

  it("is read up to the longest content of a file, and no further", () => {
    const content = signed().rawDataHex.padEnd(LONGEST_FILE, "\n");

    assert.equal(readTransactionFile(content).txId, signed().txId);
    assert.throws(() => readTransactionFile(`${content}\n`), { code: "TRANSACTION_FILE_REFUSED" });
  });

  it("is read as TronWeb builds it", async () => {
    for (const intent of fc.sample(anyIntent(), { numRuns: howOften(20, 300), seed: 7 })) {
      const built = await buildWithTronWeb(intent, VALIDITY).catch(() => undefined);
      if (built === undefined) continue;
      const found = readTransactionFile(JSON.stringify(built));

      assert.equal(found.txId, built.txID);
      assert.equal(intentKey(found.intent), intentKey(intent));
    }
  });

  it("keeps contracts of other types with all fields", () => {
    const type = contractTypeByName("UpdateBrokerageContract");
    assert.ok(type);
    const message = messageFromJson(type.schema, { owner_address: OWNER, brokerage: 20 }, false, "value");
    const parameter = bytesToHex(toBinary(type.schema, message));
    const other = { kind: "other", owner: OWNER, type: type.name, parameter, feeLimit: 0n } as Intent;

    const found = readTransactionFile(printTransactionFile(signed(other)));

    assert.deepEqual(found.intent, other);
    assert.ok(found.fields.some(({ path, value }) => path.endsWith("value.brokerage") && value === "20"));
  });

  it("F7: is found in answers of triggersmartcontract, JSON-RPC and getsignweight", () => {
    const transaction = transactionJson(signed());
    const answers: readonly JsonObject[] = [
      { result: { result: true }, transaction },
      { transaction },
      { jsonrpc: "2.0", id: 1, result: { transaction } },
      {
        result: { code: "NOT_ENOUGH_PERMISSION", message: "4e6f" },
        permission: { keys: [] },
        approved_list: [],
        transaction: { result: { result: true }, txid: String(transaction.txID), transaction },
      },
    ];

    for (const answer of answers) assert.equal(readTransactionFile(printJson(answer)).txId, transaction.txID);
    for (const it of loadExchanges("contracts").filter(({ case: name }) => /^trigger-ok/.test(name))) {
      const { transaction: recorded } = it.responseBody as { readonly transaction: JsonObject };
      assert.equal(readTransactionFile(printJson(it.responseBody as JsonObject)).txId, recorded.txID, it.case);
    }
  });

  it("F7: is refused with a reason when an answer contains no transaction to send", () => {
    const reasonOf = (answer: JsonObject): string => {
      try {
        readTransactionFile(printJson(answer));
        return "";
      } catch (error) {
        return isChainError(error) && error.code === "TRANSACTION_FILE_REFUSED" ? error.details.reason : String(error);
      }
    };
    const transaction = transactionJson(signed());
    const view = loadExchanges("contracts").find((it) => it.case === "trigger-view-function")?.responseBody;

    assert.match(reasonOf(view as JsonObject), /^it is the answer to a constant call/);
    assert.match(reasonOf({ result: { code: "OTHER_ERROR", message: "00" } }), /^it is an answer of a node without/);
    assert.match(reasonOf({ result: { result: true }, transaction, extra: 1 }), /^it has a field "extra", which no/);
    assert.match(
      reasonOf({ transaction: { transaction: { transaction: { transaction: { transaction } } } } }),
      /nested/,
    );
    assert.match(reasonOf({ ...transaction, result: true }), /^it has a field "result", which no transaction has/);
    assert.match(reasonOf({ transaction: { ...transaction, memo: "x" } }), /^it has a field "memo"/);
  });

  it("keeps one signature per key", () => {
    const transaction = signed();
    const [signature = ""] = transaction.signatures;
    const again = json({ signature: [signature, `0x${signature.toUpperCase()}`] });

    assert.deepEqual(readTransactionFile(again).signatures, [signature]);
  });

  const transaction = signed();
  const other = signed({ ...TRANSFER, to: OWNER });
  const raw = rawOf(transaction);
  const hostile: readonly [what: string, text: string, reason: RegExp][] = [
    ["other bytes than JSON", json({ raw_data_hex: other.rawDataHex }), /does not match its bytes/],
    ["other JSON than bytes", json({ raw_data: rawDataToJson(rawOf(other), false) }), /does not match its bytes/],
    ["the txID of another transaction", json({ txID: other.txId }), /its txID does not match its bytes/],
    ["no txID", json({ txID: undefined }), /its txID does not match/],
    ["the wrong value of visible", json({ visible: true }), /cannot be read at|does not match/],
    ["text for visible", json({ visible: "true" }), /visible is neither/],
    ["a name twice", json().replace('"txID"', `"txID":"${other.txId}","txID"`), /contains "txID" twice/],
    ["an escaped name twice", json().replace('"txID"', '"tx\\u0049D":"00","txID"'), /contains "txID" twice/],
    ["a name twice deep inside", json().replace('"amount"', '"amount":1,"amount"'), /contains "amount" twice/],
    ["an unknown field", json({ memo: "rent" }), /a field "memo"/],
    ["a field in raw_data", json({ raw_data: { ...rawDataToJson(raw, false), note: 1 } }), /"raw_data.note"/],
    ["another type_url", json().replace("TransferContract", "TransferAssetContract"), /type_url|cannot be read/],
    ["another contract address", json({ contract_address: RECIPIENT }), /contract_address is not the address/],
    ["a malformed signature", json({ signature: ["00".repeat(64)] }), /not 65 bytes/],
    ["a signature of no key", json({ signature: ["00".repeat(65)] }), /signature cannot be used/],
    ["six signatures", printTransactionFile(signed(TRANSFER, 6)), /6 signatures/],
    ["too much text", `{${" ".repeat(LONGEST_FILE)}}`, /it is too long/],
    ["deep nesting", `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`, /nested deeper/],
    ["a list", "[]", /neither a transaction in JSON nor hex/],
    ["truncated JSON", json().slice(0, 200), /not JSON/],
    ["an empty text", "", /neither a transaction in JSON/],
    ["a proto of objects", '{"__proto__": {"txID": "00"}}', /__proto__/],
    ["bytes after the fields", `${transaction.rawDataHex}9a0601ff`, /not in the protocol|not a transaction/],
    [
      "two contracts",
      bytesToHex(encodeRawData({ ...raw, contract: [...raw.contract, ...raw.contract] })),
      /2 contracts/,
    ],
    ["a fee limit on a payment", bytesToHex(encodeRawData({ ...raw, feeLimit: 5n })), /has a fee limit/],
    ["no expiration", bytesToHex(encodeRawData({ ...raw, expiration: 0n })), /no expiration/],
  ];
  it("is refused with a reason for hostile contents", () => {
    for (const [what, text, reason] of hostile)
      assert.throws(
        () => readTransactionFile(text),
        (error: unknown) => isChainError(error) && reason.test(error.message),
        what,
      );
  });

  it("S24: keeps every byte of raw_data, and is refused for unknown fields at any level", () => {
    const text = printTransactionFile(transaction);
    const found = readTransactionFile(text);
    const [contract] = rawDataToJson(raw, false).contract as readonly JsonObject[];
    const beside = [
      json({ memo: "rent" }),
      json({ raw_data: { ...rawDataToJson(raw, false), note: 1 } }),
      json({ raw_data: { ...rawDataToJson(raw, false), contract: [{ ...contract, note: 1 }] } }),
    ];

    assert.equal(printTransactionFile(found), text);
    assert.equal(found.rawDataHex, transaction.rawDataHex);
    for (const it of beside) assert.throws(() => readTransactionFile(it), /memo|note/);
  });

  it("is refused with a ChainError, and no other error, for changed bytes", () => {
    const { rawDataHex } = signed();
    return fc.assert(
      fc.property(fc.nat(rawDataHex.length / 2 - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = hexToBytes(rawDataHex);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        try {
          const found = readTransactionFile(bytesToHex(bytes));
          assert.equal(found.rawDataHex, bytesToHex(bytes) as Hex);
          assert.notEqual(found.txId, signed().txId as TxId);
        } catch (error) {
          assert.ok(isChainError(error), String(error));
        }
      }),
      { numRuns: howOften(100, 2_000) },
    );
  });
});
