import { isJsonObject, type Json, type JsonObject, parseJson, printJson } from "@finality/tron/primitives";
import { JavaError } from "../http/java-values.ts";
import type { HttpResponse } from "../http/message.ts";
import type { NodeView } from "../node/node-view.ts";
import { blockMethods, receiptMethods, transactionMethods } from "./block-methods.ts";
import { buildMethods } from "./build-methods.ts";
import { callFields, callMethods } from "./call-methods.ts";
import { lenientCall, lenientMethods } from "./lenient-rpc.ts";
import { filterMethods, nodeMethods, stateMethods } from "./node-methods.ts";
import type { RpcContext, RpcMethod, RpcMethods } from "./rpc-method.ts";
import { isSince482, MalformedParameter, notAvailable, RpcError, text } from "./rpc-values.ts";

type ParameterReader = (parameter: Json, view: NodeView) => unknown;

/** Reads a call object. */
const readCall: ParameterReader = (parameter, view) => parameter === null || callFields(view, parameter);

/** Known but unsupported methods, with the readers of their parameters. */
const unsupported: { readonly [name: string]: readonly ParameterReader[] } = {
  eth_compileLLL: [text],
  eth_compileSerpent: [text],
  eth_compileSolidity: [text],
  eth_getCompilers: [],
  eth_getTransactionCount: [text, text],
  eth_sendRawTransaction: [text],
  eth_sendTransaction: [readCall],
  eth_sign: [text, text],
  eth_signTransaction: [readCall],
  eth_submitHashrate: [text, text],
  eth_submitWork: [text, text, text],
  parity_nextNonce: [text],
};

const methods: RpcMethods = {
  ...nodeMethods,
  ...stateMethods,
  ...callMethods,
  ...blockMethods,
  ...transactionMethods,
  ...filterMethods,
  ...buildMethods,
  ...Object.fromEntries(Object.entries(unsupported).map(([name, readers]) => [name, absentMethod(name, readers)])),
};

/** Methods by name. */
const rpcMethods: ReadonlyMap<string, RpcMethod> = new Map(Object.entries(methods));

function absentMethod(name: string, readers: readonly ParameterReader[]): RpcMethod {
  return {
    parameters: readers.length,
    answer: ({ view }, parameters) => {
      for (const [index, read] of readers.entries()) read(parameters[index] ?? null, view);
      throw notAvailable(name);
    },
  };
}

const VERSION = "2.0";
/** Id in responses to requests without a readable id: the node prints this text, not `null`. */
const NO_ID = "null";
const UNHANDLED = -32001;

/** A request on which the node's library fails: the response is empty. */
class Unanswered extends Error {
  override readonly name = "Unanswered";
}

/** Answers one request or a batch as the node's library does, always with status 200. */
export function answerRpc(body: string, context: RpcContext): HttpResponse {
  const reply = answered(body, context);
  const headers = { "content-type": "application/json-rpc" };
  return { status: 200, headers, body: reply === undefined ? "" : `${printJson(reply)}\n` };
}

function answered(body: string, context: RpcContext): Json | undefined {
  try {
    return replyTo(body, context);
  } catch (error) {
    if (error instanceof Unanswered) return undefined;
    throw error;
  }
}

/** Returns nothing for a request without an id. @throws {Unanswered} */
function replyTo(body: string, context: RpcContext): Json | undefined {
  const request = parsed(body);
  if (isSince482(context.view)) return replyOf482(request, context);
  if (request === undefined) return broken();
  return Array.isArray(request)
    ? request.map((it: Json) => replyToOne(it, context) ?? null)
    : replyToOne(request, context);
}

/** Most requests of a batch on 4.8.2. */
const MAX_BATCH = 100;

/** Replies as 4.8.2, which checks the form of a body itself. @throws {Unanswered} */
function replyOf482(request: Json | undefined, context: RpcContext): Json | undefined {
  if (request === undefined) return malformed(-32700, "JSON parse error");
  if (!Array.isArray(request)) return isJsonObject(request) ? replyToOne(request, context) : invalidForm();
  if (request.length === 0) return invalidForm();
  if (request.length > MAX_BATCH) {
    return [malformed(-32005, `Batch size ${request.length} exceeds the limit of ${MAX_BATCH}`)];
  }
  const replies = request.flatMap((it: Json): Json[] => {
    const reply = replyInBatch(it, context);
    return reply === undefined ? [] : [reply];
  });
  return replies.length === 0 ? undefined : replies;
}

