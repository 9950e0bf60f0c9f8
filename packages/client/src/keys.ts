export {
  applyPolicy,
  isLooser,
  type KeyPolicy,
  type PolicyDecision,
  policyFromJson,
  policyToJson,
} from "./keys/key-policy.ts";
export { kindOfKeyText, openKeystore, printKeystore, readKeystore } from "./keys/keystore.ts";
export {
  FIRST_PATH,
  type KeyPath,
  keyAt,
  mnemonicFault,
  newMnemonic,
  parseKeyPath,
  pathsFrom,
  positionsToConfirm,
  readMnemonic,
  seedOf,
} from "./keys/mnemonic.ts";
