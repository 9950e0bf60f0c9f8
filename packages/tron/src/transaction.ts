export {
  type BlockHeader,
  type BuiltTransaction,
  blockId,
  blockIdOfHash,
  builtFromIntent,
  DEFAULT_EXPIRATION_AHEAD_MS,
  encodeBlockHeader,
  headerHash,
  type Lifetime,
  MAX_EXPIRATION_AHEAD_MS,
  merkleRoot,
  rawDataFromIntent,
  readLifetime,
  referenceTo,
  refersTo,
  type SignedTransaction,
  transactionRoot,
  type Validity,
  withExpiration,
} from "./transaction/built-transaction.ts";
export {
  addressOfHash,
  type ContractResult,
  type ContractType,
  contractResultName,
  contractResultNumber,
  contractResults,
  contractTypeByName,
  contractTypeByNumber,
  contractTypeName,
  create2ContractAddress,
  createdContractAddress,
  deployedContractAddress,
  typeName,
} from "./transaction/contract-types.ts";
export {
  type Intent,
  type IntentOf,
  intentKinds,
  lookalikesOf,
  type PermissionIntent,
  type PermissionKey,
  partiesOf,
  type Resource,
  readIntent,
  type StakePurpose,
  USUAL_OWNER_ENERGY_LIMIT,
} from "./transaction/intent.ts";
export { intentFromRawData, serialisedAbi } from "./transaction/intent-contract.ts";
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
  transactionFileIn,
} from "./transaction/transaction-file.ts";
export {
  enumNames,
  messageToJson,
  rawDataFromJson,
  rawDataToJson,
  visibleFormat,
} from "./transaction/transaction-json.ts";
export {
  type Difference,
  type Verification,
  type VerificationLimits,
  type VerifiedField,
  type VerifiedTransaction,
  verifyAgainstIntent,
} from "./transaction/verify-against-intent.ts";
