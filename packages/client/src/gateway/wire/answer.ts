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

/** Body of an answer with its source. */
export interface AnswerText {
  readonly endpoint: string;
  readonly body: string;
}

/** Converts an answer to a typed value; throws a `FieldFault` for a field that does not fit. */
export type AnswerParser<T> = (json: Json) => T;

/** Long computation in parts, with its result. */
export type Pieces<T> = Generator<void, T, void>;

/** Length of the body excerpt in an error. */
export const BODY_EXCERPT = 2_000;

/**
 * Parses the answer of a node: JSON that is not one of its error shapes and has the expected fields.
 *
 * @throws {ChainError} `GATEWAY_ANSWER_MALFORMED`, `NODE_REFUSED`, with the raw body; `GATEWAY_RATE_LIMITED`,
 *   `GATEWAY_HTTP_STATUS`
 */
export function readAnswer<T>(answer: AnswerText, parse: AnswerParser<T>): T {
  return parsed(readGoodJson(answer), answer, parse);
}

/** Parses an answer whose `result.code` is data and not a refusal. */
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

/** Does the same and awaits `turn` between the parts. */
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

/** @throws {ChainError} `GATEWAY_ANSWER_MALFORMED` if it is empty or not JSON */
export function readJson(answer: AnswerText): Json {
  if (answer.body.trim() === "") throw malformedAnswer(answer, t`it is empty`);
  try {
    return parseJson(answer.body);
  } catch (cause) {
    throw malformedAnswer(answer, t`it is not JSON`, cause);
  }
}

/** Returns the error for an unreadable answer, with the beginning of its body. */
export function malformedAnswer(answer: AnswerText, reason: string, cause?: unknown): AnyChainError {
  const details = { endpoint: answer.endpoint, reason, body: shorten(answer.body, BODY_EXCERPT) };
  return new ChainError("GATEWAY_ANSWER_MALFORMED", details, { cause });
}

/** Returns the error for an `Error` body, or for a gateway's error text (any endpoint); undefined otherwise. */
function errorBody(json: JsonObject, answer: AnswerText): AnyChainError | undefined {
  const failure = failureInJson(json);
  if (failure !== undefined) return httpError(failure, answer);
  if (typeof json.Error !== "string") return undefined;
  const fault = parseNodeFault(json.Error);
  return refusal(answer, fault.code, fault.message);
}

/** Details that an exchange adds to an HTTP failure. */
export interface FailedAnswer extends AnswerText {
  /** Header of the API key, if known. */
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

/** Matches two shapes: `{"Error": "…"}`, and `{"result": {"code": "…", "message": "…"}}` of the contract endpoints. */
function throwNodeError(json: JsonObject, answer: AnswerText): void {
  const error = errorBody(json, answer);
  if (error !== undefined) throw error;
  const { result } = json;
  if (isJsonObject(result) && typeof result.code === "string" && result.code !== "SUCCESS") {
    throw refusal(answer, result.code, decodeNodeMessage(String(result.message ?? "")));
  }
}

/** Returns a refusal with the code and the decoded message of the node. */
export function refusal({ endpoint, body }: AnswerText, code: string, message: string): AnyChainError {
  return new ChainError("NODE_REFUSED", { endpoint, code, message, body: shorten(body, BODY_EXCERPT) });
}

/**
 * These readers differ from `@finality/tron/read`: on the wire, a missing field means zero, empty or none. Numbers
 * become bigints, and unknown fields are ignored.
 */

/** Field of an answer with an unexpected value. `readAnswer` turns it into a `ChainError` with the raw body. */
export class FieldFault extends Error {
  override readonly name = "FieldFault";
}

/** Returns the fault of a field, by its path. */
export function fault(path: string, reason: string): FieldFault {
  return new FieldFault(`${path} ${reason}`);
}

/** Reads an object; empty if it is missing, because the node omits empty messages. */
export function objectField(parent: JsonObject, name: string): JsonObject {
  const value = parent[name] ?? {};
  if (!isJsonObject(value)) throw fault(name, t`is not an object`);
  return value;
}

/** Reads a list; empty if it is missing, because the node omits empty lists. @throws {FieldFault} */
export function listField(parent: JsonObject, name: string): readonly Json[] {
  const value = parent[name] ?? [];
  if (!Array.isArray(value)) throw fault(name, t`is not a list`);
  return value as readonly Json[];
}

/** Reads a required object. @throws {FieldFault} */
export function asObject(value: Json | undefined, path: string): JsonObject {
  if (!isJsonObject(value)) throw fault(path, t`is not an object`);
  return value;
}

/** Reads an int64; 0 if it is missing. */
export function integerField(parent: JsonObject, name: string): bigint {
  const value = parent[name] ?? 0;
  if (typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value))) return BigInt(value);
  throw fault(name, t`is not an integer but ${shorten(String(value), 40)}`);
}

/** Reads an amount in sun; 0 if it is missing. @throws {FieldFault} */
export function sunField(parent: JsonObject, name: string): Sun {
  return sun(integerField(parent, name));
}

/** Reads a height or a time in ms: exact as a number, not negative; 0 if it is missing. */
export function numberField(parent: JsonObject, name: string): number {
  const value = Number(integerField(parent, name));
  if (!Number.isSafeInteger(value) || value < 0) throw fault(name, t`is out of range`);
  return value;
}

/** Reads text; empty if it is missing. */
export function textField(parent: JsonObject, name: string): string {
  const value = parent[name] ?? "";
  if (typeof value !== "string") throw fault(name, t`is not text`);
  return value;
}

/** Reads bytes as hex; none if it is missing. */
export function hexField(parent: JsonObject, name: string): Hex {
  const text = textField(parent, name);
  if (text !== "" && !isHexPairs(text)) throw fault(name, t`is not hex`);
  return hex(text);
}

/** Reads 64 required hex digits. */
export function hashField<H extends Hex = TxId>(parent: JsonObject, name: string): H {
  const value = parent[name];
  const hash = typeof value === "string" ? parseTxId(value) : undefined;
  if (hash === undefined) throw fault(name, t`is not a hash of 64 hex digits`);
  return hash as Hex as H;
}

/** Reads a required address. @throws {FieldFault} */
export function addressField(parent: JsonObject, name: string): Address {
  const address = optionalAddressField(parent, name);
  if (address === undefined) throw fault(name, t`is not an address`);
  return address;
}

/** Returns undefined also for bytes that are no address: the genesis block has a sentence there. */
export function optionalAddressField(parent: JsonObject, name: string): Address | undefined {
  try {
    return parseAddress(textField(parent, name));
  } catch {
    return undefined;
  }
}
