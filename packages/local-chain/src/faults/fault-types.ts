import { STATUS_CODES } from "node:http";
import type { Block } from "../chain/block.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import { Halt, outOfTime } from "../chain/halt.ts";
import { expired, insufficientResources, invalidContract, Refusal } from "../chain/refusal.ts";
import { type Answer, answered, type HttpResponse } from "../http/message.ts";
import type { View } from "../node/node-view.ts";
import { SeenTransactions, seenBefore } from "../node/simulated-node.ts";
import type { FaultType } from "./fault.ts";

const MAX_STALE_BLOCKS = 100_000;

/**
 * Reads and builds are answered by a node that lags: its newest and its solidified block are older, and it has not
 * heard of what came later or waits. State is kept back to the solidified block alone, so balances are never older than
 * that. Broadcasts are not touched.
 */
export const staleHead: FaultType = {
  name: "stale-head",
  concerns: (path) => !path.includes("/broadcast"),
  read: (fields) => {
    const blocks = fields.integer("blocks", { min: 1, max: MAX_STALE_BLOCKS, or: 3 });
    return { seam: "view", act: (view) => staleView(view, blocks) };
  },
};

function staleView(view: View, behind: number): View {
  const [head, solid] = [older(view.chain, view.head, behind), older(view.chain, view.solid, behind)];
  const newest = older(view.chain, view.newest, behind);
  const height = newest.header.number;
  return {
    ...view,
    head,
    solid,
    newest,
    state: view.chain.stateAt(height),
    block: (wanted) => (wanted > height ? undefined : view.block(wanted)),
    find: (id) => {
      const found = view.find(id);
      return found !== undefined && found.block.header.number <= height ? found : undefined;
    },
    pending: () => undefined,
  };
}

function older(chain: Blockchain, block: Block, behind: number): Block {
  return chain.block(Math.max(0, block.header.number - behind)) ?? block;
}

/**
 * A gateway repeats a request whose answer it did not get: the node sees it twice, and the client gets the second
 * answer. For a broadcast that was accepted it says `Dup transaction.`
 */
export const duplicateAnswer: FaultType = {
  name: "duplicate-answer",
  read: () => ({
    seam: "request",
    act: async (serve) => {
      await serve();
      return await serve();
    },
  }),
};

/**
 * The node's cache of transactions masks the real reason, as `transactionCache` does, but from now on and as often as
 * it is told.
 */
export const duplicateCache: FaultType = {
  name: "duplicate-cache",
  read: () => {
    const seen = new SeenTransactions();
    return {
      seam: "admission",
      act: ({ id }, fires, { chain }) => {
        if (seen.meet(id, chain) && fires()) throw seenBefore();
      },
    };
  },
};

/** Broadcasts are refused as by a node whose pool is full; nothing is checked, nothing is kept. */
export const poolFull: FaultType = {
  name: "pool-full",
  read: () => ({
    seam: "admission",
    act: (_transaction, fires) => {
      if (fires()) throw new Refusal("SERVER_BUSY", "Server busy.");
    },
  }),
};

/**
 * Broadcasts are taken into the pool, and refused all the same: whoever answers is wrong, or lies. What is really
 * refused is so as ever.
 */
export const falseRefusal: FaultType = {
  name: "false-refusal",
  read: (fields) => {
    const code = fields.choice("code", CODES);
    return {
      seam: "admission",
      act: (transaction, fires, view) => {
        if (!fires()) return;
        view.submit(transaction);
        throw REFUSALS[code]();
      },
    };
  },
};

const CODES = [
  "CONTRACT_VALIDATE_ERROR",
  "SIGERROR",
  "BANDWITH_ERROR",
  "TRANSACTION_EXPIRATION_ERROR",
  "SERVER_BUSY",
] as const;

const REFUSALS: { readonly [C in (typeof CODES)[number]]: () => Refusal } = {
  CONTRACT_VALIDATE_ERROR: () => invalidContract("No contract!"),
  SIGERROR: () => new Refusal("SIGERROR", "sig error"),
  BANDWITH_ERROR: insufficientResources,
  TRANSACTION_EXPIRATION_ERROR: expired,
  SERVER_BUSY: () => new Refusal("SERVER_BUSY", "Server busy."),
};

