import { NO_TOKEN_ID } from "../../../packages/local-chain/src/chain/token.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { bytesToHex, hexToBytes, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  printJson,
} from "../../../packages/tron/src/primitives/json.ts";
import { createdContractAddress } from "../../../packages/tron/src/transaction/contract-types.ts";
import { type PrivateKey, signTransactionId } from "../../../packages/tron/src/transaction/signature.ts";
import { answer } from "../fakes/chain-answer.ts";
import { dice } from "../random/dice.ts";
import { returning } from "./contract-fixture.ts";
import type { TestChain } from "./test-chain.ts";

/** Small contracts, with their call data. */
export type SoakCode = keyof typeof SOAK_CODES;

/** A child that ends itself for the good of who calls it without coins: init code of sixteen bytes. */
const CHILD = "673460065733ff5b005f5260086018f3";

/** Runtime code by what it does. */
export const SOAK_CODES = {
  stores: "5f35805500",
  fails: "5f5ffd",
  burns: "fe",
  loops: "5b5f56",
  /** Sends the second word in sun to the first: an account, a missing account, a contract, itself. */
  pays: "5f5f5f5f6020355f355af100",
  /** Passes on half of the tokens that came along. */
  paysTokens: "5f5f5f5fd3d260011c5f355ad000",
  paysAndFails: "5f5f5f5f6020355f355af15f5ffd",
  /** Makes a child with what came along, and ends it. */
  makes: `6f${CHILD}5f526010601034f05f5f5f5f5f855af100`,
  /** Ends itself: the first inherits, which may be itself. */
  ends: "5f35ff",
  /** Makes a child, ends it, and sends it a sun when it is too late. */
  paysTheDead: `6f${CHILD}5f52601060105ff05f5f5f5f5f855af1505f5f5f5f6001855af100`,
  /** Stakes the first for energy, or takes it back when there is a second. */
  stakes: "602035600c575f356001da005b5f356001db00",
} as const;

/** Init code that ends in its own ways. */
const SOAK_INIT_CODES: readonly string[] = ["5f5ffd", "60ef5f5360015ff3", "fe", "", "5b5f56"];

export function soakInitCode(code: SoakCode): string {
  return returning(SOAK_CODES[code]);
}

/** A run as far as it has come. */
export interface SoakRun {
  readonly chain: TestChain;
  readonly roll: ReturnType<typeof dice>;
  /** Bodies of broadcasts that were sent, the newest last. */
  readonly sent: JsonObject[];
  readonly contracts: Address[];
  /** Everybody who may have coins. */
  readonly addresses: Set<Address>;
  asked: number;
}

const CODES = Object.keys(SOAK_CODES) as SoakCode[];
const NEWCOMERS = Array.from({ length: 5 }, (_, index) => parseAddress(`41${String(index + 1).repeat(40)}`));
const ZERO_ADDRESS = parseAddress(`41${"00".repeat(20)}`);
const COIN = 1_000_000;
/** Of each token. */
const SUPPLY = 1_000_000;
const DAY_MS = 86_400_000;
/** Properties of a call. */
const TRIGGER = Buffer.from("protocol.TriggerSmartContract").toString("hex");
const MAX_OLD = 500;
const CHILDREN = 6;
const LOOKUPS = ["getaccount", "getblockbynum", "getblock", "gettransactionbyid", "getaccountresource", "getcontract"];
const GARBAGE = ["", "{", "[]", "null", '"x"', '{"value":7}', '{"num":1e99}', '{"address":"41"}', '{"id_or_num":-1}'];
const ODD: readonly Json[] = [null, -1, "x", "", 1e30, [], {}, true, "41", "9223372036854775808", "00".repeat(40)];

export function soakRun(chain: TestChain, seed: number): SoakRun {
  const people = [chain.simulation.faucet, ...chain.accounts].map(({ hex }) => hex);
  const addresses = new Set([...people, ...NEWCOMERS, ZERO_ADDRESS]);
  return { chain, roll: dice(seed), sent: [], contracts: [], addresses, asked: 0 };
}

