import { isJsonObject, type JsonObject } from "../../primitives/json.ts";
import { statusOfPhrase } from "../decode/http-text.ts";
import { textOf } from "../decode/json-values.ts";
import type { Finding } from "../words/finding.ts";
import { explainNetworkCode, explainStatus } from "../words/http-words.ts";

/** Explains the page of the node's server as JSON, and what HTTP clients print of an answer. */
export function explainHttpObject(json: JsonObject): Finding | undefined {
  const text = textOf(json.message) ?? textOf(json.error) ?? textOf(json.statusText) ?? "";
  const status = statusOf(json);
  if (status === undefined && typeof json.code === "string") {
    const finding = explainNetworkCode(json.code, textOf(json.message));
    if (finding !== undefined && !hasAnswer(json)) return finding;
  }
  const told = status ?? statusOfPhrase(text);
  return told === undefined ? undefined : explainStatus(told, text);
}

/** The status of a failure that an object names, 400 to 599. */
export function statusOf({ status, statusCode, StatusCode, code }: JsonObject): number | undefined {
  const given = [status, statusCode, StatusCode, code].map(Number);
  return given.find((number) => Number.isInteger(number) && number >= 400 && number <= 599);
}

/** The answer of a node inside says more than the status around it. */
function hasAnswer(json: JsonObject): boolean {
  return isJsonObject(json.response) || isJsonObject(json.data);
}
