export { argumentLines, safeButton, tokenLines } from "./reviews/code-review.view.ts";
export { validityButton, validityItems } from "./reviews/coin-review.view.ts";
export {
  approvalDoubt,
  codeDoubt,
  describeCall,
  describeDeployment,
  describeTokenUse,
  tokenUseData,
  tokenUseLabel,
} from "./reviews/describe-code.ts";
export {
  isForeignChain,
  type MessageReview,
  messageReview,
  typedDataChainId,
  typedDataReview,
  typedDataSummary,
  typedDataTokens,
} from "./reviews/message-review.view.ts";
export {
  type CodeDescription,
  type ReviewedTransaction,
  reviewCode,
  reviewSystemContract,
  reviewTransfer,
  type TitledReview,
} from "./reviews/review-transaction.ts";
export {
  rateText,
  type SystemEffect,
  type SystemFacts,
  type SystemIntent,
  type Voting,
  witnessFacts,
} from "./reviews/system-effect.view.ts";
export { otherParty, partyOf, readSystemFacts, systemCost } from "./reviews/system-facts.ts";
export { effectOf, lockOutText } from "./reviews/system-review.view.ts";
export { readTypedDataFacts } from "./reviews/typed-data-facts.ts";
