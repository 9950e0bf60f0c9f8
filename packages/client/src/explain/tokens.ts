import { type AbiCandidate, ERROR_STRING, PANIC, readRevertData, tryDecode } from "@finality/tron/abi";
import { type ChainError, isChainError } from "@finality/tron/errors";
import { grouped } from "@finality/tron/format";
import { isBroadcastCode } from "@finality/tron/node-messages";
import {
  type Address,
  bytesToHex,
  hexToBytes,
  isHexPairs,
  parseAddress,
  parseAnyAddress,
  stripHexPrefix,
  toBase58,
  transactionId,
} from "@finality/tron/primitives";
import { decodeRawData, decodeTransaction, rawDataToJson } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { explainSignatureCode } from "./call-answers.ts";
import type { Span } from "./decode/json.ts";
import {
  clip,
  cutField,
  type Diagnosis,
  type Explainer,
  field,
  firstOf,
  NOTHING_TO_DO,
  plainDiagnosis,
  READ_DATA,
} from "./diagnosis.ts";
import { type Candidate, type ExplainContext, verdictOf } from "./explanation.ts";
import { argumentList, fieldsOfJson, fieldsOfValues } from "./fields.ts";
import { broadcastCodeMessages } from "./messages/admission-messages.ts";
import { receiptResultMessages } from "./messages/contract-messages.ts";
import {
  explainCutReason,
  explainPanic,
  explainRefusal,
  explainRevert,
  explainRevertData,
  explainVmFailure,
  isContractResult,
} from "./messages/failures.ts";
import { explainMessage } from "./messages/find-message.ts";
import { explainNetworkCode, explainStatus } from "./messages/http-text.ts";
import { describeContract } from "./transactions.ts";

/** Hex, an address, a word in capitals or a panic, in a text. */
export interface Token extends Span {
  readonly text: string;
}

/**
 * Forms of a token, for the decoder and for hovers alike. `\b` lets each match begin only at a word, so matching takes
 * time linear in the text.
 */
const TOKEN =
  /\b(?:0x[\da-fA-F]{8,}|[\da-fA-F]{16,}|T[1-9A-HJ-NP-Za-km-z]{33}|[A-Z][A-Z\d_]{2,40})\b|\bPanic\((?:uint256 )?(?:0x[\da-fA-F]{1,64}|\d{1,20})\)/g;

/** Words in capitals such as FACE are hex by chance. */
const MIN_HEX = 8;

/** Returns the tokens of a text, in order. */
export function* tokensIn(text: string): Generator<Token> {
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token.length < MIN_HEX && isHexPairs(token)) continue;
    yield { text: token, start: index, end: index + token.length };
  }
}

const MAX_WORD = 80;
/** Pairs were tried before. Digits alone are a number. */
const ODD_HEX = /^(?:0x|(?=[0-9]*[a-f]))[0-9a-f]{9,}$/i;

