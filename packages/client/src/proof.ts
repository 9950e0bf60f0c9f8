export type { ScanStore } from "./proof/absence-scan.ts";
export type { ProofSources } from "./proof/confirm-absence.ts";
export type { NoProof, OtherUrl, ProofChecks } from "./proof/evidence.ts";
export {
  type FoundReference,
  findReference,
  type ProofCost,
  proofCost,
  proofCostOfSigned,
  REFERENCE_BLOCKS,
  referenceHeights,
} from "./proof/inclusion-interval.ts";
export {
  type ChainFault,
  type ChainRecheck,
  type DocumentFault,
  type ProofDocument,
  proofDocument,
  proofToJson,
  readProof,
  recheckOnChain,
  recheckProof,
} from "./proof/proof-document.ts";
