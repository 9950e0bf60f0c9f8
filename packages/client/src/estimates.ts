export {
  burnsItsLimit,
  type CallEstimate,
  type CodeIntent,
  decisiveMargin,
  type EstimatedCall,
  isTight,
  limitVerdict,
  STIPEND,
  suggestedFeeLimit,
} from "./estimates/call-estimate.ts";
export {
  bandwidthOf,
  type CallCost,
  type CostPart,
  type Shortage,
  type TransferCost,
  type TransferFacts,
  transferCost,
} from "./estimates/costs.ts";
export { type CachedEstimate, EstimateCache, WINDOW_BLOCKS } from "./estimates/estimate-cache.ts";
export {
  type CallOutcome,
  contractRunOf,
  type EstimateSource,
  estimateCall,
  measureCall,
  priceCall,
  runConstantCall,
} from "./estimates/estimate-call.ts";
export {
  dailyLimit,
  dailyLimitAfter,
  MAX_VOTED_FOR,
  type ResourceUse,
  rankWitnesses,
  resourceUses,
  sumOfVotes,
  totalsOf,
  voteChanges,
} from "./estimates/stakes.ts";
export { estimateTransfer } from "./estimates/transfer-cost.ts";
