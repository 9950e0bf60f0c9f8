import { bytesToHex, hexToBytes } from "@finality/tron/primitives";
import { parseBody, parseValue } from "../http/fastjson.ts";
import {
  bodyTooBig,
  intValue,
  JavaError,
  looseHex,
  type Members,
  nullPointerException,
  parseLong,
  printMembers,
  textValue,
} from "../http/java-values.ts";
import { base58Payload, type Fields, mergeJson, type Values } from "../http/json-format.ts";
import type { Reply } from "../http/message.ts";
import type { ServletRequest } from "../http/servlet-container.ts";
import type { View } from "../node/node-view.ts";

/** Nothing is an answer without a body. */
export type Handler = (request: ServletRequest, view: View) => Reply | "nothing";

/** One endpoint. */
export interface Route {
  readonly name: string;
  /** Whether the node has it under `/walletsolidity/` too. */
  readonly solidity: boolean;
  /** Where the full node has it, when that is not `/wallet/` and the name. */
  readonly paths?: readonly string[];
  readonly post: Handler | "refused";
  /** A servlet may have an empty GET handler (200 without a body), or none (405). */
  readonly get: Handler | "empty" | "refused";
  readonly servlet: string;
  /** The contract type of the transactions that it builds. */
  readonly builds?: string;
}

export interface Body {
  readonly values: Values;
  readonly visible: boolean;
}

/**
 * Reads a body by its fields, and its `visible`.
 *
 * @param readText - how this servlet comes to its text
 * @throws {JavaError}
 */
export function readBody(request: ServletRequest, fields: Fields, readText: BodyReader = bodyText): Body {
  const text = readText(request);
  const visible = isVisible(presentBody(text));
  return { values: mergeJson(text, fields, visible), visible };
}

/**
 * Reads parameters of a query as if a body had them, as some servlets do for GET.
 *
 * @throws {JavaError}
 */
export function readQuery(request: ServletRequest, fields: Fields, names: readonly string[]): Body {
  const visible = queryVisible(request);
  const text = printMembers(Object.fromEntries(names.map((it) => [it, parameter(request, it)])));
  return { values: mergeJson(text, fields, visible), visible };
}

/** A member of a body as text, and `visible`. */
export interface Asked {
  readonly text: string | undefined;
  readonly visible: boolean;
}

/**
 * What a servlet that does not know its fields is asked.
 *
 * @throws {JavaError} there is no body
 */
export function readText(request: ServletRequest, name: string): Asked {
  const json = presentBody(bodyText(request));
  if (json === undefined) throw invokedOnNull("com.alibaba.fastjson.JSONObject.getString(String)");
  return { text: textValue(json, name), visible: isVisible(json) };
}

/** The fields of an account by which servlets are asked for one. */
export const ASKED_ACCOUNT: Fields = {
  account_name: "name",
  type: { enumeration: "protocol.AccountType", names: ["Normal", "AssetIssue", "Contract"] },
  address: "address",
  balance: "int64",
  account_id: "name",
};

const ADDRESS_VALUE: Fields = { value: "bytes" };

/**
 * A body whose `value` is an address, though its message has bytes there: base58 is turned into hex before it is read.
 *
 * @throws {JavaError}
 */
export function readAddress(request: ServletRequest): Body {
  const text = bodyText(request);
  const json = presentBody(text);
  if (json === undefined || !isVisible(json)) return readBody(request, ADDRESS_VALUE);
  return readMembers({ ...json, value: hexOfAddress(textValue(json, "value")) ?? null }, true);
}

/** The same of a query. @throws {JavaError} */
export function queryAddress(request: ServletRequest): Body {
  const { text, visible } = queryText(request, "value");
  return readMembers({ value: (visible ? hexOfAddress(text) : text) ?? null }, visible);
}

function hexOfAddress(text: string | undefined): string | undefined {
  return text === undefined ? undefined : bytesToHex(addressBytes(text, true));
}

function readMembers(members: Members, visible: boolean): Body {
  return { values: mergeJson(printMembers(members), ADDRESS_VALUE, visible), visible };
}

/** The same of a query. */
export function queryText(request: ServletRequest, name: string): Asked {
  return { text: parameter(request, name), visible: queryVisible(request) };
}

/** The text of the machine for a call of a method of `null`. */
export function invokedOnNull(method: string, variable = "<local1>"): JavaError {
  return nullPointerException(`Cannot invoke "${method}" because "${variable}" is null`);
}

/**
 * A body as most servlets read it: undefined when it is empty, and refused when it is the word `null`.
 *
 * @throws {JavaError}
 */
export function presentBody(text: string): Members | undefined {
  if (text.trim() === "") return undefined;
  const json = parseBody(text);
  if (json === undefined) throw nullPointerException("null");
  return json;
}

export type BodyReader = (request: ServletRequest) => string;

const FORM = "application/x-www-form-urlencoded";

/** The body as JSON text; a form becomes an object of texts (PostParams). */
export function bodyText(request: ServletRequest): string {
  const body = plainText(request);
  return request.contentType === FORM && body !== "" && !isJson(body) ? formAsJson(body) : body;
}

/**
 * The body as some servlets take it, whatever its type says.
 *
 * @throws {JavaError} above 4 MiB
 */
export function plainText({ body }: ServletRequest): string {
  if (Buffer.byteLength(body) > BODY_LIMIT) throw bodyTooBig(BODY_LIMIT);
  return body;
}

const BODY_LIMIT = 4_194_304;

function isJson(text: string): boolean {
  try {
    parseValue(text);
    return true;
  } catch {
    return false;
  }
}

function formAsJson(body: string): string {
  const form = new URLSearchParams(body);
  const entries = [...form.keys()].map((name) => [name, form.getAll(name)] as const);
  return printMembers(
    Object.fromEntries(
      entries.map(([name, [first = "", ...more]]) => [name, more.length === 0 ? first : [first, ...more]]),
    ),
  );
}

/**
 * The permission that somebody wants to sign with (Util.setTransactionPermissionId).
 *
 * @returns 0 when nothing is said of it, or less than 0
 * @throws {JavaError} null or no integer
 */
export function permissionIn(json: Members): number {
  return "Permission_id" in json ? Math.max(0, intValue(json.Permission_id ?? null)) : 0;
}

/** `visible` is the word true, as a boolean or as a text. */
export function isVisible(json: Members | undefined): boolean {
  return json !== undefined && textValue(json, "visible")?.toLowerCase() === "true";
}

export function queryVisible({ parameters }: ServletRequest): boolean {
  return parameters.get("visible")?.toLowerCase() === "true";
}

/** A parameter of a query, or of a form. */
export function parameter({ parameters }: ServletRequest, name: string): string | undefined {
  return parameters.get(name) ?? undefined;
}

/** @throws {JavaError} absent or no integer */
export function queryNumber(request: ServletRequest, name: string): number {
  return Number(parseLong(parameter(request, name)));
}

/**
 * The bytes of an address outside of a message: hex, or base58 when visible; none at all for what is not there and for
 * what has a wrong checksum.
 *
 * @throws {JavaError} not hex, or a character that base58 does not have
 */
export function addressBytes(text: string | undefined, visible: boolean): Uint8Array {
  if (!visible || text === undefined) return looseHex(text ?? "");
  const payload = base58Payload(text);
  if (payload.kind === "illegal") {
    throw new JavaError(
      "java.lang.IllegalArgumentException",
      `Illegal character ${payload.character} at ${payload.index}`,
    );
  }
  return payload.kind === "payload" ? hexToBytes(payload.hex) : new Uint8Array();
}
