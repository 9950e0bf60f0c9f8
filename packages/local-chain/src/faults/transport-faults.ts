import { STATUS_CODES } from "node:http";
import { type Answer, answered, type HttpResponse } from "../http/message.ts";
import type { FaultType } from "./fault.ts";

const MAX_MS = 600_000;

/** Answers come late: the request waits before the node sees it, or its answer waits. */
export const latency: FaultType = {
  name: "latency",
  read: (fields) => {
    const ms = fields.integer("ms", { min: 1, max: MAX_MS });
    const when = fields.choice("when", ["before", "after"]);
    return {
      seam: "request",
      act: async (serve, { delay }) => {
        if (when === "before") await delay(ms);
        const answer = await serve();
        if (when === "after") await delay(ms);
        return answer;
      },
    };
  },
};

/**
 * Nobody listens for a while, control included. Without a path it begins with the answer to the request that sets it,
 * with a path after the answer to a request that matches.
 */
export const connectionRefused: FaultType = {
  name: "connection-refused",
  count: 1,
  read: (fields) => ({ seam: "door", ms: fields.integer("ms", { min: 1, max: MAX_MS, or: 1000 }) }),
};

/** The connection is reset, and the node has never seen the request. */
export const resetBefore: FaultType = {
  name: "reset-before",
  read: () => ({ seam: "request", act: async () => ({ kind: "reset" }) }),
};

/** The node does what it is asked, and the connection is reset in place of the answer. */
export const lostAnswer: FaultType = {
  name: "lost-answer",
  read: () => ({
    seam: "request",
    act: async (serve) => {
      await serve();
      return { kind: "reset" };
    },
  }),
};

/** The node does what it is asked, and the connection ends in the middle of the answer. */
export const truncatedBody: FaultType = {
  name: "truncated-body",
  read: () => ({
    seam: "request",
    act: async (serve) => {
      const answer = await serve();
      return answer.kind === "answer" ? { kind: "cut", response: answer.response } : answer;
    },
  }),
};

/** The node does what it is asked, and the answer is a page with status 200. */
export const notJson: FaultType = {
  name: "not-json",
  read: () => ({
    seam: "request",
    act: async (serve) => {
      await serve();
      return answered(gatewayPage(200));
    },
  }),
};

/** A gateway answers 4xx or 5xx, and the node has never seen the request. */
export const httpStatus: FaultType = {
  name: "http-status",
  read: (fields) => {
    const status = fields.integer("status", { min: 400, max: 599, or: 503 });
    return { seam: "request", act: async () => answered(gatewayPage(status)) };
  },
};

/** The node does what it is asked, and a gateway answers 5xx in its place. */
export const httpStatusAfter: FaultType = {
  name: "http-status-after",
  read: (fields) => {
    const status = fields.integer("status", { min: 500, max: 599, or: 502 });
    return {
      seam: "request",
      act: async (serve) => {
        await serve();
        return answered(gatewayPage(status));
      },
    };
  },
};

const MAX_SECONDS = 86_400;

/** 429, and the node has never seen the request. `Retry-After` is a number of seconds, a date, or missing. */
export const rateLimit: FaultType = {
  name: "rate-limit",
  read: (fields) => {
    const seconds = fields.integer("seconds", { min: 0, max: MAX_SECONDS, or: 1 });
    const form = fields.choice("form", ["seconds", "date", "none"]);
    return {
      seam: "request",
      act: async (_serve, { now }) => {
        const date = new Date(now() + seconds * 1000).toUTCString();
        const retryAfter = form === "date" ? date : String(seconds);
        return answered(gatewayPage(429, form === "none" ? {} : { "retry-after": retryAfter }));
      },
    };
  },
};

/**
 * A gateway accepts no token, whatever it says: it ends the connection without a byte, says nothing, or answers 401.
 */
export const jwtRefusal: FaultType = {
  name: "jwt-refusal",
  read: (fields) => {
    const how = fields.choice("how", ["drop", "hang", "401"]);
    return { seam: "request", act: async () => refusal(how) };
  },
};

function refusal(how: "drop" | "hang" | "401"): Answer {
  return how === "401" ? answered(gatewayPage(401)) : { kind: how };
}

/** A page as web servers in front of a node show it, whatever was asked. */
function gatewayPage(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  const title = `${status} ${STATUS_CODES[status] ?? "Error"}`;
  const page = `<html><head><title>${title}</title></head><body><h1>${title}</h1><p>Finality local chain</p></body></html>\n`;
  return { status, headers: { "content-type": "text/html;charset=utf-8", ...headers }, body: page };
}
