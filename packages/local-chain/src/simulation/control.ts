import {
  CHALLENGE,
  chainProof,
  exactNumberText,
  hexToBytes,
  isJsonObject,
  type Json,
  type JsonObject,
  LARGEST_AMOUNT,
  parseAddress,
  parseJson,
  parseTxId,
  printJson,
  type TxId,
  wholeNumberIn,
} from "@finality/tron/primitives";
import { type AccessRules, createKeyRecord, DEFAULT_API_KEY_HEADER } from "../access/access.ts";
import type { Block } from "../chain/block.ts";
import { spacingOf } from "../chain/block-production.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { isFromWebPage } from "../http/request-guard.ts";
import { changedSettings } from "../node/simulated-node.ts";
import { MAX_LEASE_MS } from "./lifetime.ts";
import { faucetTransfer, INITIAL, runStep, type Simulation } from "./simulation.ts";

type Control = (body: JsonObject, simulation: Simulation) => Json | Promise<Json>;

const MAX_BLOCKS = 100_000;

/** `/local/…`: control interface of the development chain. Documented in docs/local-chain.md. */
const controls: { readonly [key: string]: Control } = {
  "GET status": (_body, simulation) => status(simulation),
  "GET requests": (_body, { requests }) => requests.report(),
  "DELETE requests": (_body, { requests }) => {
    const report = requests.report();
    requests.reset();
    return report;
  },
  "GET node": (_body, { node }) => ({ ...node.settings }),
  "POST node": setNode,
  "POST mine": mine,
  "POST warp": warp,
  "POST fund": fund,
  "POST snapshot": snapshot,
  "DELETE snapshot": dropSnapshot,
  "POST restore": restore,
  "POST reset": (body, simulation) => restore({ ...body, id: INITIAL }, simulation),
  "GET faults": (_body, { faults }) => faults.report(),
  "POST faults": setFaults,
  "POST fork": fork,
  "GET origin": (_body, { origin }) => origin?.report() ?? null,
  "POST access": setAccess,
  "GET keys": (_body, { access }) => keyReport(access),
  "POST keys": addKey,
  "DELETE keys": removeKey,
  "POST prove": prove,
  "POST lease": lease,
  "POST stop": (_body, { lifetime }) => {
    lifetime.requestStop();
    return { stopping: true };
  },
};

/** Answers a control request; errors are 400 with a message. */
export async function answerControl(request: HttpRequest, path: string, simulation: Simulation): Promise<HttpResponse> {
  if (isFromWebPage(request)) return controlResponse({ error: "Control is not for web pages." }, 403);
  const control = controls[`${request.method} ${path.slice("/local/".length)}`];
  if (control === undefined) return controlResponse({ error: `There is no control ${request.method} ${path}.` }, 404);
  try {
    const body = readControl(request.body.toString());
    return controlResponse(await runStep(simulation, () => control(body, simulation)), 200);
  } catch (error) {
    return controlResponse({ error: error instanceof Error ? error.message : String(error) }, 400);
  }
}

function controlResponse(json: Json, status: number): HttpResponse {
  return { status, headers: { "content-type": "application/json" }, body: `${printJson(json)}\n` };
}

function readControl(text: string): JsonObject {
  if (text.trim() === "") return {};
  const json = parseJson(text);
  // Only faults may be a list; with a seed they are an object.
  if (Array.isArray(json)) return { faults: json };
  if (!isJsonObject(json)) throw new TypeError("The body has to be a JSON object.");
  return json;
}

function status(simulation: Simulation): Json {
  const { chain, faucet, accounts, producer, witnesses, requests, snapshots, faults, node, access, origin } =
    simulation;
  return {
    height: chain.head.header.number,
    solidHeight: chain.solid.header.number,
    head: position(chain.head),
    solid: position(chain.solid),
    blockTime: producer.interval === "instant" ? 0 : producer.interval,
    witnesses,
    pending: chain.pool.size,
    faucet: { ...faucet },
    accounts: accounts.map((it) => ({ ...it })),
    snapshots: [...snapshots.keys()],
    requests: requests.report(),
    faults: faults.report(),
    node: { ...node.settings },
    access: { jwt: access.jwt.on, apiKey: access.apiKey !== undefined },
    ...(origin && { origin: { url: origin.point.url, number: origin.point.block.number } }),
  };
}

