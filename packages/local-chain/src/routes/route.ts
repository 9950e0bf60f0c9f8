import { bytesToHex, hexToBytes } from "@finality/tron/primitives";
import type { NodeVersion } from "../chain/parameters.ts";
import { parseBody, parseValue } from "../http/fastjson.ts";
import {
  bodyTooBig,
  inOrder,
  intValue,
  JavaError,
  looseHex,
  type Members,
  nullPointerException,
  parseLong,
  printMembers,
  textValue,
} from "../http/java-values.ts";
import { base58Payload, type Fields, fieldsNamed, mergeJson, type Values } from "../http/json-format.ts";
import type { Reply } from "../http/message.ts";
import type { ServletRequest } from "../http/servlet-container.ts";
import type { NodeView } from "../node/node-view.ts";

/** A request handler; "nothing" is a response without a body. */
export type Handler = (request: ServletRequest, view: NodeView) => Reply | "nothing";

/** An endpoint of the node. */
export interface Route {
  readonly name: string;
  /** True if it also exists under `/walletsolidity/`. */
  readonly solidity: boolean;
  /** Paths on the full node, if not `/wallet/` and the name. */
  readonly paths?: readonly string[];
  readonly post: Handler | "refused";
  /** GET handler; some servlets have an empty one (200 without a body), or none (405). */
  readonly get: Handler | "empty" | "refused";
  readonly servlet: string;
  /** Contract type of the built transactions. */
  readonly builds?: string;
}

export interface Body {
  readonly values: Values;
  readonly visible: boolean;
}

/**
 * Reads the fields of a body, and `visible`.
 *
 * @param readText - reads the text of the body
 * @throws {JavaError}
 */
export function readBody(request: ServletRequest, fields: Fields, readText: BodyReader = bodyText): Body {
  const text = readText(request);
  const visible = isVisible(presentBody(text, request.nodeVersion));
  return { values: mergeJson(text, fields, visible, request.nodeVersion), visible };
}

/** Reads query parameters like fields of a body, as some servlets do for GET. @throws {JavaError} */
export function readQuery(request: ServletRequest, fields: Fields, names: readonly string[]): Body {
  const visible = queryVisible(request);
  const given = Object.fromEntries(names.map((it) => [it, parameter(request, it)]));
  const text = printMembers(request.nodeVersion === "4.8.0" ? given : inOrder(given));
  return { values: mergeJson(text, fields, visible, request.nodeVersion), visible };
}

/** A text parameter with `visible`. */
export interface TextParameter {
  readonly text: string | undefined;
  readonly visible: boolean;
}

/** Reads a text of a body without a schema. @throws {JavaError} no body */
export function readText(request: ServletRequest, name: string): TextParameter {
  const json = presentBody(bodyText(request), request.nodeVersion);
  if (json === undefined) throw invokedOnNull("com.alibaba.fastjson.JSONObject.getString(String)");
  return { text: textValue(json, name), visible: isVisible(json) };
}

/** Fields that identify an account. */
export const ACCOUNT_QUERY_FIELDS = fieldsNamed("Account", {
  account_name: "name",
  type: { enumeration: "protocol.AccountType", names: ["Normal", "AssetIssue", "Contract"] },
  address: "address",
  balance: "int64",
  account_id: "name",
});

const ADDRESS_VALUE: Fields = { value: "bytes" };

/** Reads an address in `value`, whose message type is bytes: base58 is converted to hex first. @throws {JavaError} */
export function readAddress(request: ServletRequest): Body {
  const text = bodyText(request);
  const json = presentBody(text, request.nodeVersion);
  if (json === undefined || !isVisible(json)) return readBody(request, ADDRESS_VALUE);
  const value = hexOfAddress(textValue(json, "value"), request.nodeVersion) ?? null;
  return readMembers({ ...json, value }, true, request.nodeVersion);
}

/** Reads the same parameter of a query. @throws {JavaError} */
export function queryAddress(request: ServletRequest): Body {
  const { text, visible } = queryText(request, "value");
  return readMembers(
    { value: (visible ? hexOfAddress(text, request.nodeVersion) : text) ?? null },
    visible,
    request.nodeVersion,
  );
}

function hexOfAddress(text: string | undefined, version: NodeVersion): string | undefined {
  return text === undefined ? undefined : bytesToHex(addressBytes(text, true, version));
}

