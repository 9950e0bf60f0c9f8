import type {
  Account,
  AccountGateway,
  AccountResources,
  Block,
  BlockSeal,
  BlockTransaction,
  BroadcastAnswer,
  BroadcastOutcome,
  ChainParameters,
  Delegation,
  DelegationIndex,
  DelegationParties,
  FoundTransaction,
  Gateway,
  NodeInfo,
  Probe,
  TransactionInfo,
  TransferRequest,
  Trc10Token,
  View,
  Witness,
} from "../../../packages/client/src/gateway/gateway.ts";
import { type ChainId, parseChainId } from "../../../packages/client/src/gateway/network.ts";
import type { SignWeight } from "../../../packages/client/src/permissions/permissions.ts";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import { type Sun, sun } from "../../../packages/tron/src/primitives/amount.ts";
import type { BlockId } from "../../../packages/tron/src/primitives/block.ts";
import { bytesToHex, type Hex, sha256, type TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { BuiltTransaction, SignedTransaction } from "../../../packages/tron/src/transaction/built-transaction.ts";
import type { IntentOf } from "../../../packages/tron/src/transaction/intent.ts";
import {
  addressOfPrivateKey,
  parsePrivateKey,
  signTransactionId,
} from "../../../packages/tron/src/transaction/signature.ts";

const WITNESS_KEY = parsePrivateKey("0000000000000000000000000000000000000000000000000000000000000001");
const FAKE_WITNESS = addressOfPrivateKey(WITNESS_KEY);
const GENESIS_TIME = Date.UTC(2026, 0, 1);
const BLOCK_TIME_MS = 3_000;

/** A transaction in a block, as a test describes it. */
export interface ScriptedTransaction {
  readonly txId: TxId;
  readonly rawDataHex?: Hex;
  readonly contractType?: string;
  readonly contractResult?: string;
  readonly info?: Partial<TransactionInfo>;
}

type Method = Exclude<keyof Gateway | keyof AccountGateway, "endpoint">;

/**
 * A chain in memory that a test scripts: `mine`, `solidify`, `reorganise`, `fail`, `answerBroadcast`. `requests` lists
 * what was asked, such as "solidBlocks 5 8" or "headTransaction <txID>".
 */
export class FakeGateway implements Gateway, AccountGateway {
  readonly endpoint: string;
  readonly requests: string[] = [];
  /** Reported genesis block; undefined reports none. */
  chain: ChainId | undefined;
  readonly accounts = new Map<Address, Account>();
  readonly resources = new Map<Address, AccountResources>();
  readonly rewards = new Map<Address, Sun>();
  readonly lent: Delegation[] = [];
  readonly tokens = new Map<string, Trc10Token>();
  /** True if it serves no infos by height. */
  withoutInfos = false;
  readonly parameters = new Map<string, bigint>([["getMemoFee", 1_000_000n]]);
  readonly #chain: Block[] = [];
  readonly #scripts = new Map<TxId, ScriptedTransaction>();
  readonly #pool = new Map<TxId, ScriptedTransaction>();
  readonly #failures = new Map<Method, unknown[]>();
  readonly #outcomes: (BroadcastOutcome | ((transaction: SignedTransaction) => BroadcastOutcome))[] = [];
  readonly #built: BuiltTransaction[] = [];
  #solid = 0;
  #fork = 0;
  #forgotten = 0;

  constructor(endpoint = "http://fake.test") {
    this.endpoint = endpoint;
    this.#append([], GENESIS_TIME);
    this.chain = parseChainId(this.#blockAt(0).id);
  }

  /** The newest block. */
  get head(): Block {
    return this.#blockAt(this.#chain.length - 1);
  }

  get solid(): Block {
    return this.#blockAt(this.#solid);
  }

  /** All blocks of the head view. */
  get chainBlocks(): readonly Block[] {
    return this.#chain;
  }

  get pending(): readonly TxId[] {
    return [...this.#pool.keys()];
  }

  /** Appends a block with these transactions; `timestamp` says when, else one slot later. */
  mine(transactions: readonly (ScriptedTransaction | TxId)[] = [], timestamp?: number): Block {
    const scripts = transactions.map((it) => (typeof it === "string" ? (this.#pool.get(it) ?? { txId: it }) : it));
    for (const it of scripts) {
      this.#scripts.set(it.txId, it);
      this.#pool.delete(it.txId);
    }
    return this.#append(scripts.map(blockTransaction), timestamp ?? this.head.timestamp + BLOCK_TIME_MS);
  }

  mineEmpty(count: number): void {
    for (let mined = 0; mined < count; mined++) this.mine();
  }

  /** Makes every block up to `height` final; the head without an argument. */
  solidify(height = this.head.number): void {
    this.#solid = Math.max(this.#solid, Math.min(height, this.head.number));
  }

  /** Takes the newest blocks away; their transactions are pending again, unless `lose` says that they are gone. */
  reorganise(depth: number, options: { lose?: boolean } = {}): void {
    this.#fork++;
    for (const block of this.#chain.splice(Math.max(this.#solid + 1, this.#chain.length - depth))) {
      for (const { txId } of block.transactions) {
        if (options.lose !== true) this.#pool.set(txId, this.#scripts.get(txId) ?? { txId });
      }
    }
  }

  /** Puts the chain back to a block, the solidified ones too, as a snapshot of a local chain does. */
  restore(height: number): void {
    this.#fork++;
    this.#chain.length = height + 1;
    this.#solid = height;
  }

  /** Drops blocks below a height that are not needed any more: a day has many. */
  forget(height: number): void {
    for (let at = Math.max(1, this.#forgotten); at < height; at++) {
      for (const { txId } of this.#blockAt(at).transactions) this.#scripts.delete(txId);
      delete this.#chain[at];
    }
    this.#forgotten = Math.max(this.#forgotten, height);
  }

  /** Swaps a block for another one of the same height, as a gateway that follows another chain would show it. */
  replaceBlock(height: number, change: Partial<Block>): void {
    this.#chain[height] = { ...this.#blockAt(height), ...change };
  }

  /** Returns the test's description of a transaction. */
  scriptOf(txId: TxId): ScriptedTransaction {
    return this.#scripts.get(txId) ?? { txId };
  }

  /** Changes what is reported of a transaction that a block holds. */
  rescript(transaction: ScriptedTransaction): void {
    this.#scripts.set(transaction.txId, transaction);
  }

  addPending(transaction: ScriptedTransaction): void {
    this.#pool.set(transaction.txId, transaction);
  }

  dropPending(): void {
    this.#pool.clear();
  }

  /** The next calls of this method reject, one for each error. */
  fail(method: Method, ...errors: readonly unknown[]): void {
    this.#failures.set(method, [...(this.#failures.get(method) ?? []), ...errors]);
  }

  /** The outcomes of the next broadcasts; those that are accepted, or given by a function, may pool what they want. */
  answerBroadcast(...outcomes: readonly (BroadcastOutcome | ((it: SignedTransaction) => BroadcastOutcome))[]): void {
    this.#outcomes.push(...outcomes);
  }

  answerBuild(...built: readonly BuiltTransaction[]): void {
    this.#built.push(...built);
  }

  async probe(signal?: AbortSignal): Promise<Probe> {
    await this.#asked("probe", [], signal);
    return { head: this.head, serverTime: this.head.timestamp, durationMs: 1 };
  }

  async chainId(view: View, signal?: AbortSignal): Promise<ChainId | undefined> {
    await this.#asked("chainId", [view], signal);
    return this.chain;
  }

  async buildTransfer(request: TransferRequest, signal?: AbortSignal): Promise<BuiltTransaction> {
    await this.#asked("buildTransfer", [request.owner, request.to, request.amount], signal);
    const built = this.#built.shift();
    if (built === undefined) throw new Error("The test has no answer for buildTransfer: call answerBuild first.");
    return built;
  }

  async broadcast(transaction: SignedTransaction, signal?: AbortSignal): Promise<BroadcastAnswer> {
    await this.#asked("broadcast", [transaction.txId], signal);
    const scripted = this.#outcomes.shift();
    const outcome =
      typeof scripted === "function" ? scripted(transaction) : (scripted ?? this.#ownOutcome(transaction));
    if (outcome.kind === "accepted") this.addPending(transaction);
    const answered = outcome.kind !== "unknown";
    return { outcome, endpoint: this.endpoint, ...(answered ? { txId: transaction.txId, raw: outcome.kind } : {}) };
  }

  async headBlock(signal?: AbortSignal): Promise<Block> {
    await this.#asked("headBlock", [], signal);
    return this.head;
  }

  async solidBlock(signal?: AbortSignal): Promise<Block> {
    await this.#asked("solidBlock", [], signal);
    return this.solid;
  }

  async solidBlocks(start: number, end: number, signal?: AbortSignal): Promise<readonly Block[]> {
    await this.#asked("solidBlocks", [start, end], signal);
    return this.#chain.slice(start, Math.min(end, start + 100, this.#solid + 1));
  }

  async headBlocks(start: number, end: number, signal?: AbortSignal): Promise<readonly Block[]> {
    await this.#asked("headBlocks", [start, end], signal);
    return this.#chain.slice(start, Math.min(end, start + 100));
  }

  async headTransaction(txId: TxId, signal?: AbortSignal): Promise<FoundTransaction | undefined> {
    await this.#asked("headTransaction", [txId], signal);
    const pending = this.#pool.get(txId);
    return pending === undefined ? this.#found(txId, this.head.number) : foundTransaction(pending);
  }

  async solidTransaction(txId: TxId, signal?: AbortSignal): Promise<FoundTransaction | undefined> {
    await this.#asked("solidTransaction", [txId], signal);
    return this.#found(txId, this.#solid);
  }

  async headTransactionInfo(txId: TxId, signal?: AbortSignal): Promise<TransactionInfo | undefined> {
    await this.#asked("headTransactionInfo", [txId], signal);
    return this.#info(txId, this.head.number);
  }

  async solidTransactionInfo(txId: TxId, signal?: AbortSignal): Promise<TransactionInfo | undefined> {
    await this.#asked("solidTransactionInfo", [txId], signal);
    return this.#info(txId, this.#solid);
  }

  async solidTransactionInfos(height: number, signal?: AbortSignal): Promise<readonly TransactionInfo[] | undefined> {
    await this.#asked("solidTransactionInfos", [height], signal);
    if (this.withoutInfos) return undefined;
    const block = height > this.#solid ? undefined : this.#chain[height];
    return block?.transactions.map(({ txId }) => this.#infoAt(txId, height)) ?? [];
  }

  async account(address: Address, signal?: AbortSignal): Promise<Account | undefined> {
    await this.#asked("account", [address], signal);
    return this.accounts.get(address);
  }

  async accountResources(address: Address, signal?: AbortSignal): Promise<AccountResources | undefined> {
    await this.#asked("accountResources", [address], signal);
    return this.resources.get(address);
  }

  async reward(address: Address, signal?: AbortSignal): Promise<Sun> {
    await this.#asked("reward", [address], signal);
    return this.rewards.get(address) ?? sun(0n);
  }

  async delegationIndex(address: Address, signal?: AbortSignal): Promise<DelegationIndex> {
    await this.#asked("delegationIndex", [address], signal);
    const borrowers = this.lent.filter(({ from }) => from === address).map(({ to }) => to);
    const lenders = this.lent.filter(({ to }) => to === address).map(({ from }) => from);
    return { receivers: [...new Set(borrowers)], owners: [...new Set(lenders)] };
  }

  async delegationsBetween({ from, to }: DelegationParties, signal?: AbortSignal): Promise<readonly Delegation[]> {
    await this.#asked("delegationsBetween", [from, to], signal);
    return this.lent.filter((it) => it.from === from && it.to === to);
  }

  async trc10Token(id: string, signal?: AbortSignal): Promise<Trc10Token | undefined> {
    await this.#asked("trc10Token", [id], signal);
    return this.tokens.get(id);
  }

  async signWeight({ txId }: SignedTransaction, signal?: AbortSignal): Promise<SignWeight> {
    await this.#asked("signWeight", [txId], signal);
    return { weight: 0n, signers: [] };
  }

  async checkPermissionUpdate({ owner }: IntentOf<"permission-update">, signal?: AbortSignal): Promise<void> {
    await this.#asked("checkPermissionUpdate", [owner], signal);
  }

  async witnesses(signal?: AbortSignal): Promise<readonly Witness[]> {
    await this.#asked("witnesses", [], signal);
    return [];
  }

  async brokerage(witness: Address, signal?: AbortSignal): Promise<bigint> {
    await this.#asked("brokerage", [witness], signal);
    return 20n;
  }

  async chainParameters(signal?: AbortSignal): Promise<ChainParameters> {
    await this.#asked("chainParameters", [], signal);
    return this.parameters;
  }

  async nodeInfo(signal?: AbortSignal): Promise<NodeInfo> {
    await this.#asked("nodeInfo", [], signal);
    return { version: "4.8.0", head: this.head.number, solid: this.#solid };
  }

  async #asked(method: Method, details: readonly unknown[], signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.requests.push([method, ...details].join(" "));
    await Promise.resolve();
    const failures = this.#failures.get(method) ?? [];
    if (failures.length > 0) throw failures.shift();
  }

  #ownOutcome({ txId }: SignedTransaction): BroadcastOutcome {
    const known = this.#pool.has(txId) || this.#heightOf(txId) !== undefined;
    return known ? { kind: "already-known", message: "Dup transaction." } : { kind: "accepted" };
  }

  #append(transactions: readonly BlockTransaction[], timestamp: number): Block {
    const number = this.#chain.length;
    const parentId = this.#chain[number - 1]?.id ?? ("00".repeat(32) as BlockId);
    const block = { number, id: blockId(number, parentId, this.#fork), parentId, timestamp, witness: FAKE_WITNESS };
    const seal = () => sealOf(block.id);
    this.#chain.push({
      ...block,
      transactions,
      complete: true,
      // Signed on first use.
      get seal() {
        return number === 0 ? undefined : seal();
      },
    } as Block);
    return this.#blockAt(number);
  }

  #blockAt(height: number): Block {
    const block = this.#chain[height];
    if (block === undefined) throw new RangeError(`The fake chain has no block ${height}.`);
    return block;
  }

  #heightOf(txId: TxId): number | undefined {
    const kept = this.#chain.slice(this.#forgotten);
    return kept.find((block) => block.transactions.some((it) => it.txId === txId))?.number;
  }

  #found(txId: TxId, limit: number): FoundTransaction | undefined {
    const height = this.#heightOf(txId);
    if (height === undefined || height > limit) return undefined;
    return foundTransaction(this.#scripts.get(txId) ?? { txId });
  }

  #info(txId: TxId, limit: number): TransactionInfo | undefined {
    const height = this.#heightOf(txId);
    return height === undefined || height > limit ? undefined : this.#infoAt(txId, height);
  }

  #infoAt(txId: TxId, height: number): TransactionInfo {
    const { timestamp } = this.#blockAt(height);
    return { ...emptyInfo(txId), blockNumber: height, blockTimestamp: timestamp, ...this.#scripts.get(txId)?.info };
  }
}

/** A txID that a test can recognise: the number, padded. */
export function fakeTxId(number: number): TxId {
  return number.toString(16).padStart(64, "0") as TxId;
}

const seals = new Map<BlockId, BlockSeal>();

/** Returns the seal by the only witness; each block is signed once for all tests. */
function sealOf(id: BlockId): BlockSeal {
  const hash = bytesToHex(sha256(Buffer.from(id, "hex")));
  const seal = seals.get(id) ?? { hash, signature: signTransactionId(hash as Hex as TxId, WITNESS_KEY) };
  seals.set(id, seal);
  return seal;
}

function blockId(number: number, parentId: BlockId, fork: number): BlockId {
  const digest = bytesToHex(sha256(Buffer.from(`${parentId} ${number} ${fork}`)));
  return (number.toString(16).padStart(16, "0") + digest.slice(16)) as BlockId;
}

function blockTransaction(script: ScriptedTransaction): BlockTransaction {
  const { txId, contractType = "TransferContract", contractResult = "SUCCESS", rawDataHex } = script;
  return { txId, contractType, contractResult, ...(rawDataHex === undefined ? {} : { rawDataHex }) };
}

function foundTransaction(script: ScriptedTransaction): FoundTransaction {
  return { ...blockTransaction(script), rawDataHex: script.rawDataHex ?? ("" as Hex) };
}

/** An info that says nothing but the txID. */
export function emptyInfo(txId: TxId): TransactionInfo {
  return {
    txId,
    blockNumber: 0,
    blockTimestamp: 0,
    failed: false,
    contractResult: "" as Hex,
    message: "",
    fee: sun(0n),
    energyUsed: 0n,
    energyStaked: 0n,
    energyOfOwner: 0n,
    energyFee: sun(0n),
    bandwidthUsed: 0n,
    bandwidthFee: sun(0n),
  };
}
