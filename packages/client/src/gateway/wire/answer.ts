import { type AnyChainError, ChainError } from "@finality/tron/errors";
import { decodeNodeMessage, failureInJson, type HttpFailure, parseNodeFault } from "@finality/tron/node-messages";
import {
  type Address,
  type Hex,
  hex,
  isHexPairs,
  isJsonObject,
  type Json,
  type JsonObject,
  parseAddress,
  parseJson,
  parseTxId,
  type Sun,
  shorten,
  sun,
  type TxId,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** The body of an answer and who gave it. */
export interface AnswerText {
  readonly endpoint: string;
  readonly body: string;
}

/** Makes a typed value of an answer; throws a `FieldFault` for a field that does not fit. */
export type AnswerParser<T> = (json: Json) => T;

/** A long work in pieces, and what it gives. */
export type Pieces<T> = Generator<void, T, void>;

/** Length of the body excerpt in an error. */
export const BODY_EXCERPT = 2_000;

/**
 * Reads the answer of a node: JSON, not one of its error shapes, and what the parser expects.
 *
 * @throws {ChainError} `GATEWAY_ANSWER_MALFORMED`, `NODE_REFUSED`, with the raw body; `GATEWAY_RATE_LIMITED`,
 *   `GATEWAY_HTTP_STATUS`
 */
export function readAnswer<T>(answer: AnswerText, parse: AnswerParser<T>): T {
  return parsed(readGoodJson(answer), answer, parse);
}

/** Reads an answer whose `result.code` is data and not a refusal. */
export function readCodedAnswer<T>(answer: AnswerText, parse: AnswerParser<T>): T {
  const json = readJson(answer);
  const error = isJsonObject(json) ? errorBody(json, answer) : undefined;
  if (error !== undefined) throw error;
  return parsed(json, answer, parse);
}

function parsed<T>(json: Json, answer: AnswerText, parse: AnswerParser<T>): T {
  try {
    return parse(json);
  } catch (cause) {
    throw whatIsWrong(answer, cause);
  }
}

/** The same, with `turn` awaited between the pieces. */
export async function readInPieces<T>(
  answer: AnswerText,
  parse: (json: Json) => Pieces<T>,
  turn: () => Promise<void>,
): Promise<T> {
  const pieces = parse(readGoodJson(answer));
  try {
    for (;;) {
      const { done, value } = pieces.next();
      if (done === true) return value;
      await turn();
    }
  } catch (cause) {
    throw whatIsWrong(answer, cause);
  }
}

function readGoodJson(answer: AnswerText): Json {
  const json = readJson(answer);
  if (isJsonObject(json)) throwNodeError(json, answer);
  return json;
}

function whatIsWrong(answer: AnswerText, cause: unknown): unknown {
  return cause instanceof FieldFault ? malformedAnswer(answer, cause.message, cause) : cause;
}

/** @throws {ChainError} `GATEWAY_ANSWER_MALFORMED` empty or not JSON */
export function readJson(answer: AnswerText): Json {
  if (answer.body.trim() === "") throw malformedAnswer(answer, t`it is empty`);
  try {
    return parseJson(answer.body);
  } catch (cause) {
    throw malformedAnswer(answer, t`it is not JSON`, cause);
  }
}

/** The error of an answer that cannot be read, with the beginning of its body. */
export function malformedAnswer(answer: AnswerText, reason: string, cause?: unknown): AnyChainError {
  const details = { endpoint: answer.endpoint, reason, body: shorten(answer.body, BODY_EXCERPT) };
  return new ChainError("GATEWAY_ANSWER_MALFORMED", details, { cause });
}

/** The error of an `Error` body, or of what a gateway writes in place of an answer (any endpoint); else undefined. */
function errorBody(json: JsonObject, answer: AnswerText): AnyChainError | undefined {
  const failure = failureInJson(json);
  if (failure !== undefined) return httpError(failure, answer);
  if (typeof json.Error !== "string") return undefined;
  const fault = parseNodeFault(json.Error);
  return refusal(answer, fault.code, fault.message);
}

/** Details that an exchange adds to an HTTP failure. */
export interface FailedAnswer extends AnswerText {
  /** The header of the API key, where it is known. */
  readonly header?: string;
  /** Origins that withheld credentials are bound to. */
  readonly boundTo?: string;
  /** Value of `Retry-After`; ms. */
  readonly retryAfterMs?: number | undefined;
}

/** Returns the error of an HTTP failure, from its status or its body. */
export function httpError({ meaning, status, waitMs }: HttpFailure, answer: FailedAnswer): AnyChainError {
  const { endpoint, header, boundTo, body, retryAfterMs = waitMs } = answer;
  if (meaning === "rate-limited") return new ChainError("GATEWAY_RATE_LIMITED", { endpoint, retryAfterMs });
  if (meaning === "key-refused" && header !== undefined) {
    const details = { endpoint, status, header };
    return new ChainError("GATEWAY_UNAUTHORIZED", boundTo === undefined ? details : { ...details, boundTo });
  }
  return new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status, body: shorten(body, BODY_EXCERPT) });
}

