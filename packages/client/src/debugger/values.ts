export type { DebugFrame, DebugScope, DebugValue, ElementKey, RawValue, ReadStorage } from "./values/debug-value.ts";
export { prepareValues, scopesAt } from "./values/scopes.ts";
