import type { JsonObject } from "../../primitives/json.ts";
import { statusOfPhrase } from "../decode/http-text.ts";
import { explainFault } from "../words/fault-words.ts";
import type { Finding } from "../words/finding.ts";
import { explainHttpText, explainStatus } from "../words/http-words.ts";
import { statusOf } from "./http-object.ts";

/**
 * Explains `{"Error": "class a.b.C : text"}`: a request that the node refused before anything was done. Gateways use the same form for
 * their own failures, with a status beside it or as its text.
 */
export function explainNodeError(json: JsonObject): Finding | undefined {
  if (typeof json.Error !== "string") return undefined;
  const finding = explainFault(json.Error);
  if (!finding.entry.startsWith("generic-")) return finding;
  const status = statusOf(json) ?? statusOfPhrase(json.Error);
  if (status !== undefined) return explainStatus(status, json.Error);
  return (finding.code === "Error" ? explainHttpText(json.Error) : undefined) ?? finding;
}