function position({ id, header }: Block): JsonObject {
  return { number: header.number, id, timestamp: header.timestamp };
}

function mine({ blocks = 1 }: JsonObject, { chain }: Simulation): Json {
  const count = positive(blocks, "blocks", MAX_BLOCKS);
  for (let made = 0; made < count; made += 1) chain.produceBlock(spacingOf(count));
  return { head: position(chain.head), solid: position(chain.solid) };
}

/** Advances chain time. Time is in blocks, so a block is produced unless `mine` is false. */
function warp({ ms, mine: make = true }: JsonObject, { chain }: Simulation): Json {
  chain.warp(positive(ms, "ms", Number.MAX_SAFE_INTEGER));
  if (make !== false) chain.produceBlock();
  return { head: position(chain.head), solid: position(chain.solid) };
}

/** Sends coins of the faucet, and produces a block unless `mine` is false. */
function fund({ address, amount, mine: make = true }: JsonObject, { chain, faucet }: Simulation): Json {
  if (typeof address !== "string") throw new TypeError("fund needs an address.");
  const to = parseAddress(address);
  const transaction = faucetTransfer(chain, hexToBytes(faucet.privateKey), to, { amount: sunOf(amount) });
  chain.submit(transaction);
  if (make !== false) chain.produceBlock("near");
  return { txID: transaction.id, head: position(chain.head) };
}

function sunOf(amount: Json | undefined): bigint {
  const written = typeof amount === "number" ? exactNumberText(amount) : String(amount);
  const value = written === undefined ? undefined : wholeNumberIn(written);
  if (value !== undefined && value <= LARGEST_AMOUNT) return value;
  throw new TypeError("amount has to be a whole number of sun; write it as text above 15 digits.");
}

function snapshot({ id }: JsonObject, { chain, snapshots }: Simulation): Json {
  const name = typeof id === "string" && id !== "" ? id : freeName(snapshots);
  if (name === INITIAL) throw new TypeError(`${INITIAL} is the snapshot that reset goes back to.`);
  const replaced = snapshots.get(name);
  snapshots.set(name, chain.snapshot());
  if (replaced !== undefined) chain.release(replaced);
  chain.production.emit({ kind: "snapshot", name });
  return { id: name };
}

function freeName(snapshots: Simulation["snapshots"]): string {
  let number = snapshots.size;
  while (snapshots.has(`snapshot-${number}`)) number += 1;
  return `snapshot-${number}`;
}

/** Frees the memory of a snapshot. */
function dropSnapshot({ id }: JsonObject, { chain, snapshots }: Simulation): Json {
  const stored = typeof id === "string" && id !== INITIAL ? snapshots.get(id) : undefined;
  if (stored === undefined) throw new TypeError(`There is no snapshot ${printJson(id ?? null)} to drop.`);
  snapshots.delete(String(id));
  chain.release(stored);
  chain.production.emit({ kind: "drop", name: String(id) });
  return { snapshots: [...snapshots.keys()] };
}

/** Restores a snapshot, and reports the given transactions; later they might be in a block again. */
function restore({ id, transactions = [] }: JsonObject, { chain, snapshots }: Simulation): Json {
  const stored = typeof id === "string" ? snapshots.get(id) : undefined;
  if (stored === undefined) throw new TypeError(`There is no snapshot ${printJson(id ?? null)}.`);
  const statesBefore = readTxIds(transactions).map((it) => ({ txId: it, before: transactionState(chain, it) }));
  chain.restore(stored);
  chain.production.emit({ kind: "restore", name: String(id) });
  const fates = statesBefore.map(({ txId, before }) => [
    txId,
    transactionState(chain, txId) ?? (before ? "lost" : "unknown"),
  ]);
  return { head: position(chain.head), solid: position(chain.solid), transactions: Object.fromEntries(fates) };
}

function readTxIds(list: Json): readonly TxId[] {
  const ids = Array.isArray(list)
    ? list.map((it) => (typeof it === "string" ? parseTxId(it) : undefined))
    : [undefined];
  if (ids.includes(undefined)) throw new TypeError("transactions has to be a list of txIDs.");
  return ids.filter((it) => it !== undefined);
}

/** Returns the state of a transaction; undefined if it is unknown. */
function transactionState(chain: Blockchain, txId: TxId): "pool" | "block" | "solid" | undefined {
  const height = chain.find(txId)?.block.header.number;
  if (height === undefined) return chain.pool.get(txId) && "pool";
  return height <= chain.solid.header.number ? "solid" : "block";
}

