import type { IncomingHttpHeaders } from "node:http";
import { type Json, printJson } from "@finality/tron/primitives";
import type { JavaError } from "./java-values.ts";

/** A request with its body. The web's own `Request` costs as much as the chain's work. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query as sent; a `URL` would normalise them. */
  readonly target: string;
  /** Names are in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function pathOf({ target }: HttpRequest): string {
  return target.split("?", 1)[0] ?? "/";
}

export function queryOf({ target }: HttpRequest): URLSearchParams {
  const mark = target.indexOf("?");
  return new URLSearchParams(mark < 0 ? "" : target.slice(mark));
}

export function headerOf({ headers }: HttpRequest, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Action of the server for a request. */
export type ServerAction =
  | { readonly kind: "answer"; readonly response: HttpResponse }
  /** Closes the connection without a byte. */
  | { readonly kind: "drop" }
  /** Resets the connection, as a crash does. */
  | { readonly kind: "reset" }
  /** Sends the headers and half of the body, then closes the connection. */
  | { readonly kind: "cut"; readonly response: HttpResponse }
  /** Never responds, and keeps the connection open. */
  | { readonly kind: "hang" };

export function respondWith(response: HttpResponse): ServerAction {
  return { kind: "answer", response };
}

/** A response body in one of the node's two styles: fastjson's, or with a space after each colon. */
export type Reply =
  | { readonly style: "compact" | "spaced"; readonly json: Json }
  /** Text that need not be JSON. */
  | { readonly style: "text"; readonly text: string };

const HEADERS = { "content-type": "application/json;charset=utf-8" };

export function compact(json: Json): Reply {
  return { style: "compact", json };
}

/** Creates a reply as JsonFormat prints messages; an empty one is the same in both styles. */
export function spaced(json: Json): Reply {
  return { style: "spaced", json };
}

/** Returns a servlet's response: always 200, with a line feed at the end. */
export function servletResponse(reply: Reply): HttpResponse {
  return { status: 200, headers: HEADERS, body: `${printReply(reply)}\n` };
}

function printReply(reply: Reply): string {
  if (reply.style === "text") return reply.text;
  return reply.style === "compact" ? printCompact(reply.json) : printSpaced(reply.json);
}

export function emptyResponse(headers: Record<string, string> = {}): HttpResponse {
  return { status: 200, headers: { ...HEADERS, ...headers }, body: "" };
}

/** Returns a servlet's reply for an exception: class and text. */
export function errorReply(error: JavaError): Reply {
  return compact({ Error: `class ${error.javaClass} : ${error.message}` });
}

/** Prints compact JSON; fastjson writes control characters in uppercase hex. */
function printCompact(json: Json): string {
  return printJson(json).replaceAll(/\\u00[0-9a-f]{2}/g, (it) => `\\u${it.slice(2).toUpperCase()}`);
}

export function printSpaced(json: Json | undefined): string {
  if (Array.isArray(json)) return `[${json.map(printSpaced).join(",")}]`;
  if (typeof json !== "object" || json === null) return printJson(json ?? null);
  const entries = Object.entries(json).filter(([, value]) => value !== undefined);
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}: ${printSpaced(value as Json)}`).join(",")}}`;
}
