import { isMessage } from "@bufbuild/protobuf";
import {
  type Address,
  bytesToBase58Check,
  bytesToHex,
  type Hex,
  hexToBytes,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonInteger,
  toBase58,
} from "@finality/tron/primitives";
import { CreateSmartContractSchema } from "@finality/tron/schema";
import { addressOfHash, encodeRawData, rawDataToJson, visibleFormat } from "@finality/tron/transaction";
import { type Block, signHeader } from "../chain/block.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import { PURPOSE_NAMES, PURPOSES, type StakeOutcome } from "../chain/stake.ts";
import { NO_TOKENS } from "../chain/token.ts";
import type { Fill } from "../chain/trading.ts";
import {
  type ChainTransaction,
  type ContractLog,
  type ContractOutcome,
  type EnergyUse,
  type IncludedTransaction,
  type InternalTransaction,
  type TradeOutcome,
  type TransactionInfo,
  unpackContract,
} from "../chain/transaction.ts";
import { parseBody } from "../http/fastjson.ts";
import { javaOrder } from "../http/java-values.ts";

/** Prints an address in the requested form. */
export function printAddress(address: Address, visible: boolean): string {
  return visible ? toBase58(address) : address;
}

/** Prints a message: hex of its text unless `visible`. */
export function printMessage(text: string, visible: boolean): string {
  return visible ? text : Buffer.from(text, "utf8").toString("hex");
}

/** Returns a value unless it is zero: proto3 omits defaults. */
export function unlessZero(value: bigint | number): Json | undefined {
  return BigInt(value) === 0n ? undefined : jsonInteger(BigInt(value));
}

/**
 * Prints a transaction as builders and queries do, with the address of a deployment. Unreadable contracts are omitted,
 * and stay in `raw_data_hex`.
 */
export function printTransaction(transaction: ChainTransaction, visible: boolean): JsonObject {
  const { raw, id, signatures, contract } = transaction;
  const deployer = isMessage(contract?.message, CreateSmartContractSchema) ? contract.message.ownerAddress : undefined;
  const read = { ...raw, contract: raw.contract.filter((it) => unpackContract(it).message !== undefined) };
  return {
    ...(signatures.length === 0 ? {} : { signature: signatures.map((it) => bytesToHex(it)) }),
    txID: id,
    ...(deployer && { contract_address: addressOfHash(hexToBytes(id), deployer) }),
    raw_data: visible ? namesAsPrinted(rawDataToJson(read, true)) : rawDataToJson(read, false),
    raw_data_hex: bytesToHex(encodeRawData(raw)),
  };
}

/** Prints a transaction with its result first, once it has one. */
export function printExecuted(
  transaction: ChainTransaction,
  info: TransactionInfo | undefined,
  visible: boolean,
): JsonObject {
  const ret = info === undefined ? {} : { ret: [{ contractRet: info.result }] };
  return { ...ret, ...printTransaction(transaction, visible) };
}

export interface BlockPrinting {
  readonly chain: Blockchain;
  readonly visible: boolean;
  readonly detail?: boolean;
}

export function printBlock(block: Block, { chain, visible, detail = true }: BlockPrinting): JsonObject {
  const { header } = block;
  const key = chain.witnessKey(block);
  const transactions = detail ? block.transactions : [];
  return {
    blockID: block.id,
    block_header: {
      raw_data: {
        number: unlessZero(header.number),
        txTrieRoot: header.transactionRoot,
        witness_address: printWitness(header.witness, visible),
        parentHash: header.parentId,
        version: unlessZero(header.version),
        timestamp: unlessZero(header.timestamp),
      },
      ...(key === undefined ? {} : { witness_signature: signHeader(header, key) }),
    },
    ...(transactions.length === 0 ? {} : { transactions: transactions.map((it) => printIncluded(it, visible)) }),
  };
}

/** Prints the result of a transaction. System contracts have neither a result nor energy. */
export function printInfo({ transaction, info }: IncludedTransaction, block: Block, visible: boolean): JsonObject {
  const outcome = info?.outcome;
  return {
    id: transaction.id,
    assetIssueID: info?.issued,
    fee: unlessZero(info?.fee ?? 0n),
    blockNumber: unlessZero(block.header.number),
    blockTimeStamp: unlessZero(block.header.timestamp),
    contractResult: [outcome?.returned ?? ""],
    receipt: {
      ...(outcome && { ...printEnergy(outcome.energy), result: info?.result }),
      net_usage: unlessZero(info?.netUsage ?? 0n),
      net_fee: unlessZero(info?.netFee ?? 0n),
    },
    ...(outcome && printOutcome(outcome, visible)),
    withdraw_amount: unlessZero(info?.reward ?? 0n),
    packingFee: unlessZero(info?.packingFee ?? 0n),
    ...(info?.stake && printStake(info.stake)),
    ...(info?.trade && printTrade(info.trade)),
    ...(outcome && info?.result !== "SUCCESS" && { result: "FAILED" }),
  };
}

