export { argumentLines, codeReviewText, safeButton, tokenLines } from "./reviews/code-review.view.ts";
export { coinReviewText, validityButton, validityItems } from "./reviews/coin-review.view.ts";
export {
  rateText,
  type SystemEffect,
  type SystemFacts,
  type SystemIntent,
  type Voting,
  witnessFacts,
} from "./reviews/system-effect.view.ts";
export { otherParty, partyOf, readSystemFacts } from "./reviews/system-facts.ts";
export { effectOf, lockOutText, systemReviewText } from "./reviews/system-review.view.ts";
