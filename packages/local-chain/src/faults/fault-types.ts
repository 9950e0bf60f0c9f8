import { STATUS_CODES } from "node:http";
import type { Block } from "../chain/block.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import { Halt, outOfTime } from "../chain/halt.ts";
import { expired, insufficientResources, invalidContract, Refusal } from "../chain/refusal.ts";
import { type HttpResponse, respondWith, type ServerAction } from "../http/message.ts";
import type { NodeView } from "../node/node-view.ts";
import { duplicateTransaction, TransactionCache } from "../node/simulated-node.ts";
import type { FaultType } from "./fault.ts";

const MAX_STALE_BLOCKS = 100_000;

/**
 * A lagging node answers reads and builds: newer blocks and pending transactions are hidden. State is kept back to the
 * solidified block, so balances are never older. Broadcasts are not affected.
 */
const staleHead: FaultType = {
  name: "stale-head",
  concerns: (path) => !path.includes("/broadcast"),
  read: (fields) => {
    const blocks = fields.integer("blocks", { min: 1, max: MAX_STALE_BLOCKS, or: 3 });
    return { stage: "view", act: (view) => staleView(view, blocks) };
  },
};

function staleView(view: NodeView, behind: number): NodeView {
  const [head, solid] = [older(view.chain, view.head, behind), older(view.chain, view.solid, behind)];
  const newest = older(view.chain, view.newest, behind);
  const height = newest.header.number;
  return {
    ...view,
    head,
    solid,
    newest,
    state: view.chain.stateAt(height),
    block: (requested) => (requested > height ? undefined : view.block(requested)),
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
 * A gateway repeats a request after a lost response: the node serves it twice, and the client gets the second response.
 * For an accepted broadcast that is `Dup transaction.`
 */
const duplicateAnswer: FaultType = {
  name: "duplicate-answer",
  read: () => ({
    stage: "request",
    act: async (serve) => {
      await serve();
      return await serve();
    },
  }),
};

/** The node's transaction cache masks the real reason, as `transactionCache` does, from now on and up to the count. */
const duplicateCache: FaultType = {
  name: "duplicate-cache",
  read: () => {
    const seen = new TransactionCache();
    return {
      stage: "admission",
      act: ({ id }, fires, { chain }) => {
        if (seen.add(id, chain) && fires()) throw duplicateTransaction();
      },
    };
  },
};

/** Refuses broadcasts like a node with a full pool, without any check. */
const poolFull: FaultType = {
  name: "pool-full",
  read: () => ({
    stage: "admission",
    act: (_transaction, fires) => {
      if (fires()) throw new Refusal("SERVER_BUSY", "Server busy.");
    },
  }),
};

/** Accepts broadcasts into the pool, and reports a refusal. Invalid ones are refused as usual. */
const falseRefusal: FaultType = {
  name: "false-refusal",
  read: (fields) => {
    const code = fields.choice("code", CODES);
    return {
      stage: "admission",
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

/** Disables energy estimation, as on most public nodes. */
const estimateOff: FaultType = {
  name: "estimate-off",
  concerns: (path) => path.endsWith("/estimateenergy") || path === "/jsonrpc",
  read: () => ({ stage: "view", act: (view) => ({ ...view, settings: { ...view.settings, estimateEnergy: false } }) }),
};

const CALLS = ["/triggerconstantcontract", "/triggersmartcontract", "/estimateenergy", "/jsonrpc"];

/** Disables constant calls, as by default on a node. */
const constantCallsOff: FaultType = {
  name: "constant-calls-off",
  concerns: (path) => CALLS.some((it) => path.endsWith(it)),
  read: () => ({ stage: "view", act: (view) => ({ ...view, settings: { ...view.settings, constantCalls: false } }) }),
};

const RESULTS = ["OUT_OF_TIME", "JVM_STACK_OVER_FLOW", "UNKNOWN", "PRECOMPILED_CONTRACT", "STACK_OVERFLOW"] as const;
/** The other results have no message. */
const TEXTS: { readonly [result: string]: string } = {
  JVM_STACK_OVER_FLOW: "StackOverflowError:  exceed default JVM stack size!",
  UNKNOWN: "Unknown Throwable",
};

/**
 * Code in a block ends with this result and consumes the whole limit, although the trial run succeeded. The count is of
 * transactions.
 */
const codeEnded: FaultType = {
  name: "code-ended",
  read: (fields) => {
    const result = fields.choice("result", RESULTS);
    const halt = result === "OUT_OF_TIME" ? outOfTime("") : new Halt(result, "", TEXTS[result] ?? "");
    return { stage: "execution", halt };
  },
};

const MAX_CLOCK_SKEW_MS = 31_536_000_000;

/** Shifts the `Date` header of responses; negative values are in the past. Block times are not affected. */
const clockSkew: FaultType = {
  name: "clock-skew",
  read: (fields) => {
    const ms = fields.integer("ms", { min: -MAX_CLOCK_SKEW_MS, max: MAX_CLOCK_SKEW_MS });
    return {
      stage: "request",
      act: async (serve, { now }) => {
        const answer = await serve();
        if (answer.kind !== "answer") return answer;
        const date = new Date(now() + ms).toUTCString();
        return respondWith({ ...answer.response, headers: { ...answer.response.headers, date } });
      },
    };
  },
};

const MAX_FORK_BLOCKS = 1000;

/**
 * Reorganises unsolidified blocks before the node serves the request. Their transactions return to the pool or are
 * lost.
 */
const reorganisation: FaultType = {
  name: "reorganisation",
  count: 1,
  read: (fields) => {
    const blocks = fields.integer("blocks", { min: 1, max: MAX_FORK_BLOCKS, or: 1 });
    const transactions = fields.choice("transactions", ["return", "lost"]);
    return {
      stage: "request",
      act: async (serve, { chain }) => {
        const depth = Math.min(blocks, chain.unsolidified);
        if (depth > 0) chain.fork(depth, transactions);
        return await serve();
      },
    };
  },
};

/** Produces blocks without solidification, which catches up afterwards. The count is of blocks. */
const solidificationStopped: FaultType = {
  name: "solidification-stopped",
  read: () => ({ stage: "solidification" }),
};

const MAX_DELAY_MS = 600_000;

/** Delays the request before the node serves it, or the response. */
const latency: FaultType = {
  name: "latency",
  read: (fields) => {
    const ms = fields.integer("ms", { min: 1, max: MAX_DELAY_MS });
    const when = fields.choice("when", ["before", "after"]);
    return {
      stage: "request",
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
 * Closes the listener for a time, control requests included. Without a path it starts with the response that sets the
 * fault, with a path after the response to a matching request.
 */
const connectionRefused: FaultType = {
  name: "connection-refused",
  count: 1,
  read: (fields) => ({ stage: "listener", ms: fields.integer("ms", { min: 1, max: MAX_DELAY_MS, or: 1000 }) }),
};

/** Resets the connection before the node serves the request. */
const resetBefore: FaultType = {
  name: "reset-before",
  read: () => ({ stage: "request", act: async () => ({ kind: "reset" }) }),
};

/** Serves the request, and resets the connection instead of responding. */
const lostAnswer: FaultType = {
  name: "lost-answer",
  read: () => ({
    stage: "request",
    act: async (serve) => {
      await serve();
      return { kind: "reset" };
    },
  }),
};

/** Serves the request, and cuts the response in the middle. */
const truncatedBody: FaultType = {
  name: "truncated-body",
  read: () => ({
    stage: "request",
    act: async (serve) => {
      const answer = await serve();
      return answer.kind === "answer" ? { kind: "cut", response: answer.response } : answer;
    },
  }),
};

/** Serves the request, and responds with a page and status 200. */
const notJson: FaultType = {
  name: "not-json",
  read: () => ({
    stage: "request",
    act: async (serve) => {
      await serve();
      return respondWith(gatewayPage(200));
    },
  }),
};

/** Responds 4xx or 5xx before the node serves the request. */
const httpStatus: FaultType = {
  name: "http-status",
  read: (fields) => {
    const status = fields.integer("status", { min: 400, max: 599, or: 503 });
    return { stage: "request", act: async () => respondWith(gatewayPage(status)) };
  },
};

/** Serves the request, and responds 5xx. */
const httpStatusAfter: FaultType = {
  name: "http-status-after",
  read: (fields) => {
    const status = fields.integer("status", { min: 500, max: 599, or: 502 });
    return {
      stage: "request",
      act: async (serve) => {
        await serve();
        return respondWith(gatewayPage(status));
      },
    };
  },
};

const MAX_SECONDS = 86_400;

/** Responds 429 before the node serves the request. `Retry-After` is seconds, a date, or missing. */
const rateLimit: FaultType = {
  name: "rate-limit",
  read: (fields) => {
    const seconds = fields.integer("seconds", { min: 0, max: MAX_SECONDS, or: 1 });
    const form = fields.choice("form", ["seconds", "date", "none"]);
    return {
      stage: "request",
      act: async (_serve, { now }) => {
        const date = new Date(now() + seconds * 1000).toUTCString();
        const retryAfter = form === "date" ? date : String(seconds);
        return respondWith(gatewayPage(429, form === "none" ? {} : { "retry-after": retryAfter }));
      },
    };
  },
};

/** Refuses every token: drops the connection, never responds, or responds 401. */
const jwtRefusal: FaultType = {
  name: "jwt-refusal",
  read: (fields) => {
    const how = fields.choice("how", ["drop", "hang", "401"]);
    return { stage: "request", act: async () => refusal(how) };
  },
};

function refusal(how: "drop" | "hang" | "401"): ServerAction {
  return how === "401" ? respondWith(gatewayPage(401)) : { kind: how };
}

/** Returns the page of a web server in front of a node. */
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
