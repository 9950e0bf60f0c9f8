import { create } from "@bufbuild/protobuf";
import type { EventWatch, FoundEvent } from "../../../packages/client/src/events/event-entry.ts";
import { EVERY_EVENT } from "../../../packages/client/src/events/event-filter.ts";
import type { InternalTransaction, TransactionInfo } from "../../../packages/client/src/gateway/gateway.ts";
import {
  decodeIncoming,
  encodeIncoming,
  type IncomingEntry,
  type IncomingWatch,
  type PaidToken,
} from "../../../packages/client/src/incoming/incoming-entry.ts";
import { IncomingLedger, type WatchStatus } from "../../../packages/client/src/incoming/incoming-ledger.ts";
import { IncomingReader } from "../../../packages/client/src/incoming/incoming-reader.ts";
import { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { bytesToHex, type Hex, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { RawSchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import { contractFromIntent } from "../../../packages/tron/src/transaction/intent-contract.ts";
import { encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { FakeGateway, type ScriptedTransaction } from "../fakes/fake-gateway.ts";
import { MemoryJournal } from "../tracking/memory-journal.ts";

export const NETWORK = "Shop";
export const SLOT = 3_000;
/** So many blocks behind the head is what is solidified. */
export const LAG = 4;
export const COINS: PaidToken = { kind: "coins" };

/** An address that a test recognises by its number. */
export function party(number: number): Address {
  return `41${number.toString(16).padStart(40, "0")}` as Address;
}

let nonce = 0;

/** A transaction of a block that does what the intent says, in real bytes. */
export function included(intent: Intent, change: Partial<ScriptedTransaction> = {}): ScriptedTransaction {
  const raw = create(RawSchema, { contract: [contractFromIntent(intent)], timestamp: BigInt(++nonce) });
  const bytes = encodeRawData(raw);
  const type = { transfer: "TransferContract", "token-transfer": "TransferAssetContract" }[intent.kind as string];
  const contractType = type ?? "TriggerSmartContract";
  return { txId: transactionId(bytes), rawDataHex: bytesToHex(bytes), contractType, ...change };
}

/** Coins from one to another. */
export function coins(to: Address, amount: bigint, change: Partial<ScriptedTransaction> = {}): ScriptedTransaction {
  return included({ kind: "transfer", owner: party(1), to, amount: sun(amount) }, change);
}

/** A call of a contract, which pays by its call value, its events and whatever it moves. */
export function call(
  contract: Address,
  info: Partial<TransactionInfo>,
  {
    callValue = 0n,
    data = "" as Hex,
    ...change
  }: { callValue?: bigint; data?: Hex } & Partial<ScriptedTransaction> = {},
): ScriptedTransaction {
  const intent: Intent = {
    kind: "contract-call",
    owner: party(1),
    contract,
    data,
    callValue: sun(callValue),
    feeLimit: sun(1_000_000n),
  };
  return included(intent, { info: { receiptResult: "SUCCESS", ...info }, ...change });
}

/** The event of a TRC-20 transfer. */
export function transferEvent(contract: Address, to: Address, amount: bigint): NonNullable<TransactionInfo["logs"]> {
  const topic = (address: Address) => address.slice(2).padStart(64, "0") as Hex;
  const event = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef" as Hex;
  const data = amount.toString(16).padStart(64, "0") as Hex;
  return [{ address: contract, topics: [event, topic(party(1)), topic(to)], data }];
}

/** Coins that a contract moves while it runs. */
export function paidInside(from: Address, to: Address, amount: bigint): readonly InternalTransaction[] {
  return [{ from, to, note: "call", rejected: false, values: [{ amount }] }];
}

/** A window that waits for payments on a chain in memory. Its state is on a disk that outlives it. */
export class IncomingFixture {
  readonly clock = new FakeClock();
  readonly gateway = new FakeGateway();
  /** Lines of the file. */
  readonly disk: string[] = [];
  /** The reason for which nothing can be written now. */
  full: Error | undefined;
  connectionIssue: string | undefined;
  /** Network interface of the computer. */
  connections = "eth0 192.0.2.1";
  /** Identifies the URL and settings of the network. */
  profile = "http://fake.test";
  ledger = new IncomingLedger();
  tracker: TransactionTracker;
  #reader: IncomingReader;
  #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();
  #watches = 0;

  constructor() {
    this.gateway.mineEmpty(20);
    this.gateway.solidify(20 - LAG);
    [this.tracker, this.#reader] = this.#open();
  }

  async start(): Promise<this> {
    await this.tracker.load();
    this.#done = this.tracker.start(this.#stop.signal);
    return this;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  /** The window ends at whatever it is doing, and another one begins with what is on the disk. */
  async restart(): Promise<void> {
    await this.stop();
    this.full = undefined;
    this.#stop = new AbortController();
    this.ledger = new IncomingLedger();
    this.ledger.fold(this.disk.map(entryOf));
    [this.tracker, this.#reader] = this.#open();
    await this.start();
  }

  watch(address: Address, change: Partial<IncomingWatch> = {}): IncomingWatch {
    const { number, id, timestamp } = this.gateway.solid;
    const watch: IncomingWatch = {
      id: (++this.#watches).toString(16).padStart(16, "0"),
      network: NETWORK,
      address,
      token: COINS,
      after: { number, id, timestamp },
      at: this.clock.now(),
      ...change,
    };
    this.write([{ kind: "begun", watch }]);
    this.tracker.reconsider();
    return watch;
  }

  watchEvents(contract: Address, change: Partial<EventWatch> = {}): EventWatch {
    const { number, id, timestamp } = this.gateway.solid;
    const watch: EventWatch = {
      id: (++this.#watches).toString(16).padStart(16, "0"),
      network: NETWORK,
      contract,
      filter: EVERY_EVENT,
      after: { number, id, timestamp },
      at: this.clock.now(),
      ...change,
    };
    this.write([{ kind: "events-begun", watch }]);
    this.tracker.reconsider();
    return watch;
  }

  /** Returns the events of a watch that the chain has. */
  events({ id }: EventWatch): readonly FoundEvent[] {
    const status = this.ledger.eventWatches().find(({ watch }) => watch.id === id);
    if (status === undefined) throw new Error(`The watch ${id} is not in the ledger.`);
    return this.ledger.eventsOf(status).filter(({ withdrawn }) => !withdrawn);
  }

  write(entries: readonly IncomingEntry[]): void {
    if (this.full !== undefined) throw this.full;
    const lines = entries.map(encodeIncoming);
    this.disk.push(...lines);
    this.ledger.fold(lines.map(entryOf));
    this.#reader.changed();
  }

  async block(...transactions: readonly ScriptedTransaction[]): Promise<void> {
    await this.clock.advance(SLOT);
    this.mine(...transactions);
  }

  /** A block of which this window hears nothing yet. */
  mine(...transactions: readonly ScriptedTransaction[]): void {
    this.gateway.mine(transactions);
    this.gateway.solidify(this.gateway.head.number - LAG);
  }

  /** Until everything that was mined is solidified and read. */
  async settle(): Promise<void> {
    for (let mined = 0; mined < LAG; mined++) await this.block();
    for (let waited = 0; waited < 100 && this.#isBehind(); waited++) await this.clock.advance(SLOT);
  }

  standing(watch: IncomingWatch): WatchStatus {
    const standing = this.ledger.get(watch.id);
    if (standing === undefined) throw new Error(`The watch ${watch.id} is not in the ledger.`);
    return standing;
  }

  /** Returns the counted amounts of a watch. */
  amounts(watch: IncomingWatch): readonly bigint[] {
    const all = this.ledger.paymentsOf(this.standing(watch));
    return all.filter(({ withdrawn }) => !withdrawn).map(({ payment }) => payment.amount);
  }

  #isBehind(): boolean {
    const active = this.ledger.all().filter((it) => this.ledger.isActive(it) && it.partedAt === undefined);
    return active.some(({ readTo }) => readTo.id !== this.gateway.solid.id);
  }

  #open(): [TransactionTracker, IncomingReader] {
    const reader = new IncomingReader({
      clock: this.clock,
      isFree: false,
      ledger: () => this.ledger,
      open: () => this.ledger.all().filter(({ stoppedAt }) => stoppedAt === undefined),
      recordEntries: async (entries) => this.write(entries),
      onIssue: (sentence) => {
        this.connectionIssue = sentence;
      },
    });
    const tracker = new TransactionTracker({
      store: new MemoryJournal([]),
      clock: this.clock,
      connections: () => this.connections,
      profileOf: () => this.profile,
      gatewayFor: async () => this.gateway,
      followers: { networks: () => (reader.isWaiting ? [NETWORK] : []), on: () => reader },
    });
    return [tracker, reader];
  }
}

function entryOf(line: string): IncomingEntry {
  const entry = decodeIncoming(line);
  if (entry === undefined) throw new Error(`A line cannot be read again: ${line.slice(0, 200)}`);
  return entry;
}
