import type { Database } from "./database.ts";

/** Event for a webhook. The same id is stored once, also if several workers report it. */
export interface OutboxEvent {
  readonly id: string;
  /** JSON text of the request. */
  readonly body: string;
}

/** Event that is due, with the number of failed deliveries. */
export interface DueEvent extends OutboxEvent {
  readonly tries: number;
}

const FIRST_PAUSE_S = 2;
const LONGEST_PAUSE_S = 3_600;

/** Events for webhooks, in the database until they are delivered. */
export class Outbox {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores events, unless they are stored already. */
  async add(events: readonly OutboxEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.#database.query(
      `INSERT INTO finality.outbox (id, body)
       SELECT e.id, e.body FROM jsonb_to_recordset($1::jsonb) AS e(id text, body text) ON CONFLICT (id) DO NOTHING`,
      [JSON.stringify(events)],
    );
  }

  /** Returns events whose next try is due, oldest first. */
  async due(limit: number): Promise<readonly DueEvent[]> {
    return await this.#database.query<{ id: string; body: string; tries: number }>(
      `SELECT id, body, tries FROM finality.outbox
       WHERE delivered_at IS NULL AND next_try <= clock_timestamp() ORDER BY next_try, id LIMIT $1`,
      [limit],
    );
  }

  async delivered(id: string): Promise<void> {
    await this.#database.query(
      "UPDATE finality.outbox SET delivered_at = clock_timestamp(), last_error = NULL WHERE id = $1",
      [id],
    );
  }

  /** Tries the event again later: after 2 s, then twice as long each time, up to an hour. */
  async failed(id: string, reason: string): Promise<void> {
    await this.#database.query(
      `UPDATE finality.outbox SET tries = tries + 1, last_error = $2,
         next_try = clock_timestamp() + least(${FIRST_PAUSE_S} * 2 ^ least(tries, 20), ${LONGEST_PAUSE_S}) * interval '1 second'
       WHERE id = $1`,
      [id, reason.slice(0, 500)],
    );
  }

  /** Returns the number of events that are not delivered, and of those that failed at least once. */
  async counts(): Promise<{ readonly waiting: number; readonly failing: number }> {
    const [counts] = await this.#database.query<{ waiting: number; failing: number }>(
      `SELECT count(*)::int AS waiting, count(*) FILTER (WHERE tries > 0)::int AS failing
       FROM finality.outbox WHERE delivered_at IS NULL`,
    );
    return counts ?? { waiting: 0, failing: 0 };
  }
}
