export { FIRST_PATH, type KeyPath, keyAt, parseKeyPath, pathsFrom } from "./keys/derivation.ts";
export {
  isLooser,
  judgePolicy,
  type KeyPolicy,
  keptPolicy,
  type PolicyVerdict,
  readKeptPolicy,
} from "./keys/key-policy.ts";
export { kindOfKeyText } from "./keys/key-text.ts";
export { openKeystore, printKeystore, readKeystore } from "./keys/keystore.ts";
export { mnemonicFault, newMnemonic, placesToAsk, readMnemonic, seedOf } from "./keys/mnemonic.ts";
