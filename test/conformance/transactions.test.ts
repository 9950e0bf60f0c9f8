import assert from "node:assert/strict";
import { isChainError } from "../../packages/tron/src/errors/chain-error.ts";
import { bytesToHex, hex, hexToBytes, transactionId } from "../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type Json } from "../../packages/tron/src/primitives/json.ts";
import {
  decodeRawData,
  decodeTransaction,
  encodeRawData,
  encodeTransaction,
} from "../../packages/tron/src/transaction/raw-data-codec.ts";
import { rawDataFromJson, rawDataToJson } from "../../packages/tron/src/transaction/transaction-json.ts";
import { countInText, type Found, findInRecordings, loadExchanges } from "../support/recorded/exchanges.ts";

/** Objects whose JSON does not match their bytes, with the reason. */
const JSON_IS_NOT_THE_BYTES: { readonly [place: string]: string } = {
  "broadcast raw-data-altered-txid-kept requestBody": "raw_data was altered, raw_data_hex was not",
  "broadcast raw-data-altered-txid-kept-visible requestBody": "raw_data was altered, raw_data_hex was not",
  "broadcast no-raw-data requestBody": "raw_data was taken away",
  "broadcast no-raw-data-visible requestBody": "raw_data was taken away",
  "broadcast visible-absent-visible requestBody": "base58 without visible: not readable as hex",
  "broadcast contract-list-empty requestBody": "the contract was taken out of raw_data",
  "broadcast contract-type-unknown requestBody": "the type was renamed to one that does not exist",
  "broadcast unknown-proto-field-json requestBody": "JSON cannot carry the unknown field 99 of the bytes",
  "lookups blockbynum-solidity-genesis responseBody transactions[2]": "the recorder rounded -2^63; see responseText",
  "lookups blockbynum-wallet-genesis responseBody transactions[2]": "the recorder rounded -2^63; see responseText",
  "lookups blockbynum-solidity-missing responseBody transactions[2]": "the recorder rounded -2^63; see responseText",
};
const TXID_IS_WRONG = new Set([
  "broadcast txid-field-wrong requestBody",
  "broadcast txid-field-wrong-visible requestBody",
]);
const UNKNOWN_FIELD = "broadcast unknown-proto-field-json requestBody";

const transactions = findInRecordings((it) => typeof it.raw_data_hex === "string");

describe("recorded transactions", () => {
  it("decode and re-encode to the same bytes and txID", () => {
    const failures: string[] = [];
    let good = 0;
    for (const { place, value } of transactions) {
      const bytes = hexToBytes(String(value.raw_data_hex));
      const decoded = decodeRawData(bytes);
      const again = encodeRawData(decoded.raw);
      const sameBytes = decoded.canonical && bytesToHex(again) === hex(String(value.raw_data_hex));
      const sameId = TXID_IS_WRONG.has(place) || transactionId(again) === hex(String(value.txID));
      if (sameBytes && sameId) good++;
      else failures.push(place);
    }
    const inFiles = countInText(/raw_data_hex\\*":/g);

    process.stdout.write(`      transactions: ${good} decoded and re-encoded, ${inFiles} in the files\n`);
    assert.deepEqual(failures, []);
    assert.equal(good, inFiles);
  });

  it("match their JSON in both visible forms, except deliberately wrong ones", () => {
    const different = transactions.filter((it) => bytesOfJson(it) !== hex(String(it.value.raw_data_hex)));

    assert.deepEqual(different.map((it) => it.place).sort(), Object.keys(JSON_IS_NOT_THE_BYTES).sort());
    assert.deepEqual([...new Set(transactions.map((it) => it.visible))].sort(), [false, true]);
  });

  it("print the JSON of the node", () => {
    const printed = transactions.filter(({ place }) => JSON_IS_NOT_THE_BYTES[place] === undefined);

    for (const { place, value, visible } of printed) {
      const { raw } = decodeRawData(hexToBytes(String(value.raw_data_hex)));
      assert.deepEqual(rawDataToJson(raw, visible), value.raw_data, place);
    }
  });

  it("have no unknown field, except the deliberate one", () => {
    const unknown = transactions
      .map(({ place, value }) => ({
        place,
        fields: decodeRawData(hexToBytes(String(value.raw_data_hex))).unknownFields,
      }))
      .filter(({ fields }) => fields.length > 0);

    assert.deepEqual(unknown, [{ place: UNKNOWN_FIELD, fields: [{ path: "raw_data", number: 99 }] }]);
  });

  it("decode and re-encode from signed hex to the same bytes", () => {
    const sent = loadExchanges("broadcast")
      .filter((it) => it.path === "/wallet/broadcasthex" && isJsonObject(it.requestBody))
      .map((it) => (isJsonObject(it.requestBody) ? it.requestBody.transaction : undefined))
      .filter((it) => typeof it === "string" && /^(?:[0-9a-f]{2}){100,}$/i.test(it));

    for (const text of sent) {
      const { rawData, signature } = decodeTransaction(hexToBytes(String(text)));
      assert.ok(rawData);
      assert.equal(bytesToHex(encodeTransaction(rawData, signature)), hex(String(text)));
    }
    assert.equal(sent.length, countInText(/"requestBody":\{"transaction":"(?:[0-9a-f]{2}){100,}"/gi));
    process.stdout.write(`      signed bytes: ${sent.length} decoded and re-encoded\n`);
  });

  it("S34 have the txID that the node computed from the same JSON", () => {
    const answered = ["broadcast", "contracts", "receipts", "node2-configs", "node2-restart", "resources"] as const;
    let compared = 0;
    for (const { path, requestBody, responseBody, case: name } of answered.flatMap((it) => loadExchanges(it))) {
      if (path !== "/wallet/broadcasttransaction" || !isJsonObject(requestBody) || !isJsonObject(responseBody))
        continue;
      const raw = read(requestBody.raw_data, requestBody.visible === true);
      if (typeof responseBody.txid !== "string" || raw === undefined) continue;
      compared++;
      assert.equal(transactionId(encodeRawData(raw)), responseBody.txid, name);
    }

    assert.ok(compared > 80, `${compared}`);
  });
});

function bytesOfJson({ value, visible }: Found): string | undefined {
  const raw = read(value.raw_data, visible);
  return raw === undefined ? undefined : bytesToHex(encodeRawData(raw));
}

function read(json: Json | undefined, visible: boolean): ReturnType<typeof rawDataFromJson> | undefined {
  try {
    return rawDataFromJson(json, visible);
  } catch (thrown) {
    if (isChainError(thrown)) return undefined;
    throw thrown;
  }
}
