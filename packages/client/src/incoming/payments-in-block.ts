import { fromBinary } from "@bufbuild/protobuf";
import { ChainError } from "@finality/tron/errors";
import { type Address, bytesToHex, type Hex, hexToBytes, type TxId } from "@finality/tron/primitives";
import { address as readAddress, tryRead } from "@finality/tron/read";
import {
  RawSchema,
  TransferAssetContractSchema,
  TransferContractSchema,
  TriggerSmartContractSchema,
} from "@finality/tron/schema";
import type {
  Block,
  BlockTransaction,
  EventLog,
  Gateway,
  InternalTransaction,
  TransactionInfo,
} from "../gateway/gateway.ts";
import type { PaidToken, Payment } from "./incoming-entry.ts";

/** Numbers of contract types in the protocol (protocol reference §4.2). */
const TYPES = { transfer: 1, assetTransfer: 2, creation: 30, call: 31 } as const;
/** `Transfer(address,address,uint256)`, with both addresses indexed. */
const TRANSFER_EVENT = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

type Moved = Omit<Payment, "txId" | "block">;
type Bytes = Uint8Array<ArrayBufferLike>;

interface BytesRead {
  readonly payments: readonly Payment[];
  readonly ranCode: readonly TxId[];
}

/**
 * Returns the payments in the bytes of a block's transactions, for which the block's id vouches. Also returns the
 * transactions that ran code successfully: their receipts may contain more. Failed transactions paid nothing. Only for
 * a `complete` block.
 */
export function paymentsInBlock(block: Block): BytesRead {
  const all = block.transactions.map((it) => ({ txId: it.txId, ...ownPayments(block, it) }));
  return {
    payments: all.flatMap(({ payments }) => payments),
    ranCode: all.filter(({ ranCode }) => ranCode).map(({ txId }) => txId),
  };
}

/** Notes of internal transactions that move coins or tokens. Others record stakes and votes. */
const PAYING_NOTES = new Set(["call", "create", "suicide"]);

/**
 * Returns the payments that code made while it ran, from its receipt: coins and TRC-10 tokens that it moved, and TRC-20
 * `Transfer` events.
 */
export function paymentsInReceipt({ number, id, timestamp }: Block, info: TransactionInfo): readonly Payment[] {
  const { txId, logs = [], internal = [] } = info;
  const all = [...internal.flatMap(movedInside), ...logs.flatMap((log, index) => transferIn(log, index) ?? [])];
  return all.map((it) => ({ ...it, txId, block: { number, id, timestamp }, claimed: true }));
}

function movedInside({ from, to, note, rejected, values }: InternalTransaction, index: number): readonly Moved[] {
  if (rejected || from === undefined || to === undefined || !PAYING_NOTES.has(note)) return [];
  return values.flatMap(({ amount, tokenId }, part) => {
    const token: PaidToken = tokenId === undefined ? { kind: "coins" } : { kind: "trc10", id: tokenId };
    return amount > 0n ? [{ path: `internal ${index}.${part}`, from, to, token, amount }] : [];
  });
}

/** Reads the bytes, not the reported type: a transfer that is labelled as a vote is a transfer. */
function ownPayments(
  { number, id, timestamp }: Block,
  transaction: BlockTransaction,
): { readonly payments: readonly Payment[]; readonly ranCode: boolean } {
  const { txId, rawDataHex, contractResult } = transaction;
  if (contractResult !== "SUCCESS" || rawDataHex === undefined) return { payments: [], ranCode: false };
  const [contract] = fromBinary(RawSchema, hexToBytes(rawDataHex)).contract;
  const ranCode = contract?.type === TYPES.call || contract?.type === TYPES.creation;
  const moved = contract?.parameter === undefined ? [] : movedBy(contract.type, contract.parameter.value);
  const payments = moved.filter(({ amount }) => amount > 0n);
  return { payments: payments.map((it) => ({ ...it, txId, block: { number, id, timestamp } })), ranCode };
}

