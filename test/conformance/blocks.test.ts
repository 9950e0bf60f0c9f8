import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parseBlock } from "../../packages/client/src/gateway/wire/block.ts";
import type { BlockId } from "../../packages/tron/src/primitives/block.ts";
import { bytesToHex, type Hex, hexToBytes, type TxId } from "../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../packages/tron/src/primitives/json.ts";
import {
  type BlockHeader,
  blockId,
  referenceTo,
  refersTo,
  transactionRoot,
} from "../../packages/tron/src/transaction/built-transaction.ts";
import { type ContractResult, contractResultNumber } from "../../packages/tron/src/transaction/contract-types.ts";
import { decodeRawData, encodeTransaction, withResult } from "../../packages/tron/src/transaction/raw-data-codec.ts";
import { recoverAddress } from "../../packages/tron/src/transaction/signature.ts";
import { type Found, findInRecordings } from "../support/recorded/exchanges.ts";

/** Recorded blocks with witnesses in hex. With `detail: false` a block has no transactions. */
const blocks = findInRecordings((it) => isJsonObject(it.block_header) && typeof it.blockID === "string").filter(
  (it) => !it.visible,
);
const mainBlocks = JSON.parse(
  readFileSync(new URL("../fixtures/vectors/main-network-blocks.json", import.meta.url), "utf8"),
) as readonly JsonObject[];
const HEADERS_ONLY = new Set(["lookups block-wallet-detail-false responseBody"]);

describe("recorded blocks", () => {
  it("have the id that follows from their header, including the genesis block", () => {
    for (const { place, value } of blocks) assert.equal(blockId(headerOf(value)), value.blockID, place);

    assert.ok(blocks.some(({ value }) => /^0{16}/.test(String(value.blockID))));
  });

  it("have the transaction root that follows from their transactions, signatures and results", () => {
    for (const { place, value } of withTransactions()) {
      assert.equal(transactionRoot(listOf(value.transactions).map(encode)), headerOf(value).transactionRoot, place);
    }

    assert.ok(withTransactions().some(({ value }) => listOf(value.transactions).length >= 3));
  });

  it("H2: are parsed with matching id and transactions", () => {
    for (const { place, value } of blocks) {
      const block = parseBlock(value);
      assert.deepEqual([block.id, block.complete], [value.blockID, !lacksTransactions(place, value)], place);
    }
    assert.ok(withTransactions().length >= 30, String(withTransactions().length));
  });

  it("H2: are incomplete after an omitted, added, reordered or changed transaction, signature or result", () => {
    let changed = 0;
    for (const { place, value } of withTransactions()) {
      const whole = listOf(value.transactions);
      for (const [name, transactions] of changesOf(whole)) {
        assert.equal(parseBlock({ ...value, transactions }).complete, false, `${place}: ${name}`);
        changed++;
      }
    }
    assert.ok(changed > 60, String(changed));
  });

  it("H2: are refused when a field of the header was changed", () => {
    for (const { place, value } of blocks) {
      const header = value.block_header as JsonObject;
      const raw = header.raw_data as JsonObject;
      const other = "ab".repeat(32);
      const changes = [{ txTrieRoot: other }, { parentHash: other }, { timestamp: 1 }, { version: 7 }];
      for (const change of [...changes, { accountStateRoot: other }, { witness_address: other }]) {
        const block = { ...value, block_header: { ...header, raw_data: { ...raw, ...change } } };
        assert.throws(() => parseBlock(block), /not the hash of its header/, place);
      }
    }
  });

  it("H2: are signed by their witness, except the unsigned genesis block", () => {
    for (const { place, value } of blocks) {
      const { seal, witness, number } = parseBlock(value);
      assert.equal(seal === undefined, number === 0, place);
      if (seal !== undefined) assert.equal(recoverAddress(seal.hash as Hex as TxId, seal.signature), witness, place);
    }
  });

  it("H2: of the main network are signed by their witness", () => {
    for (const value of mainBlocks) {
      const { id, seal, witness } = parseBlock(value);
      assert.equal(id, value.blockID);
      assert.equal(seal && recoverAddress(seal.hash as Hex as TxId, seal.signature), witness);
    }
  });

  it("match their reference fields", () => {
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

/** Returns true for blocks that were requested with `detail: false`. */
function lacksTransactions(place: string, value: JsonObject): boolean {
  return HEADERS_ONLY.has(place) || (headerOf(value).transactionRoot !== "00".repeat(32) && !value.transactions);
}

function changesOf(whole: readonly Json[]): readonly (readonly [string, readonly Json[]])[] {
  const [first] = whole;
  if (!isJsonObject(first)) return [["an added transaction", [{ raw_data_hex: "0a00", txID: "ab".repeat(32) }]]];
  const [signature] = listOf(first.signature);
  const signed = typeof signature === "string" ? [{ ...first, signature: [`${signature}00`] }, ...whole.slice(1)] : [];
  return [
    ["an omitted transaction", whole.slice(1)],
    ["a duplicate transaction", [...whole, first]],
    ["another txID", [{ ...first, txID: "ab".repeat(32) }, ...whole.slice(1)]],
    ["other bytes", [{ ...first, raw_data_hex: `${String(first.raw_data_hex)}00` }, ...whole.slice(1)]],
    ["another result", [{ ...first, ret: [{ contractRet: "OUT_OF_TIME" }] }, ...whole.slice(1)]],
    [
      "an unknown field of the result",
      [{ ...first, ret: [{ contractRet: "SUCCESS", brandNew: 1 }] }, ...whole.slice(1)],
    ],
    ...(signed.length > 0 ? [["another signature", signed] as const] : []),
    ...(whole.length > 1 ? [["another order", whole.toReversed()] as const] : []),
  ];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Encodes a transaction as the block contains it. Genesis transactions have neither signature nor result. */
function encode(transaction: Json): Uint8Array {
  assert.ok(isJsonObject(transaction));
  const { raw } = decodeRawData(hexToBytes(String(transaction.raw_data_hex)));
  const [result] = listOf(transaction.ret);
  const name = isJsonObject(result) ? String(result.contractRet) : undefined;
  assert.ok(name === undefined || contractResultNumber(name) !== undefined, name);
  const signatures = listOf(transaction.signature).map((it) => hexToBytes(String(it)));
  const bytes = encodeTransaction(raw, signatures);
  return name === undefined ? bytes : withResult(bytes, name as ContractResult);
}
