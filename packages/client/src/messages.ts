export {
  type SignatureVerification,
  type SignedSubject,
  type VerificationOptions,
  verifyMessageSignature,
} from "./messages/verify-signature.ts";