/** Explains a text that is one token: a code, an address, or hex of any length. */
export function explainToken(text: string, context: ExplainContext): Diagnosis | undefined {
  const word = text.replace(/^["'`]|["'`,;]{1,3}$/g, "");
  const digits = stripHexPrefix(word);
  if (isHexPairs(digits)) return explainHex(digits, context);
  if (/^0x$/i.test(word)) return explainNoData();
  if (ODD_HEX.test(word)) return explainOddHex(digits, context);
  if (word.length > MAX_WORD) return undefined;
  return explainBareWord(word, context) ?? explainAddressText(word);
}

/** Explains a single code or result, in capitals as the node writes it; undefined for other words. */
function explainBareWord(word: string, context: ExplainContext): Diagnosis | undefined {
  if (word === "SUCCESS") return explainSuccess();
  if (isBroadcastCode(word)) return explainRefusal(word, "", context);
  if (isContractResult(word)) return explainResult(word);
  if (word === "FAILED") return explainVmFailure(word, "", { code: word });
  if (word === "BANDWIDTH_ERROR") return explainRefusal(word, "", context);
  return explainSignatureCode({}, word) ?? explainNetworkCode(word) ?? explainHttpWord(word) ?? explainPanicWord(word);
}

function explainSuccess(): Diagnosis {
  const { title, cause, fix } = receiptResultMessages.SUCCESS;
  return plainDiagnosis(
    "SUCCESS",
    { title, cause, fix },
    {
      entry: "result-SUCCESS",
      sources: ["gateway document, Execution result values"],
      candidates: [
        {
          code: "SUCCESS",
          title: broadcastCodeMessages.SUCCESS.title,
          reason: t`in the answer to a broadcast, it means only this`,
        },
      ],
    },
  );
}

function explainResult(word: Parameters<typeof explainVmFailure>[0]): Diagnosis {
  if (word !== "DEFAULT") return explainVmFailure(word, "", { code: word });
  return plainDiagnosis(word, receiptResultMessages.DEFAULT, {
    entry: "result-DEFAULT",
    retry: verdictOf("trial"),
    category: "execution",
    sources: ["gateway document, Execution result values"],
  });
}

function explainHttpWord(word: string): Diagnosis | undefined {
  const digits = /^HTTP[_ ]?([45]\d\d)$/i.exec(word)?.[1];
  return digits === undefined ? undefined : explainStatus(Number(digits));
}

/** `Panic(0x11)` and `Panic(17)`, as tools print it. */
function explainPanicWord(word: string): Diagnosis | undefined {
  const digits = PANIC_TEXT.exec(word)?.[1];
  return digits === undefined ? undefined : explainPanic(BigInt(digits));
}

const PANIC_TEXT = /^Panic\((?:uint256 )?(0x[0-9a-f]{1,64}|\d{1,20})\)$/i;

/** Results and codes that are common words. */
const COMMON =
  /^(?:SUCCESS|DEFAULT|UNKNOWN|FAILED|REVERT|OUT_OF_MEMORY|OUT_OF_TIME|ILLEGAL_OPERATION|INVALID_CODE|OTHER_ERROR|SERVER_BUSY|NO_CONNECTION|PERMISSION_ERROR)$/;
/** Text before a word that a node returned as a result. */
const RESULT_BEFORE =
  /["']?(?:contractRet|contractResult|receipt)["']?\s{0,8}[:=]\s{0,8}["']?$|\breceipt\b[^\n]{0,40}$/;
/** The same if the text is known to refer to the chain. */
const FIELD_BEFORE = /["']?(?:result|code|status|ret)["']?\s{0,8}[:=]\s{0,8}["']?$/i;
/** Forms in which tronpy prints an error with its code, and in which Chinese reports quote one. */
const REPORT_BEFORE =
  /\b\w{0,20}Error: \((?:b?'[^'\n]{0,120}'|b?"[^"\n]{0,120}"), ?["']$|(?:提示|返回|报错|错误码?|显示)[\s:：的是为了]{0,4}["“「]?$/;
const BEFORE = 160;

/**
 * Returns true if a word in capitals refers to the chain. A common word does so if a field of an answer names it.
 *
 * @param start - Offset of the word in the text.
 * @param isOfChain - Returns whether the surrounding text refers to the chain.
 */
export function meansChain(word: string, text: string, start: number, isOfChain: () => boolean): boolean {
  if (!COMMON.test(word)) return true;
  const before = text.slice(Math.max(0, start - BEFORE), start);
  if (word === "REVERT" && /["']$/.test(before) && /["']/.test(text[start + word.length] ?? "")) return true;
  if (isBroadcastCode(word) && REPORT_BEFORE.test(before)) return true;
  if (isBroadcastCode(word) && isLineOfTest(word, text, start)) return true;
  if (isNamedAsError(word, text, start)) return true;
  return RESULT_BEFORE.test(before) || (FIELD_BEFORE.test(before) && isOfChain());
}

/** Returns whether a sentence about transactions or contracts calls a word an error. */
function isNamedAsError(word: string, text: string, start: number): boolean {
  const end = start + word.length;
  const about = text.slice(Math.max(0, start - BEFORE), end + BEFORE);
  return CALLED_ERROR.test(text.slice(end, end + BEFORE)) && ABOUT_CHAIN.test(about);
}

const CALLED_ERROR = /^["'`”*]{0,2} ?(?:error|exception|错误)(?![\w:=])/i;
const ABOUT_CHAIN =
  /\b(?:broadcast\w{0,4}|smart[- ]?contracts?|(?:trigger|call|deploy)\w{0,4} (?:\w{1,12} ){0,2}contracts?|signed transactions?|fullnode)\b|广播|合约/i;

/** Returns whether a code is a line of its own in the output of a test runner about contracts. */
function isLineOfTest(word: string, text: string, start: number): boolean {
  const isLine =
    /(?:^|\n)[ \t]{0,40}(?:Error: )?$/.test(text.slice(Math.max(0, start - BEFORE), start)) &&
    /^[ \t]{0,40}(?:$|[\r\n])/.test(text.slice(start + word.length, start + word.length + BEFORE));
  return isLine && TEST_OF_CONTRACTS.test(text.slice(0, MAX_TEST));
}

const TEST_OF_CONTRACTS = /\b\d{1,5} (?:passing|failing)\b[\s\S]{0,2000}\bContract: /;
const MAX_TEST = 16_384;

const SHAPE = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;

/** Explains an address, including mistyped ones; undefined for other text. */
function explainAddressText(text: string): Diagnosis | undefined {
  if (!SHAPE.test(text)) return undefined;
  try {
    const address = parseAddress(text);
    return explainAddress(address, t`An account or a contract: ${address} in hex.`);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return explainMistyped(error, text);
  }
}

/** Explains hex whose mixed case is the wrong checksum of an address; undefined for all other hex. */
function explainWrongCase(digits: string): Diagnosis | undefined {
  if (!/^(?:41)?[\da-f]{40}$/i.test(digits)) return undefined;
  try {
    parseAnyAddress(digits);
    return undefined;
  } catch (error) {
    if (!isChainError(error)) throw error;
    return explainMistyped(error, digits);
  }
}

function explainMistyped({ code, message }: ChainError, text: string): Diagnosis {
  const texts = {
    title: t`This address is mistyped`,
    cause: message,
    fix: t`Copy the address from its source again.`,
  };
  return plainDiagnosis(code, texts, {
    category: "validation",
    entry: "address-mistyped",
    retry: verdictOf("request-after-fix"),
    decoded: field(t`text`, text),
    sources: [READ_DATA],
  });
}

/** Explains an address. */
function explainAddress(address: Address, cause: string): Diagnosis {
  const base58 = toBase58(address);
  const texts = { title: t`Address ${base58}`, cause, fix: t`Look it up to see its balance and its code.` };
  return plainDiagnosis("ADDRESS", texts, {
    decoded: [...field("base58", base58, "address"), ...field("hex", address, "hex")],
    sources: [READ_DATA],
  });
}

/**
 * Explains hex by its length and its content. If several meanings are possible, all of them are named.
 *
 * @param digits - Pairs of hex digits without 0x.
 */
function explainHex(digits: string, context: ExplainContext): Diagnosis {
  const hex = digits.toLowerCase();
  return explainWrongCase(digits) ?? firstOf(kindsOfHex, hex, context) ?? explainBytes(hex);
}

/** Explainers for hex in lower case: the most specific first. */
const kindsOfHex: readonly Explainer<string>[] = [
  explainMessage,
  explainRawDataHex,
  explainErrorData,
  explainPlainText,
  explainAddressHex,
  explainId,
  explainSelector,
  explainCallData,
];

/** Revert data whose error is known. */
function explainErrorData(hex: string, context: ExplainContext): Diagnosis | undefined {
  if (hex.length < 8 || hex.length % 64 !== 8) return explainReasonWithoutEnd(hex, context);
  const data = hexToBytes(hex);
  const meaning = readRevertData(data, context.abi);
  const isKnown = meaning.kind === "error-string" || meaning.kind === "panic" || meaning.kind === "custom";
  return isKnown && hex.length > 8 ? explainRevert(meaning, data) : undefined;
}

/** Length of the text, and its available bytes. */
const REASON = new RegExp(`^${ERROR_STRING}0{62}200{56}([0-9a-f]{8})([0-9a-f]{2,})$`);

/** `Error(string)` without its padding, or truncated within its text. */
function explainReasonWithoutEnd(hex: string, context: ExplainContext): Diagnosis | undefined {
  const [, digits, rest] = REASON.exec(hex) ?? [];
  if (digits === undefined || rest === undefined) return undefined;
  const length = Number.parseInt(digits, 16);
  const reason = hexToBytes(rest).subarray(0, length);
  return explainCutReason({ data: hexToBytes(hex), reason, length }, context);
}

/** Explains hex that lost a digit: its content up to there, or that it lost one. */
function explainOddHex(digits: string, context: ExplainContext): Diagnosis {
  const hex = digits.slice(0, -1).toLowerCase();
  const found = explainMessage(hex, context) ?? explainErrorData(hex, context);
  if (found !== undefined) return { ...found, decoded: [...found.decoded, ...cutField] };
  const texts = {
    title: t`${digits.length} hex digits: half a byte is missing`,
    cause: t`Bytes have two digits each, so a digit was lost or cut off.`,
    fix: t`Copy the whole text again.`,
  };
  return plainDiagnosis("HEX", texts, { entry: "hex-odd", decoded: field("hex", digits, "hex") });
}

/** Explains `0x`. */
function explainNoData(): Diagnosis {
  const texts = {
    title: t`Empty data`,
    cause: t`As revert data, the contract gave no reason. As a result, nothing was returned, for example because the address has no code.`,
    fix: t`Compare address, network, selector and arguments with the ABI of the contract.`,
  };
  return plainDiagnosis("EMPTY_DATA", texts);
}

/** IDs and encoded values rarely consist of letters, digits and marks only: this many of them are a text. */
const MIN_TEXT_BYTES = 22;

function explainPlainText(hex: string): Diagnosis | undefined {
  const bytes = hex.length / 2;
  if (bytes < MIN_TEXT_BYTES || /[^\x20-\x7e]/.test(Buffer.from(hex, "hex").toString("latin1"))) return undefined;
  const meant = bytes === 32 ? t`a transaction's id` : undefined;
  const data = bytes % 32 === 4 ? t`the data of a call or of a revert` : undefined;
  const candidates = [meant, data].flatMap((it) => (it === undefined ? [] : [other(it, t`it has the same length`)]));
  return { ...explainBytes(hex), candidates };
}

function explainAddressHex(hex: string): Diagnosis | undefined {
  const full = hex.length === 40 ? `41${hex}` : hex;
  if (full.length !== 42 || !full.startsWith("41")) return undefined;
  const short = hex.length === 40 ? t` It has 20 bytes: the prefix 41 is missing.` : "";
  const candidates = [
    ...(hex.length === 40 ? [other(t`20 bytes of other data`, t`the length alone says address`)] : []),
    ...asText(hex),
  ];
  return { ...explainAddress(parseAddress(full), t`An account or a contract.${short}`), candidates };
}

function explainId(hex: string): Diagnosis | undefined {
  if (hex.length !== 64) return undefined;
  const word = [other(t`32 bytes of data, such as a number or a topic`, t`the length alone says txID`)];
  if (/^0{8}/.test(hex) && !/^0{16}/.test(hex)) {
    const height = BigInt(`0x${hex.slice(0, 16)}`);
    return plainDiagnosis(
      "BLOCK_ID",
      {
        title: t`Block ${grouped(height)}, or a 32-byte value`,
        cause: t`The id of a block begins with its height in 8 bytes.`,
        fix: t`Look the block up.`,
      },
      { decoded: field(t`height`, height, "number"), candidates: word, sources: [READ_DATA] },
    );
  }
  if (/^0{16}/.test(hex)) return explainBytes(hex);
  return plainDiagnosis(
    "TXID",
    {
      title: t`A transaction's id, or another 32-byte hash`,
      cause: t`32 bytes, like the SHA-256 of a transaction's raw data.`,
      fix: t`Track it to see its state.`,
    },
    {
      decoded: field("txID", hex, "tx-id"),
      candidates: [...word, other(t`a private key`, t`it has the same length, so never paste one`)],
      sources: [READ_DATA],
    },
  );
}

function explainSelector(hex: string, context: ExplainContext): Diagnosis | undefined {
  if (hex.length !== 8) return undefined;
  const known = [...builtIn.filter(({ selector }) => selector === hex), ...(context.abi?.lookup(hex) ?? [])];
  const [first, ...others] = known;
  const texts = first === undefined ? unknownSelector(hex) : selectorTexts(first);
  return plainDiagnosis("SELECTOR", texts, {
    decoded: field(t`selector`, `0x${hex}`, "hex"),
    sources: first === undefined ? [] : [first.origin],
    candidates: [
      ...others.map((one) => ({ code: "SELECTOR", title: one.signature, reason: t`the same selector: ${one.origin}` })),
      ...asText(hex),
    ],
  });
}

type Named = Pick<AbiCandidate, "kind" | "signature" | "origin">;

const builtIn: readonly (Named & { readonly selector: string })[] = [
  { selector: ERROR_STRING, kind: "error", signature: "Error(string)", origin: "Solidity" },
  { selector: PANIC, kind: "error", signature: "Panic(uint256)", origin: "Solidity" },
];

const unknownSelector = (hex: string) => ({
  title: t`The selector 0x${hex}`,
  cause: t`No artifact or dictionary has its name.`,
  fix: t`Open the artifacts of the contract in the workspace.`,
});

/** A call may revert with a selector alone. */
function selectorTexts({ kind, signature, origin }: Named) {
  return kind === "error"
    ? {
        title: t`Error ${signature}`,
        cause: t`According to ${origin}. As revert data, it means that a contract refused a call with this error.`,
        fix: t`If a call returned it, find where the contract reverts with it; simulate the call to see its values.`,
      }
    : { title: t`Function ${signature}`, cause: t`According to ${origin}.`, fix: NOTHING_TO_DO };
}

function explainCallData(hex: string, context: ExplainContext): Diagnosis | undefined {
  if (hex.length % 64 !== 8) return undefined;
  const selector = hex.slice(0, 8);
  const body = Buffer.from(hex.slice(8), "hex");
  const fits = (context.abi?.lookup(selector) ?? []).filter(isFunction).flatMap((one) => {
    const values = tryDecode(one.parameters, body);
    return values === undefined ? [] : [{ one, values }];
  });
  const [first, ...others] = fits;
  if (first === undefined) return { ...explainRevertData(hexToBytes(hex), context), ...unknownData(selector) };
  return plainDiagnosis(
    "CALL_DATA",
    {
      title: clip(t`Call of ${first.one.name}(${argumentList(first.one.parameters, first.values)})`, 240),
      cause: t`The data of a call: ${first.one.signature}.`,
      fix: NOTHING_TO_DO,
    },
    {
      decoded: fieldsOfValues(first.one.parameters, first.values),
      sources: [first.one.origin],
      candidates: others.map(({ one }) => ({
        code: "CALL_DATA",
        title: one.signature,
        reason: t`the same selector: ${one.origin}`,
      })),
    },
  );
}

const isFunction = ({ kind }: AbiCandidate): boolean => kind === "function";

const unknownData = (selector: string): Partial<Diagnosis> => ({
  code: "ABI_DATA",
  entry: "abi-data",
  title: t`Data with the selector 0x${selector}, whose name is not known`,
  cause: t`A selector and whole words: the data of a call, or of a revert with an error of its own.`,
});

/** Explains bytes of unknown content: both forms, as far as readable. */
function explainBytes(hex: string): Diagnosis {
  const text = Buffer.from(hex, "hex").toString("utf8");
  const readable = isReadable(text);
  return plainDiagnosis(
    readable ? "TEXT" : "HEX",
    {
      title: readable ? t`Text in hex: ${clip(text, 200)}` : t`${hex.length / 2} bytes`,
      cause: readable
        ? t`Text (UTF-8) that is not in the catalogue.`
        : t`Unknown form. Shown as hex, and as text where possible.`,
      fix: t`Paste the whole answer that contains it.`,
    },
    {
      decoded: [...field(t`text`, text), ...field("hex", hex, "hex"), ...numberField(hex)],
      sources: [READ_DATA],
    },
  );
}

function numberField(hex: string) {
  return hex.length <= 64 ? field(t`number`, BigInt(`0x${hex}`), "number") : [];
}

function asText(hex: string): readonly Candidate[] {
  const text = Buffer.from(hex, "hex").toString("utf8");
  return isReadable(text)
    ? [other(t`the text "${clip(text, 80)}"`, t`the rule for messages decodes hex as UTF-8`)]
    : [];
}

function isReadable(text: string): boolean {
  return !/[\uFFFD\p{Cc}]/u.test(text.replace(/[\t\r\n]/g, " "));
}

const other = (title: string, reason: string): Candidate => ({ code: "OTHER", title, reason });

/** Explains the bytes of `raw_data`, or of a whole transaction; undefined for bytes that are neither. */
function explainRawDataHex(hex: string): Diagnosis | undefined {
  if (hex.length < 40 || !hex.startsWith("0a")) return undefined;
  const bytes = hexToBytes(hex);
  return explainRawData(bytes, "raw_data") ?? explainSigned(bytes);
}

function explainSigned(bytes: Uint8Array): Diagnosis | undefined {
  const raw = orNothing(() => rawDataInside(bytes));
  return raw === undefined ? undefined : explainRawData(raw, t`a whole transaction`);
}

/** The first field of a transaction is its raw data, with its length before it. */
function rawDataInside(bytes: Uint8Array): Uint8Array | undefined {
  decodeTransaction(bytes);
  let length = 0;
  let at = 1;
  for (let shift = 0; shift < 28; shift += 7) {
    const byte = bytes[at++] ?? 0;
    length += (byte & 0x7f) << shift;
    if (byte < 0x80) return at + length <= bytes.length ? bytes.subarray(at, at + length) : undefined;
  }
  return undefined;
}

function explainRawData(bytes: Uint8Array, what: string): Diagnosis | undefined {
  const json = orNothing(() => {
    const { raw, unknownFields } = decodeRawData(bytes);
    return raw.contract.length > 0 && unknownFields.length === 0 ? rawDataToJson(raw, false) : undefined;
  });
  if (json === undefined) return undefined;
  const txId = transactionId(bytes);
  return plainDiagnosis(
    "RAW_DATA",
    {
      title: describeContract(json, {}).title,
      cause: t`The bytes of ${what}. Its txID is their SHA-256: ${txId}.`,
      fix: t`Compare every field with what was intended before it is signed.`,
    },
    {
      decoded: [
        ...field("txID", txId, "tx-id"),
        ...fieldsOfJson(json),
        ...field(t`raw data`, bytesToHex(bytes), "hex"),
      ],
      sources: [READ_DATA],
    },
  );
}

/** Any bytes may be given here: if they are no transaction, they are something else, which is no failure. */
function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isChainError(error) || error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}
