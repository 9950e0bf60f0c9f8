import { hexToBytes, type Json, type JsonObject, printJson } from "@finality/tron/primitives";
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
import { answerTre } from "./tre.ts";

const MAX_ACCOUNTS = 1_000;
const SUN_PER_COIN = 1_000_000n;

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
  "POST /tre": (request, simulation) => {
    const reply = answerTre(request.body.toString(), simulation);
    return reply === undefined ? text("") : json(200, reply);
  },
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
