import { accountRoutes, balanceHistoryRoutes } from "./accounts.ts";
import { blockRoutes, transactionRoutes } from "./blocks.ts";
import { broadcastRoutes, multiSignRoutes } from "./broadcast.ts";
import { builderRoutes, deployRoutes } from "./builders.ts";
import { contractCallRoutes, contractRoutes } from "./contract-calls.ts";
import { nodeRoutes } from "./node.ts";
import type { Route } from "./route.ts";
import { shieldedRoutes } from "./shielded.ts";
import { stakeRoutes } from "./stake.ts";
import { tokenRoutes } from "./tokens.ts";
import { tradeRoutes } from "./trade.ts";
import { votingRoutes } from "./voting.ts";

const routes: readonly Route[] = [
  ...accountRoutes,
  ...balanceHistoryRoutes,
  ...blockRoutes,
  ...broadcastRoutes,
  ...builderRoutes,
  ...contractCallRoutes,
  ...contractRoutes,
  ...deployRoutes,
  ...multiSignRoutes,
  ...nodeRoutes,
  ...shieldedRoutes,
  ...stakeRoutes,
  ...tokenRoutes,
  ...tradeRoutes,
  ...transactionRoutes,
  ...votingRoutes,
];

/** Routes of the node by path. */
export const nodeEndpoints: ReadonlyMap<string, Route> = new Map(
  routes.flatMap((route) => pathsOf(route).map((path): [string, Route] => [path, route])),
);

function pathsOf({ name, solidity, paths = [`/wallet/${name}`] }: Route): string[] {
  return [...paths, ...(solidity ? [`/walletsolidity/${name}`] : [])];
}
