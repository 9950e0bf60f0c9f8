export { bindCall } from "./call-sites/bind-call.ts";
export { nameOf } from "./call-sites/bind-target.ts";
export type { BindingContext, Bound, KnownContract, Missing, Unbound } from "./call-sites/binding.ts";
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
export { knownEstimate } from "./call-sites/known-estimate.ts";
export { wantedInCallFile, wantedInScript, wantedInSolidity } from "./call-sites/wanted-calls.ts";
export { readToolConfiguration, type ToolConfiguration, type ToolNetwork } from "./tool-networks/tool-networks.ts";
