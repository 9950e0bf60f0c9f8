export {
  type BindingContext,
  type BoundCall,
  bindCall,
  cachedEstimateOf,
  type KnownContract,
  type MissingValue,
  nameOf,
  type UnboundCall,
} from "./call-sites/bind-call.ts";
export {
  CALL_FILE_SUFFIX,
  type CallFilePath,
  type CallFileValue,
  callFileLocation,
  callFileTextAt,
  callFileValueAt,
} from "./call-sites/call-file.ts";
export type {
  CallExpectation,
  ExpectedEvent,
  ExpectedRevert,
  ExpectedValues,
} from "./call-sites/call-file-expectation.ts";
export { type CallSite, type CallSiteValue, literalValue, type TextRange } from "./call-sites/call-site.ts";
export {
  type CostChange,
  type CostSnapshot,
  compareCosts,
  costName,
  parseCostSnapshot,
  parseFunctionTotals,
  printCostSnapshot,
  renewableSnapshot,
  SNAPSHOT_FILE,
} from "./call-sites/cost-history.ts";
export {
  type CallFileSite,
  callSitesInCallFile,
  callSitesInScript,
  callSitesInSolidity,
  type SetupSite,
  setupSitesInCallFile,
} from "./call-sites/find-call-sites.ts";
export { findSolidityContracts, type SolidityCallable, type SolidityContract } from "./call-sites/solidity.ts";
export { readToolConfiguration, type ToolConfiguration, type ToolNetwork } from "./call-sites/tool-networks.ts";
