export {
  type BindingContext,
  type Bound,
  bindCall,
  type KnownContract,
  knownEstimate,
  type Missing,
  nameOf,
  type Unbound,
} from "./call-sites/bind-call.ts";
export {
  CALL_FILE_ENDING,
  type CallFilePath,
  type CallFileValue,
  callFilePlace,
  callFileTextAt,
  callFileValueAt,
} from "./call-sites/call-file.ts";
export { type TextRange, type WantedCall, type WantedValue, wantedLiteral } from "./call-sites/call-site.ts";
export {
  type CostSnapshot,
  compareCosts,
  costName,
  parseCostSnapshot,
  printCostSnapshot,
  renewableSnapshot,
  SNAPSHOT_FILE,
} from "./call-sites/cost-history.ts";
export { wantedInCallFile, wantedInScript, wantedInSolidity } from "./call-sites/find-call-sites.ts";
export { readToolConfiguration, type ToolConfiguration, type ToolNetwork } from "./call-sites/tool-networks.ts";
