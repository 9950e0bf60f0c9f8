export {
  type BlockHeader,
  blockId,
  blockIdOfHash,
  encodeBlockHeader,
  headerHash,
  merkleRoot,
  transactionRoot,
} from "./transaction/block-id.ts";
export {
  type BuiltTransaction,
  builtFromIntent,
  rawDataFromIntent,
  type SignedTransaction,
  type Validity,
  withExpiration,
} from "./transaction/built-transaction.ts";
export {
  addressOfHash,
  create2ContractAddress,
  createdContractAddress,
  deployedContractAddress,
} from "./transaction/contract-address.ts";
export { serialisedAbi } from "./transaction/contract-from-intent.ts";
export {
  type ContractResult,
  contractResultName,
  contractResultNumber,
  contractResults,
} from "./transaction/contract-result.ts";
export {
  type ContractType,
  contractTypeByName,
  contractTypeByNumber,
  contractTypeName,
  typeName,
} from "./transaction/contract-types.ts";
export type { Difference, VerifiedField } from "./transaction/field-differences.ts";
export {
  type Intent,
  type IntentOf,
  intentKinds,
  type PermissionIntent,
  type PermissionKey,
  type Resource,
  readIntent,
  type StakePurpose,
  USUAL_OWNER_ENERGY_LIMIT,
} from "./transaction/intent.ts";
export { lookalikesOf, partiesOf } from "./transaction/lookalike.ts";
export {
  callInBytes,
  contractEntry,
  type DecodedContract,
  decodeContract,
  decodeRawData,
  decodeTransaction,
  encodeRawData,
  transactionBytes,
  withResult,
} from "./transaction/raw-data-codec.ts";
export {
  DEFAULT_EXPIRATION_AHEAD_MS,
  type Lifetime,
  MAX_EXPIRATION_AHEAD_MS,
  readLifetime,
  referenceTo,
  refersTo,
} from "./transaction/reference-block.ts";
export { addSignature, checkSignedTransaction } from "./transaction/sign-transaction.ts";
export {
  addressOfPrivateKey,
  generatePrivateKey,
  type PrivateKey,
  parsePrivateKey,
  recoverAddress,
  signTransactionId,
} from "./transaction/signature.ts";
export {
  LONGEST_FILE,
  oneOfEach,
  printForWallet,
  printTransactionFile,
  readTransactionFile,
  type SharedTransaction,
} from "./transaction/transaction-file.ts";
export {
  enumNames,
  messageToJson,
  rawDataFromJson,
  rawDataToJson,
  visibleFormat,
} from "./transaction/transaction-json.ts";
export {
  type Verification,
  type VerificationLimits,
  type VerifiedTransaction,
  verifyAgainstIntent,
} from "./transaction/verify-against-intent.ts";
