import type { Simulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { BLOCK_INTERVAL_MS } from "../../../packages/tron/src/primitives/block.ts";
import { isJsonObject, type Json, type JsonObject, printJson } from "../../../packages/tron/src/primitives/json.ts";
import { answer } from "../fakes/chain-answer.ts";
import { parseAnswer, type Translation } from "./chain-replay.ts";
import type { RecordedExchange } from "./exchanges.ts";
import { differences } from "./shape-difference.ts";

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
