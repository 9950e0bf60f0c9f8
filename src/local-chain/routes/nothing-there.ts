import { compact, type Reply, spaced } from "../http/reply.ts";
import type { Route } from "./route.ts";

const BROKERAGE_PERCENT = 20;

/**
 * Look-ups of what this chain has none of: tokens, proposals, exchanges, names and votes. Their bodies are not read.
 */
export const nothingThereRoutes: readonly Route[] = [
  ...[
    "getaccountbyid",
    "getassetissuebyid",
    "getassetissuebyname",
    "getassetissuelist",
    "getassetissuelistbyname",
    "getpaginatedassetissuelist",
    "getexchangebyid",
    "listexchanges",
  ].map((name) => always(name, true, () => compact({}))),
  ...["getassetissuebyaccount", "getpaginatedexchangelist", "getproposalbyid", "listproposals"].map((name) =>
    always(name, false, () => compact({})),
  ),
  // The node's spelling has these capital letters.
  always("getReward", true, () => spaced({ reward: 0 })),
  always("getBrokerage", true, () => spaced({ brokerage: BROKERAGE_PERCENT })),
];

function always(name: string, solidity: boolean, reply: () => Reply): Route {
  const servlet = `${name[0]?.toUpperCase()}${name.slice(1)}Servlet`;
  return { name, servlet, solidity, post: reply, get: reply };
}
