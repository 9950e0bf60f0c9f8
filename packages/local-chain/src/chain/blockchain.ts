import type { BlockId, TxId } from "@finality/tron/primitives";
import type { PrivateKey } from "@finality/tron/transaction";
import { accountOf } from "../curve/keys.ts";
import {
  type Block,
  type BlockContext,
  BlockList,
  blockContext,
  type ChainContext,
  type Inclusion,
  idAsNumber,
  sealBlock,
  TrialBlock,
} from "./block.ts";
import { recordParentHash } from "./block-hash-history.ts";
import { BlockProduction, BlockTimes, type RealClock, type Spacing } from "./block-production.ts";
import {
  type ChainSnapshot,
  irreversibleIn,
  pendingImages,
  pendingOf,
  type SnapshotImage,
  StateLayers,
  type StateSnapshot,
} from "./chain-state.ts";
import type { ChainCoverage } from "./code-coverage.ts";
import { type Actuators, type ExecutionContext, executeTransaction } from "./execution.ts";
import { forkBlock, genesisBlock, genesisLedger, type Origin } from "./genesis.ts";
import type { Halt } from "./halt.ts";
import { type Exemptions, Ledger } from "./ledger.ts";
import { endBlock, producerOf } from "./maintenance.ts";
import {
  asPending,
  checkCommon,
  checkOnArrival,
  isTooOld,
  knowsReference,
  MAX_AGE_MS,
  Mempool,
  type Pending,
  type ValidationContext,
} from "./mempool.ts";
import { type ChainParameters, type NodeVersion, versionOf } from "./parameters.ts";
import { Refusal } from "./refusal.ts";
import { type StateOrigin, UnreadableItem } from "./state-origin.ts";
import type { ChainTransaction, IncludedTransaction, TransactionInfo } from "./transaction.ts";

/** Version in block headers. */
const BLOCK_VERSIONS: { readonly [version in NodeVersion]: number } = { "4.8.0": 32, "4.8.2": 36 };
const MAX_BLOCK_BYTES = 2_000_000;
const CHAIN_ID_MASK = 0xffff_ffffn;

export interface ChainSetup extends Omit<Origin, "producers"> {
  readonly seed: string;
  readonly actuators: Actuators;
  /** Keys of the witnesses. Their number decides the lag of solidified data. */
  readonly witnesses: readonly PrivateKey[];
  /** Chain id of 32 bits; otherwise it is derived from the seed and the accounts. */
  readonly chainId?: number;
}

/** Blocks, state and pool. The chain knows no HTTP and no clock except block times. */
export class Blockchain {
  readonly actuators: Actuators;
  /** Hooks and listeners of block production. */
  readonly production: BlockProduction;
  /** Counts executed instructions from the request for it on. */
  coverage: ChainCoverage | undefined;
  /** Keys of the initial witnesses; the chain has no others. */
  readonly #keys: ReadonlyMap<string, PrivateKey>;
  readonly #hasKey = (witness: string): boolean => this.#keys.has(witness);
  readonly #blocks: BlockList;
  /** Height of the newest irreversible block. */
  #irreversibleHeight = 0;
  readonly #states: StateLayers;
  #pendingLedger: Ledger;
  #trialBlock = new TrialBlock();
  readonly #pool = new Mempool();
  readonly #times: BlockTimes;
  /** State of the network that the chain is a fork of. */
  readonly #origin: StateOrigin | undefined;
  #builds = 0;

