export {
  type CodeSources,
  type InstructionSource,
  type ReadSource,
  type SourceFile,
  type SourceLocation,
  TraceSources,
} from "./traces/code-sources.ts";
export type { CompiledCode } from "./traces/compiled-code.ts";
export { CompiledContracts } from "./traces/compiled-contracts.ts";
export { lcovText } from "./traces/coverage-lcov.ts";
export {
  type BranchCoverage,
  branchesOf,
  type CoverageReport,
  coverageReport,
  lineCounts,
  type SourceCoverage,
} from "./traces/coverage-report.ts";
export { disassemble, type Instruction, opcodeName } from "./traces/disassembly.ts";
export { type ReplayFacts, readReplayFacts } from "./traces/failure-replay.ts";
export {
  type EnergyTotal,
  energyTotals,
  type FlameNode,
  flameTree,
  type PlacedFlame,
  placeFlame,
} from "./traces/flame.ts";
export { hashPreimages, type Preimages } from "./traces/hash-preimages.ts";
export {
  compareLines,
  type EnergyProfile,
  energyProfile,
  type FileText,
  type LineChange,
  type LineEnergy,
} from "./traces/line-energy.ts";
export type { LineSource, LineSources, SourceOf } from "./traces/line-sources.ts";
export {
  readStorageLayout,
  type StorageLayout,
  type StorageVariable,
  type VariableChange,
  variableChanges,
} from "./traces/storage-variables.ts";
export { type TraceLine, traceLines, treeText } from "./traces/trace-report.ts";
export {
  type FailureCause,
  siteText,
  sourcesOfFrame,
  type TraceSite,
  type TraceSites,
  traceSites,
} from "./traces/trace-sites.ts";
export {
  energyCost,
  failingFrames,
  movesValue,
  ownEnergy,
  passesFilter,
  shareText,
  type TraceNode,
  traceTree,
} from "./traces/trace-tree.ts";
export {
  contractText,
  decodedCall,
  decodedResult,
  failureText,
  type TraceNames,
  type TraceVariable,
  traceLabel,
  valueText,
  wordText,
} from "./traces/trace-tree-labels.ts";
export {
  type CompiledContract,
  compiledContracts,
  type FailureLine,
  failureLines,
  lineSources,
  storageVariables,
} from "./traces/trace-tree-sources.ts";
