import assert from "node:assert/strict";
import type { BlockId } from "../../src/core/primitives/block.ts";
import { bytesToHex, type Hex, hexToBytes } from "../../src/core/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/core/primitives/json.ts";
import { type BlockHeader, blockId, transactionRoot } from "../../src/core/transaction/block-id.ts";
import { type ContractResult, contractResultNumber } from "../../src/core/transaction/contract-result.ts";
import { decodeRawData, encodeTransaction } from "../../src/core/transaction/raw-data-codec.ts";
import { referenceTo, refersTo } from "../../src/core/transaction/reference-block.ts";
import { type Found, findInRecordings } from "../support/recorded-transactions.ts";

/** Witnesses are in hex there. With `detail: false` a block comes without its transactions. */
const blocks = findInRecordings((it) => isJsonObject(it.block_header) && typeof it.blockID === "string").filter(
  (it) => !it.visible,
);
const HEADERS_ONLY = new Set(["lookups block-wallet-detail-false responseBody"]);

describe("blocks of the recordings", () => {
  it("have the id that follows from their header, the genesis block too", () => {
    for (const { place, value } of blocks) assert.equal(blockId(headerOf(value)), value.blockID, place);

    assert.ok(blocks.some(({ value }) => /^0{16}/.test(String(value.blockID))));
  });

  it("have the transaction root that follows from their transactions, signatures and results", () => {
    for (const { place, value } of withTransactions()) {
      assert.equal(transactionRoot(listOf(value.transactions).map(encode)), headerOf(value).transactionRoot, place);
    }

    assert.ok(withTransactions().some(({ value }) => listOf(value.transactions).length >= 3));
  });

  it("are found again by the reference fields that point at them", () => {
    for (const { value } of blocks) {
      const reference = referenceTo(value.blockID as BlockId);
      const fields = { bytes: bytesToHex(reference.bytes), hash: bytesToHex(reference.hash) };

      assert.ok(refersTo(fields, value.blockID as BlockId));
      assert.equal(Number.parseInt(fields.bytes, 16), headerOf(value).number & 0xffff);
    }
  });
});

function withTransactions(): readonly Found[] {
  return blocks.filter(({ place }) => !HEADERS_ONLY.has(place));
}

function headerOf(block: JsonObject): BlockHeader {
  const raw = (block.block_header as { readonly raw_data: JsonObject }).raw_data;
  return {
    number: Number(raw.number ?? 0),
    timestamp: Number(raw.timestamp ?? 0),
    parentId: raw.parentHash as BlockId,
    transactionRoot: raw.txTrieRoot as Hex,
    witness: (raw.witness_address ?? "") as Hex,
    version: Number(raw.version ?? 0),
    accountStateRoot: (raw.accountStateRoot ?? "") as Hex,
  };
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** As the block holds it; the genesis transactions have neither signature nor result. */
function encode(transaction: Json): Uint8Array {
  assert.ok(isJsonObject(transaction));
  const { raw } = decodeRawData(hexToBytes(String(transaction.raw_data_hex)));
  const [result] = listOf(transaction.ret);
  const name = isJsonObject(result) ? String(result.contractRet) : undefined;
  assert.ok(name === undefined || contractResultNumber(name) !== undefined, name);
  const signatures = listOf(transaction.signature).map((it) => hexToBytes(String(it)));
  return encodeTransaction(raw, signatures, name as ContractResult | undefined);
}
