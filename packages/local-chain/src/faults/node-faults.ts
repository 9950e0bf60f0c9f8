import type { Block } from "../chain/block.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import { Halt, outOfTime } from "../chain/halt.ts";
import { expired, insufficientResources, invalidContract, Refusal } from "../chain/refusal.ts";
import { SeenTransactions, seenBefore } from "../node/simulated-node.ts";
import type { View } from "../routes/route.ts";
import type { FaultType } from "./fault.ts";

const MAX_BLOCKS = 100_000;

/**
 * Reads and builds are answered by a node that lags: its newest and its solidified block are older, and it has not
 * heard of what came later or waits. State is kept back to the solidified block alone, so balances are never older than
 * that. Broadcasts are not touched.
 */
export const staleHead: FaultType = {
  name: "stale-head",
  concerns: (path) => !path.includes("/broadcast"),
  read: (fields) => {
    const blocks = fields.integer("blocks", { min: 1, max: MAX_BLOCKS, or: 3 });
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