  constructor(setup: ChainSetup) {
    this.actuators = setup.actuators;
    this.#times = new BlockTimes(setup.startTime);
    this.production = new BlockProduction(this.#times);
    this.#keys = new Map(setup.witnesses.map((key) => [accountOf(key), key]));
    this.#origin = setup.forkedFrom;
    const genesis = genesisBlock(setup.seed, setup.accounts, setup.chainId);
    this.#blocks = new BlockList(genesis, this.#origin && forkBlock(genesis, this.#origin.block));
    this.#states = new StateLayers(genesisLedger({ ...setup, producers: setup.witnesses.map(accountOf) }));
    this.#pendingLedger = new Ledger(this.#states.top);
  }

  /** Parameters after the newest block. */
  get parameters(): ChainParameters {
    return this.#pendingLedger.parameters;
  }

  /** Version of java-tron that the chain imitates. */
  get nodeVersion(): NodeVersion {
    return versionOf(this.parameters);
  }

  get head(): Block {
    return this.#at(this.#blocks.height);
  }

  /** Newest irreversible block, which transactions refer to. */
  get irreversible(): Block {
    return this.#at(this.#irreversibleHeight);
  }

  /** Newest block of `/walletsolidity/`. The node persists state late, when it creates a layer (SnapshotManager). */
  get solid(): Block {
    return this.#at(this.#states.settledHeight);
  }

  /** Returns the irreversible height of the time when a block was the newest. Its state has to be kept. */
  irreversibleAt(height: number): number {
    return irreversibleIn(this.stateAt(height), this.#hasKey);
  }

  /** State of the newest block with the pool applied, which `/wallet/` shows. */
  get pendingState(): Ledger {
    return this.#pendingLedger;
  }

  /** State of the solidified block, which `/walletsolidity/` shows. */
  get solidState(): Ledger {
    return this.#states.settled;
  }

  /** Number of reversible blocks. */
  get unsolidified(): number {
    return this.head.header.number - this.#irreversibleHeight;
  }

  /**
   * Returns the state after a block, or after the newest solidified block if that is younger. Older state is not kept.
   */
  stateAt(height: number): Ledger {
    return this.#states.at(height);
  }

  /** Returns the state before a block; undefined if it is not kept. */
  stateBefore(height: number): Ledger | undefined {
    return this.#states.past(height - 1);
  }

  /** Number of maintenance periods of the pending state. */
  get cycle(): number {
    return this.#pendingLedger.totals.cycle;
  }

  get pool(): Mempool {
    return this.#pool;
  }

  block(height: number): Block | undefined {
    return this.#blocks.at(height);
  }

  /** Returns the id of a block without unpacking it. */
  blockId(height: number): BlockId | undefined {
    return this.#blocks.idAt(height);
  }

  witnessKey(block: Block): PrivateKey | undefined {
    return this.#keys.get(block.header.witness);
  }

  find(id: TxId): Inclusion | undefined {
    const height = this.#blocks.heightOf(id);
    const block = height === undefined ? undefined : this.#blocks.at(height);
    const included = block?.transactions.find(({ transaction }) => transaction.id === id);
    return block && included && { ...included, block };
  }

  /** Returns the chain data that code in a block can read. */
  context(block: BlockContext): ChainContext {
    const blockHash = (height: number): bigint => idAsNumber(this.#idFor(height));
    const chainId = idAsNumber(this.#blocks.idAt(0)) & CHAIN_ID_MASK;
    return { block, blockHash, chainId, ...(this.coverage && { coverage: this.coverage }) };
  }

  /** Returns the id of a block as code reads it: up to the fork that of the network. */
  #idFor(height: number): BlockId | undefined {
    const isOfNetwork = this.#origin !== undefined && height > 0 && height <= this.#origin.block.number;
    return isOfNetwork ? this.#origin.blockId(height) : this.#blocks.idAt(height);
  }

  /** Returns a unique chain time after the head for a new transaction. */
  buildTime(): number {
    this.#builds += 1;
    return this.head.header.timestamp + this.#builds;
  }

  /**
   * Skips the build times of pending transactions after a restart. No transaction stays pending longer than a minute.
   */
  passBuildTimes(): void {
    const since = this.head.header.timestamp;
    for (const { transaction } of this.#pool.entries()) {
      const ahead = Number(transaction.raw.timestamp) - since;
      if (ahead <= MAX_AGE_MS) this.#builds = Math.max(this.#builds, ahead);
    }
  }

  /**
   * Accepts a transaction into the pool.
   *
   * @throws {Refusal}
   */
  submit(transaction: ChainTransaction): TransactionInfo {
    const context = this.#validationContext(this.#pendingLedger);
    checkOnArrival(transaction, context);
    checkCommon(transaction, context);
    if (this.#pool.get(transaction.id) !== undefined || this.#blocks.heightOf(transaction.id) !== undefined) {
      throw new Refusal("DUP_TRANSACTION_ERROR", "Dup transaction.");
    }
    const trial = executeTransaction(this.#pendingLedger, transaction, this.#context(this.#trialBlock));
    this.#pool.add({ transaction, trial, since: this.head.header.timestamp });
    this.settle();
    this.production.emit({ kind: "transaction", transaction });
    return trial;
  }

  /** Produces the next block from pending transactions that are still valid. */
  produceBlock(spacing: Spacing = "slots"): Block {
    const block = this.#produce(this.head.header.timestamp, spacing);
    this.production.emit({ kind: "block", id: block.id, ...this.production.takeInputs() });
    return block;
  }

  /** @param latest - chain time in ms that the block has to be after */
  #produce(latest: number, spacing: Spacing): Block {
    const parent = this.head;
    this.#states.settle(this.#irreversibleHeight - 1, this.#pendingLedger);
    const waiting = this.#pool.drain();
    const repeatable = this.#isRepeatable(waiting);
    // The pending state is that of the block: the code of its transactions does not have to run again.
    const ledger = repeatable ? this.#pendingLedger : new Ledger(this.#states.top);
    const number = parent.header.number + 1;
    const witness = producerOf(ledger.totals.active, number, this.#hasKey);
    const timestamp = this.production.nextTime(latest, spacing);
    const header = { number, timestamp, parentId: parent.id, witness, version: BLOCK_VERSIONS[this.nodeVersion] };
    recordParentHash(ledger, number, parent.id);
    const { included, left } = repeatable
      ? { included: waiting.map(({ transaction, trial }) => ({ transaction, info: trial })), left: [] }
      : this.#fill(ledger, waiting, blockContext(header));
    ledger.countSlot(parent.header.timestamp, timestamp);
    endBlock(ledger, header, parent.header.timestamp);
    const block = sealBlock(header, included);
    this.#append(block, ledger);
    this.#readmit(left);
    return block;
  }

  /** Shows all irreversible blocks under `/walletsolidity/`, as the node does when a transaction arrives. */
  settle(): void {
    this.#states.settle(this.#irreversibleHeight, this.#pendingLedger);
  }

  /** Sets the time of the next block: so many ms after the head, or after a time that was already set. */
  warp(ms: number): void {
    this.#times.jump(this.head.header.timestamp, ms);
    this.production.emit({ kind: "warp", ms });
  }

  /** Sets the chain time in ms of the next block. @throws {RangeError} it is not after the head */
  setNextTime(ms: number): void {
    const { timestamp } = this.head.header;
    if (ms <= timestamp) throw new RangeError(`timestamp has to be greater than that of the head (${timestamp} ms)`);
    this.warp(ms - (this.#times.state.nextMs ?? timestamp));
  }

  /** Makes chain time follow a clock from the next block on, until it is warped. */
  follow(clock: RealClock): void {
    this.#times.follow(clock);
  }

  /**
   * Reorganises the chain: replaces the newest blocks with a longer chain of later, empty ones.
   *
   * @param depth - number of blocks, at most the reversible ones
   * @param transactions - whether transactions of the old blocks return to the pool or are lost
   * @returns the replaced blocks, oldest first
   */
  fork(depth: number, transactions: "return" | "lost"): readonly Block[] {
    if (depth < 1 || depth > this.unsolidified) throw new RangeError(`${depth} blocks cannot be reorganised.`);
    const left = this.head.header.timestamp;
    const removed = this.#blocks.takeNewest(depth);
    this.#states.takeNewest(depth);
    const waiting = this.#pool.drain();
    this.#readmit([]);
    this.#produce(left, "slots");
    for (let made = 0; made < depth; made += 1) this.#produce(this.head.header.timestamp, "slots");
    const since = this.head.header.timestamp;
    const returned = transactions === "lost" ? [] : removed.flatMap((it) => asPending(it.transactions, since));
    this.#readmit([...returned, ...waiting]);
    this.production.emit({ kind: "fork", depth, transactions, id: this.head.id, ...this.production.takeInputs() });
    return removed;
  }

  /** Changes the state outside of transactions and blocks, in all layers. */
  amend(change: (ledger: Ledger) => void): void {
    this.#states.amend(change);
    change(this.#pendingLedger);
    if (this.#pool.size > 0) this.#trialBlock.isRepeatable = false;
    this.production.emit({ kind: "amendment" });
  }

  /** Changes which accounts are exempt from signature checks. Snapshots do not bring the old ones back. */
  changeExemptions(change: (exemptions: Exemptions) => Partial<Exemptions>): void {
    this.amend((ledger) => ledger.changeTotals(change(ledger.totals)));
  }

  /** Returns a snapshot of blocks, state, pool and time. It costs what changes after it, until it is released. */
  snapshot(): ChainSnapshot {
    return {
      blocks: this.#blocks.snapshot(),
      irreversibleHeight: this.#irreversibleHeight,
      states: this.#states.snapshot(),
      pending: this.#pool.entries(),
      times: this.#times.state,
      builds: this.#builds,
    };
  }

  /** Restores blocks, state, pool and time. The exempt accounts stay. */
  restore(snapshot: ChainSnapshot | SnapshotImage): void {
    const { unlocked, impersonated } = this.#pendingLedger.totals;
    const pending = isImage(snapshot) ? this.#loadImage(snapshot) : this.#restoreVersions(snapshot);
    const { totals } = this.#states.top;
    if (totals.unlocked !== unlocked || totals.impersonated !== impersonated) {
      this.#states.amend((ledger) => ledger.changeTotals({ unlocked, impersonated }));
    }
    this.#restoreRest(snapshot, pending);
  }

  /** Begins a step that may have to be undone. Its events are held back until `end`. */
  begin(): ChainSnapshot {
    this.production.hold();
    return this.snapshot();
  }

  end(before: ChainSnapshot): void {
    this.release(before);
    this.production.release();
  }

  /** Undoes a step: the chain is as it was when the step began. */
  undo(before: ChainSnapshot): void {
    this.restore(before);
    this.release(before);
    this.production.discard();
  }

  /** Frees the memory of a snapshot. */
  release(snapshot: ChainSnapshot | SnapshotImage): void {
    if (isImage(snapshot)) return;
    this.#blocks.release(snapshot.blocks);
    this.#states.release(snapshot.states);
  }

  #restoreVersions({ blocks, states, pending }: ChainSnapshot): readonly Pending[] {
    this.#blocks.restore(blocks);
    this.#states.restore(states);
    return pending;
  }

  #loadImage({ blocks, states, pending }: SnapshotImage): readonly Pending[] {
    this.#blocks.load(blocks);
    this.#states.load(states);
    return pendingOf(pending);
  }

  #restoreRest(
    { irreversibleHeight, times, builds }: Omit<SnapshotImage, "blocks" | "states" | "pending">,
    pending: readonly Pending[],
  ): void {
    this.#irreversibleHeight = irreversibleHeight;
    this.#times.state = times;
    this.#builds = builds;
    this.#pool.drain();
    this.#readmit(pending);
  }

  /** Returns a snapshot of the state alone, for `revertState`. */
  stateSnapshot(): StateSnapshot {
    return this.#states.snapshot();
  }

  /** Restores accounts, contracts and other state of a snapshot. Blocks and chain time stay. */
  revertState(snapshot: StateSnapshot): void {
    this.#states.revert(snapshot);
    this.#readmit(this.#pool.drain());
    this.production.emit({ kind: "amendment" });
  }

  releaseState(snapshot: StateSnapshot): void {
    this.#states.release(snapshot);
  }

  /** Returns the chain as plain values. */
  image(): SnapshotImage {
    return {
      blocks: this.#blocks.image(),
      irreversibleHeight: this.#irreversibleHeight,
      states: this.#states.image(),
      pending: pendingImages(this.#pool.entries()),
      times: this.#times.state,
      builds: this.#builds,
    };
  }

  /** Replaces the chain by an image of it. */
  load(image: SnapshotImage): void {
    this.#restoreRest(image, this.#loadImage(image));
  }

  #at(height: number): Block {
    const block = this.#blocks.at(height);
    if (block === undefined) throw new TypeError(`There is no block ${height}.`);
    return block;
  }

  /** @param block - where transactions run, a `TrialBlock` while they are tried */
  #context(block: BlockContext): ExecutionContext {
    const { parameters, actuators } = this;
    const now = this.head.header.timestamp;
    if (block === this.#trialBlock) return { parameters, actuators, now, context: this.context(block) };
    const endsCode = (): Halt | undefined => this.production.endsCode();
    return { parameters, actuators, now, context: { ...this.context(block), endsCode } };
  }

  #validationContext(ledger: Ledger): ValidationContext {
    return {
      ledger,
      now: this.head.header.timestamp,
      knowsReference: (bytes, hash) => knowsReference(this.#blocks, bytes, hash),
    };
  }

  /** Returns whether a block of all pending transactions would leave the pending state. */
  #isRepeatable(waiting: readonly Pending[]): boolean {
    const bytes = waiting.reduce((sum, { transaction }) => sum + transaction.size, 0);
    return this.#trialBlock.isRepeatable && bytes <= MAX_BLOCK_BYTES && !this.production.mayEndCode;
  }

  #fill(
    ledger: Ledger,
    waiting: readonly Pending[],
    context: BlockContext,
  ): { included: IncludedTransaction[]; left: Pending[] } {
    const included: IncludedTransaction[] = [];
    const left: Pending[] = [];
    let bytes = 0;
    for (const entry of waiting) {
      if (bytes + entry.transaction.size > MAX_BLOCK_BYTES) {
        left.push(entry);
        continue;
      }
      const info = this.#tryIn(ledger, entry.transaction, context);
      if (info === "unreadable") left.push(entry);
      if (info === undefined || info === "unreadable") continue;
      included.push({ transaction: entry.transaction, info });
      bytes += entry.transaction.size;
    }
    return { included, left };
  }

  /**
   * Drops transactions that became invalid without a report, as the node does. On a fork a transaction that needs what the
   * network does not give stays pending.
   */
  #tryIn(
    ledger: Ledger,
    transaction: ChainTransaction,
    block: BlockContext,
  ): TransactionInfo | "unreadable" | undefined {
    try {
      const context = this.#validationContext(ledger);
      if (this.parameters.getConsensusLogicOptimization === 1) checkOnArrival(transaction, context);
      checkCommon(transaction, context);
      return executeTransaction(ledger, transaction, this.#context(block));
    } catch (refusal) {
      if (refusal instanceof Refusal) return undefined;
      if (refusal instanceof UnreadableItem) return "unreadable";
      throw refusal;
    }
  }

  #append(block: Block, ledger: Ledger): void {
    this.#blocks.push(block);
    this.#states.push(block.header.number, ledger);
    this.#builds = 0;
    this.#solidify();
  }

  #solidify(): void {
    if (this.production.holdsSolidification()) return;
    this.#irreversibleHeight = Math.max(this.#irreversibleHeight, irreversibleIn(this.#states.top, this.#hasKey));
    this.#blocks.settle(this.#irreversibleHeight);
  }

  /** Validates the remaining pool again after a block. */
  #readmit(waiting: readonly Pending[]): void {
    const ledger = new Ledger(this.#states.top);
    this.#pendingLedger = ledger;
    this.#trialBlock = new TrialBlock();
    for (const entry of waiting) {
      if (isTooOld(entry, this.head.header.timestamp)) continue;
      const trial = this.#tryIn(ledger, entry.transaction, this.#trialBlock);
      if (trial === "unreadable") this.#trialBlock.isRepeatable = false;
      if (trial !== undefined) this.#pool.add(trial === "unreadable" ? entry : { ...entry, trial });
      this.settle();
    }
  }
}

function isImage(snapshot: ChainSnapshot | SnapshotImage): snapshot is SnapshotImage {
  return "settled" in snapshot.states;
}
