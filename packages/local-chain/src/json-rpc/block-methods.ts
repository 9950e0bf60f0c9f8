import {
  type Address,
  addressFromBytes,
  bytesField,
  hexToBytes,
  type Json,
  type JsonObject,
  type TxId,
} from "@finality/tron/primitives";
import type { VoteWitnessContract } from "@finality/tron/schema";
import { type DecodedContract, encodeBlockHeader } from "@finality/tron/transaction";
import { type Block, bytesInBlock } from "../chain/block.ts";
import {
  type ChainTransaction,
  type IncludedTransaction,
  ownerOf,
  type TransactionInfo,
  validAddress,
} from "../chain/transaction.ts";
import type { NodeView } from "../node/node-view.ts";
import { logsIn, printRpcLog } from "./logs.ts";
import type { RpcMethods } from "./rpc-method.ts";
import {
  blockOf,
  blockOfHash,
  dataOf,
  flag,
  hashOf,
  hexNumber,
  invalidParams,
  isSince482,
  quantity,
  shortAddress,
  text,
  zeros,
} from "./rpc-values.ts";

/** Blocks by number, tag and hash. */
export const blockMethods: RpcMethods = {
  eth_getBlockByNumber: {
    parameters: 2,
    answer: ({ view }, [tag, whole]) => printed(view, blockOf(view, text(tag)), flag(whole)),
  },
  eth_getBlockByHash: {
    parameters: 2,
    answer: ({ view }, [hash, whole]) => printed(view, blockOfHash(view, hashOf(view, text(hash))), flag(whole)),
  },
  eth_getBlockTransactionCountByNumber: {
    parameters: 1,
    answer: ({ view }, [tag]) => count(blockOf(view, text(tag))),
  },
  eth_getBlockTransactionCountByHash: {
    parameters: 1,
    answer: ({ view }, [hash]) => count(blockOfHash(view, hashOf(view, text(hash)))),
  },
};

function printed(view: NodeView, block: Block | undefined, whole: boolean): Json {
  return block === undefined ? null : printRpcBlock(view, block, whole);
}

function count(block: Block | undefined): Json {
  return block === undefined ? null : quantity(block.transactions.length);
}

const MS = 1000;

/**
 * Prints a block. Missing values are zeros; gas is the energy used, its limit the sum of the fee limits.
 *
 * @param whole - with its transactions instead of their ids
 */
function printRpcBlock(view: NodeView, block: Block, whole: boolean): JsonObject {
  const { header, transactions, id } = block;
  const used = transactions.map(({ info }) => info?.outcome?.energy.total ?? 0n);
  const limits = transactions.map(({ transaction }) => transaction.raw.feeLimit);
  return {
    baseFeePerGas: "0x0",
    difficulty: "0x0",
    extraData: "0x",
    gasLimit: quantity(sum(limits)),
    gasUsed: quantity(sum(used)),
    hash: `0x${id}`,
    logsBloom: zeros(256),
    miner: minerOf(block),
    mixHash: zeros(32),
    nonce: zeros(8),
    number: quantity(header.number),
    parentHash: `0x${header.parentId}`,
    receiptsRoot: zeros(32),
    sha3Uncles: zeros(32),
    size: quantity(sizeOf(view, block)),
    // The node returns `0x` here, with which ethers rejects the block.
    stateRoot: header.accountStateRoot === undefined ? zeros(32) : `0x${header.accountStateRoot}`,
    timestamp: quantity(Math.floor(header.timestamp / MS)),
    totalDifficulty: "0x0",
    transactions: transactions.map(({ transaction }, index) =>
      whole ? printRpcTransaction(view, block, index) : `0x${transaction.id}`,
    ),
    transactionsRoot: `0x${header.transactionRoot}`,
    uncles: [],
  };
}

function minerOf({ header }: Block): string {
  const witness = validAddress(hexToBytes(header.witness));
  return witness === undefined || header.number === 0 ? zeros(20) : shortAddress(witness);
}

const SIGNATURE_BYTES = 65;

/** Returns the serialised size of a block. */
function sizeOf({ chain }: NodeView, block: Block): number {
  const signature = new Uint8Array(chain.witnessKey(block) === undefined ? 0 : SIGNATURE_BYTES);
  const header = Buffer.concat([bytesField(1, encodeBlockHeader(block.header)), bytesField(2, signature)]);
  const transactions = block.transactions.map((it) => bytesField(1, bytesInBlock(it), true));
  return [bytesField(2, header), ...transactions].reduce((bytes, it) => bytes + it.length, 0);
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, it) => total + it, 0n);
}

/** Method that 4.8.1 added. */
export const receiptMethods: RpcMethods = {
  eth_getBlockReceipts: { parameters: 1, answer: ({ view }, [block]) => blockReceipts(view, text(block)) },
};

