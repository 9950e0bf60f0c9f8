import { create } from "@bufbuild/protobuf";
import {
  type Address,
  addressToBytes,
  bytesToHex,
  hexToBytes,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  printJson,
} from "@finality/tron/primitives";
import { SmartContractSchema } from "@finality/tron/schema";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type ContractRecord, EMPTY_CODE_HASH, newContractAccount, storageKey } from "../chain/account.ts";
import { createdAccount, type Ledger } from "../chain/ledger.ts";
import { debugRequests } from "../json-rpc/trace-methods.ts";
import { headView } from "../node/node-view.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { traceRequests } from "../traces/trace-requests.ts";
import { storageOf, storedWords } from "../vm/frame.ts";
import { readAddress } from "./query.ts";

/** Name of the interface. Tools enable time and snapshots if it contains `oz-tron`. */
const VERSION = "finality-local-chain/oz-tron";
const MAX_BLOCKS = 100;
const MAX_BLOCK_SECONDS = 60;
const MAX_BALANCE = 2n ** 63n - 1n;
const MAX_RANGE = 10_000;
const WHOLE = 100n;
const WORD_DIGITS = 64;

type Parameters = readonly (Json | undefined)[];
type Method = (parameters: Parameters, simulation: Simulation) => Json;

/** Development methods of TronBox's runtime environment and of its variant for Hardhat. */
const methods: { readonly [name: string]: Method } = {
  tre_version: () => VERSION,
  tre_instanceId: (_parameters, { identity }) => `0x${identity.instanceId}`,
  tre_mine: ([options], { chain }) => {
    const blocks = isJsonObject(options) ? (options.blocks ?? 1) : 1;
    const count = integerOf(blocks, [1, MAX_BLOCKS], `blocks should between (0, ${MAX_BLOCKS}]`);
    for (let made = 0; made < count; made += 1) chain.produceBlock("near");
    return "0x0";
  },
  tre_blockTime: ([time], { producer }) => {
    const most = MAX_BLOCK_SECONDS;
    const seconds = integerOf(time, [0, most], `block time should between [0, ${most}] in second`);
    producer.change(seconds === 0 ? "instant" : 1_000 * seconds);
    return true;
  },
  tre_setNextBlockTimestamp: ([time], { chain }) => {
    const ms = integerOf(time, [1, Number.MAX_SAFE_INTEGER], "timestamp has to be a number of ms above 0");
    chain.setNextTime(ms);
    return true;
  },
  tre_snapshot: (_parameters, { stateSnapshots }) => stateSnapshots.take(),
  tre_revert: ([id], { stateSnapshots }) => {
    if (!stateSnapshots.revert(String(id))) throw new TypeError(`there is no snapshot ${printJson(id ?? null)}`);
    return true;
  },
  tre_dropSnapshot: ([id], { stateSnapshots }) => stateSnapshots.drop(String(id)),
  tre_setAccountBalance: ([address, balance], { chain }) => {
    const account = addressOf(address);
    const sun = numberOf(balance);
    if (sun > MAX_BALANCE) throw new TypeError(`balance has to be at most ${MAX_BALANCE}`);
    const now = chain.head.header.timestamp;
    chain.amend((ledger) =>
      ledger.put({ ...(ledger.account(account) ?? createdAccount(ledger, account, now)), balance: sun }),
    );
    return true;
  },
  tre_setAccountCode: ([address, code], { chain }) => {
    const contract = addressOf(address);
    const bytes = hexToBytes(hexDigits(code));
    chain.amend((ledger) => putCode(ledger, contract, bytes));
    return true;
  },
  tre_setAccountStorageAt: ([address, slot, value], { chain }) => {
    const contract = addressOf(address);
    const [at, word] = [wordOf(slot), wordOf(value)];
    chain.amend((ledger) => {
      makeContract(ledger, contract);
      ledger.tables.words.set(storageKey(storageOf(ledger, contract), at), word === 0n ? undefined : word);
    });
    return true;
  },
  tre_unlockedAccounts: (parameters, { chain }) => {
    const accounts = parameters.flat().map(addressOf);
    chain.changeExemptions(({ unlocked }) => ({ unlocked: union(unlocked, accounts) }));
    return true;
  },
  tre_impersonateAccount: ([address], { chain }) => {
    const account = addressOf(address);
    chain.changeExemptions(({ impersonated }) => ({ impersonated: union(impersonated, [account]) }));
    return true;
  },
  tre_stopImpersonatingAccount: ([address], { chain }) => {
    const account = addressOf(address);
    chain.changeExemptions(({ impersonated }) => ({ impersonated: impersonated.filter((it) => it !== account) }));
    return true;
  },
  debug_storageRangeAt: ([_block, _index, address, key, limit], { chain }) => {
    const most = integerOf(limit ?? 1, [0, MAX_RANGE], `limit has to be an integer from 0 to ${MAX_RANGE}`);
    return { storage: storageRange(chain.pendingState, addressOf(address), wordOf(key ?? "0x"), most) };
  },
  ...Object.fromEntries(
    Object.entries({ ...traceRequests, ...debugRequests }).map(([name, answer]): [string, Method] => [
      name,
      (parameters, { chain, node }) => answer(parameters, headView(chain, node)),
    ]),
  ),
  miner_start: () => true,
  miner_stop: () => true,
};

function union(list: readonly Address[], more: readonly Address[]): readonly Address[] {
  return [...new Set([...list, ...more])];
}

