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
import { createContractRecord } from "../actuators/contract-actuators.ts";
import { newContractAccount } from "../chain/account.ts";
import { spacingOf } from "../chain/block-production.ts";
import { addBalance, createdAccount, type Ledger } from "../chain/ledger.ts";
import { type HttpRequest, type HttpResponse, queryOf } from "../http/message.ts";
import { isFromBrowser, isFromWebPage } from "../http/request-guard.ts";
import {
  ACCOUNT_BALANCE,
  type FundedAccount,
  faucetTransfer,
  fundedAccount,
  keyFor,
  type Simulation,
} from "../simulation/simulation.ts";
import { storageOf } from "../vm/frame.ts";
import { readAddress } from "./query.ts";

const MAX_ACCOUNTS = 1_000;
const MAX_BLOCKS = 100;
const MAX_BLOCK_SECONDS = 60;
const SUN_PER_COIN = 1_000_000n;
const WHOLE = 100n;

type Endpoint = (request: HttpRequest, simulation: Simulation) => HttpResponse;

/** Endpoints of TronBox's runtime environment, which TronBox and TronWeb's tests use. */
const endpoints: { readonly [key: string]: Endpoint } = {
  "GET /healthcheck": () => text("OK"),
  "GET /admin/accounts": (_request, simulation) => text(listing(simulation)),
  "GET /admin/accounts-json": (_request, simulation) => json(200, accountsJson(simulation)),
  "GET /admin/temporary-accounts-generation": (request, simulation) =>
    isFromBrowser(request)
      ? json(403, { error: "A browser cannot change the chain by GET. Use POST." })
      : generate(request, simulation),
  "POST /admin/temporary-accounts-generation": generate,
  "POST /tre": (request, simulation) => json(200, answerCall(request.body.toString(), simulation)),
};

/**
 * Answers TronBox endpoints, undefined for any other path. Requests of web pages are refused: they could take coins and
 * create blocks.
 */
export function answerTronBox(request: HttpRequest, path: string, simulation: Simulation): HttpResponse | undefined {
  const convenience = endpoints[`${request.method} ${path}`];
  if (convenience === undefined) return undefined;
  if (isFromWebPage(request)) return json(403, { error: "This is not for web pages." });
  return convenience(request, simulation);
}

