import type { ChainId, NetworkRef } from "@finality/client/gateway";
import {
  type Claim,
  type ClaimOptions,
  type CommitResult,
  isSameRows,
  type Leadership,
  type NewRow,
  type NewRun,
  type RetryReason,
  type RunControl,
  type RunStore,
  type SignedEntry,
  type StoredRow,
  type StoredRun,
  type Worker,
} from "@finality/client/runs";
import { ChainError } from "@finality/tron/errors";
import type { Address, TxId } from "@finality/tron/primitives";
import { address, hashOf, listOf, object, oneOf, text, txId, wholeNumber } from "@finality/tron/read";
import { readIntent } from "@finality/tron/transaction";
import type pg from "pg";
import { Database, type DatabaseOptions, type Query } from "./database.ts";
import { FactQueue } from "./fact-queue.ts";
import { leadAlone } from "./leadership.ts";
import { migrate } from "./migrate.ts";
import { Outbox } from "./outbox.ts";
import { PostgresJournal } from "./postgres-journal.ts";

/** Rows that a worker can execute: those of its network and of the account whose key it has. */
export interface ClaimScope {
  readonly chain: ChainId;
  readonly owner: Address;
}

export interface PostgresStoreOptions extends DatabaseOptions {
  /** Rows that `claim` returns; undefined for all. */
  readonly scope?: ClaimScope;
}

/** Rows of one statement of `create`. */
const ROWS_AT_ONCE = 5_000;

/** Runs in PostgreSQL, which any number of workers share. */
export class PostgresRunStore implements RunStore {
  readonly journal: PostgresJournal;
  readonly outbox: Outbox;
  readonly #database: Database;
  readonly #queue: FactQueue;
  readonly #scope: ClaimScope | undefined;