/** Sets the code of an address. A contract keeps its storage; any other address becomes a contract. */
function putCode(ledger: Ledger, address: Address, code: Uint8Array): void {
  const codeHash = bytesToHex(keccak_256(code));
  ledger.putContract({ ...makeContract(ledger, address), code, codeHash });
}

/** Makes an address a contract without code, unless it is one. Its account keeps what it has, but no permissions. */
function makeContract(ledger: Ledger, address: Address): ContractRecord {
  const account = ledger.account(address);
  const fresh = newContractAccount(address, "");
  const { kind, activePermissions } = fresh;
  ledger.put(account === undefined ? fresh : { ...account, kind, activePermissions });
  const known = ledger.contract(address);
  if (known !== undefined) return known;
  const bytes = addressToBytes(address);
  const definition = create(SmartContractSchema, {
    originAddress: bytes,
    contractAddress: bytes,
    consumeUserResourcePercent: WHOLE,
  });
  const record = { address, definition, code: new Uint8Array(), codeHash: EMPTY_CODE_HASH };
  ledger.putContract(record);
  return record;
}

/**
 * Returns stored words from a slot on, in the order of slots. Tools read the first one as the value of the slot, so it is
 * always there.
 */
function storageRange(ledger: Ledger, address: Address, from: bigint, most: number): JsonObject {
  if (most > 1 && ledger.tables.contracts.original(address) !== undefined) {
    throw new TypeError("the network of this fork does not list the slots of a contract: limit has to be 1");
  }
  const first: readonly [bigint, bigint] = [from, ledger.row(storageOf(ledger, address), from) ?? 0n];
  const later = most <= 1 ? [] : storedWords(ledger, address).filter(([slot]) => slot > from);
  later.sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = [first, ...later].slice(0, most).map(([slot, word]) => [digitsOf(slot), { value: digitsOf(word) }]);
  return Object.fromEntries(entries) as JsonObject;
}

function digitsOf(word: bigint): string {
  return word.toString(16).padStart(WORD_DIGITS, "0");
}

/** @throws {Error} no address in base58, hex or 20 bytes with 0x */
function addressOf(value: Json | undefined): Address {
  return readAddress(String(value));
}

/** Reads a number: an integer, its decimal text, or hex with 0x. @throws {TypeError} */
function numberOf(value: Json | undefined): bigint {
  if ((typeof value === "number" && Number.isInteger(value) && value >= 0) || typeof value === "bigint") {
    if (value >= 0) return BigInt(value);
  }
  if (typeof value === "string" && /^(?:\d+|0x[\da-f]+)$/i.test(value)) return BigInt(value);
  throw new TypeError(`${printJson(value ?? null)} is not a whole number`);
}

/** @throws {TypeError} the complaint */
function integerOf(value: Json | undefined, [least, most]: readonly [number, number], complaint: string): number {
  const integer = typeof value === "string" && /^(?:\d+|0x[\da-f]+)$/i.test(value) ? Number(value) : value;
  if (typeof integer === "number" && Number.isInteger(integer) && integer >= least && integer <= most) return integer;
  throw new TypeError(complaint);
}

/** Reads a storage word: an integer, or hex of at most 32 bytes. @throws {TypeError} */
function wordOf(value: Json | undefined): bigint {
  if (typeof value === "number" || typeof value === "bigint") return numberOf(value);
  const digits = hexDigits(value);
  if (digits.length > WORD_DIGITS) throw new TypeError("a word has at most 32 bytes");
  return BigInt(`0x${digits || "0"}`);
}

/** @throws {TypeError} no hex */
function hexDigits(value: Json | undefined): string {
  if (typeof value !== "string" || !/^(?:0x)?[\da-f]*$/i.test(value)) throw new TypeError("invalid hex value");
  return value.replace(/^0x/i, "");
}

const INVALID_JSON = -32_700;
const INVALID_REQUEST = -32_600;
const UNKNOWN_METHOD = -32_601;
const INVALID_PARAMETERS = -32_602;

/** An error with a code of its own. */
class RpcFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Answers one request or a batch; undefined if no request has an id. */
export function answerTre(body: string, simulation: Simulation): Json | undefined {
  const request = requestIn(body);
  if (request === undefined) return failed(null, INVALID_JSON, "the body is no JSON");
  if (!Array.isArray(request)) return answerOne(request, simulation);
  if (request.length === 0) return failed(null, INVALID_REQUEST, "a batch has to have a request");
  const replies = request.map((it: Json) => answerOne(it, simulation)).filter((it) => it !== undefined);
  return replies.length === 0 ? undefined : replies;
}

function requestIn(body: string): Json | undefined {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

function answerOne(request: Json, simulation: Simulation): JsonObject | undefined {
  if (!isJsonObject(request) || typeof request.method !== "string") {
    return failed(
      isJsonObject(request) ? (request.id ?? null) : null,
      INVALID_REQUEST,
      "a request has to have a method",
    );
  }
  const { id, method: name, params = [] } = request;
  const reply = replyTo(name, Array.isArray(params) ? params : [], simulation);
  return id === undefined ? undefined : { jsonrpc: "2.0", id, ...reply };
}

function replyTo(name: string, parameters: Parameters, simulation: Simulation): JsonObject {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method === undefined) {
    return {
      error: { code: UNKNOWN_METHOD, message: `the method ${printJson(name)} does not exist/is not available` },
    };
  }
  try {
    return { result: method(parameters, simulation) };
  } catch (error) {
    const code = error instanceof RpcFailure ? error.code : INVALID_PARAMETERS;
    return { error: { code, message: error instanceof Error ? error.message : String(error) } };
  }
}

function failed(id: Json, code: number, message: string): JsonObject {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
