import { readFileSync } from "node:fs";
import { type Json, type JsonObject, parseJson, printJson } from "../../../packages/tron/src/primitives/json.ts";

/** One request of a real node's recording, with its answer. */
export interface RecordedExchange {
  /** The file it comes from, without `.jsonl`. */
  readonly file: ExchangeFile;
  readonly case: string;
  readonly note: string;
  readonly method: string;
  readonly path: string;
  /** 8090 is the full node, 8091 the solidity side of it; some receipts were kept without it. */
  readonly port?: number;
  readonly requestHeaders?: { readonly [name: string]: string | number };
  /** An object that was sent as JSON, or the raw text, or null for no body. */
  readonly requestBody: Json;
  readonly status: number;
  readonly responseHeaders?: { readonly [name: string]: string };
  readonly responseBody: Json;
  /** The raw text where it is not simply `responseBody` as JSON. */
  readonly responseText?: string;
  readonly at?: string;
}

export type ExchangeFile =
  | "broadcast"
  | "contracts"
  | "createtransaction"
  | "lookups"
  | "node2-configs"
  | "node2-restart"
  | "pending-vs-block"
  | "receipts"
  | "resources";

export interface RecordedKey {
  readonly pk: string;
  readonly hex: string;
  readonly b58: string;
}

const folder = new URL("../../fixtures/exchanges/", import.meta.url);

const loaded = new Map<string, readonly JsonObject[]>();

/** Every line of a file as lossless JSON, also of those that are no exchanges (timelines, comparisons). */
export function loadLines(name: string): readonly JsonObject[] {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(`${name}.jsonl`, folder), "utf8");
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parseJson(line) as JsonObject);
  loaded.set(name, lines);
  return lines;
}

/** The exchanges of a file in the order of the recording; lines without a request are left out. */
export function loadExchanges(file: ExchangeFile): readonly RecordedExchange[] {
  return loadLines(file)
    .filter((line) => typeof line.method === "string")
    .map((line) => ({ ...(line as unknown as RecordedExchange), file }));
}

/** The accounts of the recorded chain by name. */
export function loadRecordedKeys(): { readonly [name: string]: RecordedKey } {
  return JSON.parse(readFileSync(new URL("keys.json", folder), "utf8")) as { [name: string]: RecordedKey };
}

/** The body as it went over the wire, or undefined for none. */
export function requestText(exchange: RecordedExchange): string | undefined {
  const body = exchange.requestBody;
  if (body === null) return undefined;
  return typeof body === "string" ? body : printJson(body);
}
