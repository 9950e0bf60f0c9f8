/** Signing code for features. A lazy bundle, because it contains secp256k1 and protobuf: load it with `import()`. */
export { bandwidthOf } from "@finality/client/estimates";
export type { Difference, VerifiedField } from "@finality/tron/transaction";
export {
  addressOfPrivateKey,
  addSignature,
  builtFromIntent,
  checkSignedTransaction,
  DEFAULT_EXPIRATION_AHEAD_MS,
  encodeRawData,
  generatePrivateKey,
  oneOfEach,
  type PrivateKey,
  parsePrivateKey,
  printForWallet,
  printTransactionFile,
  rawDataFromIntent,
  readTransactionFile,
  serialisedAbi,
  type Validity,
  type Verification,
  type VerificationLimits,
  type VerifiedTransaction,
  verifyAgainstIntent,
  withExpiration,
} from "@finality/tron/transaction";
