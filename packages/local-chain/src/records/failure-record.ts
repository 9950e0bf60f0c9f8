import { rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { hexToBytes, isJsonObject, type JsonObject, type TxId } from "@finality/tron/primitives";
import type { Trace, TraceOptions } from "@finality/tron/traces";
import { decodeRawData } from "@finality/tron/transaction";
import type { Account, ContractRecord, ContractUse } from "../chain/account.ts";
import { blockContext, type ChainContext, idAsNumber } from "../chain/block.ts";
import { Ledger } from "../chain/ledger.ts";
import { chainParameters, initialRules } from "../chain/parameters.ts";
import { type ChainTransaction, chainTransaction, ownerOf, type TransactionInfo } from "../chain/transaction.ts";
import { RecordFile, readRecords } from "../data/record-file.ts";
import { type ForkPoint, readForkPoint } from "../fork/fork-point.ts";
import { NetworkClient, type SendRequest } from "../fork/network-client.ts";
import { NetworkOrigin, nameOf, type StoredItem } from "../fork/network-origin.ts";
import { printInfo } from "../routes/print.ts";
import { traceForeign } from "../traces/trace-runs.ts";

/** Version of record files, raised for each change. */
const VERSION = 1;
/** First cycle of a state that was read: usage in cycle 0 would not count. */
const CYCLE = 1;
const BLOCK_MS = 3000;
/** Most items that are tried one by one. */
const MOST_SINGLE = 16;

/** Block in which a transaction runs. */
interface RunBlock {
  readonly number: number;
  /** Chain time in ms. */
  readonly timestamp: number;
  /** 21 address bytes in hex. */
  readonly witness: string;
}

/** An item that the network has changed since it was recorded. */
interface ChangedItem {
  readonly name: string;
  readonly recorded: string;
  readonly present: string;
}

/** Replay of a failed transaction on the state that was recorded before it was signed. */
export interface FailureReplay {
  readonly trace: Trace;
  /**
   * State on which the replay has the result, the energy, the internal transactions and the events of the receipt: that
   * of the record, or with the present values of `explainedBy`. Undefined if it has them on neither.
   */
  readonly equals: "recorded" | "present" | undefined;
  /** Fields of the receipt that the replay on the record does not have. */
  readonly differences: readonly string[];
  /** Items that the call reads and that may have changed in between. */
  readonly changed: readonly ChangedItem[];
  /** Names of the changed items with which the replay equals the receipt. */
  readonly explainedBy: readonly string[];
  /** Names of items that the record does not have, which were read now. */
  readonly readNow: readonly string[];
}

/**
 * Runs a call on the present state of a network, and stores what it reads in a file. The transaction needs no signature.
 * Nothing is stored if the network does not give an item.
 *
 * @param rawData - `raw_data` in hex
 * @returns the number of items
 * @throws {Error} the network does not answer, or cannot give an item; its name and the reason
 */
export async function recordCall(network: NetworkClient, rawData: string, path: string): Promise<number> {
  const point = await readForkPoint(network);
  rmSync(path, { force: true });
  const { file } = RecordFile.open(path);
  const items: StoredItem[] = [];
  try {
    file.append({ version: VERSION, point });
    const stored = {
      append: (item: StoredItem) => {
        items.push(item);
        file.append(item);
      },
    };
    const { number, timestamp } = point.block;
    const block = { number: number + 1, timestamp: timestamp + BLOCK_MS, witness: `41${"0".repeat(40)}` };
    await runOn(new NetworkOrigin(point, [], stored, network), transactionOf(rawData), block, {});
    return items.length;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    file.close();
  }
}

/**
 * Replays a transaction on a record, and compares it with its receipt on the network.
 *
 * @param send - sends requests to the network of the record; without it they have no credentials
 * @throws {Error} the record cannot be read, or the network does not have the transaction
 */
export async function replayFailure(
  path: string,
  txId: TxId,
  { send, ...options }: TraceOptions & { readonly send?: SendRequest | undefined } = {},
): Promise<FailureReplay> {
  const [header, ...items] = readRecords(path).values as readonly [RecordHeader?, ...StoredItem[]];
  if (header?.version !== VERSION) throw new Error("The record cannot be read, or is of another version.");
  const network = new NetworkClient(header.point.url, send);
  const executed = await readExecuted(network, txId);
  const { transaction, block } = executed;
  const readNow: StoredItem[] = [];
  const late = { append: (item: StoredItem) => void readNow.push(item) };
  const replay = async (state: readonly StoredItem[]): Promise<Replayed> => {
    const run = await runOn(new NetworkOrigin(header.point, state, late, network), transaction, block, options);
    return { ...run, differences: differencesOf(executed, run.info) };
  };
  const first = await replay(items);
  const present = await readAgain(header.point, items, network);
  const changes = items.flatMap((item) => changeOf(item, present.get(idOf(item)), transaction));
  const facts = {
    changed: changes.map(({ change }) => change),
    readNow: readNow.map(({ kind, key }) => nameOf(kind, key)),
  };
  const base = { ...facts, differences: first.differences, explainedBy: [] };
  if (first.differences.length === 0) return { ...base, trace: first.trace, equals: "recorded" };
  for (const tried of attempts(changes)) {
    const state = items.map((item) => tried.find((it) => idOf(it.item) === idOf(item))?.item ?? item);
    const again = await replay(state);
    if (again.differences.length > 0) continue;
    return { ...base, trace: again.trace, equals: "present", explainedBy: tried.map(({ change }) => change.name) };
  }
  return { ...base, trace: first.trace, equals: undefined };
}

interface RecordHeader {
  readonly version: number;
  readonly point: ForkPoint;
}

interface Replayed {
  readonly trace: Trace;
  readonly info: TransactionInfo;
  readonly differences: readonly string[];
}

/** A changed item with its present value. */
interface Change {
  readonly item: StoredItem;
  readonly change: ChangedItem;
}

/** All changed items together, then each alone. */
function attempts(changes: readonly Change[]): readonly (readonly Change[])[] {
  if (changes.length === 0) return [];
  return [changes, ...(changes.length === 1 ? [] : changes.slice(0, MOST_SINGLE).map((it) => [it]))];
}

async function runOn(
  origin: NetworkOrigin,
  transaction: ChainTransaction,
  block: RunBlock,
  options: TraceOptions,
): Promise<{ readonly trace: Trace; readonly info: TransactionInfo }> {
  const { point } = origin;
  const parameters = chainParameters(point.parameters, point.nodeVersion);
  const context: ChainContext = {
    block: blockContext({ ...block, witness: block.witness as Parameters<typeof blockContext>[0]["witness"] }),
    blockHash: (height) => idAsNumber(origin.blockId(height)),
    chainId: BigInt(point.chainId),
  };
  return await origin.runPure(() => {
    const before = new Ledger(undefined, origin);
    const { bandwidth, energy } = point.weight;
    const weight = { bandwidth: BigInt(bandwidth), energy: BigInt(energy), tronPower: 0n };
    before.changeTotals({ ...initialRules(parameters), cycle: CYCLE, weight });
    const run = { parameters, now: block.timestamp - BLOCK_MS, context };
    return traceForeign({ transaction, before, block, context: run }, options);
  });
}

/** @param rawData - hex */
function transactionOf(rawData: string): ChainTransaction {
  // The size of one signature counts for bandwidth.
  return chainTransaction({ rawData: decodeRawData(hexToBytes(rawData)).raw, signature: [new Uint8Array(65)] });
}

interface Executed {
  readonly transaction: ChainTransaction;
  readonly block: RunBlock;
  /** Answer of `gettransactioninfobyid`. */
  readonly receipt: JsonObject;
}

/** @throws {Error} no block of the network has the transaction */
async function readExecuted(network: NetworkClient, txId: TxId): Promise<Executed> {
  const receipt = await network.ask("wallet/gettransactioninfobyid", { value: txId });
  const { raw_data_hex: rawData } = await network.ask("wallet/gettransactionbyid", { value: txId });
  if (typeof rawData !== "string" || receipt.blockNumber === undefined) {
    throw new Error(`no block of ${network.url} has the transaction ${txId}`);
  }
  const number = Number(receipt.blockNumber);
  const { block_header: header } = await network.ask("wallet/getblockbynum", { num: number });
  const raw = isJsonObject(header) && isJsonObject(header.raw_data) ? header.raw_data : {};
  const block = { number, timestamp: Number(raw.timestamp), witness: String(raw.witness_address) };
  return { transaction: transactionOf(rawData), block, receipt };
}

/** Returns the fields of a receipt that a replay does not have. */
function differencesOf({ transaction, block, receipt }: Executed, info: TransactionInfo): readonly string[] {
  const header = { ...block, parentId: "", transactionRoot: "", version: 0 };
  const printed = printInfo({ transaction, info }, { id: "", header, transactions: [] } as never, false);
  const compared = (json: JsonObject): JsonObject => {
    const energy = isJsonObject(json.receipt) ? json.receipt : {};
    return {
      result: energy.result,
      energy: Number(energy.energy_usage_total ?? 0),
      returned: json.contractResult,
      internalTransactions: json.internal_transactions,
      events: json.log,
    };
  };
  const [there, here] = [compared(receipt), compared(printed)];
  return Object.keys(there).filter((name) => !isDeepStrictEqual(plain(there[name]), plain(here[name])));
}

/** Returns a value without absent fields. */
function plain(value: unknown): unknown {
  return value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value, (_, it) => (typeof it === "bigint" ? String(it) : it)));
}

