import assert from "node:assert/strict";
import type { LocalChain } from "../../../packages/local-chain/src/main.ts";
import { hexToBytes, type TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { type PrivateKey, signTransactionId } from "../../../packages/tron/src/transaction/signature.ts";

/** Asks a chain that serves HTTP. */
export async function askOf<T = JsonObject>({ baseUrl }: LocalChain, path: string, body: object): Promise<T> {
  const answer = await fetch(`${baseUrl}/${path}`, { method: "POST", body: JSON.stringify(body) });
  return (await answer.json()) as T;
}

/** Has the node build a transaction, signs it by one of the chain's accounts, sends it, and makes a block with it. */
export async function doneBy(chain: LocalChain, by: number, path: string, body: object): Promise<void> {
  const { hex: owner_address, privateKey } = chain.ready.accounts[by] ?? assert.fail(`there is no account ${by}`);
  const unsigned = await askOf(chain, `wallet/${path}`, { owner_address, ...body });
  assert.equal(unsigned.Error, undefined);
  const signature = [signTransactionId(String(unsigned.txID) as TxId, hexToBytes(privateKey) as PrivateKey)];
  const { result } = await askOf(chain, "wallet/broadcasttransaction", { ...unsigned, signature });
  assert.equal(result, true);
  await askOf(chain, "local/mine", { blocks: 1 });
}
