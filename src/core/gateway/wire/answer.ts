import { type AnyChainError, ChainError } from "../../errors/chain-error.ts";
import { decodeNodeMessage, isRateLimitFault, parseNodeFault } from "../../node-messages/node-message.ts";
import { shorten } from "../../primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../primitives/json.ts";
import { FieldFault } from "./fields.ts";

/** The body of an answer and who gave it. */
export interface AnswerText {
  readonly endpoint: string;
  readonly body: string;
}

/** Makes a typed value of an answer; throws a `FieldFault` for a field that does not fit. */
export type AnswerParser<T> = (json: Json) => T;

/** A long work in pieces, and what it gives. */
export type Pieces<T> = Generator<void, T, void>;

/** How much of a body an error keeps: enough to see what it is. */
export const BODY_EXCERPT = 2_000;

/**
 * Reads the answer of a node: JSON, not one of its error shapes, and what the parser expects.
 *
 * @throws {ChainError} `GATEWAY_ANSWER_MALFORMED`, `NODE_REFUSED`, `GATEWAY_RATE_LIMITED`; the first two keep the raw
 *   body
 */
export function readAnswer<T>(answer: AnswerText, parse: AnswerParser<T>): T {
  const json = readGoodJson(answer);
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
  if (answer.body.trim() === "") throw malformedAnswer(answer, "it is empty");
  try {
    return parseJson(answer.body);
  } catch (cause) {
    throw malformedAnswer(answer, "it is not JSON", cause);
  }
}

/** The error of an answer that cannot be read, with the beginning of its body. */
export function malformedAnswer(answer: AnswerText, reason: string, cause?: unknown): AnyChainError {
  const details = { endpoint: answer.endpoint, reason, body: shorten(answer.body, BODY_EXCERPT) };
  return new ChainError("GATEWAY_ANSWER_MALFORMED", details, { cause });
}

/** The error of an `Error` body (any endpoint), or undefined. */
export function errorBody(json: JsonObject, answer: AnswerText): AnyChainError | undefined {
  if (typeof json.Error !== "string") return undefined;
  const fault = parseNodeFault(json.Error);
  if (isRateLimitFault(fault)) {
    return new ChainError("GATEWAY_RATE_LIMITED", { endpoint: answer.endpoint, retryAfterMs: undefined });
  }
  return refusal(answer, fault.code, fault.message);
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
