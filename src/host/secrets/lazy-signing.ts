/**
 * What features need of the signing side. A bundle of its own: it holds the curve and protobuf, so load it with
 * `import()`.
 */
export { bandwidthOf } from "../../core/resources/transfer-cost.ts";
export {
  builtFromIntent,
  rawDataFromIntent,
  type Validity,
  withExpiration,
} from "../../core/transaction/built-transaction.ts";
export { serialisedAbi } from "../../core/transaction/contract-from-intent.ts";
export type { Difference, VerifiedField } from "../../core/transaction/field-differences.ts";
export { encodeRawData } from "../../core/transaction/raw-data-codec.ts";
export { DEFAULT_EXPIRATION_AHEAD_MS } from "../../core/transaction/reference-block.ts";
export { addSignature, checkSignedTransaction } from "../../core/transaction/sign-transaction.ts";
export {
  addressOfPrivateKey,
  generatePrivateKey,
  type PrivateKey,
  parsePrivateKey,
} from "../../core/transaction/signature.ts";
export {
  oneOfEach,
  printForWallet,
  printTransactionFile,
  readTransactionFile,
} from "../../core/transaction/transaction-file.ts";
export {
  type Verification,
  type VerificationLimits,
  type VerifiedTransaction,
  verifyAgainstIntent,
} from "../../core/transaction/verify-against-intent.ts";
