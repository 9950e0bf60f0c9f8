import { setTimeout as wait } from "node:timers/promises";
import type { Leadership } from "@finality/client/runs";
import type pg from "pg";
import type { Database } from "./database.ts";

/** Pause between two checks of the connection that holds the lead; ms. */
const CHECK_MS = 2_000;

/**
 * Takes the advisory lock of a name on a connection of its own. The lead is lost with this connection: the server then
 * gives the lock to another worker.
 *
 * @returns undefined while another worker leads
 */
export async function leadAlone(database: Database, name: string): Promise<Leadership | undefined> {
  const connection = await database.connect();
  const lost = new AbortController();
  connection.once("end", () => lost.abort());
  connection.once("error", () => lost.abort());
  const isLeading = await tryLock(connection, name).catch(() => false);
  if (!isLeading) {
    await connection.end().catch(() => undefined);
    return undefined;
  }
  void checkConnection(connection, lost);
  return {
    lost: lost.signal,
    release: async () => {
      lost.abort();
      await connection.end().catch(() => undefined);
    },
  };
}

async function tryLock(connection: pg.Client, name: string): Promise<boolean> {
  const { rows } = await connection.query<{ isLeading: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS "isLeading"`,
    [`finality lead ${name}`],
  );
  return rows[0]?.isLeading === true;
}

/** Notices a server that no longer answers, although the connection looks open. */
async function checkConnection(connection: pg.Client, lost: AbortController): Promise<void> {
  while (!lost.signal.aborted) {
    await wait(CHECK_MS, undefined, { ref: false, signal: lost.signal }).catch(() => undefined);
    if (lost.signal.aborted) return;
    const answer = connection.query("SELECT 1").then(
      () => true,
      () => false,
    );
    const late = wait(2 * CHECK_MS, false, { ref: false });
    if (await Promise.race([answer, late])) continue;
    lost.abort();
    void connection.end().catch(() => undefined);
  }
}
