/** API for other extensions, which `activate()` returns. `packages/api` publishes the same types. */
export type * from "@finality/api";
