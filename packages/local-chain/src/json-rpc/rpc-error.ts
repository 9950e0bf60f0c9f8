import type { Json } from "@finality/tron/primitives";

/** What the node puts beside the text of an exception that it knows: its annotations say so, as a text. */
const NOTHING_MORE = "{}";

/** An error as JSON-RPC answers it. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  /** Null prints none. */
  readonly data: Json;

  constructor(code: number, message: string, data: Json = NOTHING_MORE) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function invalidRequest(message = "invalid json request"): RpcError {
  return new RpcError(-32600, message);
}

export function invalidParams(message: string): RpcError {
  return new RpcError(-32602, message);
}

/** A method that the node knows by name and does not have. */
export function notAvailable(method: string): RpcError {
  return new RpcError(-32601, `the method ${method} does not exist/is not available`);
}

/** @param data - of a revert, as hex with 0x */
export function nodeError(message: string, data?: string): RpcError {
  return new RpcError(-32000, message, data);
}

export function tooManyResults(most: number): RpcError {
  return new RpcError(-32005, `query returned more than ${most} results`);
}
