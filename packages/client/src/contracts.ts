export { type ChainCode, type CodeMatch, compareCode, type FirstDifference } from "./contracts/compare-code.ts";
export {
  type CompiledContract,
  type CompilerResult,
  type ContractTarget,
  readArtifactCode,
  readCompilerOutput,
} from "./contracts/compiled-contract.ts";
export {
  currentInput,
  inputWith,
  optimizerOf,
  type RecordedBuild,
  readRecordedBuild,
  settingsOf,
  standardJson,
} from "./contracts/compiler-input.ts";
export { codeHashOf } from "./contracts/contract-code.ts";
export {
  type CodeReport,
  type Compile,
  causeOfBytes,
  compareWithSource,
  type DifferenceCause,
} from "./contracts/find-cause.ts";
export { namespaceSlot } from "./contracts/namespaced-storage.ts";
export { type ContractProxy, type ProxyKind, proxyAdmin, resolveProxy } from "./contracts/proxy.ts";
export {
  addedVariables,
  isUpgradeSafe,
  readUpgradeCheck,
  type StorageVariable,
  storageCollisions,
  type UpgradeCheck,
} from "./contracts/storage-layout.ts";
