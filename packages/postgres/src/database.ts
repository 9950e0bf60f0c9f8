import { setTimeout as wait } from "node:timers/promises";
import { ChainError } from "@finality/tron/errors";
import pg from "pg";

/** Runs one statement. Named statements are parsed once for each connection. */
export type Query = <R extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]) => Promise<readonly R[]>;

export interface DatabaseOptions {
  /** Maximum number of connections for statements. */
  readonly connections?: number;
  /** Maximum time for which a statement that can be repeated is repeated; ms. */
  readonly patienceMs?: number;
}

/** A server that no longer hears a worker ends its transaction and locks after about this time; s. */
const SILENCE_S = 15;
const RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;

/**
 * SQLSTATEs of failures that pass: lost connections, serialization, deadlocks, lock and statement time-outs, too many
 * connections, a server that starts or ends, and a standby that is being promoted.
 */
const PASSING = /^(08|40001|40P01|55P03|57014|53300|57P0[1-5]|25006|25P03)/;

/** Connections to one database. */
export class Database {
  readonly #pool: pg.Pool;
  readonly #config: pg.ClientConfig;
  readonly #patienceMs: number;
  /** URL for messages, without a password. */
  readonly shown: string;
  readonly #closing = new AbortController();
  /** Number of statements whose acknowledgement was lost, so that they were sent again. */
  repeated = 0;

  constructor(config: pg.ClientConfig, shown: string, options: DatabaseOptions = {}) {
    const { connections = 6, patienceMs = 30_000 } = options;
    this.shown = shown;
    this.#patienceMs = patienceMs;
    this.#config = {
      ...config,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: 45_000,
      statement_timeout: 40_000,
      lock_timeout: 30_000,
      idle_in_transaction_session_timeout: SILENCE_S * 1_000,
      // The server ends the transaction of a worker whose computer is gone.
      options: `-c tcp_keepalives_idle=${SILENCE_S / 3} -c tcp_keepalives_interval=${SILENCE_S / 3} -c tcp_keepalives_count=2`,
    };
    const onConnect = async (client: pg.ClientBase): Promise<void> => void (await client.query(DURABLE));
    this.#pool = new pg.Pool({ ...this.#config, max: connections, idleTimeoutMillis: 30_000, onConnect });
    // A connection that ends is replaced by the next statement.
    this.#pool.on("error", () => undefined);
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
  }

  /**
   * Runs one statement, in a transaction of its own, until it succeeds. It may run several times, because a lost
   * acknowledgement says nothing: it has to be idempotent.
   *
   * @throws {ChainError} `RUN_STORE_UNAVAILABLE`; {pg.DatabaseError} for a refused statement
   */
  query: Query = (sql, values) =>
    this.#patiently((client) => client.query(sql, values === undefined ? [] : [...values]));

  /** Runs statements in one transaction, as often as `query`. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#repeat(async () => {
      const client = await this.#pool.connect();
      try {
        await client.query("BEGIN");
        const result = await work(async (sql, values = []) => (await client.query(sql, [...values])).rows);
        await client.query("COMMIT");
        client.release();
        return result;
      } catch (error) {
        // A connection in an unknown state is closed, which ends its transaction.
        client.release(true);
        throw error;
      }
    });
  }

  /** Opens a connection of its own. The caller ends it. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query(DURABLE);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    return client;
  }

  /** Returns the error for callers: `RUN_STORE_UNAVAILABLE`, also for a server that refuses the user. */
  failureOf(error: unknown): unknown {
    return error instanceof ChainError || error instanceof TypeError ? error : unavailable(this.shown, error);
  }

  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pool.end();
  }

  async #patiently<R extends pg.QueryResultRow>(
    run: (client: pg.PoolClient) => Promise<pg.QueryResult<R>>,
  ): Promise<readonly R[]> {
    return await this.#repeat(async () => {
      const client = await this.#pool.connect();
      try {
        const { rows } = await run(client);
        client.release();
        return rows;
      } catch (error) {
        client.release(!(error instanceof pg.DatabaseError) || isPassing(error));
        throw error;
      }
    });
  }

  async #repeat<T>(run: () => Promise<T>): Promise<T> {
    const end = performance.now() + this.#patienceMs;
    for (let pause = RETRY_MS; ; pause = Math.min(2 * pause, LONGEST_RETRY_MS)) {
      try {
        return await run();
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (performance.now() + pause > end || this.signal.aborted) throw unavailable(this.shown, error);
        this.repeated++;
        await wait(pause, undefined, { signal: this.signal }).catch(() => undefined);
      }
    }
  }
}

/** A commit counts only once it is on disk; a stricter setting of the server stays. */
const DURABLE =
  "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')";

/** Returns true for a failure after which the same statement may succeed. Errors without SQLSTATE are lost connections. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ChainError || error instanceof TypeError) return false;
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  return code === undefined || PASSING.test(code);
}

function unavailable(store: string, cause: unknown): ChainError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ChainError("RUN_STORE_UNAVAILABLE", { store, reason }, { cause });
}