  private constructor(database: Database, scope: ClaimScope | undefined) {
    this.#database = database;
    this.#queue = new FactQueue(database);
    this.#scope = scope;
    this.journal = new PostgresJournal(database, this.#queue);
    this.outbox = new Outbox(database);
  }

  /**
   * Connects, and creates or extends the schema.
   *
   * @throws {ChainError} `RUN_STORE_UNAVAILABLE`
   */
  static async open(
    { config, shown }: { readonly config: pg.ClientConfig; readonly shown: string },
    { scope, ...options }: PostgresStoreOptions = {},
  ): Promise<PostgresRunStore> {
    const database = new Database(config, shown, options);
    try {
      await migrate(database);
    } catch (error) {
      await database.close();
      throw database.failureOf(error);
    }
    return new PostgresRunStore(database, scope);
  }

  /** Number of statements that were sent again because a connection failed. */
  get repeatedStatements(): number {
    return this.#database.repeated;
  }

  async create(run: NewRun, rows: readonly NewRow[]): Promise<void> {
    await this.#database.transaction((query) => createRun(query, run, rows));
  }

  async runs(): Promise<readonly StoredRun[]> {
    return (await this.#database.query(`${SELECT_RUNS} ORDER BY r.position`)).map(asRun);
  }

  async run(id: string): Promise<StoredRun | undefined> {
    const [row] = await this.#database.query(`${SELECT_RUNS} WHERE r.id = $1`, [id]);
    return row && asRun(row);
  }

  async rows(run: string, query: { from: number; limit: number }): Promise<readonly StoredRow[]> {
    return await rowsOf(this.#database.query, run, query);
  }

  async claim(worker: Worker, { run, limit, leaseMs }: ClaimOptions): Promise<readonly Claim[]> {
    const { chain = null, owner = null } = this.#scope ?? {};
    const rows = await this.#database.query(
      `SELECT ${ROW_FIELDS}, c.run, c.fence::text, ${LEASE_END} AS "leaseUntil"
       FROM finality.claim($1, $2, $3, $4, $5, $6, $7) AS c
       JOIN finality.rows AS r ON r.run = c.run AND r."row" = c."row" ORDER BY c.run, c."row"`,
      [worker.id, worker.version, run ?? null, chain, owner, limit, leaseMs],
    );
    return rows.map(asClaim);
  }

  async extend(claims: readonly Claim[], leaseMs: number): Promise<readonly Claim[]> {
    const held = await this.#updateClaims(claims, `clock_timestamp() + ${Number(leaseMs)} * interval '1 millisecond'`);
    return claims.flatMap((claim) => {
      const leaseUntil = held.get(nameOf(claim));
      return leaseUntil === undefined ? [] : [{ ...claim, leaseUntil }];
    });
  }

  async release(claims: readonly Claim[]): Promise<void> {
    await this.#updateClaims(claims, "NULL");
  }

  async commitAttempt(claim: Claim, entry: SignedEntry): Promise<CommitResult> {
    const { result = "fenced" } = await this.#queue.commit({ claim, entry });
    if (result === "committed") this.journal.reportCommitted(entry);
    return result;
  }

  async permitRetry(run: string, row: number, after: TxId, { kind, message }: RetryReason): Promise<void> {
    await this.#database.query("SELECT finality.permit_retry($1, $2, $3, $4, $5)", [run, row, after, kind, message]);
  }

  async setControl(run: string, control: RunControl): Promise<void> {
    await this.#database.query("UPDATE finality.runs SET control = $2 WHERE id = $1", [run, control]);
  }

  async lead({ network, chain }: NetworkRef): Promise<Leadership | undefined> {
    return await leadAlone(this.#database, chain ?? network);
  }

  /** Returns the running runs that have rows to work on. */
  async runsWithWork(): Promise<readonly string[]> {
    const rows = await this.#database.query<{ run: string }>(
      `SELECT r.id AS run FROM finality.runs AS r WHERE r.control = 'running'
         AND EXISTS (SELECT FROM finality.claims AS c WHERE c.run = r.id AND c.is_open) ORDER BY r.position`,
    );
    return rows.map(({ run }) => run);
  }

  /** Resolves if the database answers. @throws {ChainError} `RUN_STORE_UNAVAILABLE` */
  async ping(): Promise<void> {
    await this.#database.query("SELECT 1");
  }

  async close(): Promise<void> {
    await this.journal.close();
    await this.#database.close();
  }

  /** Returns the end of the lease of each claim that is still held. */
  async #updateClaims(claims: readonly Claim[], until: string): Promise<ReadonlyMap<string, number>> {
    if (claims.length === 0) return new Map();
    const items = claims.map(({ run, row, fence }) => ({ run, row, fence: String(fence) }));
    const rows = await this.#database.query(
      `WITH held AS (
         SELECT c.run, c."row" FROM finality.claims AS c
         JOIN jsonb_to_recordset($1::jsonb) AS i(run text, "row" int, fence bigint)
           ON i.run = c.run AND i."row" = c."row" AND i.fence = c.fence
         ORDER BY c.run, c."row" FOR UPDATE OF c
       )
       UPDATE finality.claims AS c SET lease_until = ${until} FROM held
       WHERE c.run = held.run AND c."row" = held."row"
       RETURNING c.run, c."row", coalesce(${LEASE_END}, 0) AS "leaseUntil"`,
      [JSON.stringify(items)],
    );
    return new Map(rows.map(readLease).map((it) => [nameOf(it), it.leaseUntil]));
  }
}

const nameOf = ({ run, row }: { readonly run: string; readonly row: number }): string => `${run}:${row}`;

const LEASE_END = "(extract(epoch FROM c.lease_until) * 1000)::bigint::float8";

/** Fields of a row `r` with its attempts, and its last attempt if another one is permitted after it. */
const ROW_FIELDS = `r."row", r.key, r.intent, r.label,
  ARRAY(SELECT a.tx_id FROM finality.attempts AS a WHERE a.run = r.run AND a."row" = r."row" ORDER BY a.number) AS attempts,
  (SELECT a.tx_id FROM finality.attempts AS a WHERE a.run = r.run AND a."row" = r."row" AND a.retry IS NOT NULL
    AND NOT EXISTS (SELECT FROM finality.attempts AS b WHERE b.run = a.run AND b."row" = a."row" AND b.number > a.number)
  ) AS "retryAfter"`;

const SELECT_RUNS = `SELECT r.id, r.network, r.chain, r.owner, r.title, r.file_hash AS "fileHash", r.version,
  r.created_at::float8 AS "createdAt", r.control,
  (SELECT count(*)::int FROM finality.rows AS w WHERE w.run = r.id) AS rows,
  (SELECT count(DISTINCT a."row")::int FROM finality.attempts AS a WHERE a.run = r.id) AS attempted
  FROM finality.runs AS r`;

