import { blockMethods } from "./block-methods.ts";
import { buildMethods } from "./build-methods.ts";
import { callMethods } from "./call-methods.ts";
import { filterMethods } from "./filter-methods.ts";
import { nodeMethods } from "./node-methods.ts";
import { notAvailable } from "./rpc-error.ts";
import type { RpcMethod, RpcMethods } from "./rpc-method.ts";
import { stateMethods } from "./state-methods.ts";
import { transactionMethods } from "./transaction-methods.ts";

/** What the node knows by name and does not have, with how many parameters. */
const absent: { readonly [name: string]: number } = {
  eth_compileLLL: 1,
  eth_compileSerpent: 1,
  eth_compileSolidity: 1,
  eth_getCompilers: 0,
  eth_getTransactionCount: 2,
  eth_sendRawTransaction: 1,
  eth_sendTransaction: 1,
  eth_sign: 2,
  eth_signTransaction: 1,
  eth_submitHashrate: 2,
  eth_submitWork: 3,
  parity_nextNonce: 1,
};

const methods: RpcMethods = {
  ...nodeMethods,
  ...stateMethods,
  ...callMethods,
  ...blockMethods,
  ...transactionMethods,
  ...filterMethods,
  ...buildMethods,
  ...Object.fromEntries(Object.entries(absent).map(([name, parameters]) => [name, absentMethod(name, parameters)])),
};

/** All methods by name. */
export const rpcMethods: ReadonlyMap<string, RpcMethod> = new Map(Object.entries(methods));

/** Those of them that are always refused. */
export const absentMethods: readonly string[] = Object.keys(absent);

function absentMethod(name: string, parameters: number): RpcMethod {
  return {
    parameters,
    answer: () => {
      throw notAvailable(name);
    },
  };
}
