import { hexToBytes, type TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { type PrivateKey, signTransactionId } from "../../../packages/tron/src/transaction/signature.ts";
import { recordedT } from "../recorded/exchanges.ts";
import { type TestChain, testChain } from "./test-chain.ts";

/** A chain that is asked by JSON-RPC, with the contract T of the recordings on it. */
export interface RpcFixture {
  readonly chain: TestChain;
  /** The contract T with 0x. */
  readonly contract: string;
  /** The result of a method. @throws {Error} an error came instead */
  result(method: string, ...params: readonly Json[]): Promise<Json>;
  /** The error of a method. */
  error(method: string, ...params: readonly Json[]): Promise<JsonObject>;
  /** Builds by JSON-RPC, signs, sends, and makes a block. @returns the txID with 0x */
  send(request: JsonObject): Promise<string>;
}

/** Sends a request to a node, with or without a socket. */
export interface Asking {
  ask(path: string, body: Json): Promise<JsonObject>;
  mine(): Promise<void> | void;
  readonly privateKey: string;
}

const GAS = "0x989680";

/** Builds a transaction by JSON-RPC, signs it, sends it, and makes a block. @returns the txID with 0x */
export async function sendByRpc({ ask, mine, privateKey }: Asking, request: JsonObject): Promise<string> {
  const params = [{ gas: GAS, ...request }];
  const answer = await ask("/jsonrpc", { jsonrpc: "2.0", id: 1, method: "buildTransaction", params });
  if (!isJsonObject(answer.result)) throw new Error(JSON.stringify(answer.error));
  const transaction = answer.result.transaction as JsonObject;
  const id = String(transaction.txID) as TxId;
  const signature = signTransactionId(id, hexToBytes(privateKey) as PrivateKey);
  const sent = await ask("/wallet/broadcasttransaction", { ...transaction, signature: [signature] });
  if (sent.result !== true) throw new Error(JSON.stringify(sent));
  await mine();
  return `0x${id}`;
}

/** Deployment code of T with `x` = 1. */
export function deploymentOfT(from: string): JsonObject {
  const { abi, bytecode } = recordedT().source;
  const data = `0x${bytecode}${"1".padStart(64, "0")}`;
  return {
    from,
    data,
    abi: JSON.stringify(abi),
    name: "T",
    consumeUserResourcePercent: 100,
    originEnergyLimit: 10_000_000,
  };
}

/** An account's 20 bytes with 0x. */
export function shortOf({ hex }: { readonly hex: string }): string {
  return `0x${hex.slice(2)}`;
}

export async function rpcFixture(options?: Parameters<typeof testChain>[0]): Promise<RpcFixture> {
  const chain = await testChain(options);
  const [owner] = chain.accounts;
  if (owner === undefined) throw new RangeError("The chain has no accounts.");
  const ask = (method: string, params: readonly Json[]): Promise<JsonObject> =>
    chain.ask("/jsonrpc", { jsonrpc: "2.0", id: 1, method, params });
  const asking: Asking = { ask: chain.ask, mine: () => chain.mine(), privateKey: owner.privateKey };
  const result = async (method: string, ...params: readonly Json[]): Promise<Json> => {
    const answer = await ask(method, params);
    if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
    return answer.result ?? null;
  };
  const deployed = await sendByRpc(asking, deploymentOfT(shortOf(owner)));
  const receipt = await result("eth_getTransactionReceipt", deployed);
  if (!isJsonObject(receipt)) throw new Error("The deployment has no receipt.");
  return {
    chain,
    contract: String(receipt.contractAddress),
    result,
    error: async (method, ...params) => {
      const { error } = await ask(method, params);
      if (!isJsonObject(error)) throw new Error(`${method} was answered without an error.`);
      return error;
    },
    send: (request) => sendByRpc(asking, request),
  };
}
