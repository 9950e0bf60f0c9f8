import { isJsonObject, type Json, type JsonObject } from "../primitives/json.ts";

/** Returns the entries of an ABI: a list, JSON text of one, or the form in which chains store it, `{entrys: […]}`. */
export function abiEntries(abi: Json | undefined): Json | undefined {
  const json = typeof abi === "string" ? parsed(abi) : abi;
  const entries = isJsonObject(json) ? json.entrys : json;
  return Array.isArray(entries) ? entries.map((it: Json) => (isJsonObject(it) ? compilerSpelling(it) : it)) : entries;
}

/** Returns an entry as compilers spell it: the chain stores `Function` and `View`, and leaves empty lists out. */
export function compilerSpelling(entry: JsonObject): JsonObject {
  const { type, stateMutability } = entry;
  if (type !== undefined && !isCapital(type)) return entry;
  return {
    inputs: [],
    outputs: [],
    ...entry,
    type: typeof type === "string" ? type.toLowerCase() : "function",
    ...(typeof stateMutability === "string" ? { stateMutability: stateMutability.toLowerCase() } : {}),
  };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isCapital(json: Json): boolean {
  return typeof json === "string" && /^[A-Z]/.test(json);
}
