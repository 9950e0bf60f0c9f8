import { providers, TronWeb } from "tronweb";
import { type Address, parseAddress, toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import type { FakeGateway } from "../fakes/fake-gateway.ts";

/** An event as the event server returns it, with the fields that a watcher uses. */
interface EventRow {
  readonly block_number: number;
  readonly block_timestamp: number;
  readonly transaction_id: string;
  readonly event_index: number;
  readonly event_name: string;
  readonly contract_address: string;
  readonly _unconfirmed?: true;
}

/** Limits of the service for a page without and with `limit`. */
const PAGE = { usual: 20, most: 200 };

/**
 * The endpoint `GET /v1/contracts/ADDRESS/events` over a chain in memory: newest first, pages of 20, unconfirmed events
 * included, as the hosted service and the embedded chain answer it.
 */
export class EventServer extends providers.HttpProvider {
  readonly #gateway: FakeGateway;
  readonly #nameOf: (topic: string) => string;
  /** True if it does not answer. */
  isDown = false;
  requests = 0;

  constructor(gateway: FakeGateway, nameOf: (topic: string) => string) {
    super("http://events.test");
    this.#gateway = gateway;
    this.#nameOf = nameOf;
  }

  override async request<T>(path: string): Promise<T> {
    this.requests++;
    if (this.isDown) throw new Error("connect ECONNREFUSED");
    const url = new URL(path, "http://events.test/");
    const [, contract = ""] = /^\/v1\/contracts\/(\w+)\/events$/.exec(url.pathname) ?? [];
    const query = (name: string) => url.searchParams.get(name);
    const limit = Math.min(Number(query("limit") ?? PAGE.usual), PAGE.most);
    const from = Number(query("min_block_timestamp") ?? 0);
    const [rows, address]: [EventRow[], Address] = [[], parseAddress(contract)];
    for (let height = this.#gateway.head.number; height > 0 && rows.length < limit; height--) {
      if (query("only_confirmed") === "true" && height > this.#gateway.solid.number) continue;
      if ((this.#gateway.chainBlocks[height]?.timestamp ?? 0) < from) break;
      const named = this.#eventsAt(height, address, contract);
      rows.push(...named.filter((it) => [null, it.event_name].includes(query("event_name"))).reverse());
    }
    return { success: true, data: rows.slice(0, limit), meta: { page_size: Math.min(limit, rows.length) } } as T;
  }

  #eventsAt(height: number, contract: Address, base58: string): readonly EventRow[] {
    const { transactions, timestamp } = this.#gateway.chainBlocks[height] ?? { transactions: [], timestamp: 0 };
    return transactions.flatMap(({ txId }) =>
      (this.#gateway.scriptOf(txId).info?.logs ?? []).flatMap((log, index) =>
        log.address !== contract
          ? []
          : [
              {
                block_number: height,
                block_timestamp: timestamp,
                transaction_id: txId,
                event_index: index,
                event_name: this.#nameOf(log.topics[0] ?? ""),
                contract_address: base58,
                ...(height > this.#gateway.solid.number ? { _unconfirmed: true as const } : {}),
              },
            ],
      ),
    );
  }
}

/**
 * The loop of `contract.Event().watch()` of TronWeb 5.3 on the client of TronWeb 6, which has no such method any more.
 * It requests the newest page every three seconds and discards the first one. It reports events in later blocks than
 * the newest event so far.
 */
export class TronWebWatcher {
  readonly #client: TronWeb;
  readonly #contract: string;
  readonly #limit: number | undefined;
  readonly seen = new Map<string, number>();
  #since = 0;
  #lastBlock: number | undefined;

  constructor(server: EventServer, contract: Address, limit?: number) {
    this.#client = new TronWeb({ fullHost: "http://node.test", eventServer: server });
    this.#contract = toBase58(contract);
    this.#limit = limit;
  }

  /** @param now - Unix ms. */
  async start(now: number): Promise<void> {
    this.#since = now - 1_000;
    this.#lastBlock = undefined;
    await this.#newEvents().catch(() => []);
  }

  /** The next call of its timer. An error goes to the callback, and the timer goes on. */
  async poll(): Promise<void> {
    for (const { transaction_id: id, event_index: index } of await this.#newEvents().catch(() => [])) {
      const key = `${id} ${index}`;
      this.seen.set(key, (this.seen.get(key) ?? 0) + 1);
    }
  }

  async #newEvents(): Promise<readonly EventRow[]> {
    const limit = this.#limit === undefined ? {} : { limit: this.#limit };
    const { data } = await this.#client.getEventResult(this.#contract, { minBlockTimestamp: this.#since, ...limit });
    const events = (data as readonly EventRow[]).toSorted((left, right) => right.block_number - left.block_number);
    const last = this.#lastBlock;
    const fresh = events.filter((it) => last === undefined || it.block_number > last);
    this.#lastBlock = events[0]?.block_number ?? last;
    return fresh;
  }
}
