import pg from "pg";
import type { Leadership, RunStore } from "../../../packages/client/src/runs/run-store.ts";
import type { JournalEntry } from "../../../packages/client/src/transaction-state/journal-entry.ts";
import { Database } from "../../../packages/postgres/src/database.ts";
import { PostgresRunStore } from "../../../packages/postgres/src/postgres-run-store.ts";
import { parseStoreUrl } from "../../../packages/postgres/src/store-url.ts";
import { FakeClock, settled } from "../fakes/fake-clock.ts";
import type { PaymentRow } from "../runs/checker.ts";
import type { SimulatedStore } from "../runs/simulated-store.ts";
import { type CutProxy, openCutProxy } from "./cut-proxy.ts";
import { DATABASE_PASSWORD, type PostgresServer, startPostgres } from "./server.ts";

/** Sleeps end together at multiples of this time, so that many rows share a transaction, as in real time; ms. */
const TICK_MS = 100;

/** Simulated time that stands still while the database works. */
class DatabaseClock extends FakeClock {
  readonly #pending = new Set<Promise<unknown>>();

  constructor() {
    super();
    const ticks = new Map<number, Promise<void>>();
    const { sleep } = this;
    this.sleep = (ms, signal) => {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const now = this.now();
      const at = Math.ceil((now + ms) / TICK_MS) * TICK_MS;
      const tick = ticks.get(at) ?? sleep(at - now).finally(() => ticks.delete(at));
      ticks.set(at, tick);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = (): void => reject(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      void tick.then(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      return promise;
    };
  }

  override async during<T>(work: Promise<T>): Promise<T> {
    const done = work.catch(() => undefined).finally(() => this.#pending.delete(done));
    this.#pending.add(done);
    return await work;
  }

  override async settle(): Promise<void> {
    for (await settled(); this.#pending.size > 0; await settled()) await Promise.race(this.#pending);
  }
}

/** Functions of this schema hide those of the server, so that leases go by the simulated time. */
const SIMULATED_TIME = `
  CREATE SCHEMA simulated;
  CREATE TABLE simulated.clock (at timestamptz NOT NULL);
  INSERT INTO simulated.clock VALUES (to_timestamp(0));
  CREATE FUNCTION simulated.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
    AS 'SELECT at FROM simulated.clock';`;

/** The store of the product on a real PostgreSQL, in simulated time, behind a proxy that loses acknowledgements. */
export class SimulatedPostgres implements SimulatedStore {
  readonly clock = new DatabaseClock();
  readonly store: PostgresRunStore;
  /** Number of crashes of the server between a commit and its acknowledgement. */
  crashes = 0;
  readonly #server: PostgresServer;
  readonly #proxy: CutProxy;
  readonly #database: Database;
  readonly #settings: { readonly config: pg.ClientConfig; readonly shown: string };
  readonly #workers = new Set<PostgresRunStore>();
  readonly #leads = new Set<Leadership>();

  private constructor(
    server: PostgresServer,
    proxy: CutProxy,
    settings: { readonly config: pg.ClientConfig; readonly shown: string },
    store: PostgresRunStore,
  ) {
    this.#server = server;
    this.#proxy = proxy;
    this.#settings = settings;
    this.#database = new Database(settings.config, settings.shown, { connections: 1 });
    this.store = this.#waitFor(store, () => store);
  }

  static async start(): Promise<SimulatedPostgres> {
    const server = await startPostgres({ fsync: false });
    const proxy = await openCutProxy(server.port);
    const url = server.createDatabase();
    const settings = parseStoreUrl(url.replace(`:${server.port}`, `:${proxy.port}`), {}, DATABASE_PASSWORD);
    if (settings.kind === "refused") throw new Error(settings.reason);
    const client = new pg.Client(settings.config);
    await client.connect();
    await client.query(SIMULATED_TIME);
    await client.query(`ALTER DATABASE ${client.database} SET search_path = simulated, pg_catalog, public`);
    await client.end();
    return new SimulatedPostgres(server, proxy, settings, await PostgresRunStore.open(settings));
  }

  async connect(): Promise<RunStore> {
    const inner = await this.clock.during(PostgresRunStore.open(this.#settings));
    this.#workers.add(inner);
    return this.#waitFor(inner, () => this.#workers.delete(inner));
  }

  loseLead(): void {
    for (const lead of this.#leads) void this.clock.during(lead.release());
    this.#leads.clear();
  }

  async expireLeases(): Promise<void> {
    await this.#query("UPDATE finality.claims SET lease_until = NULL WHERE lease_until IS NOT NULL");
  }

  async pass(happens: (fault: string, oneOf: number) => boolean): Promise<void> {
    await this.#query("UPDATE simulated.clock SET at = to_timestamp($1::float8 / 1000)", [this.clock.now()]);
    if (happens("acknowledgement lost by the network", 3)) this.#proxy.cutWrites(1);
    if (happens("crash of the database after a commit", 20)) this.#crashAfterCommit();
    // Notifications take real time.
    await this.clock.during(
      Promise.all([...this.#workers].map(({ journal }) => journal.catchUp().catch(() => undefined))),
    );
  }

  async payments(): Promise<readonly PaymentRow[]> {
    const rows = await this.#query<Omit<PaymentRow, "to" | "amount"> & { readonly intent: string }>(
      `SELECT r.run, r."row", r.key, r.owner, r.intent,
         ARRAY(SELECT a.tx_id FROM finality.attempts AS a WHERE a.run = r.run AND a."row" = r."row" ORDER BY a.number) AS attempts
       FROM finality.rows AS r ORDER BY r.run, r."row"`,
    );
    return rows.map(({ intent, ...row }) => {
      const { to, amount } = JSON.parse(intent) as { readonly to: string; readonly amount: string };
      return { ...row, to, amount: BigInt(amount) };
    });
  }

  async entries(): Promise<readonly JournalEntry[]> {
    return (await this.store.journal.load()).entries;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((it) => it.close()));
    await this.store.close();
    await this.#database.close();
    await this.#proxy.close();
    this.#server.stop();
  }

  /** Ends the server at once, after it received the next commit and before its acknowledgement. */
  #crashAfterCommit(): void {
    this.#proxy.onCut = () => {
      this.#proxy.onCut = () => undefined;
      this.crashes++;
      this.#server.crash();
    };
    this.#proxy.cutWrites(1);
  }

  #query<R extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<readonly R[]> {
    return this.clock.during(this.#database.query<R>(sql, values));
  }

  /** Returns a store whose promises stop the clock until they settle. */
  #waitFor(store: PostgresRunStore, onClose: () => void): PostgresRunStore {
    const { clock } = this;
    const wait = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (object, name) => {
          const value: unknown = Reflect.get(object, name, object);
          if (name === "journal") return journal;
          if (typeof value !== "function") return value;
          return (...args: unknown[]) => {
            const result: unknown = value.apply(object, args);
            if (name === "close") onClose();
            if (!(result instanceof Promise)) return result;
            return clock.during(
              name === "lead" ? result.then((it: Leadership | undefined) => this.#noteLead(it)) : result,
            );
          };
        },
      });
    const journal = wait(store.journal);
    return wait(store);
  }

  #noteLead(lead: Leadership | undefined): Leadership | undefined {
    if (lead !== undefined) this.#leads.add(lead);
    return lead;
  }
}
