import assert from "node:assert/strict";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { hexToBytes, type TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { type PrivateKey, signTransactionId } from "../../../packages/tron/src/transaction/signature.ts";
import type { TestChain } from "./test-chain.ts";

const REFUSED = "class org.tron.core.exception.ContractValidateException : ";

/** The address of one of the chain's accounts. */
export function addressAt({ accounts }: TestChain, index: number): Address {
  return parseAddress(accounts[index]?.hex ?? "");
}

/** Returns the builder's error for a contract. @param by - the index of its owner */
export async function refusalOf(chain: TestChain, path: string, body: JsonObject, by = 0): Promise<string> {
  const { Error: error } = await chain.ask(`/wallet/${path}`, { owner_address: addressAt(chain, by), ...body });
  assert.ok(String(error).startsWith(REFUSED), `${path} does not refuse, but says ${String(error)}`);
  return String(error).slice(REFUSED.length);
}

/** A signed transaction of a builder. @param by - the index of its owner */
export async function signedBy(chain: TestChain, path: string, body: JsonObject, by = 0): Promise<JsonObject> {
  const answer = await chain.ask(`/wallet/${path}`, { owner_address: addressAt(chain, by), ...body });
  assert.equal(answer.Error, undefined);
  // The builder of calls wraps its transaction.
  const unsigned = isJsonObject(answer.transaction) ? answer.transaction : answer;
  const key = hexToBytes(chain.accounts[by]?.privateKey ?? "") as PrivateKey;
  return { ...unsigned, signature: [signTransactionId(String(unsigned.txID) as TxId, key)] };
}

/** Builds, signs, sends and mines, and gives the receipt. @param by - the index of its owner */
export async function done(chain: TestChain, path: string, body: JsonObject, by = 0): Promise<JsonObject> {
  const signed = await signedBy(chain, path, body, by);
  assert.deepEqual(await chain.ask("/wallet/broadcasttransaction", signed), { result: true, txid: signed.txID });
  chain.mine();
  return await chain.ask("/wallet/gettransactioninfobyid", { value: signed.txID ?? null });
}

export function textAsHex(text: string): string {
  return Buffer.from(text).toString("hex");
}

/** Id of the first token of a chain. */
export const FIRST_TOKEN = textAsHex("1000001");
export const DAY_MS = 86_400_000;

/** The body of a request that issues a token; it is sold from 9 seconds after the newest block on, for a day. */
export function tokenBody({ simulation }: Pick<TestChain, "simulation">, changes: JsonObject = {}): JsonObject {
  const start = simulation.chain.head.header.timestamp + 9000;
  return {
    name: textAsHex("Coin"),
    abbr: textAsHex("CN"),
    url: textAsHex("http://t.invalid"),
    description: textAsHex("about"),
    total_supply: 1_000_000,
    precision: 2,
    trx_num: 10,
    num: 3,
    start_time: start,
    end_time: start + DAY_MS,
    ...changes,
  };
}

/** Issues a token of the first account, or of another. */
export async function issue(chain: TestChain, changes: JsonObject = {}, by = 0): Promise<JsonObject> {
  return await done(chain, "createassetissue", tokenBody(chain, changes), by);
}
