import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { NodeVersion } from "../../../packages/local-chain/src/chain/parameters.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { parseTxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../packages/tron/src/primitives/json.ts";
import { addressAt, done, signedBy } from "../chain/build-and-send.ts";
import { type TestChain, testChain } from "../chain/test-chain.ts";
import { answer } from "../fakes/chain-answer.ts";

/** A request to `/jsonrpc` of a real node and its answer, with marks such as `<A>` for what depends on the chain. */
interface RpcExchange {
  readonly request: string;
  readonly response: string;
}

/** Loads the recorded exchanges of a version. The file of 4.8.2 holds the answers that are not those of 4.8.0. */
export function loadRpcExchanges(version: NodeVersion = "4.8.0"): readonly RpcExchange[] {
  const exchanges = loadFile("json-rpc.jsonl");
  if (version === "4.8.0") return exchanges;
  const changed = new Map(loadFile("json-rpc-4.8.2.jsonl").map(({ request, response }) => [request, response]));
  return exchanges.map(({ request, response }) => ({ request, response: changed.get(request) ?? response }));
}

/** Loads a file, in which a run of N zeros is written as `(0*N)`. */
function loadFile(name: string): readonly RpcExchange[] {
  const unfolded = (text: string): string => text.replaceAll(/\(0\*(\d+)\)/g, (_, count) => "0".repeat(Number(count)));
  return readFileSync(new URL(`../../fixtures/exchanges/${name}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [request = "", response = ""] = JSON.parse(line) as readonly string[];
      return { request: unfolded(request), response: unfolded(response) };
    });
}

const UNKNOWN = parseAddress(`41${"77".repeat(20)}`);
const NEWCOMER = parseAddress(`41${"99".repeat(20)}`);
const FEE_LIMIT = 1_000_000_000;
const CHAIN_ID = "bd7ca664";

/** A chain on which the recorded transactions were sent, with the values of the marks. */
export class RpcReplay {
  readonly #chain: TestChain;
  readonly #addresses: Readonly<Record<string, Address>>;
  /** Recorded transactions by their marks: td deploys the contract C. */
  readonly #transactions = new Map<string, string>();

  private constructor(chain: TestChain, contract: Address) {
    this.#chain = chain;
    this.#addresses = { A: addressAt(chain, 0), B: addressAt(chain, 1), C: contract, UNK: UNKNOWN, NEW: NEWCOMER };
  }

  /** @param initCode - deploys the contract C of the recording */
  static async prepare(initCode: string, nodeVersion: NodeVersion = "4.8.0"): Promise<RpcReplay> {
    const chain = await testChain({ nodeVersion });
    await sendNeighbour(chain);
    const { id, contract_address: address } = await done(chain, "deploycontract", {
      abi: "[]",
      bytecode: initCode,
      name: "T",
      call_value: 1000,
      fee_limit: FEE_LIMIT,
      consume_user_resource_percent: 100,
      origin_energy_limit: 1,
    });
    const replay = new RpcReplay(chain, parseAddress(String(address)));
    replay.#transactions.set("td", String(id));
    await replay.#sendAll();
    return replay;
  }

  async #sendAll(): Promise<void> {
    const { B, C, NEW } = this.#addresses;
    const call = (data: string, call_value = 0) => ({
      contract_address: C ?? "",
      data,
      call_value,
      fee_limit: FEE_LIMIT,
    });
    const requests: readonly (readonly [string, JsonObject])[] = [
      ["createtransaction", { to_address: B ?? "", amount: 1_234_567 }],
      ["triggersmartcontract", call(`60fe47b1${word("2a")}`, 5)],
      [
        "triggersmartcontract",
        call(`106c4e8c${word("20")}${word("6")}${Buffer.from("no tea").toString("hex").padEnd(64, "0")}`),
      ],
      ["freezebalancev2", { frozen_balance: 1_000_000, resource: "ENERGY" }],
      ["triggersmartcontract", call(`0c11dedd${word(NEW?.slice(2) ?? "")}`, 1000)],
    ];
    for (const [index, [path, body]] of requests.entries()) {
      const mark = `t${index + 1}`;
      if (mark === "t2") await sendNeighbour(this.#chain);
      const { id } = await done(this.#chain, path, body);
      this.#transactions.set(mark, String(id));
    }
    // The recorded transactions were solidified.
    this.#chain.mine(10);
  }

  /** Sends a recorded request to this chain and returns both answers in comparable form. */
  async compare({ request, response }: RpcExchange): Promise<{ readonly here: Json; readonly there: Json }> {
    const sent = new Request("http://chain/jsonrpc", { method: "POST", body: this.#filled(request) });
    const found = await answer(sent, "/jsonrpc", this.#chain.simulation);
    assert.ok(found.kind === "answer");
    assert.deepEqual(
      [found.response.status, found.response.headers.get("content-type")],
      [200, "application/json-rpc"],
    );
    const text = await found.response.text();
    const form = comparable(request);
    return { here: form(parsed(this.#marked(text))), there: form(parsed(response)) };
  }

  #filled(request: string): string {
    return request.replaceAll(/<(\w+)(?::(\w+))?>/g, (mark, name: string, form: string | undefined) => {
      const address = this.#addresses[name]?.slice(2);
      if (address !== undefined) return addressIn(form, address);
      const id = this.#transactions.get(name);
      return id === undefined ? mark : this.#transactionIn(form, id);
    });
  }

  #transactionIn(form: string | undefined, id: string): string {
    const { chain } = this.#chain.simulation;
    const txId = parseTxId(id);
    const block = txId && chain.find(txId)?.block;
    assert.ok(block);
    const index = block.transactions.findIndex(({ transaction }) => transaction.id === id);
    const forms: Readonly<Record<string, string>> = {
      raw: id,
      num: `0x${block.header.number.toString(16)}`,
      dec: String(block.header.number),
      bh: `0x${block.id}`,
      idx: `0x${index.toString(16)}`,
    };
    return forms[form ?? ""] ?? `0x${id}`;
  }

  #marked(text: string): string {
    const marks = [
      ...Object.entries(this.#addresses).map(([name, it]): [string, string] => [it.slice(2), `<${name}>`]),
      ...[...this.#transactions].map(([name, id]): [string, string] => [id, `<${name}>`]),
      [this.#chain.simulation.chain.blockId(0)?.slice(-8) ?? "", CHAIN_ID] as const,
    ];
    return marks.reduce((marked, [value, mark]) => marked.replaceAll(value, mark), text);
  }
}

/** Puts another transaction into the next block, as the blocks of td and t2 had one. */
async function sendNeighbour(chain: TestChain): Promise<void> {
  const signed = await signedBy(chain, "createtransaction", { to_address: addressAt(chain, 2), amount: 1 }, 1);
  assert.equal((await chain.ask("/wallet/broadcasttransaction", signed)).result, true);
}

function word(hex: string): string {
  return hex.padStart(64, "0");
}

function addressIn(form: string | undefined, address: string): string {
  if (form === "41") return `0x41${address}`;
  if (form === "bare") return address;
  return form === "w" ? `0x${address.padStart(64, "0")}` : `0x${address}`;
}

function parsed(text: string): Json {
  return text.trim() === "" ? "nothing" : parseJson(text);
}

/** Methods whose results depend on the moment or on the node: only their types are compared. */
const MOMENT = /"eth_(?:blockNumber|getWork|newFilter|newBlockFilter)"|"eth_getBalance","params":\["(?:<A|0x0{40})/;
const GENESIS = /"eth_getBlockTransactionCountByNumber","params":\["(?:earliest|0x0)"/;
/** Fields of blocks, transactions and logs that depend on the chain. */
const PLACES = new Set([
  ...[
    "blockHash",
    "blockNumber",
    "blockTimestamp",
    "cumulativeGasUsed",
    "gasLimit",
    "hash",
    "logIndex",
    "miner",
    "number",
    "parentHash",
  ],
  ...["r", "s", "size", "timestamp", "transactionIndex", "transactionsRoot", "v", "txID", "contract_address"],
  ...["raw_data_hex", "expiration", "ref_block_bytes", "ref_block_hash"],
]);

function comparable(request: string): (answer: Json) => Json {
  if (!MOMENT.test(request) && !GENESIS.test(request)) return (json) => withoutPlaces(json);
  return (json) => (isJsonObject(json) && "result" in json ? { ...json, result: typeOf(json.result) } : json);
}

function typeOf(json: Json | undefined): Json {
  return Array.isArray(json) ? json.map(typeOf) : json === null ? null : typeof json;
}

function withoutPlaces(json: Json): Json {
  if (Array.isArray(json)) return json.map(withoutPlaces);
  if (typeof json === "string")
    return json.replace(/^T\w{33}$/, "<base58>").replace(/^CPU timeout for '\w+'/, "CPU timeout");
  if (!isJsonObject(json)) return json;
  const isBlock = "sha3Uncles" in json;
  const entries = Object.entries(json).map(([name, value]): [string, Json] => [
    name,
    placeless(name, value ?? null, isBlock),
  ]);
  return Object.fromEntries(entries);
}

function placeless(name: string, value: Json, isBlock: boolean): Json {
  if (PLACES.has(name)) return isKnown(value) ? value : typeOf(value);
  // Other transactions came into the same blocks, and the energy of those counts.
  if (isBlock && name === "gasUsed") return typeOf(value);
  if (isBlock && name === "transactions") return (value as Json[]).filter(isKnownTransaction).map(withoutPlaces);
  // Documented in docs/local-chain.md.
  if (isBlock && name === "stateRoot") return "documented";
  if (name === "data" && typeof value === "string" && /^0x[0-9a-f]{8}/.test(value) && isRevert(value)) return "{}";
  return withoutPlaces(value);
}

function isRevert(data: string): boolean {
  return data.length % 64 === 10;
}

function isKnown(value: Json): boolean {
  return typeof value === "string" && /^(?:0x|41)?<(?:t\w|C)>$/.test(value);
}

function isKnownTransaction(value: Json): boolean {
  return isKnown(isJsonObject(value) ? (value.hash ?? null) : value);
}