function text(body: string): HttpResponse {
  return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

function json(status: number, body: Json): HttpResponse {
  return { status, headers: { "content-type": "application/json; charset=utf-8" }, body: printJson(body) };
}

/** Returns the initial accounts, and generated ones that the chain still has. */
function batchesOf({ accounts, temporaryAccounts, chain }: Simulation): readonly (readonly FundedAccount[])[] {
  const known = ({ hex }: FundedAccount): boolean => chain.pendingState.account(hex) !== undefined;
  return [accounts, ...temporaryAccounts.filter((it) => it.every(known))];
}

/** Prints accounts. Their keys have no mnemonic. */
function accountsJson(simulation: Simulation): JsonObject {
  const [first, ...more] = batchesOf(simulation).map((it) => ({
    hdPath: "",
    mnemonic: "",
    privateKeys: it.map(({ privateKey }) => privateKey),
  }));
  return { ...first, more };
}

function listing(simulation: Simulation): string {
  const { pendingState } = simulation.chain;
  const accounts = batchesOf(simulation).flat();
  const balanceOf = ({ hex }: FundedAccount): bigint => pendingState.account(hex)?.balance ?? 0n;
  const balances = accounts.map((it, index) => `(${index}) ${it.address} (${coins(balanceOf(it))} TRX)`);
  const keys = accounts.map(({ privateKey }, index) => `(${index}) ${privateKey}`);
  return `${[...titled("Available Accounts", balances), ...titled("Private Keys", keys)].join("\n")}\n`;
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return [title, "==================", "", ...lines, ""];
}

function coins(sun: bigint): string {
  return `${sun / SUN_PER_COIN}.${String(sun % SUN_PER_COIN).padStart(6, "0")}`.replace(/\.?0+$/, "");
}

/** Creates funded accounts in a block of their own. */
function generate(request: HttpRequest, simulation: Simulation): HttpResponse {
  const query = queryOf(request);
  const count = Math.min(MAX_ACCOUNTS, wholeNumber(query.get("accounts")) ?? simulation.accounts.length);
  const balance = wholeNumber(query.get("defaultBalance"));
  const amount = balance === undefined ? ACCOUNT_BALANCE : BigInt(balance) * SUN_PER_COIN;
  const made = simulation.temporaryAccounts.length;
  const accounts = Array.from({ length: count }, (_, index) =>
    fundedAccount(keyFor(simulation.seed, `temporary account ${made} ${index}`), amount),
  );
  for (const { hex } of accounts) {
    simulation.chain.submit(
      faucetTransfer(simulation.chain, hexToBytes(simulation.faucet.privateKey), hex, { amount }),
    );
  }
  simulation.chain.produceBlock("near");
  simulation.temporaryAccounts.push(accounts);
  return text(listing(simulation));
}

function wholeNumber(value: string | null): number | undefined {
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

type Method = (parameters: readonly (Json | undefined)[], simulation: Simulation) => Json;

const methods: { readonly [name: string]: Method } = {
  tre_mine: ([options], { chain }) => {
    const blocks = isJsonObject(options) ? options.blocks : 1;
    const count = integer(blocks, MAX_BLOCKS, `blocks should between (0, ${MAX_BLOCKS}]`);
    for (let made = 0; made < count; made += 1) chain.produceBlock(spacingOf(count));
    return "0x0";
  },
  tre_blockTime: ([seconds], { producer }) => {
    const most = MAX_BLOCK_SECONDS;
    producer.change(
      seconds === 0 ? "instant" : 1_000 * integer(seconds, most, `block time should between [0, ${most}] in second`),
    );
    return true;
  },
  tre_setAccountBalance: ([address, balance], { chain }) => {
    const account = addressOf(address);
    const sun = wordOf(balance);
    const now = chain.head.header.timestamp;
    chain.amend((ledger) =>
      ledger.put({ ...(ledger.account(account) ?? createdAccount(ledger, account, now)), balance: sun }),
    );
    return true;
  },
  tre_unlockedAccounts: ([addresses], { chain }) => {
    const accounts = Array.isArray(addresses) ? addresses.map(addressOf) : [];
    chain.amend((ledger) => ledger.changeTotals({ unlocked: [...ledger.totals.unlocked, ...accounts] }));
    return true;
  },
  tre_setAccountCode: ([address, code], { chain }) => {
    const contract = addressOf(address);
    const bytes = hexToBytes(bytesText(code));
    chain.amend((ledger) => putCode(ledger, contract, bytes));
    return true;
  },
  tre_setAccountStorageAt: ([address, slot, value], { chain }) => {
    const contract = addressOf(address);
    const [at, word] = [wordOf(slot), wordOf(value)];
    chain.amend((ledger) => {
      ledger.putRow(storageOf(ledger, contract), at, word);
      ledger.dropZeroRows();
    });
    return true;
  },
};

/** Sets the code of an address. A contract keeps its storage; any other address becomes a contract. */
function putCode(ledger: Ledger, address: Address, code: Uint8Array): void {
  const codeHash = bytesToHex(keccak_256(code));
  const balance = ledger.account(address)?.balance ?? 0n;
  if (ledger.contract(address) === undefined) {
    const originAddress = addressToBytes(address);
    createContractRecord(
      ledger,
      create(SmartContractSchema, { originAddress, consumeUserResourcePercent: WHOLE }),
      address,
    );
    addBalance(ledger, ledger.account(address) ?? newContractAccount(address, ""), balance);
  }
  const record = ledger.contract(address);
  if (record !== undefined) ledger.putContract({ ...record, code, codeHash });
}

/** @throws {Error} no address in either form */
function addressOf(value: Json | undefined): Address {
  return readAddress(String(value));
}

/** Reads a number or hex. @throws {TypeError} */
function wordOf(value: Json | undefined): bigint {
  if ((typeof value === "number" && Number.isInteger(value) && value >= 0) || typeof value === "bigint")
    return BigInt(value);
  return BigInt(`0x${bytesText(value) || "0"}`);
}

/** @throws {TypeError} no hex */
function bytesText(value: Json | undefined): string {
  if (typeof value !== "string" || !/^(?:0x)?[\da-f]*$/i.test(value)) throw new TypeError("invalid hex value");
  return value.replace(/^0x/, "");
}

function integer(value: Json | undefined, most: number, complaint: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value > 0 && value <= most) return value;
  throw new TypeError(complaint);
}

const UNKNOWN_METHOD = -32_601;
const INVALID_PARAMETERS = -32_602;

function answerCall(body: string, simulation: Simulation): JsonObject {
  const call = callIn(body);
  const envelope = { jsonrpc: "2.0", id: call.id ?? null };
  const method = typeof call.method === "string" ? methods[call.method] : undefined;
  if (method === undefined) {
    const message = `the method ${printJson(call.method ?? null)} does not exist/is not available`;
    return { ...envelope, error: { code: UNKNOWN_METHOD, message } };
  }
  try {
    return { ...envelope, result: method(Array.isArray(call.params) ? call.params : [], simulation) };
  } catch (error) {
    return { ...envelope, error: { code: INVALID_PARAMETERS, message: (error as Error).message } };
  }
}

function callIn(body: string): JsonObject {
  try {
    const call = parseJson(body);
    return isJsonObject(call) ? call : {};
  } catch {
    return {};
  }
}