/** Reads the items of a record again. */
async function readAgain(
  point: ForkPoint,
  items: readonly StoredItem[],
  network: NetworkClient,
): Promise<ReadonlyMap<string, StoredItem>> {
  const present = new Map<string, StoredItem>();
  const origin = new NetworkOrigin(point, [], { append: (item) => void present.set(idOf(item), item) }, network);
  for (const { kind, key } of items) {
    // An item that the network does not give any more counts as unchanged.
    if (kind !== "blocks") await origin.runPure(() => origin.value(kind, key)).catch(() => undefined);
  }
  return present;
}

function idOf({ kind, key }: StoredItem): string {
  return `${kind} ${key}`;
}

/** Returns the change of an item. The coins of the sender change with the transaction itself. */
function changeOf(
  item: StoredItem,
  present: StoredItem | undefined,
  { contract }: ChainTransaction,
): readonly Change[] {
  const sender = contract && ownerOf(contract);
  if (present === undefined || (item.kind === "accounts" && item.key === sender)) return [];
  const [recorded, now] = [textOf(item), textOf(present)];
  if (recorded === now) return [];
  return [{ item: present, change: { name: nameOf(item.kind, item.key), recorded, present: now } }];
}

/** Returns the part of an item that a run can see. */
function textOf({ kind, value }: StoredItem): string {
  if (value === undefined) return kind === "words" ? "0x0" : "none";
  switch (kind) {
    case "words":
      return `0x${(value as bigint).toString(16)}`;
    case "accounts":
      return `${(value as Account).balance} sun`;
    case "contracts":
      return `code ${(value as ContractRecord).codeHash}`;
    case "uses":
      return `energy factor ${(value as ContractUse).energyFactor}`;
    default:
      return "present";
  }
}
