import { readdirSync, readFileSync } from "node:fs";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { newContractAccount } from "../../../packages/local-chain/src/chain/account.ts";
import type { Simulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { bytesToHex, type Hex, hexToBytes } from "../../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../packages/tron/src/primitives/json.ts";
import { type SmartContract, SmartContractSchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import { messageFromJson } from "../../../packages/tron/src/transaction/transaction-json.ts";

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

interface RecordedKey {
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

/** A contract that was on the recorded chain before a file begins. */
export interface RecordedContract {
  readonly address: string;
  /** Runtime code, in hex; by default the token-like contract T of the recordings. */
  readonly code?: string;
  readonly consumeUserResourcePercent?: number;
  /** Rows that it had already. */
  readonly storage?: readonly (readonly [slot: bigint, value: bigint])[];
}

const OWNER = "alice";
const ORIGIN_ENERGY_LIMIT = 10_000_000;

/** Puts a contract where it was, as it was, as if it had been there for a long time. */
export function putRecordedContract(simulation: Simulation, contract: RecordedContract): void {
  const address = parseAddress(contract.address);
  const code = hexToBytes(contract.code ?? recordedT().runtimeCode);
  const ledger = simulation.chain.solidState;
  ledger.putContract({ address, definition: definitionOf(contract), code, codeHash: keccakText(code) });
  ledger.put(newContractAccount(address, contract.code === undefined ? "T" : ""));
  for (const [slot, value] of contract.storage ?? []) ledger.putRow(address, slot, value);
}

function definitionOf({ address, code, consumeUserResourcePercent = 100 }: RecordedContract): SmartContract {
  const json: JsonObject = {
    origin_address: loadRecordedKeys()[OWNER]?.hex ?? "",
    contract_address: address,
    abi: code === undefined ? recordedT().abi : {},
    consume_user_resource_percent: consumeUserResourcePercent,
    origin_energy_limit: ORIGIN_ENERGY_LIMIT,
    ...(code === undefined && { name: "T" }),
  };
  return messageFromJson(SmartContractSchema, json, false, "smart_contract") as SmartContract;
}

function keccakText(code: Uint8Array): Hex {
  return bytesToHex(keccak_256(code));
}

/** The contract behind most cases: ABI as a node tells it, code that runs, and what deploys it. */
export function recordedT(): {
  readonly abi: JsonObject;
  readonly runtimeCode: string;
  readonly source: { readonly abi: readonly JsonObject[]; readonly bytecode: string };
} {
  const exchanges = loadExchanges("contracts");
  const info = exchanges.find((it) => it.case === "getcontractinfo")?.responseBody;
  const deploy = exchanges.find((it) => it.case === "deploy-ok")?.requestBody;
  if (!isJsonObject(info) || !isJsonObject(deploy)) throw new TypeError("The recordings have no contract T.");
  const { smart_contract: contract, runtimecode } = info;
  if (!isJsonObject(contract) || !isJsonObject(contract.abi)) throw new TypeError("The recordings have no ABI of T.");
  const abi = parseJson(String(deploy.abi)) as readonly JsonObject[];
  return { abi: contract.abi, runtimeCode: String(runtimecode), source: { abi, bytecode: String(deploy.bytecode) } };
}

/** One JSON object of a recording and where it stands. */
export interface Found {
  /** Such as `broadcast too-big requestBody`. */
  readonly place: string;
  readonly value: JsonObject;
  /** Value of `visible` of the object or the nearest one around it. */
  readonly visible: boolean;
}

/** Lists of requests and answers that have marks in place of addresses and other parts, so their transactions are no bytes. */
const MARKED: ReadonlySet<string> = new Set(["json-rpc.jsonl", "json-rpc-4.8.2.jsonl", "http-4.8.2.jsonl"]);

function exchangeFiles(): readonly string[] {
  return readdirSync(folder).filter((it) => it.endsWith(".jsonl") && !MARKED.has(it));
}

/** Returns the number of matches in the raw text of all recordings, independent of any parser. */
export function countInText(pattern: RegExp): number {
  return exchangeFiles()
    .map((file) => readFileSync(new URL(file, folder), "utf8").match(pattern)?.length ?? 0)
    .reduce((total, it) => total + it, 0);
}

/** Every object at any depth for which `predicate` holds, also in texts that are JSON themselves. */
export function findInRecordings(predicate: (value: JsonObject) => boolean): readonly Found[] {
  return exchangeFiles().flatMap((file) => {
    const name = file.replace(/\.jsonl$/, "");
    return loadLines(name).flatMap((line) =>
      find(line, { place: `${name} ${line.case ?? ""}`, visible: false }, predicate),
    );
  });
}

function find(value: Json | undefined, at: Omit<Found, "value">, predicate: (value: JsonObject) => boolean): Found[] {
  if (typeof value === "string") return find(parsed(value), at, predicate);
  if (Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((it, index) =>
      find(it, { ...at, place: `${at.place}[${index}]` }, predicate),
    );
  }
  if (!isJsonObject(value)) return [];
  const visible = visibleOf(value.requestBody) ?? visibleOf(value) ?? at.visible;
  const inside = Object.entries(value).flatMap(([name, it]) =>
    find(it, { place: `${at.place} ${name}`, visible }, predicate),
  );
  return predicate(value) ? [{ place: at.place, value, visible }, ...inside] : inside;
}

function visibleOf(value: Json | undefined): boolean | undefined {
  if (!isJsonObject(value) || value.visible === undefined) return undefined;
  return value.visible === true || value.visible === "true";
}

/** The recordings hold broken JSON on purpose: that is no object. */
function parsed(text: string): Json {
  if (!text.startsWith("{")) return null;
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
