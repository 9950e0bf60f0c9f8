export {
  type CodeSources,
  type InstructionSource,
  type ReadSource,
  type SourceFile,
  type SourceLocation,
  TraceSources,
} from "./traces/code-sources.ts";
export { CompiledContracts } from "./traces/compiled-contracts.ts";
export {
  type FailureCause,
  siteText,
  sourcesOfFrame,
  type TraceSite,
  type TraceSites,
  traceSites,
} from "./traces/trace-sites.ts";
