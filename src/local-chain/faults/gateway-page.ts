import { STATUS_CODES } from "node:http";
import type { HttpResponse } from "../http/message.ts";

/** A page as web servers in front of a node show it, whatever was asked. */
export function gatewayPage(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  const title = `${status} ${STATUS_CODES[status] ?? "Error"}`;
  const page = `<html><head><title>${title}</title></head><body><h1>${title}</h1><p>Finality local chain</p></body></html>\n`;
  return { status, headers: { "content-type": "text/html;charset=utf-8", ...headers }, body: page };
}
