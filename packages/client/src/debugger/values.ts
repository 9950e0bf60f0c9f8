export type { DebugFrame, DebugScope, DebugValue, ElementKey, RawValue, ReadStorage } from "./values/debug-value.ts";
export { evaluate } from "./values/evaluate.ts";
export { prepareValues, scopesAt } from "./values/scopes.ts";
