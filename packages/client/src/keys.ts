export {
  isLooser,
  judgePolicy,
  type KeyPolicy,
  keptPolicy,
  type PolicyVerdict,
  readKeptPolicy,
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
  placesToAsk,
  readMnemonic,
  seedOf,
} from "./keys/mnemonic.ts";
