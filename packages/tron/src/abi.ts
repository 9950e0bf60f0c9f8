export {
  type AbiCandidate,
  type AbiIndex,
  candidateFromJson,
  createAbiIndex,
  createKnownIndex,
  type JsonAbiEntry,
  joinAbiIndexes,
  keyOf,
  preferSignature,
} from "./abi/abi-index.ts";
export { isAbiName, parseSignature, selectorOf, signatureText, topicOf } from "./abi/abi-signature.ts";
export {
  type AbiParameter,
  type AbiType,
  elementaryType,
  type JsonParameter,
  parameterFromJson,
  typeLabel,
  unlessMalformed,
} from "./abi/abi-type.ts";
export {
  type FileSummary,
  inParts,
  isLibrary,
  type KnownKeys,
  type LibraryPlaceholder,
  libraryName,
  linkCode,
  readAbi,
  summarise,
} from "./abi/artifacts/artifact.ts";
export {
  ArtifactIndex,
  executableCode,
  hasRuntimeCode,
  isCreatedFrom,
  type KnownDeployment,
  type WorkspaceContract,
} from "./abi/artifacts/artifact-index.ts";
export { type ArtifactResult, readArtifact } from "./abi/artifacts/read-artifact.ts";
export {
  abiEntryOf,
  type ContractFunction,
  compilerSpelling,
  constructorOf,
  functionDataOf,
  functionsNamed,
  functionsOf,
  lostFunctions,
  type Mutability,
  onlyReads,
} from "./abi/contract-functions.ts";
export {
  type AbiValue,
  type DecodedLog,
  decodeAbi,
  decodeLog,
  type MalformedText,
  textOfBytes,
} from "./abi/decode-abi.ts";
export { type AbiInput, encodeAbi, encodeCall, type InputValue } from "./abi/encode-abi.ts";
export {
  type DecodedCandidate,
  ERROR_STRING,
  PANIC,
  panicCode,
  panicData,
  panicOf,
  type RevertMeaning,
  readReason,
  readRevertData,
  reasonData,
  tryDecode,
} from "./abi/revert-data.ts";
export { type AddressOf, inputFromText, type Misfit, typedValue, typedValues } from "./abi/typed-value.ts";