function movedBy(type: number, bytes: Bytes): readonly Moved[] {
  switch (type) {
    case TYPES.transfer: {
      const { ownerAddress, toAddress, amount } = fromBinary(TransferContractSchema, bytes);
      return between(ownerAddress, toAddress, [{ path: "contract", token: { kind: "coins" }, amount }]);
    }
    case TYPES.assetTransfer: {
      const { assetName, ownerAddress, toAddress, amount } = fromBinary(TransferAssetContractSchema, bytes);
      const token: PaidToken = { kind: "trc10", id: Buffer.from(assetName).toString("latin1") };
      return between(ownerAddress, toAddress, [{ path: "contract", token, amount }]);
    }
    case TYPES.call: {
      const { ownerAddress, contractAddress, ...call } = fromBinary(TriggerSmartContractSchema, bytes);
      const token: PaidToken = { kind: "trc10", id: String(call.tokenId) };
      return between(ownerAddress, contractAddress, [
        { path: "value", token: { kind: "coins" }, amount: call.callValue },
        { path: "token", token, amount: call.callTokenValue },
      ]);
    }
    default:
      return [];
  }
}

function between(owner: Bytes, receiver: Bytes, all: readonly Omit<Moved, "from" | "to">[]): readonly Moved[] {
  const [from, to] = [addressOf(bytesToHex(owner)), addressOf(bytesToHex(receiver))];
  return from === undefined || to === undefined ? [] : all.map((it) => ({ ...it, from, to }));
}

/** Parses a token event of TRC-20. An event with a third indexed value belongs to a collectible, not to an amount. */
function transferIn({ address: contract, topics, data }: EventLog, index: number): Moved | undefined {
  const [event, from, to, ...more] = topics;
  if (event !== TRANSFER_EVENT || more.length > 0 || data.length !== 64) return undefined;
  const [payer, receiver] = [addressInTopic(from), addressInTopic(to)];
  const amount = BigInt(`0x${data}`);
  if (payer === undefined || receiver === undefined || amount === 0n) return undefined;
  return { path: `log ${index}`, from: payer, to: receiver, token: { kind: "trc20", contract }, amount };
}

/** Returns the last 20 bytes of a topic; the chain ignores the bytes before them. */
function addressInTopic(topic: Hex | undefined): Address | undefined {
  return topic?.length === 64 ? addressOf(`41${topic.slice(24)}` as Hex) : undefined;
}

function addressOf(hex: Hex): Address | undefined {
  return tryRead(readAddress, hex);
}

interface ReceiptsQuery {
  readonly block: Block;
  /** Transactions in it that ran code successfully. */
  readonly ranCode: readonly TxId[];
  /** Addresses that are watched for payments. */
  readonly addresses: ReadonlySet<string>;
  readonly gateway: Gateway;
  readonly signal: AbortSignal;
}

interface Receipts {
  readonly infos: readonly TransactionInfo[];
  /** False if only the receipts of calls that name a watched address were available. */
  readonly isWhole: boolean;
  readonly requests: number;
}

/**
 * Reads the receipts of the code that a block ran, in one request. A minimal gateway (ten documented paths) returns no
 * receipts by height. There, only receipts of calls whose bytes name a watched address are read, each by its txID.
 * Payments that contracts make by themselves then stay unseen.
 *
 * @throws {ChainError} `CHAIN_RECEIPTS_MISSING` if one is missing, or belongs to another block
 */
export async function readReceipts(query: ReceiptsQuery): Promise<Receipts> {
  const { block, ranCode, gateway, signal } = query;
  const infos = await gateway.solidTransactionInfos(block.number, signal);
  if (infos === undefined) return await readOneByOne(query);
  const ofBlock = new Map(infos.filter((it) => it.blockNumber === block.number).map((it) => [it.txId, it]));
  return { infos: ranCode.map((txId) => ofBlock.get(txId) ?? missing(block)), isWhole: true, requests: 1 };
}

async function readOneByOne({ block, ranCode, addresses, gateway, signal }: ReceiptsQuery): Promise<Receipts> {
  const infos: TransactionInfo[] = [];
  const named = block.transactions.filter((it) => ranCode.includes(it.txId) && namesOneOf(addresses, it.rawDataHex));
  for (const { txId } of named) {
    const info = await gateway.solidTransactionInfo(txId, signal);
    infos.push(info?.blockNumber === block.number ? info : missing(block));
  }
  return { infos, isWhole: false, requests: infos.length };
}

/** Call arguments contain addresses without the first byte. */
function namesOneOf(addresses: ReadonlySet<string>, rawDataHex = ""): boolean {
  return [...addresses].some((it) => rawDataHex.includes(it.slice(2)));
}

function missing({ number }: Block): never {
  throw new ChainError("CHAIN_RECEIPTS_MISSING", { height: number });
}
