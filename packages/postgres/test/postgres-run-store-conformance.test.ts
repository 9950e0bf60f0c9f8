import pg from "pg";
import { DATABASE_PASSWORD, type PostgresServer, startPostgres } from "../../../test/support/postgres/server.ts";
import { describeRunStore } from "../../../test/support/runs/store-conformance.ts";
import { PostgresRunStore } from "../src/postgres-run-store.ts";
import { parseStoreUrl } from "../src/store-url.ts";

let server: PostgresServer | undefined;

describe("PostgreSQL", () => {
  before(async function () {
    this.timeout(60_000);
    server = await startPostgres({ fsync: false });
  });

  after(() => server?.stop());

  describeRunStore("PostgresRunStore", async () => {
    const settings = parseStoreUrl(server?.createDatabase() ?? "", {}, DATABASE_PASSWORD);
    if (settings.kind === "refused") throw new Error(settings.reason);
    const opened: PostgresRunStore[] = [];
    return {
      open: async () => {
        const store = await PostgresRunStore.open(settings);
        opened.push(store);
        await store.journal.load();
        return store;
      },
      endLeases: async () => {
        const client = new pg.Client(settings.config);
        await client.connect();
        await client.query("UPDATE finality.claims SET lease_until = clock_timestamp() - interval '1 second'");
        await client.end();
      },
      close: async () => {
        for (const store of opened) await store.close();
      },
    };
  });
});