const HASH_LIKE = /^(?:0x)?[0-9a-f]{64}$/i;

/** Returns the receipts of a block by its number, tag or hash; null for the genesis block and for a missing one. */
function blockReceipts(view: NodeView, input: string | undefined): Json {
  const isHash = input !== undefined && HASH_LIKE.test(input);
  const block = isHash ? blockOfHash(view, hashOf(view, input)) : blockOf(view, input);
  if (block === undefined || block.header.number === 0) return null;
  return block.transactions.map((_, index) => printRpcReceipt(view, block, index));
}

/** Methods for transactions in blocks; pending ones are not found. */
export const transactionMethods: RpcMethods = {
  eth_getTransactionByHash: {
    parameters: 1,
    answer: ({ view }, [id]) => included(view, text(id), printRpcTransaction),
  },
  eth_getTransactionReceipt: {
    parameters: 1,
    answer: ({ view }, [id]) => included(view, text(id), printRpcReceipt),
  },
  eth_getTransactionByBlockHashAndIndex: {
    parameters: 2,
    answer: ({ view }, [hash, index]) => placed(view, blockOfHash(view, hashOf(view, text(hash))), text(index)),
  },
  eth_getTransactionByBlockNumberAndIndex: {
    parameters: 2,
    answer: ({ view }, [tag, index]) => placed(view, blockOf(view, text(tag)), text(index)),
  },
};

/** Longest index on 4.8.2, with 0x. */
const LONGEST_INDEX = 10;

type Printer = (view: NodeView, block: Block, index: number) => Json;

function included(view: NodeView, input: string | undefined, print: Printer): Json {
  const id = hashOf(view, input) as string as TxId;
  const block = view.find(id)?.block;
  if (block === undefined) return null;
  const index = block.transactions.findIndex((it) => it.transaction.id === id);
  return print(view, block, index);
}

function placed(view: NodeView, block: Block | undefined, input: string | undefined): Json {
  if (block === undefined) return null;
  const index = hexNumber(input ?? "");
  if (index === undefined) throw invalidParams("invalid index value");
  if (isSince482(view) && (input ?? "").length > LONGEST_INDEX) throw invalidParams("invalid index value");
  return printRpcTransaction(view, block, Number(index));
}

/** Prints a receipt. Gas is energy; transactions without code always succeed. */
function printRpcReceipt(view: NodeView, block: Block, index: number): JsonObject | null {
  const included = block.transactions[index];
  if (included?.info === undefined) return null;
  const { transaction, info } = included;
  const { contract } = transaction;
  const sender = contract && ownerOf(contract);
  const receiver = receiverIn(contract);
  const made = contract?.type?.name === "CreateSmartContract" ? info.outcome?.contractAddress : undefined;
  const before = block.transactions.slice(0, index + 1).map((it) => energyOf(it.info));
  return {
    blockHash: `0x${block.id}`,
    blockNumber: quantity(block.header.number),
    contractAddress: made === undefined ? null : shortAddress(made),
    cumulativeGasUsed: quantity(before.reduce((sum, it) => sum + it, 0n)),
    effectiveGasPrice: quantity(view.chain.parameters.getEnergyFee),
    from: sender === undefined ? null : shortAddress(sender),
    gasUsed: quantity(energyOf(info)),
    logs: logsIn(block).flatMap((it) => (it.transactionIndex === index ? [printRpcLog(view, it)] : [])),
    logsBloom: zeros(256),
    status: info.outcome === undefined || info.result === "SUCCESS" ? "0x1" : "0x0",
    to: receiver === undefined ? null : shortAddress(receiver),
    transactionHash: `0x${transaction.id}`,
    transactionIndex: quantity(index),
    type: "0x0",
  };
}

function energyOf(info: TransactionInfo | undefined): bigint {
  return info?.outcome?.energy.total ?? 0n;
}

const ADDRESS_BYTES = 20;
const NONCE_BYTES = 8;

/** Prints a transaction. There are no nonces, and gas is the energy used. */
function printRpcTransaction(view: NodeView, block: Block, index: number): JsonObject | null {
  const included = block.transactions[index];
  if (included === undefined) return null;
  const { transaction, info } = included;
  const receiver = receiverIn(transaction.contract);
  const { r, s, v } = signatureOf(transaction);
  return {
    blockHash: `0x${block.id}`,
    blockNumber: quantity(block.header.number),
    from: senderOf(transaction, block),
    gas: quantity(info?.outcome?.energy.total ?? 0n),
    gasPrice: quantity(view.chain.parameters.getEnergyFee),
    hash: `0x${transaction.id}`,
    input: dataOf(dataIn(transaction.contract)),
    nonce: isSince482(view) ? "0x0" : zeros(NONCE_BYTES),
    r,
    s,
    to: receiver === undefined ? null : shortAddress(receiver),
    transactionIndex: quantity(index),
    type: "0x0",
    v,
    value: quantity(valueIn(view, included)),
  };
}

