import { isJsonObject, type Json, type JsonObject } from "../../../packages/tron/src/primitives/json.ts";

/** Fields that differ between any two chains, and fields of times and amounts of use. */
const VOLATILE = new Set([
  "txID",
  "txid",
  "id",
  "blockID",
  "raw_data_hex",
  "signature",
  "approved_list_order",
  "ref_block_bytes",
  "ref_block_hash",
  "expiration",
  "timestamp",
  "blockNumber",
  "blockTimeStamp",
  "number",
  "txTrieRoot",
  "parentHash",
  "witness_address",
  "witness_signature",
  "servlet",
  "balance",
  "create_time",
  "latest_opration_time",
  "latest_consume_free_time",
  "latest_consume_time",
  "net_window_size",
  "energy_window_size",
  "freeNetUsed",
  "free_net_usage",
  "operations",
  "burnTrxAmount",
  "block",
  "solidityBlock",
  "beginSyncNum",
  "machineInfo",
]);
/** Lists whose length depends on how far a chain is. */
const OPEN_LISTS = new Set(["block"]);

/**
 * Returns the differences of an answer from a recorded one, apart from the status. Stable texts and numbers are
 * compared exactly; ids are compared through the translation.
 */
export function differences(
  recorded: Json | undefined,
  actual: Json | undefined,
  idHere: (recorded: string) => string | undefined,
  path = "",
): readonly string[] {
  const key = path.slice(path.lastIndexOf(".") + 1).replace(/\[\d+\]$/, "");
  if (Array.isArray(recorded) && Array.isArray(actual)) return listDifferences(recorded, actual, idHere, path);
  if (isJsonObject(recorded) && isJsonObject(actual)) return objectDifferences(recorded, actual, idHere, path);
  if (kindOf(recorded) !== kindOf(actual)) return [`${path}: ${show(recorded)} became ${show(actual)}`];
  if (typeof recorded === "string" && typeof actual === "string")
    return textDifferences(key, path, [recorded, actual], idHere);
  if (VOLATILE.has(key) || recorded === actual) return [];
  return [`${path}: ${show(recorded)} became ${show(actual)}`];
}

type Ids = (recorded: string) => string | undefined;

function listDifferences(
  recorded: readonly Json[],
  actual: readonly Json[],
  ids: Ids,
  path: string,
): readonly string[] {
  if (path.endsWith(".txId")) return setDifferences(recorded, actual, ids, path);
  const open = OPEN_LISTS.has(path.slice(path.lastIndexOf(".") + 1));
  const lengths = open ? [recorded.length > 0, actual.length > 0] : [recorded.length, actual.length];
  if (lengths[0] !== lengths[1]) return [`${path}: ${recorded.length} items became ${actual.length}`];
  const known = recorded.slice(0, actual.length);
  return known.flatMap((it, index) => differences(it, actual[index], ids, `${path}[${index}]`));
}

/** The node's pool tells its ids in no order. */
function setDifferences(recorded: readonly Json[], actual: readonly Json[], ids: Ids, path: string): readonly string[] {
  const [left, right] = [recorded.map((it) => ids(String(it)) ?? "unknown"), actual.map(String)].map((it) => it.sort());
  return String(left) === String(right) ? [] : [`${path}: other transactions`];
}

function objectDifferences(recorded: JsonObject, actual: JsonObject, ids: Ids, path: string): readonly string[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(actual)])];
  return names.flatMap((name) => {
    const at = `${path}.${name}`;
    if (!(name in actual)) return [`${at} is missing`];
    if (!(name in recorded)) return [`${at} is too much`];
    return differences(recorded[name], actual[name], ids, at);
  });
}

function textDifferences(key: string, path: string, [recorded, actual]: [string, string], ids: Ids): readonly string[] {
  const here = ids(recorded);
  if (here !== undefined) return here === actual ? [] : [`${path}: not the id of the same transaction`];
  if (VOLATILE.has(key)) return [];
  const [left, right] = [normalised(key, recorded, ids), normalised(key, actual, () => undefined)];
  return left === right ? [] : [`${path}: ${show(left)} became ${show(right)}`];
}

const NULL_POINTER = "class java.lang.NullPointerException";

/** Messages in plain text, without what a JVM adds, and without signatures, ids and addresses of no known key. */
function normalised(key: string, text: string, ids: Ids): string {
  if (key === "Error" && text.startsWith(NULL_POINTER)) return NULL_POINTER;
  if (key !== "message" && key !== "Error") return text;
  return decoded(text)
    .replaceAll(/\b[0-9a-f]{130}\b/g, "<signature>")
    .replaceAll(/\b[0-9a-f]{64}\b/g, (id) => ids(id) ?? id)
    .replaceAll(/(<signature> is signed by) T\w{33}/g, "$1 <address>");
}

function decoded(text: string): string {
  return /^(?:[0-9a-f]{2})+$/.test(text) ? Buffer.from(text, "hex").toString("utf8") : text;
}

function kindOf(value: Json | undefined): string {
  if (typeof value === "bigint") return "number";
  return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
}

function show(value: Json | undefined): string {
  const text =
    typeof value === "bigint"
      ? value.toString()
      : JSON.stringify(value, (_k, it: unknown) => (typeof it === "bigint" ? String(it) : it));
  return text === undefined ? "nothing" : text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
