export type { OutboxEvent } from "./outbox.ts";
export { type ClaimScope, PostgresRunStore, type PostgresStoreOptions } from "./postgres-run-store.ts";
export { parseStoreUrl, type StoreEnvironment, type StoreSettings } from "./store-url.ts";
