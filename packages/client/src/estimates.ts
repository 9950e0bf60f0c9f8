export {
  burnsItsLimit,
  type CallEstimate,
  type CodeIntent,
  type EstimatedCall,
  isTight,
  limitVerdict,
  roomOf,
  STIPEND,
  suggestedFeeLimit,
} from "./estimates/call-estimate.ts";
export { type CachedEstimate, EstimateCache, WINDOW_BLOCKS } from "./estimates/estimate-cache.ts";
export { type EstimateSource, estimateCall } from "./estimates/estimate-call.ts";
export type { CallCost, Shortage } from "./resources/call-cost.ts";
export { type ResourceUse, resourceUses } from "./resources/recovery.ts";
export { dailyLimit, dailyLimitAfter, totalsOf } from "./resources/stake-worth.ts";
export {
  bandwidthOf,
  type CostPart,
  type TransferCost,
  type TransferFacts,
  transferCost,
} from "./resources/transfer-cost.ts";
export { MAX_VOTED_FOR, ranked, sumOfVotes, voteChanges } from "./resources/votes.ts";
