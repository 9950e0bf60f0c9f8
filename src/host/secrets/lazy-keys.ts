/** Key generation and import. A lazy bundle, because it contains the BIP-39 words: load it with `import()`. */
export {
  FIRST_PATH,
  type KeyPath,
  keyAt,
  kindOfKeyText,
  mnemonicFault,
  newMnemonic,
  openKeystore,
  parseKeyPath,
  pathsFrom,
  positionsToConfirm,
  printKeystore,
  readKeystore,
  readMnemonic,
  seedOf,
} from "@finality/client/keys";
export { addressOfPrivateKey, type PrivateKey, parsePrivateKey } from "@finality/tron/transaction";