/** The node says that it does not estimate energy, as most public nodes do. */
export const estimateOff: FaultType = {
  name: "estimate-off",
  concerns: (path) => path.endsWith("/estimateenergy") || path === "/jsonrpc",
  read: () => ({ seam: "view", act: (view) => ({ ...view, settings: { ...view.settings, estimateEnergy: false } }) }),
};

const CALLS = ["/triggerconstantcontract", "/triggersmartcontract", "/estimateenergy", "/jsonrpc"];

/** The node says that it runs no code without a transaction, as one does that nobody has told to. */
export const constantCallsOff: FaultType = {
  name: "constant-calls-off",
  concerns: (path) => CALLS.some((it) => path.endsWith(it)),
  read: () => ({ seam: "view", act: (view) => ({ ...view, settings: { ...view.settings, constantCalls: false } }) }),
};

const RESULTS = ["OUT_OF_TIME", "JVM_STACK_OVER_FLOW", "UNKNOWN", "PRECOMPILED_CONTRACT", "STACK_OVERFLOW"] as const;
/** No node has words for the other two. */
const TEXTS: { readonly [result: string]: string } = {
  JVM_STACK_OVER_FLOW: "StackOverflowError:  exceed default JVM stack size!",
  UNKNOWN: "Unknown Throwable",
};

/**
 * The machine of a block's producer gives up on a transaction's code, whatever the code is: it fails with this value
 * and loses its whole limit, though it went well on arrival. The count is of transactions.
 */
export const codeEnded: FaultType = {
  name: "code-ended",
  read: (fields) => {
    const result = fields.choice("result", RESULTS);
    const halt = result === "OUT_OF_TIME" ? outOfTime("") : new Halt(result, "", TEXTS[result] ?? "");
    return { seam: "execution", halt };
  },
};

const MAX_CLOCK_SKEW_MS = 31_536_000_000;

/**
 * The clock of the server is wrong: `Date` of its answers is ahead, or behind when negative. Times of blocks are not
 * touched.
 */
export const clockSkew: FaultType = {
  name: "clock-skew",
  read: (fields) => {
    const ms = fields.integer("ms", { min: -MAX_CLOCK_SKEW_MS, max: MAX_CLOCK_SKEW_MS });
    return {
      seam: "request",
      act: async (serve, { now }) => {
        const answer = await serve();
        if (answer.kind !== "answer") return answer;
        const date = new Date(now() + ms).toUTCString();
        return answered({ ...answer.response, headers: { ...answer.response.headers, date } });
      },
    };
  },
};

const MAX_FORK_BLOCKS = 1000;

/**
 * Before the node sees the request, the newest blocks give way to a longer chain of others, as far as they are not
 * solidified. What they held waits again, or is lost.
 */
export const reorganisation: FaultType = {
  name: "reorganisation",
  count: 1,
  read: (fields) => {
    const blocks = fields.integer("blocks", { min: 1, max: MAX_FORK_BLOCKS, or: 1 });
    const transactions = fields.choice("transactions", ["return", "lost"]);
    return {
      seam: "request",
      act: async (serve, { chain }) => {
        const depth = Math.min(blocks, chain.unsolidified);
        if (depth > 0) chain.fork(depth, transactions);
        return await serve();
      },
    };
  },
};

/**
 * Blocks come, and none of them is solidified: too few producers confirm them. The count is of blocks; it catches up
 * afterwards.
 */
export const solidificationStopped: FaultType = {
  name: "solidification-stopped",
  read: () => ({ seam: "solidification" }),
};

const MAX_DELAY_MS = 600_000;

/** Answers come late: the request waits before the node sees it, or its answer waits. */
export const latency: FaultType = {
  name: "latency",
  read: (fields) => {
    const ms = fields.integer("ms", { min: 1, max: MAX_DELAY_MS });
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
  read: (fields) => ({ seam: "door", ms: fields.integer("ms", { min: 1, max: MAX_DELAY_MS, or: 1000 }) }),
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

/** All faults, in the order of the documentation. */
export const faultTypes: readonly FaultType[] = [
  latency,
  connectionRefused,
  resetBefore,
  lostAnswer,
  truncatedBody,
  notJson,
  httpStatus,
  httpStatusAfter,
  rateLimit,
  staleHead,
  duplicateAnswer,
  duplicateCache,
  poolFull,
  falseRefusal,
  jwtRefusal,
  clockSkew,
  reorganisation,
  solidificationStopped,
  estimateOff,
  constantCallsOff,
  codeEnded,
];
