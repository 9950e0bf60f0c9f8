import type { Simulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { BLOCK_INTERVAL_MS } from "../../../packages/tron/src/primitives/block.ts";
import { isJsonObject, type Json, type JsonObject, printJson } from "../../../packages/tron/src/primitives/json.ts";
import { answer } from "../fakes/chain-answer.ts";
import { parseAnswer, type Translation } from "./chain-replay.ts";
import type { RecordedExchange } from "./exchanges.ts";

export function timeOf(exchange: RecordedExchange | undefined): number {
  return Date.parse(exchange?.at ?? "");
}

/** A block is there as soon as its time has come. */
export function mineUntil({ chain }: Simulation, now: number): void {
  while (chain.head.header.timestamp + BLOCK_INTERVAL_MS <= now) chain.produceBlock();
}

/** Sends a recorded request, and tells in what the answer differs from the recorded one. */
export async function answerDifferences(
  simulation: Simulation,
  translation: Translation,
  exchange: RecordedExchange,
  body: string | undefined,
): Promise<readonly string[]> {
  const [path = ""] = exchange.path.split("?");
  const input = await answer(toRequest(exchange, body), path, simulation);
  if (input.kind !== "answer") return [`there is no answer, but a ${input.kind}`];
  const { response } = input;
  const text = await response.text();
  const actual = parseAnswer(text);
  return [
    ...(response.status === exchange.status ? [] : [`status ${exchange.status} became ${response.status}`]),
    ...typeDifferences(exchange, response),
    ...styleDifferences(exchange, text),
    ...differences(unfolded(recorded(exchange)), unfolded(actual), (id) => translation.idHere(id)),
  ];
}

/** Some receipts were kept without their headers. */
function typeDifferences({ responseHeaders }: RecordedExchange, response: Response): string[] {
  const [recordedType, actual] = [responseHeaders?.["content-type"] ?? null, response.headers.get("content-type")];
  return responseHeaders === undefined || actual === recordedType ? [] : [`type ${recordedType} became ${actual}`];
}

function toRequest({ method, path, requestHeaders = {} }: RecordedExchange, body: string | undefined): Request {
  const headers = new Headers();
  for (const name of ["accept", "content-type"]) {
    const value = requestHeaders[name];
    if (value !== undefined) headers.set(name, String(value));
  }
  const bytes = body === undefined || method === "GET" || method === "HEAD" ? undefined : Buffer.from(body);
  return new Request(`http://127.0.0.1${path}`, { method, headers, ...(bytes && { body: new Uint8Array(bytes) }) });
}

/** The node prints messages with a blank after each colon, everything else without, and ends with a line feed. */
function styleDifferences({ responseText, responseBody, responseHeaders }: RecordedExchange, text: string): string[] {
  const before = responseText ?? (typeof responseBody === "string" ? responseBody : printJson(responseBody));
  const spaced = (it: string): boolean => /^[[{]+"\w+": /.test(it);
  const lineFeed =
    before.endsWith("\n") || Number(responseHeaders?.["content-length"]) === Buffer.byteLength(before) + 1;
  return [
    ...(spaced(before) === spaced(text) ? [] : ["the blank after the colon"]),
    ...(responseHeaders === undefined || lineFeed === text.endsWith("\n") ? [] : ["the line feed at the end"]),
  ];
}

function recorded({ responseText, responseBody }: RecordedExchange): Json {
  return responseText === undefined ? responseBody : parseAnswer(responseText);
}

/**
 * broadcasthex has JSON inside a text; error pages name an object in memory; a genesis block gives what its chain began
 * with.
 */
function unfolded(json: Json): Json {
  if (typeof json === "string") return json.replaceAll(/\$Default404Servlet-[0-9a-f]+/g, "");
  if (!isJsonObject(json)) return json;
  if (typeof json.transaction === "string") return { ...json, transaction: parseAnswer(json.transaction) };
  return isGenesis(json) ? { ...json, transactions: firstShape(json.transactions) } : json;
}

function isGenesis({ block_header: header }: JsonObject): boolean {
  return isJsonObject(header) && isJsonObject(header.raw_data) && header.raw_data.number === undefined;
}

function firstShape(list: Json | undefined): Json {
  return Array.isArray(list) ? shapeOf(list[0] ?? null) : "no list";
}

function shapeOf(json: Json): Json {
  if (Array.isArray(json)) return json.map((it: Json) => shapeOf(it));
  if (!isJsonObject(json)) return typeof json === "bigint" ? "number" : typeof json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, shapeOf(value ?? null)]));
}

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
function differences(
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