/** One step of a run: something valid, something malformed, something old, a look-up, or a block. */
export async function step(run: SoakRun): Promise<void> {
  const { chain, roll } = run;
  const kind = roll(20);
  if (kind < 2) return chain.mine(1 + roll(2));
  if (kind < 4) return void (await post(run, `/wallet/${pick(run, LOOKUPS)}`, pick(run, GARBAGE)));
  if (kind < 6) return malformed(run);
  if (kind < 10) return again(run);
  const { path, body } = request(run);
  const from = roll(10);
  const built = await post(run, path, printJson({ owner_address: person(run, from), ...body }));
  if (built !== undefined) await sign(run, (built.transaction ?? built) as JsonObject, from);
}

/** One request; takes whatever comes back, or nothing. */
async function post(run: SoakRun, path: string, body: string): Promise<JsonObject | undefined> {
  run.asked += 1;
  const input = await answer(new Request(`http://chain${path}`, { method: "POST", body }), path, run.chain.simulation);
  if (!("response" in input)) return undefined;
  const text = await input.response.text();
  try {
    const json = parseJson(text);
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

interface Building {
  readonly path: string;
  readonly body: JsonObject;
}

/** Something that the builders would make a transaction of, more often than not. */
function request(run: SoakRun): Building {
  const contracts = [deployment, call, call, call, call, callWithTokens, setting];
  const makers = [transfer, transfer, ...contracts, stake, delegation, vote, account, permission, token, token];
  const { path, body } = pick(run, makers)(run);
  return { path: `/wallet/${path}`, body };
}

function transfer(run: SoakRun): Building {
  const { roll } = run;
  const amount = 1 + roll(roll(20) === 0 ? 30_000 * COIN : 5 * COIN);
  const memo = roll(5) === 0 ? { extra_data: "010203" } : {};
  return { path: "createtransaction", body: { to_address: anybody(run), amount, ...memo } };
}

function deployment(run: SoakRun): Building {
  const { roll } = run;
  const bytecode = roll(4) === 0 ? pick(run, SOAK_INIT_CODES) : soakInitCode(pick(run, CODES));
  const shares = { consume_user_resource_percent: roll(101), origin_energy_limit: 1 + roll(100_000) };
  const value = { call_value: roll(3) === 0 ? roll(COIN) : 0, fee_limit: feeLimit(run) };
  return { path: "deploycontract", body: { abi: "[]", name: "soak", bytecode, ...shares, ...value } };
}

function call(run: SoakRun): Building {
  const { roll } = run;
  const target = run.contracts.length === 0 || roll(20) === 0 ? anybody(run) : pick(run, run.contracts);
  const first = roll(6) === 0 ? target : anybody(run);
  const data = word(first.slice(2)) + word(roll(2) === 0 ? "0" : roll(2 * COIN).toString(16));
  const value = { call_value: roll(2) === 0 ? roll(2 * COIN) : 0, fee_limit: feeLimit(run) };
  return { path: "triggersmartcontract", body: { contract_address: target, data, ...value } };
}

function callWithTokens(run: SoakRun): Building {
  const { path, body } = call(run);
  return { path, body: { ...body, token_id: tokenId(run), call_token_value: run.roll(SUPPLY / 50) } };
}

/** The first to issue one may have the first number. */
function tokenId({ roll, chain }: SoakRun): number {
  const issued = chain.simulation.chain.pendingState.totals.newestToken - NO_TOKEN_ID;
  return NO_TOKEN_ID + 1 + roll(issued + 1);
}

function token(run: SoakRun): Building {
  return pick(run, [issue, tokenTransfer, tokenTransfer, tokenTransfer, purchase, tokenChange])(run);
}

/** Some of the supply stays frozen for a day. */
function issue({ chain, roll }: SoakRun): Building {
  const start_time = chain.simulation.chain.head.header.timestamp + 9_000;
  const times = { start_time, end_time: start_time + DAY_MS };
  const limits = { free_asset_net_limit: roll(2000), public_free_asset_net_limit: roll(10_000) };
  const frozen_supply = roll(2) === 0 ? [] : [{ frozen_amount: SUPPLY / 4, frozen_days: 1 }];
  const texts = { name: "536f616b", url: "75" };
  const numbers = { total_supply: SUPPLY, trx_num: COIN, num: 10 };
  return { path: "createassetissue", body: { ...texts, ...numbers, ...times, ...limits, frozen_supply } };
}

function tokenTransfer(run: SoakRun): Building {
  const amount = run.roll(SUPPLY / 10);
  return { path: "transferasset", body: { to_address: anybody(run), asset_name: hexOf(tokenId(run)), amount } };
}

function purchase(run: SoakRun): Building {
  const id = tokenId(run);
  const issuer = run.chain.simulation.chain.pendingState.tables.tokens.get(String(id))?.definition.ownerAddress;
  const to_address = issuer === undefined ? anybody(run) : bytesToHex(issuer);
  return { path: "participateassetissue", body: { to_address, asset_name: hexOf(id), amount: run.roll(3 * COIN) } };
}

function tokenChange({ roll }: SoakRun): Building {
  if (roll(2) === 0) return { path: "unfreezeasset", body: {} };
  return { path: "updateasset", body: { url: "76", new_limit: roll(2000), new_public_limit: roll(10_000) } };
}

function hexOf(number: number): string {
  return Buffer.from(String(number)).toString("hex");
}

function stake(run: SoakRun): Building {
  const { roll } = run;
  const amount = COIN + roll(20 * COIN);
  const resource = pick(run, ["BANDWIDTH", "ENERGY", "TRON_POWER"]);
  if (roll(2) === 0) return { path: "freezebalancev2", body: { frozen_balance: amount, resource } };
  if (roll(3) > 0) return { path: "unfreezebalancev2", body: { unfreeze_balance: 1 + roll(amount), resource } };
  return { path: pick(run, ["withdrawexpireunfreeze", "cancelallunfreezev2"]), body: {} };
}

function delegation(run: SoakRun): Building {
  const { roll } = run;
  const resource = pick(run, ["BANDWIDTH", "ENERGY"]);
  const body = { receiver_address: anybody(run), balance: COIN + roll(3 * COIN), resource };
  return { path: pick(run, ["delegateresource", "undelegateresource"]), body: { ...body, lock: roll(8) === 0 } };
}

/** Votes for one or two witnesses, or for an account that is none. */
function vote(run: SoakRun): Building {
  const { roll } = run;
  if (roll(6) === 0) return { path: "withdrawbalance", body: {} };
  const { active } = run.chain.simulation.chain.pendingState.totals;
  const one = (): JsonObject => ({
    vote_address: roll(12) === 0 ? anybody(run) : pick(run, active),
    vote_count: 1 + roll(8),
  });
  return { path: "votewitnessaccount", body: { votes: roll(2) === 0 ? [one()] : [one(), one()] } };
}

function account(run: SoakRun): Building {
  return { path: "createaccount", body: { account_address: anybody(run) } };
}

/** From then on a friend may sign as well, or has to. */
function permission(run: SoakRun): Building {
  const { roll } = run;
  const index = roll(10);
  const keys = [index, (index + 1) % 10].map((it) => ({ address: person(run, it), weight: 1 }));
  const threshold = 1 + roll(roll(3) === 0 ? 3 : 1);
  const operations = `7fff1fc0033e0100${"00".repeat(24)}`;
  const active = { type: 2, permission_name: "active", threshold: 1, operations, keys };
  const owner = { type: 0, permission_name: "owner", threshold, keys };
  const body = { owner_address: person(run, index), owner, actives: [active] };
  return { path: "accountpermissionupdate", body: roll(4) > 0 ? { ...body, owner: { ...owner, keys: [] } } : body };
}

function setting(run: SoakRun): Building {
  const { roll } = run;
  const contract_address = run.contracts.length === 0 ? anybody(run) : pick(run, run.contracts);
  if (roll(3) === 0) return { path: "clearabi", body: { contract_address } };
  if (roll(2) === 0)
    return { path: "updateenergylimit", body: { contract_address, origin_energy_limit: roll(100_000) } };
  return { path: "updatesetting", body: { contract_address, consume_user_resource_percent: roll(110) } };
}

/** A request of one of the builders with something odd in it, or nothing but that. */
async function malformed(run: SoakRun): Promise<void> {
  const { path, body } = request(run);
  const whole: JsonObject = { owner_address: person(run, run.roll(10)), ...body };
  const field = pick(run, Object.keys(whole));
  const odd = run.roll(4) === 0 ? pick(run, GARBAGE) : printJson({ ...whole, [field]: pick(run, ODD) });
  const built = await post(run, run.roll(4) === 0 ? "/wallet/broadcasttransaction" : path, odd);
  if (built !== undefined) await sign(run, (built.transaction ?? built) as JsonObject, run.roll(10));
}

/** Sends what was sent before, as it was or with another signature, or asks what has become of it. */
async function again(run: SoakRun): Promise<void> {
  const { roll, sent } = run;
  const old = sent[roll(sent.length)];
  if (old === undefined) return;
  if (roll(3) === 0) {
    const body = printJson({ value: old.txID ?? "" });
    return void (await post(run, "/walletsolidity/gettransactioninfobyid", body));
  }
  const spoilt = roll(4) === 0 ? { signature: ["00"] } : {};
  await post(run, "/wallet/broadcasttransaction", printJson({ ...old, ...spoilt }));
}

/** Signs by its owner, sometimes with a friend, and sends. */
async function sign(run: SoakRun, built: JsonObject, from: number): Promise<void> {
  const { roll, sent } = run;
  if (typeof built.raw_data_hex !== "string") return;
  const id = transactionId(hexToBytes(built.raw_data_hex));
  const signers = roll(6) === 0 ? [from, (from + 1 + roll(2)) % 10] : [from];
  const signature = signers.map((index) => signTransactionId(id, keyOf(run, index)));
  remember(run, built, id);
  const body = { ...built, signature };
  sent.push(body);
  if (sent.length > MAX_OLD) sent.shift();
  await post(run, "/wallet/broadcasttransaction", printJson(body));
}

/** Accounts that the transaction may create. */
function remember({ contracts, addresses }: SoakRun, built: JsonObject, id: ReturnType<typeof transactionId>): void {
  if (typeof built.contract_address === "string") {
    contracts.push(parseAddress(built.contract_address));
    addresses.add(parseAddress(built.contract_address));
  }
  if (!String(built.raw_data_hex).includes(TRIGGER)) return;
  for (let nonce = 0; nonce < CHILDREN; nonce += 1) addresses.add(createdContractAddress(id, BigInt(nonce)));
}

function anybody(run: SoakRun): Address {
  const kind = run.roll(4);
  if (kind === 0) return pick(run, NEWCOMERS);
  return kind === 1 && run.contracts.length > 0 ? pick(run, run.contracts) : person(run, run.roll(10));
}

function person({ chain }: SoakRun, index: number): Address {
  return at(chain.accounts, index).hex;
}

function keyOf({ chain }: SoakRun, index: number): PrivateKey {
  return hexToBytes(at(chain.accounts, index).privateKey) as PrivateKey;
}

function feeLimit({ roll }: SoakRun): number {
  return roll(6) === 0 ? roll(COIN) : roll(20 * COIN);
}

function pick<Item>({ roll }: SoakRun, items: readonly Item[]): Item {
  return at(items, roll(items.length));
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`There is nothing at ${index}.`);
  return item;
}

function word(digits: string): string {
  return digits.padStart(64, "0");
}