/** Returns the sender; genesis transactions have none. */
function senderOf({ contract }: ChainTransaction, { header }: Block): string {
  const owner = contract && ownerOf(contract);
  return owner === undefined || header.number === 0 ? zeros(ADDRESS_BYTES) : shortAddress(owner);
}

/** Returns the first signature, with a recovery byte from 27 on. */
function signatureOf({ signatures: [signature] }: ChainTransaction): Record<"r" | "s" | "v", string> {
  if (signature === undefined) return { r: zeros(32), s: zeros(32), v: zeros(1) };
  const recovery = signature[64] ?? 0;
  return {
    r: dataOf(signature.subarray(0, 32)),
    s: dataOf(signature.subarray(32, 64)),
    v: quantity(recovery < 27 ? recovery + 27 : recovery),
  };
}

/** Field of the receiver, by contract type. */
const RECEIVERS: { readonly [type: string]: string } = {
  AccountCreateContract: "accountAddress",
  TransferContract: "toAddress",
  TransferAssetContract: "toAddress",
  ParticipateAssetIssueContract: "toAddress",
  DelegateResourceContract: "receiverAddress",
  UnDelegateResourceContract: "receiverAddress",
  TriggerSmartContract: "contractAddress",
  UpdateSettingContract: "contractAddress",
  UpdateEnergyLimitContract: "contractAddress",
  ClearABIContract: "contractAddress",
};

/** Field of the value, by contract type. */
const VALUES: { readonly [type: string]: string } = {
  TransferContract: "amount",
  TransferAssetContract: "amount",
  TriggerSmartContract: "callValue",
  ExchangeInjectContract: "quant",
  ExchangeWithdrawContract: "quant",
  ExchangeTransactionContract: "quant",
};

/** Fixed values of some types in sun: the costs on public networks. */
const PRICES: { readonly [type: string]: bigint } = {
  AssetIssueContract: 1_024_000_000n,
  ExchangeCreateContract: 1_024_000_000n,
  WitnessCreateContract: 9_999_000_000n,
  AccountPermissionUpdateContract: 100_000_000n,
};

/** Returns the receiver of a contract; of several votes, the first. */
function receiverIn(contract: DecodedContract | undefined): Address | undefined {
  const name = contract?.type?.name ?? "";
  const bytes = name === "VoteWitnessContract" ? votesIn(contract)[0]?.voteAddress : fieldIn(contract, RECEIVERS[name]);
  return bytes instanceof Uint8Array && validAddress(bytes) !== undefined ? addressFromBytes(bytes) : undefined;
}

/** Returns the value of a transaction as the node prints it: sun, tokens or votes; 0 for creations. */
function valueIn(view: NodeView, { transaction: { contract }, info }: IncludedTransaction): bigint {
  const name = contract?.type?.name ?? "";
  switch (name) {
    case "VoteWitnessContract":
      return sumOf(votesIn(contract).map(({ voteCount }) => voteCount));
    case "UnfreezeAssetContract":
      return frozenByOwner(view, contract);
    case "WithdrawBalanceContract":
      return info?.reward ?? 0n;
    case "WithdrawExpireUnfreezeContract":
      return info?.stake?.withdrawn ?? 0n;
    case "CancelAllUnfreezeV2Contract":
      return sumOf(Object.values(info?.stake?.cancelled ?? {}));
    default:
      return PRICES[name] ?? integer(fieldIn(contract, VALUES[name]));
  }
}

/** Returns the supply frozen at issue, including due parts. */
function frozenByOwner({ state }: NodeView, contract: DecodedContract | undefined): bigint {
  const owner = contract && ownerOf(contract);
  const id = owner && state.account(owner)?.issued.id;
  const token = id === undefined ? undefined : state.tables.tokens.get(id);
  return sumOf((token?.definition.frozenSupply ?? []).map(({ frozenAmount }) => frozenAmount));
}

/** Returns the data of a call. */
function dataIn(contract: DecodedContract | undefined): Uint8Array {
  const data = contract?.type?.name === "TriggerSmartContract" ? fieldIn(contract, "data") : undefined;
  return data instanceof Uint8Array ? data : new Uint8Array();
}

function votesIn(contract: DecodedContract | undefined): VoteWitnessContract["votes"] {
  return (contract?.message as VoteWitnessContract | undefined)?.votes ?? [];
}

function fieldIn(contract: DecodedContract | undefined, name: string | undefined): unknown {
  return Object.entries(contract?.message ?? {}).find(([it]) => it === name)?.[1];
}

function integer(value: unknown): bigint {
  return typeof value === "bigint" ? value : 0n;
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, it) => sum + it, 0n);
}