/** Replaces the active faults; an empty list ends all. */
function setFaults({ faults: list, seed }: JsonObject, { faults }: Simulation): Json {
  if (seed !== undefined && typeof seed !== "string") throw new TypeError("seed has to be a text.");
  faults.replace(list, seed);
  return faults.report();
}

/** Changes the given settings only. */
function setNode(body: JsonObject, { node }: Simulation): Json {
  node.settings = changedSettings(node.settings, body);
  return { ...node.settings };
}

/** Replaces the newest blocks; solidified ones stay. */
function fork({ blocks = 1, transactions = "return" }: JsonObject, { chain }: Simulation): Json {
  if (chain.unsolidified === 0) throw new TypeError("Every block is solidified: there is nothing to reorganise.");
  const depth = positive(blocks, "blocks", chain.unsolidified);
  if (transactions !== "return" && transactions !== "lost") {
    throw new TypeError('transactions has to be "return" or "lost".');
  }
  const removed = chain.fork(depth, transactions);
  return { removed: removed.map(position), head: position(chain.head), solid: position(chain.solid) };
}

/** Changes the given access rules; null turns one off. */
function setAccess({ jwt, apiKey, rateLimit }: JsonObject, { access }: Simulation): Json {
  if (isJsonObject(jwt)) access.jwt = { ...access.jwt, on: true, audience: String(jwt.audience ?? "") };
  if (isJsonObject(apiKey)) {
    access.apiKey = { header: String(apiKey.header ?? DEFAULT_API_KEY_HEADER), key: String(apiKey.key ?? "") };
  }
  if (isJsonObject(rateLimit)) {
    const requests = positive(rateLimit.requests ?? 1, "requests", MAX_BLOCKS);
    access.rateLimit = { requests, retryAfter: String(rateLimit.retryAfter ?? "1") };
  }
  if (jwt === null) access.jwt = { ...access.jwt, on: false };
  if (apiKey === null) access.apiKey = undefined;
  if (rateLimit === null) access.rateLimit = undefined;
  return {
    jwt: access.jwt.on,
    audience: access.jwt.audience,
    kids: access.jwt.keys.map((it) => it.id),
    apiKey: access.apiKey !== undefined,
    rateLimit: access.rateLimit?.requests ?? 0,
  };
}

async function addKey({ name, publicKey }: JsonObject, { access }: Simulation): Promise<Json> {
  const record = await createKeyRecord(access.jwt.keys, name, publicKey);
  access.jwt = { ...access.jwt, keys: [...access.jwt.keys, record] };
  return { id: record.id, name: record.name, fingerprint: record.fingerprint };
}

/** Removes a key, as a service's account page does. The record of its tokens stays. */
function removeKey({ id }: JsonObject, { access }: Simulation): Json {
  const keys = access.jwt.keys.filter((it) => it.id !== id);
  if (keys.length === access.jwt.keys.length) throw new TypeError(`There is no key record ${printJson(id ?? null)}.`);
  access.jwt = { ...access.jwt, keys };
  return keyReport(access);
}

function keyReport({ jwt, kids }: AccessRules): Json {
  return {
    records: jwt.keys.map(({ id, name, fingerprint }) => ({ id, name, fingerprint })),
    seen: Object.fromEntries([...kids].map(([kid, seen]) => [kid, { ...seen }])),
  };
}

/**
 * Proves to a client that knows the secret of the ready line that this chain printed it, without revealing the secret.
 */
function prove({ challenge }: JsonObject, { identity: self }: Simulation): Json {
  if (typeof challenge !== "string" || !CHALLENGE.test(challenge)) {
    throw new TypeError("challenge has to be 32 bytes in hex, in lower case.");
  }
  return { proof: chainProof(self.secret, self.baseUrl, challenge) };
}

/** Renews the time after which the chain ends by itself. */
function lease({ ms }: JsonObject, { lifetime }: Simulation): Json {
  const renewed = ms === 0 ? 0 : positive(ms, "ms", MAX_LEASE_MS);
  lifetime.renew(renewed);
  return { ms: renewed };
}

function positive(value: Json | undefined, name: string, max: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value > 0 && value <= max) return value;
  throw new TypeError(`${name} has to be an integer from 1 to ${max}.`);
}