/** Prints a map entry, which includes zeros. */
function printStake({ withdrawn, cancelled }: StakeOutcome): JsonObject {
  const entries = ["ENERGY", "TRON_POWER", "BANDWIDTH"] as const;
  return {
    withdraw_expire_amount: unlessZero(withdrawn),
    ...(cancelled && {
      cancel_unfreezeV2_amount: entries.map((key) => ({
        key,
        value: jsonInteger(cancelled[PURPOSES[PURPOSE_NAMES.indexOf(key)] ?? "bandwidth"]),
      })),
    }),
  };
}

function printTrade({ exchange, received, injected, withdrawn, order, fills = [] }: TradeOutcome): JsonObject {
  return {
    exchange_id: unlessZero(exchange ?? 0n),
    exchange_received_amount: unlessZero(received ?? 0n),
    exchange_inject_another_amount: unlessZero(injected ?? 0n),
    exchange_withdraw_another_amount: unlessZero(withdrawn ?? 0n),
    ...(order && { orderId: order }),
    ...(fills.length > 0 && { orderDetails: fills.map(printFill) }),
  };
}

function printFill({ maker, taker, paid, received }: Fill): JsonObject {
  return {
    makerOrderId: maker,
    takerOrderId: taker,
    fillSellQuantity: unlessZero(paid),
    fillBuyQuantity: unlessZero(received),
  };
}

function printEnergy({ total, fromCaller, fromOwner, fee, penalty }: EnergyUse): JsonObject {
  return {
    energy_usage: unlessZero(fromCaller),
    energy_fee: unlessZero(fee),
    origin_energy_usage: unlessZero(fromOwner),
    energy_usage_total: unlessZero(total),
    energy_penalty_total: unlessZero(penalty),
  };
}

function printOutcome(outcome: ContractOutcome, visible: boolean): JsonObject {
  const { contractAddress, logs, message, internal = [] } = outcome;
  return {
    contract_address: printAddress(contractAddress, visible),
    ...(logs.length > 0 && { log: logs.map((it) => printLog(it, visible)) }),
    ...(message !== "" && { resMessage: printMessage(message, visible) }),
    ...(internal.length > 0 && { internal_transactions: internal.map((it) => printInternal(it, visible)) }),
  };
}

/** Prints an internal transaction; its note is always hex. */
export function printInternal(internal: InternalTransaction, visible: boolean): JsonObject {
  const { hash, from, to, value, tokens = NO_TOKENS, note, extra, rejected } = internal;
  const values: JsonObject[] = [{ callValue: unlessZero(value) }];
  for (const id of javaOrder([...tokens.keys()])) {
    values.push({ callValue: unlessZero(tokens.get(id) ?? 0n), tokenId: id });
  }
  return {
    hash,
    caller_address: printAddress(from, visible),
    ...(to && { transferTo_address: printAddress(to, visible) }),
    callValueInfo: values,
    note: Buffer.from(note, "utf8").toString("hex"),
    ...(rejected && { rejected }),
    ...(extra && { extra }),
  };
}

/** Prints a log; without `visible` its address lacks the prefix 41. */
function printLog({ address, topics, data }: ContractLog, visible: boolean): JsonObject {
  return {
    address: visible ? toBase58(address) : address.slice(2),
    ...(topics.length > 0 && { topics }),
    ...(data !== "" && { data }),
  };
}

function printIncluded({ transaction, info }: IncludedTransaction, visible: boolean): JsonObject {
  return printExecuted(transaction, info, visible);
}

function printWitness(witness: Hex, visible: boolean): string {
  return visible ? bytesToBase58Check(hexToBytes(witness)) : witness;
}

/**
 * Returns byte texts as a client parses them: the node prints them between quotes with only quotes escaped, and as hex
 * where that is not JSON (JsonFormat.escapeBytesSelfType).
 */
export function namesAsPrinted(json: JsonObject): JsonObject {
  const entries = Object.entries(json).map(([name, value]) => [name, value && valueAsPrinted(name, value)] as const);
  return Object.fromEntries(entries);
}

function valueAsPrinted(name: string, value: Json): Json {
  if (typeof value === "string")
    return visibleFormat(name) === "text" && /["\\]/.test(value) ? nameAsPrinted(value) : value;
  if (Array.isArray(value)) return value.map((it: Json) => (isJsonObject(it) ? namesAsPrinted(it) : it));
  return isJsonObject(value) ? namesAsPrinted(value) : value;
}

function nameAsPrinted(name: string): string {
  try {
    return String(parseBody(`{"key":"${name.replaceAll('"', '\\"')}"}`)?.key);
  } catch {
    return Buffer.from(name, "utf8").toString("hex");
  }
}
