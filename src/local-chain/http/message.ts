import type { IncomingHttpHeaders } from "node:http";

/** A request as the server has read it. The web's own `Request` costs as much as the chain's work. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query as they were sent: a `URL` would tidy them. */
  readonly target: string;
  /** Their names are in lower case. */
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
