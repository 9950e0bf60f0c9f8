/** Where keys of people come from. A bundle of its own: it holds the words of BIP-39, so load it with `import()`. */
export { FIRST_PATH, type KeyPath, keyAt, parseKeyPath, pathsFrom } from "../../core/keys/derivation.ts";
export { kindOfKeyText } from "../../core/keys/key-text.ts";
export { openKeystore, printKeystore, readKeystore } from "../../core/keys/keystore.ts";
export { mnemonicFault, newMnemonic, placesToAsk, readMnemonic, seedOf } from "../../core/keys/mnemonic.ts";
export { addressOfPrivateKey, type PrivateKey, parsePrivateKey } from "../../core/transaction/signature.ts";
