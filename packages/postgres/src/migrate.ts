import { ChainError } from "@finality/tron/errors";
import type { Database, Query } from "./database.ts";
import { LOCK_SPACE, MIGRATION_LOCK, type Migration, migrations } from "./schema.ts";

/**
 * Applies the missing steps of the schema. Workers that start together wait for each other.
 *
 * @throws {ChainError} `RUN_STORE_UNAVAILABLE` also if a newer version changed the schema so that this one must not use it
 */
export async function migrate(database: Database, steps: readonly Migration[] = migrations): Promise<void> {
  await database.transaction(async (query) => {
    await query(`SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${MIGRATION_LOCK})`);
    const applied = await appliedSteps(query);
    const needs = Math.max(0, ...applied.map((it) => it.needs));
    const known = Math.max(...steps.map(({ version }) => version));
    if (needs > known) {
      const reason = `it needs schema version ${needs}, and this program knows version ${known}; update this program`;
      throw new ChainError("RUN_STORE_UNAVAILABLE", { store: database.shown, reason });
    }
    for (const { version, needs: least, sql } of steps) {
      if (applied.some((it) => it.version === version)) continue;
      await query(sql);
      await query("INSERT INTO finality.versions (version, needs) VALUES ($1, $2)", [version, least]);
    }
  });
}

async function appliedSteps(query: Query): Promise<readonly { version: number; needs: number }[]> {
  await query("CREATE SCHEMA IF NOT EXISTS finality");
  await query(
    `CREATE TABLE IF NOT EXISTS finality.versions (
      version integer PRIMARY KEY,
      needs integer NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`,
  );
  return await query<{ version: number; needs: number }>("SELECT version, needs FROM finality.versions");
}
