import { failureInJson, failureOf, failureText, statusOf, statusOfPhrase } from "@finality/tron/node-messages";
import { isJsonObject, type JsonObject } from "@finality/tron/primitives";
import { textOf } from "../decode/json.ts";
import { explainFault } from "../words/fault-words.ts";
import type { Finding } from "../words/finding.ts";
import { explainFailure, explainHttpText, explainNetworkCode, saysMoreOf } from "../words/http-words.ts";

/**
 * Explains `{"Error": "class a.b.C : text"}`: a request that the node refused before anything was done. Gateways use
 * the same form for their own failures, with a status beside it or as its text.
 */
export function explainNodeError(json: JsonObject): Finding | undefined {
  if (typeof json.Error !== "string") return undefined;
  const finding = explainFault(json.Error);
  const failure = failureInJson(json);
  if (failure !== undefined) {
    const readings = [finding, explainHttpText(json.Error)];
    return readings.find((it) => it !== undefined && saysMoreOf(failure, it)) ?? explainFailure(failure, json.Error);
  }
  if (!finding.entry.startsWith("generic-")) return finding;
  return (finding.code === "Error" ? explainHttpText(json.Error) : undefined) ?? finding;
}

/** Explains the page of the node's server as JSON, and what HTTP clients print of an answer. */
export function explainHttpObject(json: JsonObject): Finding | undefined {
  const text = failureText(json);
  const status = statusOf(json);
  if (status === undefined && typeof json.code === "string") {
    const finding = explainNetworkCode(json.code, textOf(json.message));
    if (finding !== undefined && !hasAnswer(json)) return finding;
  }
  const httpStatus = status ?? statusOfPhrase(text);
  return httpStatus === undefined ? undefined : explainFailure(failureOf(httpStatus, text), text);
}

/** The answer of a node inside says more than the status around it. */
function hasAnswer(json: JsonObject): boolean {
  return isJsonObject(json.response) || isJsonObject(json.data);
}
