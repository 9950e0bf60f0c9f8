/** Where keys of people come from. A bundle of its own: it holds the words of BIP-39, so load it with `import()`. */
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
