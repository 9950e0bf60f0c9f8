import type { AgentTool } from "./tool.ts";
import { localChainTools } from "./tools/local-chain-tools.ts";
import { proposalTools } from "./tools/proposal-tools.ts";
import { readTools } from "./tools/read-tools.ts";
import { textTools } from "./tools/text-tools.ts";
import { transactionTools } from "./tools/transaction-tools.ts";

/** All tools, in the order in which they are listed. */
export const agentTools: readonly AgentTool[] = [
  ...transactionTools,
  ...textTools,
  ...readTools,
  ...localChainTools,
  ...proposalTools,
];

export { type AgentPorts, type LocalControl, type ReadConnection, readsOf } from "./ports.ts";
export { type AgentTool, type Caller, callTool, LARGEST_RESULT, resultText, type ToolResult } from "./tool.ts";
