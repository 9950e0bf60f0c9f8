import { ChainError } from "@finality/tron/errors";
import type { TxId } from "@finality/tron/primitives";
import type { Block, Gateway, TransactionInfo } from "../gateway/gateway.ts";

interface ReceiptsWanted {
  readonly block: Block;
  /** The transactions of it that ran code to a good end. */
  readonly ranCode: readonly TxId[];
  /** Who is waited for. */
  readonly addresses: ReadonlySet<string>;
  readonly gateway: Gateway;
  readonly signal: AbortSignal;
}

interface Receipts {
  readonly infos: readonly TransactionInfo[];
  /** False when only those of calls that name somebody of ours could be had. */
  readonly isWhole: boolean;
  readonly requests: number;
}

/**
 * The receipts of the code that a block ran, by one request. A gateway of the ten documented paths tells none by
 * height: there those of the calls are read whose bytes name somebody of ours, each by its txID, and what contracts pay
 * by themselves stays unseen.
 *
 * @throws {ChainError} `CHAIN_RECEIPTS_MISSING` one of them is kept back, or of another block
 */
export async function readReceipts(wanted: ReceiptsWanted): Promise<Receipts> {
  const { block, ranCode, gateway, signal } = wanted;
  const infos = await gateway.solidTransactionInfos(block.number, signal);
  if (infos === undefined) return await readOneByOne(wanted);
  const ofBlock = new Map(infos.filter((it) => it.blockNumber === block.number).map((it) => [it.txId, it]));
  return { infos: ranCode.map((txId) => ofBlock.get(txId) ?? missing(block)), isWhole: true, requests: 1 };
}

async function readOneByOne({ block, ranCode, addresses, gateway, signal }: ReceiptsWanted): Promise<Receipts> {
  const infos: TransactionInfo[] = [];
  const named = block.transactions.filter((it) => ranCode.includes(it.txId) && namesOneOf(addresses, it.rawDataHex));
  for (const { txId } of named) {
    const info = await gateway.solidTransactionInfo(txId, signal);
    infos.push(info?.blockNumber === block.number ? info : missing(block));
  }
  return { infos, isWhole: false, requests: infos.length };
}

/** Arguments of a call have an address without its first byte. */
function namesOneOf(addresses: ReadonlySet<string>, rawDataHex = ""): boolean {
  return [...addresses].some((it) => rawDataHex.includes(it.slice(2)));
}

function missing({ number }: Block): never {
  throw new ChainError("CHAIN_RECEIPTS_MISSING", { height: number });
}
