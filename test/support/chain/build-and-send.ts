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
