import { statusOfPhrase } from "@finality/tron/node-messages";
import { isHexPairs, isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import { textOf } from "../decode/json.ts";
import type { ExplainContext } from "../result/explanation.ts";
import type { Finding, Recogniser } from "../words/finding.ts";

/** Leaves out answers of other services, which use the same names of fields: `Error`, `code`, `status`, `message`. */
export function unlessForeign(recognise: Recogniser<JsonObject>): Recogniser<JsonObject> {
  return (json, context) => {
    const finding = recognise(json, context);
    return finding !== undefined && isForeign(json, finding) && !isOfChain(context) ? undefined : finding;
  };
}

function isOfChain({ endpoint, isOfChain: isAround }: ExplainContext): boolean {
  return endpoint !== undefined || isAround?.() === true;
}

function isForeign(json: JsonObject, finding: Finding): boolean {
  if (typeof json.Error === "string") return isForeignError(json, json.Error, finding);
  if (isForeignCode(json, finding)) return true;
  return finding.category === "http" && isForeignStatus(json);
}

/** The packages of the classes with which the node refuses. */
export const NODE_CLASS =
  /^class (?:org\.(?:tron|bouncycastle|spongycastle|eclipse\.jetty)|java|javax|jakarta|com\.(?:google|alibaba|fasterxml)|io\.grpc|io\.netty|sun)\.[\w.$]{1,200}\s?:/;
/** Fields that gateways put beside `Error`. */
const BESIDE_ERROR: ReadonlySet<string> = new Set([
  "Error",
  "Success",
  "success",
  "StatusCode",
  "statusCode",
  "status",
  "code",
]);

function isForeignError(json: JsonObject, text: string, { entry, category }: Finding): boolean {
  if (NODE_CLASS.test(text)) return false;
  if (category === "http") return text.trim() === "";
  return entry.startsWith("generic-") || !Object.keys(json).every((name) => BESIDE_ERROR.has(name));
}

/** Codes of a broadcast that services of all kinds use. */
const SHARED_CODES: ReadonlySet<string> = new Set(["OTHER_ERROR", "SERVER_BUSY", "NO_CONNECTION", "SUCCESS"]);

/**
 * A code or a refusal that others have too, with a message that no entry knows, and without anything else of a node.
 */
function isForeignCode({ code, message, ...others }: JsonObject, { entry }: Finding): boolean {
  if (["txid", "txID", "transaction"].some((name) => name in others) || isHexPairs(textOf(message) ?? "")) return false;
  if (entry === "generic-unknown-code") return !("result" in others);
  return SHARED_CODES.has(textOf(code) ?? "") && entry.startsWith("generic-") && !("result" in others);
}

/** Names of fields in which services write the path that was asked. */
const PATHS = ["path", "url", "instance", "uri"] as const;
/** Fields in which services say what is wrong with their own data. */
const OTHER_FIELDS = ["errors", "details", "field", "fields", "param", "type"] as const;
/** Fields of services that describe their failures: links to their pages, names of their own failures. */
const OWN_FIELDS =
  /^(?:documentation_?url|error_?(?:description|uri|code|type|id|user_title)|doc_?url|help(?:_?url)?|more_?info|fbtrace_id|cod|__type|kind|apiVersion|x-?amzn\S*|code_?name|trace_?id|global)$/i;
/** Texts by which services refuse credentials that no gateway of a node takes. */
const OF_OTHERS =
  /\bbad credentials\b|\b(?:user ?name|password|login|session|cookie|csrf|oauth\w{0,3}|bearer|scopes?)\b/i;
const OTHER_PATH = /^(?:Cannot|No route matched for) (?:GET|POST|PUT|DELETE|PATCH) \//;
/** Names in which a gateway or a server reports a failed request. Other services count their own failures in `code`. */
const OF_REQUEST =
  /\bhttp|\brequests?\b|\bgateway\b|\bapi[ -]?key\b|\brate\b|\blimit|\bupstream\b|\bunauthori[sz]ed\b|\bforbidden\b|\btimed? ?out\b|\btoo many\b|\bunavailable\b|\bbad request\b|\bmethod not allowed\b/i;

/**
 * Returns whether a status is that of another service, by its path or because the number is no status. Jetty names
 * itself.
 */
export function isForeignStatus(json: JsonObject): boolean {
  if ("servlet" in json) return false;
  const text = textOf(json.message) ?? textOf(json.error) ?? textOf(json.statusText) ?? "";
  if (textOf(json.type) !== undefined && textOf(json.title) !== undefined) return true;
  if (Object.keys(json).some((name) => OWN_FIELDS.test(name)) || OF_OTHERS.test(text)) return true;
  if (/_error$/.test(textOf(json.type) ?? "")) return true;
  if (Array.isArray(json.message) || isForeignObject(json.error)) return true;
  if (OTHER_PATH.test(text) || PATHS.some((name) => /^\//.test(textOf(json[name]) ?? ""))) return true;
  const hasStatus = ["status", "statusCode", "StatusCode"].some((name) => Number(scalarOf(json[name])) >= 400);
  if (hasStatus || typeof json.code !== "number") return false;
  return OTHER_FIELDS.some((name) => name in json) || (statusOfPhrase(text) === undefined && !OF_REQUEST.test(text));
}

/** Returns whether an error has a type or a list of causes of its own, as search engines and services of models write. */
function isForeignObject(error: Json | undefined): boolean {
  return (
    isJsonObject(error) && ("root_cause" in error || textOf(error.type) !== undefined || Array.isArray(error.errors))
  );
}

function scalarOf(value: Json | undefined): string | number | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** Returns whether a whole text is JSON in which another service reports its own failure. */
export function isForeignAnswer(json: Json, context: ExplainContext): boolean {
  return isJsonObject(json) && isForeignStatus(json) && !isOfChain(context);
}
