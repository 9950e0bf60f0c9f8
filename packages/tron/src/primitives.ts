export {
  type Address,
  addressFromBytes,
  addressIn,
  addressToBytes,
  anyAddressIn,
  type Base58Address,
  bytesToBase58Check,
  decodeBase58,
  keccak256,
  parseAddress,
  parseAnyAddress,
  toBase58,
} from "./primitives/address.ts";
export { COIN_DECIMALS, LARGEST_AMOUNT, SUN_PER_COIN, type Sun, sun } from "./primitives/amount.ts";
export { BLOCK_INTERVAL_MS, type BlockId, type BlockReference, blockId, blockReference } from "./primitives/block.ts";
export {
  bytesToHex,
  equalBytes,
  type Hex,
  hex,
  hexToBytes,
  isHexPairs,
  parseTxId,
  sha256,
  shorten,
  stripHexPrefix,
  type TxId,
  transactionId,
} from "./primitives/bytes.ts";
export { CHALLENGE, chainIdentity, chainProof } from "./primitives/chain-proof.ts";
export { defined } from "./primitives/defined.ts";
export {
  exactNumberText,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonInteger,
  parseJson,
  printJson,
  quoteJson,
} from "./primitives/json.ts";
export { DEEPEST_JSON, jsonDepth } from "./primitives/json-checks.ts";
export {
  cleanLabel,
  freeLabel,
  type KnownName,
  labelFault,
  labelKey,
  type NamedAddress,
  nameProblem,
  type ParsedNames,
  parseNames,
} from "./primitives/labels.ts";
export { numberForm, parseAmount, parseCoins, parseUnits, wholeNumberIn } from "./primitives/parse-amount.ts";
export {
  ForeignText,
  foreignText,
  isBlank,
  isForeignText,
  labelText,
  nameText,
  noticeText,
  rawText,
  seen,
  visibleLine,
  visibleText,
} from "./primitives/plain-text.ts";
export { textOfBytes } from "./primitives/text-of-bytes.ts";
export { bytesField, numberField } from "./primitives/wire-format.ts";
