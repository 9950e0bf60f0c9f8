import type { HttpResponse } from "../http/message.ts";

/** The next requests are answered with 429. */
export interface RateLimit {
  /** How many more are refused. */
  requests: number;
  /** What `Retry-After` says: seconds, or an HTTP date. */
  readonly retryAfter: string;
}

/** 429 while there are refusals left, else undefined. */
export function takePermit(limit: RateLimit | undefined): HttpResponse | undefined {
  if (limit === undefined || limit.requests <= 0) return undefined;
  limit.requests -= 1;
  return {
    status: 429,
    headers: { "content-type": "application/json;charset=utf-8", "retry-after": limit.retryAfter },
    body: `${JSON.stringify({ Error: "Too many requests." })}\n`,
  };
}