/** Two shapes: `{"Error": "…"}`, and `{"result": {"code": "…", "message": "…"}}` of the contract endpoints. */
function throwNodeError(json: JsonObject, answer: AnswerText): void {
  const error = errorBody(json, answer);
  if (error !== undefined) throw error;
  const { result } = json;
  if (isJsonObject(result) && typeof result.code === "string" && result.code !== "SUCCESS") {
    throw refusal(answer, result.code, decodeNodeMessage(String(result.message ?? "")));
  }
}

/** A refusal with the code and the decoded message of the node. */
export function refusal({ endpoint, body }: AnswerText, code: string, message: string): AnyChainError {
  return new ChainError("NODE_REFUSED", { endpoint, code, message, body: shorten(body, BODY_EXCERPT) });
}

/**
 * These readers differ from `@finality/tron/read`: on the wire, absent means zero, empty or none. Numbers become
 * bigints, and unknown fields are ignored.
 */

/** A field of an answer that is not what it has to be. `readAnswer` turns it into a `ChainError` with the raw body. */
export class FieldFault extends Error {
  override readonly name = "FieldFault";
}

/** The fault of one field, by its path. */
export function fault(path: string, reason: string): FieldFault {
  return new FieldFault(`${path} ${reason}`);
}

/** An object, or an empty one when it is left out: the node omits empty messages. */
export function objectField(parent: JsonObject, name: string): JsonObject {
  const value = parent[name] ?? {};
  if (!isJsonObject(value)) throw fault(name, t`is not an object`);
  return value;
}

/** A list, or an empty one when it is left out: the node omits empty lists. @throws {FieldFault} */
export function listField(parent: JsonObject, name: string): readonly Json[] {
  const value = parent[name] ?? [];
  if (!Array.isArray(value)) throw fault(name, t`is not a list`);
  return value as readonly Json[];
}

/** A value that has to be an object. @throws {FieldFault} */
export function asObject(value: Json | undefined, path: string): JsonObject {
  if (!isJsonObject(value)) throw fault(path, t`is not an object`);
  return value;
}

/** An int64; left out means 0. */
export function integerField(parent: JsonObject, name: string): bigint {
  const value = parent[name] ?? 0;
  if (typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value))) return BigInt(value);
  throw fault(name, t`is not an integer but ${shorten(String(value), 40)}`);
}

/** An amount in sun; left out means 0. @throws {FieldFault} */
export function sunField(parent: JsonObject, name: string): Sun {
  return sun(integerField(parent, name));
}

/** A height or a time in ms: exact as a number, not negative; left out means 0. */
export function numberField(parent: JsonObject, name: string): number {
  const value = Number(integerField(parent, name));
  if (!Number.isSafeInteger(value) || value < 0) throw fault(name, t`is out of range`);
  return value;
}

/** Text; left out means empty. */
export function textField(parent: JsonObject, name: string): string {
  const value = parent[name] ?? "";
  if (typeof value !== "string") throw fault(name, t`is not text`);
  return value;
}

/** Bytes as hex; left out means none. */
export function hexField(parent: JsonObject, name: string): Hex {
  const text = textField(parent, name);
  if (text !== "" && !isHexPairs(text)) throw fault(name, t`is not hex`);
  return hex(text);
}

/** 64 hex digits that have to be there. */
export function hashField<H extends Hex = TxId>(parent: JsonObject, name: string): H {
  const value = parent[name];
  const hash = typeof value === "string" ? parseTxId(value) : undefined;
  if (hash === undefined) throw fault(name, t`is not a hash of 64 hex digits`);
  return hash as Hex as H;
}

/** An address that has to be there. @throws {FieldFault} */
export function addressField(parent: JsonObject, name: string): Address {
  const address = optionalAddressField(parent, name);
  if (address === undefined) throw fault(name, t`is not an address`);
  return address;
}

/** Undefined also for bytes that are no address: the genesis block has a sentence there. */
export function optionalAddressField(parent: JsonObject, name: string): Address | undefined {
  try {
    return parseAddress(textField(parent, name));
  } catch {
    return undefined;
  }
}