function readMembers(members: Members, visible: boolean, version: NodeVersion): Body {
  const text = printMembers(version === "4.8.0" ? members : inOrder(members));
  return { values: mergeJson(text, ADDRESS_VALUE, visible, version), visible };
}

/** Reads the same parameter of a query. */
export function queryText(request: ServletRequest, name: string): TextParameter {
  return { text: parameter(request, name), visible: queryVisible(request) };
}

/** Returns the JVM's exception for a method call on `null`. */
export function invokedOnNull(method: string, variable = "<local1>"): JavaError {
  return nullPointerException(`Cannot invoke "${method}" because "${variable}" is null`);
}

/** Parses a body as most servlets do: undefined if empty; `null` is refused. @throws {JavaError} */
export function presentBody(text: string, version: NodeVersion): Members | undefined {
  if (text.trim() === "") return undefined;
  const json = parseBody(text, version);
  if (json !== undefined) return json;
  throw version === "4.8.0"
    ? nullPointerException("null")
    : invokedOnNull("org.tron.json.JSONObject.containsKey(String)");
}

export type BodyReader = (request: ServletRequest) => string;

export const BASE58_ADDRESS_LENGTH = 34;
const FORM = "application/x-www-form-urlencoded";

/** Returns the body as JSON text; a form becomes an object of texts (PostParams). */
export function bodyText(request: ServletRequest): string {
  const body = plainText(request);
  const { contentType, nodeVersion } = request;
  return contentType === FORM && body !== "" && !isJson(body, nodeVersion) ? formAsJson(body, nodeVersion) : body;
}

/** Returns the body regardless of its type. @throws {JavaError} above 4 MiB */
export function plainText({ body }: ServletRequest): string {
  if (Buffer.byteLength(body) > BODY_LIMIT) throw bodyTooBig(BODY_LIMIT);
  return body;
}

const BODY_LIMIT = 4_194_304;

function isJson(text: string, version: NodeVersion): boolean {
  try {
    parseValue(text, version);
    return true;
  } catch {
    return false;
  }
}

function formAsJson(body: string, version: NodeVersion): string {
  const form = new URLSearchParams(body);
  const entries = [...form.keys()].map((name) => [name, form.getAll(name)] as const);
  const members = Object.fromEntries(
    entries.map(([name, [first = "", ...more]]) => [name, more.length === 0 ? first : [first, ...more]]),
  );
  return printMembers(version === "4.8.0" ? members : inOrder(members));
}

/**
 * Reads the permission id (Util.setTransactionPermissionId).
 *
 * @returns 0 if missing or negative
 * @throws {JavaError} null or no integer
 */
export function permissionIn(json: Members): number {
  return "Permission_id" in json ? Math.max(0, intValue(json.Permission_id ?? null)) : 0;
}

/** Returns `visible`, true as a boolean or text. */
export function isVisible(json: Members | undefined): boolean {
  return json !== undefined && textValue(json, "visible")?.toLowerCase() === "true";
}

export function queryVisible({ parameters }: ServletRequest): boolean {
  return parameters.get("visible")?.toLowerCase() === "true";
}

/** Returns a query or form parameter. */
export function parameter({ parameters }: ServletRequest, name: string): string | undefined {
  return parameters.get(name) ?? undefined;
}

/** @throws {JavaError} absent or no integer */
export function queryNumber(request: ServletRequest, name: string): number {
  return Number(parseLong(parameter(request, name)));
}

/**
 * Returns the bytes of an address outside a message: hex, or base58 when visible. They are empty if it is missing, its
 * checksum is wrong, or on 4.8.2 its length.
 *
 * @throws {JavaError} invalid hex, or an invalid base58 character
 */
export function addressBytes(text: string | undefined, visible: boolean, version: NodeVersion): Uint8Array {
  if (!visible || text === undefined) return looseHex(text ?? "");
  if (version !== "4.8.0" && text.length !== BASE58_ADDRESS_LENGTH) return new Uint8Array();
  const payload = base58Payload(text);
  if (payload.kind === "illegal") {
    throw new JavaError(
      "java.lang.IllegalArgumentException",
      `Illegal character ${payload.character} at ${payload.index}`,
    );
  }
  return payload.kind === "payload" ? hexToBytes(payload.hex) : new Uint8Array();
}
