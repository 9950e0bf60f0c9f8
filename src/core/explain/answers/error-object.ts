import { isJsonObject, type JsonObject } from "../../primitives/json.ts";
import { statusOfPhrase } from "../decode/http-text.ts";
import { textOf } from "../decode/json.ts";
import { explainFault } from "../words/fault-words.ts";
import type { Finding } from "../words/finding.ts";
import { explainHttpText, explainNetworkCode, explainStatus } from "../words/http-words.ts";

/**
 * Explains `{"Error": "class a.b.C : text"}`: a request that the node refused before anything was done. Gateways use
 * the same form for their own failures, with a status beside it or as its text.
 */
export function explainNodeError(json: JsonObject): Finding | undefined {
  if (typeof json.Error !== "string") return undefined;
  const finding = explainFault(json.Error);
  if (!finding.entry.startsWith("generic-")) return finding;
  const status = statusOf(json) ?? statusOfPhrase(json.Error);
  if (status !== undefined) return explainStatus(status, json.Error);
  return (finding.code === "Error" ? explainHttpText(json.Error) : undefined) ?? finding;
}

/** Explains the page of the node's server as JSON, and what HTTP clients print of an answer. */
export function explainHttpObject(json: JsonObject): Finding | undefined {
  const text = textOf(json.message) ?? textOf(json.error) ?? textOf(json.statusText) ?? "";
  const status = statusOf(json);
  if (status === undefined && typeof json.code === "string") {
    const finding = explainNetworkCode(json.code, textOf(json.message));
    if (finding !== undefined && !hasAnswer(json)) return finding;
  }
  const httpStatus = status ?? statusOfPhrase(text);
  return httpStatus === undefined ? undefined : explainStatus(httpStatus, text);
}

/** The status of a failure that an object names, 400 to 599. */
export function statusOf({ status, statusCode, StatusCode, code, ...others }: JsonObject): number | undefined {
  // Errors of libraries about a transaction that is on the chain have codes of their own.
  const said = [status, statusCode, StatusCode, "receipt" in others ? undefined : code];
  // An object is not made a number: its own fields decide how, and may forbid it.
  const numbers = said.map((it) => (typeof it === "string" || typeof it === "number" ? Number(it) : undefined));
  return numbers.find((it) => it !== undefined && Number.isInteger(it) && it >= 400 && it <= 599);
}

/** The answer of a node inside says more than the status around it. */
function hasAnswer(json: JsonObject): boolean {
  return isJsonObject(json.response) || isJsonObject(json.data);
}
