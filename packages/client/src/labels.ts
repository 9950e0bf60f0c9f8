export { accountIcon, hasStoredKey, isOwnAccount, nextLabel, policyText } from "./labels/accounts.ts";
export {
  burnedText,
  changeText,
  type EstimateLabels,
  effectText,
  energyText,
  estimateLabels,
  noSendingOf,
  objectionsOf,
  roomText,
} from "./labels/estimates.ts";
export { type EventLabels, eventJson, eventLabels, eventsCsv } from "./labels/events.ts";
export type { FileEstimate } from "./labels/file-estimate.ts";
export { describeIntent, type FunctionName, purposeText } from "./labels/intents.ts";
export {
  allowedText,
  authorityProblem,
  joined,
  type KeysHere,
  keyText,
  operationGroup,
  operationRows,
  operationText,
  permissionText,
  quorumText,
  type SignatureWeight,
  type SigningLabels,
  signingLines,
} from "./labels/permissions.ts";
export {
  chainFaultText,
  DOCUMENT_FAULTS,
  describeChecks,
  describeProofCost,
  proofToMarkdown,
  stopText,
} from "./labels/proofs.ts";
export {
  approvalWarning,
  costText,
  type Expiry,
  expiryText,
  likenessOf,
  lookalikeLines,
  networkLines,
  type Party,
  partyText,
  quoted,
  type ReviewedNetwork,
} from "./labels/reviews.ts";
export {
  describeAnswer,
  describeDispute,
  describeValidity,
  type FunctionNameOf,
  operationLabel,
  sendTitle,
  shortReason,
  signaturesText,
  storedSignature,
  symbolOf,
  transactionLabel,
} from "./labels/transactions.ts";
export { describeIssues } from "./labels/troubles.ts";
export { lateText, leftText, noSignatureMessages, walletMessages } from "./labels/wallet-words.ts";
