export { firstFormDigest, type MessageDigest, messageDigest } from "./typed-data/message.ts";
export {
  type MessageSignature,
  parseMessageSignature,
  recoverMessageSigner,
  signatureForms,
  signMessageDigest,
} from "./typed-data/message-signature.ts";
export {
  parseTypedData,
  readTypedData,
  type TypedData,
  type TypedDomain,
} from "./typed-data/typed-data.ts";
export type { NamedValue, StructValue, TypedValue } from "./typed-data/typed-value.ts";
