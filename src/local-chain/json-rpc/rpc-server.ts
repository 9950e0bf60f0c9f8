import { isJsonObject, type Json, type JsonObject, parseJson, printJson } from "../../core/primitives/json.ts";
import { JavaError } from "../http/java-error.ts";
import type { HttpResponse } from "../http/message.ts";
import { buildMethods } from "./build-methods.ts";
import { callMethods } from "./call-methods.ts";
import { filterMethods } from "./filter-methods.ts";
import { blockMethods, transactionMethods } from "./look-ups.ts";
import { nodeMethods } from "./node-methods.ts";
import { notAvailable, RpcError } from "./rpc-error.ts";
import type { RpcContext, RpcMethod, RpcMethods } from "./rpc-method.ts";
import { stateMethods } from "./state-methods.ts";
import { Unreadable } from "./values.ts";

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
const rpcMethods: ReadonlyMap<string, RpcMethod> = new Map(Object.entries(methods));

function absentMethod(name: string, parameters: number): RpcMethod {
  return {
    parameters,
    answer: () => {
      throw notAvailable(name);
    },
  };
}

const VERSION = "2.0";
/** Where a request has no id that could be read the node answers this text, and not `null`. */
const NO_ID = "null";
const UNHANDLED = -32001;

/** Answers one request or a list of them as the node's library does: status 200 whatever happens. */
export function answerRpc(body: string, context: RpcContext): HttpResponse {
  const reply = replyTo(body, context);
  const headers = { "content-type": "application/json-rpc" };
  return { status: 200, headers, body: reply === undefined ? "" : `${printJson(reply)}\n` };
}

/** Nothing is answered to nothing, nor to a request without an id. */
function replyTo(body: string, context: RpcContext): Json | undefined {
  if (body.trim() === "") return undefined;
  const request = parsed(body);
  if (request === undefined) return broken();
  return Array.isArray(request)
    ? request.map((it: Json) => replyToOne(it, context) ?? null)
    : replyToOne(request, context);
}

function parsed(body: string): Json | undefined {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

function replyToOne(request: Json, context: RpcContext): JsonObject | undefined {
  if (!isJsonObject(request)) return failed(NO_ID, new RpcError(-32600, "invalid request", null));
  const id = idOf(request.id);
  try {
    const result = call(request, context);
    return id === null ? undefined : { jsonrpc: versionOf(request), id, result };
  } catch (error) {
    if (error instanceof Unreadable) return broken();
    return failed(id, errorOf(error), versionOf(request));
  }
}

/** @throws {RpcError | JavaError | Unreadable} */
function call({ method: name, params }: JsonObject, context: RpcContext): Json {
  const method = typeof name === "string" ? rpcMethods.get(name) : undefined;
  if (method === undefined) throw new RpcError(-32601, "method not found", null);
  const parameters = params ?? [];
  if (!Array.isArray(parameters) || parameters.length !== method.parameters) {
    throw new RpcError(-32602, "method parameters invalid", null);
  }
  return method.answer(context, parameters);
}

/** An exception that no annotation names is shown with its class. */
function errorOf(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const exceptionTypeName = error instanceof JavaError ? error.javaClass : "java.lang.RuntimeException";
  return new RpcError(UNHANDLED, message, { exceptionTypeName, message });
}

function failed(id: Json, { code, message, data }: RpcError, jsonrpc: Json = VERSION): JsonObject {
  return { jsonrpc, id, error: { code, message, data: data ?? undefined } };
}

function broken(): JsonObject {
  return failed(NO_ID, new RpcError(-32700, "JSON parse error", null));
}

function versionOf({ jsonrpc }: JsonObject): Json {
  return jsonrpc ?? VERSION;
}

function idOf(id: Json | undefined): Json {
  return id === undefined || typeof id === "object" || typeof id === "boolean" ? null : id;
}