const readRun = object({
  id: text,
  network: text,
  chain: hashOf<ChainId>(),
  owner: address,
  title: text,
  fileHash: text,
  version: wholeNumber,
  createdAt: wholeNumber,
  control: oneOf("running", "paused", "stopping"),
  rows: wholeNumber,
  attempted: wholeNumber,
});

function asRun(value: unknown): StoredRun {
  const { network, chain, ...run } = readRun(value);
  return { ...run, network: { network, chain } };
}

const readRow = object({ row: wholeNumber, key: text, intent: text, attempts: listOf(txId) });
const readLabel = object({}, { label: text, retryAfter: txId });
const readClaim = object({ run: text, fence: text, leaseUntil: wholeNumber });
const readLease = object({ run: text, row: wholeNumber, leaseUntil: wholeNumber });

function asRow(value: pg.QueryResultRow): StoredRow {
  const { intent, ...row } = readRow(value);
  const present = Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
  return { ...row, intent: readIntent(JSON.parse(intent)), ...readLabel(present) };
}

function asClaim(value: pg.QueryResultRow): Claim {
  const { fence, ...claim } = readClaim(value);
  return { ...asRow(value), ...claim, fence: BigInt(fence) };
}

async function rowsOf(
  query: Query,
  run: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<readonly StoredRow[]> {
  const rows = await query(
    `SELECT ${ROW_FIELDS} FROM finality.rows AS r WHERE r.run = $1 AND r."row" >= $2 ORDER BY r."row" LIMIT $3`,
    [run, from, Math.min(limit, MOST_ROWS)],
  );
  return rows.map(asRow);
}

/** `LIMIT` takes 32 bits here, and callers may ask for all. */
const MOST_ROWS = 2_147_483_647;

/** @throws {ChainError} `RUN_DIFFERS`, `RUN_KEY_USED` */
async function createRun(query: Query, run: NewRun, rows: readonly NewRow[]): Promise<void> {
  const { id, network, owner, title, fileHash, version, createdAt } = run;
  const added = await query(
    `INSERT INTO finality.runs (id, network, chain, owner, title, file_hash, version, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING RETURNING id`,
    [id, network.network, network.chain, owner, title, fileHash, version, createdAt],
  );
  if (added.length === 0) return await requireSameRun(query, run, rows);
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE)
    await addRows(query, run, rows.slice(first, first + ROWS_AT_ONCE));
}

async function requireSameRun(query: Query, { id, network, owner }: NewRun, rows: readonly NewRow[]): Promise<void> {
  const [known] = (await query(`${SELECT_RUNS} WHERE r.id = $1`, [id])).map(asRun);
  const isSameOwner = known?.owner === owner && known.network.chain === network.chain;
  if (isSameOwner && isSameRows(await rowsOf(query, id, { from: 0, limit: MOST_ROWS }), rows)) return;
  throw new ChainError("RUN_DIFFERS", { run: id });
}

async function addRows(query: Query, { id, network, owner }: NewRun, rows: readonly NewRow[]): Promise<void> {
  const names = new Set<string>();
  for (const { key } of rows) {
    if (names.has(key)) throw new ChainError("RUN_KEY_USED", { key, run: id });
    names.add(key);
  }
  const items = rows.map(({ row, key, intent, label = null }) => ({ row, key, intent: intentText(intent), label }));
  const added = await query<{ key: string }>(
    `WITH added AS (
       INSERT INTO finality.rows (run, "row", chain, owner, key, intent, label)
       SELECT $1, i."row", $2, $3, i.key, i.intent, i.label
       FROM jsonb_to_recordset($4::jsonb) AS i("row" int, key text, intent text, label text)
       ON CONFLICT ON CONSTRAINT rows_key DO NOTHING RETURNING run, "row", key
     ), claims AS (
       INSERT INTO finality.claims (run, "row") SELECT run, "row" FROM added
     ) SELECT key FROM added`,
    [id, network.chain, owner, JSON.stringify(items)],
  );
  if (added.length === rows.length) return;
  const stored = new Set(added.map(({ key }) => key));
  const key = rows.find((it) => !stored.has(it.key))?.key ?? "";
  const [other] = await query<{ run: string }>(
    "SELECT run FROM finality.rows WHERE chain = $1 AND owner = $2 AND key = $3",
    [network.chain, owner, key],
  );
  throw new ChainError("RUN_KEY_USED", { key, run: other?.run ?? id });
}

function intentText(intent: NewRow["intent"]): string {
  return JSON.stringify(intent, (_name, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
}