function replyInBatch(request: Json, context: RpcContext): JsonObject | undefined {
  return isJsonObject(request) ? replyToOne(request, context) : invalidForm();
}

function invalidForm(): JsonObject {
  return malformed(-32600, "Invalid Request");
}

function malformed(code: number, message: string): JsonObject {
  return failed(null, new RpcError(code, message, null));
}

/** Reads the first value of a body as the node's library does, which ignores any text behind it. */
function parsed(body: string): Json | undefined {
  try {
    return parseJson(firstValue(body));
  } catch {
    return undefined;
  }
}

/** Returns the text of the object or list that a body begins with, or the whole body. */
function firstValue(body: string): string {
  if (!/^\s*[{[]/.test(body)) return body;
  let depth = 0;
  for (const { 0: token, index } of body.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    if (depth === 0) return body.slice(0, index + 1);
  }
  return body;
}

function replyToOne(request: Json, context: RpcContext): JsonObject | undefined {
  if (!isJsonObject(request)) return failed(NO_ID, new RpcError(-32600, "invalid request", null));
  const id = idOf(request.id);
  try {
    const result = call(request, context);
    return id === null ? undefined : { jsonrpc: versionOf(request), id, result };
  } catch (error) {
    if (error instanceof Unanswered) throw error;
    if (error instanceof MalformedParameter) return broken();
    return failed(id, errorOf(error, context.view), versionOf(request));
  }
}

/** @throws {RpcError | JavaError | MalformedParameter} */
function call({ method: name, params }: JsonObject, context: RpcContext): Json {
  const method = typeof name === "string" ? methodNamed(name, context) : undefined;
  if (method === undefined) throw new RpcError(-32601, "method not found", null);
  const parameters = parametersOf(params);
  if (context.isLenient && parameters !== undefined) {
    const call = lenientCall({ name: String(name), parameters, context });
    return method.answer(call.context, call.parameters);
  }
  if (parameters?.length !== method.parameters) throw new RpcError(-32602, "method parameters invalid", null);
  return method.answer(context, parameters);
}

function methodNamed(name: string, { isLenient, view }: RpcContext): RpcMethod | undefined {
  if (isSince482(view) && Object.hasOwn(receiptMethods, name)) return receiptMethods[name];
  const own = isLenient && Object.hasOwn(lenientMethods, name) ? lenientMethods[name] : undefined;
  return own ?? rpcMethods.get(name);
}

/**
 * Returns the parameters; undefined for named ones, which no method has.
 *
 * @throws {Unanswered} neither a list nor an object
 */
function parametersOf(params: Json | undefined): readonly Json[] | undefined {
  if (params === undefined || params === null) return [];
  if (Array.isArray(params)) return params;
  if (!isJsonObject(params)) throw new Unanswered();
  return Object.keys(params).length === 0 ? [] : undefined;
}

/** Maps an exception to an RPC error; one without annotation is printed with its class. */
function errorOf(error: unknown, view: NodeView): RpcError {
  if (error instanceof RpcError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const exceptionTypeName = error instanceof JavaError ? error.javaClass : "java.lang.RuntimeException";
  return new RpcError(UNHANDLED, message, isSince482(view) ? exceptionTypeName : { exceptionTypeName, message });
}

function failed(id: Json, { code, message, data }: RpcError, jsonrpc: Json = VERSION): JsonObject {
  return { jsonrpc, id, error: { code, message, data: data ?? undefined } };
}

function broken(): JsonObject {
  return failed(NO_ID, new RpcError(-32700, "JSON parse error", null));
}

function versionOf({ jsonrpc }: JsonObject): Json {
  if (jsonrpc === undefined || jsonrpc === null) return VERSION;
  return typeof jsonrpc === "object" ? "" : String(jsonrpc);
}

const INT_BITS = 32;
const LONG_BITS = 64;

/**
 * Reads the id; an integer of more than 64 bits keeps its lowest 32.
 *
 * @throws {Unanswered} neither a number nor a text
 */
function idOf(id: Json | undefined): Json {
  if (id === undefined || id === null) return null;
  if (typeof id === "object" || typeof id === "boolean") throw new Unanswered();
  return typeof id === "bigint" && BigInt.asIntN(LONG_BITS, id) !== id ? Number(BigInt.asIntN(INT_BITS, id)) : id;
}
