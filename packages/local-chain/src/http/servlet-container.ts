import type { NodeVersion } from "../chain/parameters.ts";
import { JavaError } from "./java-values.ts";
import { compact, errorReply, type HttpRequest, type HttpResponse, headerOf, queryOf, type Reply } from "./message.ts";

/** The servlet container of the node (Jetty): how it reads requests, and what it answers without a servlet. */

const DEFAULT_SERVLET = "org.eclipse.jetty.servlet.ServletHandler$Default404Servlet-3120495d";
const UNCACHED = { "cache-control": "must-revalidate,no-cache,no-store" };

/** Returns the response to an unknown path: 404 for GET, not supported for other methods. */
export function unknownPath(method: string, path: string, accept: string | undefined): HttpResponse {
  if (method === "PUT" || method === "DELETE") return emptyRefusal();
  const message = method === "GET" || method === "HEAD" ? "Not Found" : unsupported(method);
  return errorPage({ status: message === "Not Found" ? 404 : 405, message, path, servlet: DEFAULT_SERVLET }, accept);
}

/**
 * Returns the response of a servlet without a handler for the method.
 *
 * @param servlet - with its package below `services`
 */
export function methodRefused(method: string, path: string, accept: string | undefined, servlet: string): HttpResponse {
  const name = `org.tron.core.services.${servlet}-3c16528d`;
  return errorPage({ status: 405, message: unsupported(method), path, servlet: name }, accept);
}

/** Returns 405 without a body. */
export function emptyRefusal(): HttpResponse {
  return { status: 405, headers: {}, body: "" };
}

interface Page {
  readonly status: number;
  readonly message: string;
  readonly path: string;
  readonly servlet: string;
}

function errorPage(page: Page, accept: string | undefined): HttpResponse {
  const json = accept?.includes("json") === true;
  const contentType = json ? "application/json" : "text/html;charset=iso-8859-1";
  return {
    status: page.status,
    headers: { ...UNCACHED, "content-type": contentType },
    body: json ? jsonPage(page) : htmlPage(page),
  };
}

function jsonPage({ status, message, path, servlet }: Page): string {
  const members = { servlet, message, url: path, status: String(status) };
  const normaliseLines = Object.entries(members).map(([key, value]) => `"${key}":${JSON.stringify(value)}`);
  return `{\n${normaliseLines.join(",\n")}\n}`;
}

function htmlPage({ status, message, path, servlet }: Page): string {
  const title = `${status} ${message}`;
  const rows = Object.entries({ URI: path, STATUS: String(status), MESSAGE: message, SERVLET: servlet });
  return [
    "<html>",
    "<head>",
    '<meta http-equiv="Content-Type" content="text/html;charset=ISO-8859-1"/>',
    `<title>Error ${title}</title>`,
    "</head>",
    `<body><h2>HTTP ERROR ${title}</h2>`,
    "<table>",
    ...rows.map(([name, value]) => `<tr><th>${name}:</th><td>${escapeHtml(value)}</td></tr>`),
    "</table>",
    '<hr/><a href="https://eclipse.org/jetty">Powered by Jetty:// 9.4.53.v20231009</a><hr/>',
    "",
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function unsupported(method: string): string {
  return `HTTP method ${method} is not supported by this URL`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A request as a servlet reads it. */
export interface ServletRequest {
  readonly method: string;
  /** Query parameters, followed by those of a form. */
  readonly parameters: URLSearchParams;
  readonly body: string;
  /** Content type as sent. */
  readonly contentType: string | undefined;
  /** Version of the node whose readers and messages apply. */
  readonly nodeVersion: NodeVersion;
}

const FORM = "application/x-www-form-urlencoded";

/** Returns the headers of a GET response, with its length. */
export function withoutBody({ status, headers, body }: HttpResponse): HttpResponse {
  return { status, headers: { ...headers, "content-length": String(Buffer.byteLength(body)) }, body: "" };
}

export function readRequest(request: HttpRequest, nodeVersion: NodeVersion): ServletRequest {
  const sentType = headerOf(request, "content-type");
  // The container replaces the content type of forms with its own spelling.
  const contentType = sentType?.toLowerCase() === FORM ? FORM : sentType;
  const body = normaliseLines(request.body.toString(encodingOf(contentType)));
  const form = request.method === "POST" && mediaType(contentType) === FORM;
  const query = queryOf(request);
  const parameters = form ? new URLSearchParams([...query, ...new URLSearchParams(body)]) : query;
  return { method: request.method, parameters, body, contentType, nodeVersion };
}

/** Returns the charset of a body. Without one the container reads JSON and XML as UTF-8, anything else as Latin-1. */
function encodingOf(contentType: string | undefined): "utf8" | "latin1" {
  const charset = /charset="?([\w-]+)/i.exec(contentType ?? "")?.[1];
  if (charset !== undefined) return charset.toLowerCase() === "iso-8859-1" ? "latin1" : "utf8";
  return /^(?:application\/json|text\/html|text\/xml|application\/xhtml\+xml)$/.test(mediaType(contentType))
    ? "utf8"
    : "latin1";
}

function mediaType(contentType: string | undefined): string {
  return contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Normalises line ends, as the servlets do when they read line by line. */
function normaliseLines(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replace(/\n$/, "");
}

/** Runs a handler, and prints its exception as the servlets do. */
export function runHandler(serve: () => Reply | "nothing", nodeVersion: NodeVersion): Reply | "nothing" {
  try {
    return serve();
  } catch (error) {
    if (error instanceof JavaError) return errorReply(error.ofVersion(nodeVersion));
    return compact({ Error: `class java.lang.Exception : ${error instanceof Error ? error.message : String(error)}` });
  }
}
