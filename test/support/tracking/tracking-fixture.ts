import type { Gateway } from "../../../packages/client/src/gateway/gateway.ts";
import { GATEWAY_ONLY, type ProofSources } from "../../../packages/client/src/proof/confirm-absence.ts";
import { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
import type { JournalEntry, RecordedOutcome } from "../../../packages/client/src/transaction-state/journal-entry.ts";
import { ChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import { hexToBytes, type TxId, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { FakeGateway, type ScriptedTransaction } from "../fakes/fake-gateway.ts";
import { rawDataFor } from "../random/random-chains.ts";
import { ACCEPTED, answeredEntry, signedEntry, startedEntry } from "./journal-entries.ts";
import { MemoryJournal } from "./memory-journal.ts";

export const SLOT = 3_000;
export const LAG = 4;

/** A chain that mines a block every 3 s of the tracker's clock and solidifies it four blocks later. */
export class TrackingFixture {
  readonly clock = new FakeClock();
  readonly gateway = new FakeGateway();
  readonly journal: MemoryJournal;
  readonly tracker: TransactionTracker;
  readonly states: string[] = [];
  readonly log: string[] = [];
  readonly notes: string[] = [];
  /** Network interface of the computer. */
  connections = "eth0 192.0.2.1";
  /** Identifies the URL and settings of the network. */
  profile = "http://fake.test";
  /** Additional sources of proofs. */
  sources: ProofSources = GATEWAY_ONLY;
  readonly #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(entries: readonly JournalEntry[] = [], gatewayFor?: (network: string) => Promise<FakeGateway>) {
    this.gateway.mineEmpty(20);
    this.gateway.solidify(16);
    this.journal = new MemoryJournal(entries);
    this.tracker = new TransactionTracker({
      store: this.journal,
      clock: this.clock,
      connections: () => this.connections,
      profileOf: () => this.profile,
      log: (message) => this.log.push(message),
      note: (message) => this.notes.push(message),
      sourcesFor: async () => this.sources,
      gatewayFor: gatewayFor ?? (async () => this.gateway),
    });
    this.tracker.onDidChange((txIds) => {
      for (const txId of txIds) this.states.push(this.state(txId));
    });
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

  state = (txId: TxId): string => this.tracker.get(txId)?.state.kind ?? "none";

  /** Records transactions that were accepted a moment ago. */
  async send(...numbers: readonly number[]): Promise<TxId[]> {
    return await this.record(ACCEPTED, ...numbers);
  }

  /** Records transactions that were answered so a moment ago; the node holds those that it accepted. */
  async record(outcome: RecordedOutcome, ...numbers: readonly number[]): Promise<TxId[]> {
    const sent: TxId[] = [];
    for (const number of numbers) {
      const { expiration } = this;
      const rawDataHex = rawDataFor(this.gateway.solid.id, expiration, number);
      const txId = transactionId(hexToBytes(rawDataHex));
      sent.push(txId);
      const at = this.clock.now();
      if (outcome.kind === "accepted") this.gateway.addPending({ txId });
      await this.tracker.record(
        ...[signedEntry(number, { txId, rawDataHex, at, solidHeight: this.gateway.solid.number, expiration })],
        ...[startedEntry(txId, 1, at), answeredEntry(txId, outcome, { at })],
      );
    }
    return sent;
  }

  get expiration(): number {
    return this.gateway.head.timestamp + 60_000;
  }

  async block(...transactions: readonly (TxId | ScriptedTransaction)[]): Promise<void> {
    await this.clock.advance(SLOT);
    this.gateway.mine(transactions);
    this.gateway.solidify(this.gateway.head.number - LAG);
  }

  async blocks(count: number): Promise<void> {
    for (let mined = 0; mined < count; mined++) await this.block();
  }

  requests(name: string): number {
    return this.gateway.requests.filter((it) => it.startsWith(`${name} `) || it === name).length;
  }
}

/** A fixture whose tracker runs. */
export async function trackingFixture(...entries: readonly JournalEntry[]): Promise<TrackingFixture> {
  return new TrackingFixture(entries).start();
}

const OFFLINE = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "x", attempts: 1, reason: "no network" });

const READS = [
  ...(["headBlock", "headBlocks", "headTransaction", "headTransactionInfo", "nodeInfo", "chainId"] as const),
  ...(["solidBlock", "solidBlocks", "solidTransaction", "solidTransactionInfo", "solidTransactionInfos"] as const),
];

/** Every read fails, until the function that this gives is called. */
export function goOffline({ gateway }: { readonly gateway: FakeGateway }, failure: unknown = OFFLINE): () => void {
  const own = READS.map((it) => [it, gateway[it]] as const);
  for (const it of READS) {
    gateway[it] = (async () => {
      gateway.requests.push(it);
      throw failure;
    }) as never;
  }
  return () => Object.assign(gateway, Object.fromEntries(own) as Partial<Gateway>);
}
