import {
  type BlockId,
  bytesField,
  bytesToHex,
  type Hex,
  hexToBytes,
  isJsonObject,
  type Json,
  type JsonObject,
  numberField,
  sha256,
  type TxId,
  transactionId,
} from "@finality/tron/primitives";
import {
  type BlockHeader,
  blockIdOfHash,
  contractResultNumber,
  headerHash,
  merkleRoot,
} from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { Block, BlockSeal } from "../gateway.ts";
import { type ChainId, parseChainId } from "../network.ts";
import type { Pieces } from "./answer.ts";
import * as read from "./answer.ts";
import { isAbsent, parseBlockTransaction } from "./transaction.ts";

/**
 * `{}` is a block that this view does not have (yet). The ID is computed from the header and has to match the reported
 * one.
 */
export function parseOptionalBlock(json: Json): Block | undefined {
  const object = read.asObject(json, t`the block`);
  if (isAbsent(object)) return undefined;
  const wrapped = read.objectField(object, "block_header");
  const header = parseHeader(read.objectField(wrapped, "raw_data"));
  const hash = headerHash(header);
  const id = blockIdOfHash(header.number, hash);
  if (read.hashField<BlockId>(object, "blockID") !== id) throw read.fault("blockID", t`is not the hash of its header`);
  const transactions = read.listField(object, "transactions");
  return {
    number: header.number,
    id,
    timestamp: header.timestamp,
    parentId: header.parentId,
    witness: read.optionalAddressField({ witness: header.witness }, "witness"),
    transactions: transactions.map(parseBlockTransaction),
    complete: areAllThere(transactions, header.transactionRoot),
    ...sealOf(wrapped, hash),
  };
}

/** Reads a required block. @throws {FieldFault} if it is missing or malformed */
export function parseBlock(json: Json): Block {
  const block = parseOptionalBlock(json);
  if (block === undefined) throw read.fault(t`the block`, t`is missing`);
  return block;
}

/** Parses the identity of a chain from the answer for height 0; `{}` is a node without that block. */
export function parseGenesis(json: Json): ChainId | undefined {
  const object = read.asObject(json, t`the genesis block`);
  if (isAbsent(object)) return undefined;
  const header = read.objectField(read.objectField(object, "block_header"), "raw_data");
  const chain = parseChainId(read.hashField(object, "blockID"));
  if (chain === undefined || read.numberField(header, "number") !== 0) {
    throw read.fault(t`the genesis block`, t`is a block of another height`);
  }
  return chain;
}

/** Parses the answer for a range: ascending heights, without blocks that do not exist (yet). */
export function parseBlocks(json: Json): readonly Block[] {
  const pieces = blocksInPieces(json);
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/** Does the same one block at a time: checking all transactions of a full one takes some ms. */
export function* blocksInPieces(json: Json): Pieces<readonly Block[]> {
  const blocks: Block[] = [];
  for (const it of read.listField(read.asObject(json, t`the range of blocks`), "block")) {
    blocks.push(parseBlock(it));
    yield;
  }
  return blocks.sort((left, right) => left.number - right.number);
}

function parseHeader(raw: JsonObject): BlockHeader {
  return {
    number: read.numberField(raw, "number"),
    timestamp: read.numberField(raw, "timestamp"),
    parentId: read.hashField<BlockId>(raw, "parentHash"),
    transactionRoot: read.hashField<Hex>(raw, "txTrieRoot"),
    witness: read.optionalAddressField(raw, "witness_address") ?? read.hexField(raw, "witness_address"),
    version: read.numberField(raw, "version"),
    accountStateRoot: read.hexField(raw, "accountStateRoot"),
  };
}

function sealOf(header: JsonObject, hash: Hex): { readonly seal?: BlockSeal } {
  const signature = read.hexField(header, "witness_signature");
  return signature === "" ? {} : { seal: { hash, signature } };
}

/** Returns true if the listed txIDs give the Merkle root in the header. */
function areAllThere(transactions: readonly Json[], root: Hex): boolean {
  const leaves: Uint8Array[] = [];
  for (const it of transactions) {
    const packed = isJsonObject(it) ? packTransaction(it) : undefined;
    if (packed === undefined || !isJsonObject(it) || it.txID !== packed.txId) return false;
    leaves.push(sha256(packed.bytes));
  }
  return bytesToHex(merkleRoot(leaves)) === root;
}

/** Field numbers of a transaction and of its result (protocol reference §4.2). */
const TRANSACTION = { rawData: 1, signature: 2, ret: 5 } as const;
const RESULT = { fee: 1, ret: 2, contractRet: 3 } as const;
const RESULT_FIELDS = new Set(Object.keys(RESULT));
/** By their spelling in the protocol. */
const CODES = ["SUCESS", "FAILED"];

/** Transaction with its signatures and its result, as bytes of the block. */
interface PackedTransaction {
  /** Computed from the bytes, not read from the answer. */
  readonly txId: TxId;
  readonly bytes: Uint8Array;
}

/** Encodes a transaction of a block's JSON as the node does; undefined if a part of it is missing or unknown. */
function packTransaction(object: JsonObject): PackedTransaction | undefined {
  const rawData = bytesOf(object.raw_data_hex);
  const signatures = read.listField(object, "signature").map(bytesOf);
  const results = read.listField(object, "ret").map(packResult);
  const lists = [...signatures, ...results];
  if (rawData === undefined || !lists.every((it) => it !== undefined)) return undefined;
  const bytes = Buffer.concat([
    bytesField(TRANSACTION.rawData, rawData, true),
    ...signatures.map((it) => bytesField(TRANSACTION.signature, it ?? rawData, true)),
    ...results.map((it) => bytesField(TRANSACTION.ret, it ?? rawData, true)),
  ]);
  return { txId: transactionId(rawData), bytes };
}

/** Encodes `ret`; unknown fields or names cannot be encoded. */
function packResult(json: Json): Uint8Array | undefined {
  if (!isJsonObject(json) || !Object.keys(json).every((it) => RESULT_FIELDS.has(it))) return undefined;
  const [code, result] = [numberOf(json.ret, codeNumber), numberOf(json.contractRet, contractResultNumber)];
  const fee = read.numberField(json, "fee");
  if (code === undefined || result === undefined) return undefined;
  return Buffer.concat([
    numberField(RESULT.fee, fee),
    numberField(RESULT.ret, code),
    numberField(RESULT.contractRet, result),
  ]);
}

/** Returns the number of a name; 0 if it is missing. */
function numberOf(name: Json | undefined, known: (name: string) => number | undefined): number | undefined {
  if (name === undefined) return 0;
  return typeof name === "string" ? known(name) : undefined;
}

function codeNumber(name: string): number | undefined {
  const index = CODES.indexOf(name);
  return index < 0 ? undefined : index;
}

function bytesOf(json: Json | undefined): Uint8Array | undefined {
  return typeof json === "string" && /^(?:[0-9a-f]{2})+$/.test(json) ? hexToBytes(json as Hex) : undefined;
}
