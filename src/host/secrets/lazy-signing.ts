/** Signing code for features. A lazy bundle, because it contains secp256k1 and protobuf: load it with `import()`. */
export { bandwidthOf } from "@finality/client/estimates";
export { verifyMessageSignature } from "@finality/client/messages";
export {
  addressOfPrivateKey,
  addSignature,
  builtFromIntent,
  checkSignedTransaction,
  generatePrivateKey,
  oneOfEach,
  printForWallet,
  printTransactionFile,
  readTransactionFile,
  serialisedAbi,
  verifyAgainstIntent,
  withExpiration,
} from "@finality/tron/transaction";
export {
  firstFormDigest,
  messageDigest,
  parseMessageSignature,
  parseTypedData,
  readTypedData,
  recoverMessageSigner,
  signMessageDigest,
} from "@finality/tron/typed-data";
