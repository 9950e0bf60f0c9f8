import { hexToBytes } from "../../core/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject, parseJson, printJson } from "../../core/primitives/json.ts";
import { type HttpRequest, type HttpResponse, queryOf } from "../http/message.ts";
import { ACCOUNT_BALANCE, type FundedAccount, fundedAccount, keyFor } from "../simulation/options.ts";
import { faucetTransfer, type Simulation } from "../simulation/simulation.ts";

const MAX_ACCOUNTS = 1_000;
const MAX_BLOCKS = 100;
const SUN_PER_COIN = 1_000_000n;

type Convenience = (request: HttpRequest, simulation: Simulation) => HttpResponse;

/** What TronBox and the test suite of TronWeb ask of a node for development, as TronBox's runtime environment has it. */
const conveniences: { readonly [key: string]: Convenience } = {
  "GET /healthcheck": () => text("OK"),
  "GET /admin/accounts": (_request, simulation) => text(listing(simulation)),
  "GET /admin/accounts-json": (_request, simulation) => json(200, accountsJson(simulation)),
  "GET /admin/temporary-accounts-generation": generate,
  "POST /tre": (request, simulation) => json(200, answerCall(request.body.toString(), simulation)),
};

/** Undefined for any other path. Those of web pages are refused: they can ask for coins, and for blocks. */
export function answerTronBox(request: HttpRequest, path: string, simulation: Simulation): HttpResponse | undefined {
  const convenience = conveniences[`${request.method} ${path}`];
  if (convenience === undefined) return undefined;
  if (request.headers.origin !== undefined) return json(403, { error: "This is not for web pages." });
  return convenience(request, simulation);
}

function text(body: string): HttpResponse {
  return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

function json(status: number, body: Json): HttpResponse {
  return { status, headers: { "content-type": "application/json; charset=utf-8" }, body: printJson(body) };
}

/** The accounts of the start, and those made since then as far as the chain still knows them. */
function batchesOf({ accounts, temporaryAccounts, chain }: Simulation): readonly (readonly FundedAccount[])[] {
  const known = ({ hex }: FundedAccount): boolean => chain.pendingState.account(hex) !== undefined;
  return [accounts, ...temporaryAccounts.filter((it) => it.every(known))];
}

/** No words lead to these keys, so there is no mnemonic. */
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

/** New accounts with coins of the faucet, in a block of their own. */
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
  simulation.chain.produceBlock();
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
    for (let made = 0; made < count; made += 1) chain.produceBlock();
    return "0x0";
  },
};

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
