import { type ChainError, isChainError } from "@finality/tron/errors";
import { isBroadcastCode } from "@finality/tron/node-messages";
import { type Address, parseAddress, parseAnyAddress, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { explainSignatureCode } from "../answers/signature-weight.ts";
import { broadcastCodeWords } from "../catalogue/broadcast-codes.ts";
import { receiptResultWords } from "../catalogue/receipt-results.ts";
import type { ExplainContext } from "../result/explanation.ts";
import { verdictOf } from "../result/retry-verdict.ts";
import { type Finding, field, plainFinding, READINGS } from "../words/finding.ts";
import { explainNetworkCode, explainStatus } from "../words/http-words.ts";
import { explainRefusal } from "../words/refusal-words.ts";
import { explainPanic } from "../words/revert-words.ts";
import { explainVmFailure, isContractResult } from "../words/vm-words.ts";

/** Explains a code or a result that stands alone, in capitals as the node writes it; undefined for other words. */
export function explainBareWord(word: string, context: ExplainContext): Finding | undefined {
  if (word === "SUCCESS") return explainSuccess();
  if (isBroadcastCode(word)) return explainRefusal(word, "", context);
  if (isContractResult(word)) return explainResult(word);
  if (word === "FAILED") return explainVmFailure(word, "", { code: word });
  if (word === "BANDWIDTH_ERROR") return explainRefusal(word, "", context);
  return explainSignatureCode({}, word) ?? explainNetworkCode(word) ?? explainHttpWord(word) ?? explainPanicWord(word);
}

function explainSuccess(): Finding {
  const { title, cause, fix } = receiptResultWords.SUCCESS;
  return plainFinding(
    "SUCCESS",
    { title, cause, fix },
    {
      entry: "result-SUCCESS",
      sources: ["gateway document, Execution result values"],
      candidates: [
        {
          code: "SUCCESS",
          title: broadcastCodeWords.SUCCESS.title,
          reason: t`in the answer to a broadcast it means no more than this`,
        },
      ],
    },
  );
}

function explainResult(word: Parameters<typeof explainVmFailure>[0]): Finding {
  if (word !== "DEFAULT") return explainVmFailure(word, "", { code: word });
  return plainFinding(word, receiptResultWords.DEFAULT, {
    entry: "result-DEFAULT",
    retry: verdictOf("trial"),
    category: "execution",
    sources: ["gateway document, Execution result values"],
  });
}

function explainHttpWord(word: string): Finding | undefined {
  const digits = /^HTTP[_ ]?([45]\d\d)$/i.exec(word)?.[1];
  return digits === undefined ? undefined : explainStatus(Number(digits));
}

/** `Panic(0x11)` and `Panic(17)`, as tools print it. */
function explainPanicWord(word: string): Finding | undefined {
  const digits = PANIC.exec(word)?.[1];
  return digits === undefined ? undefined : explainPanic(BigInt(digits));
}

const PANIC = /^Panic\((?:uint256 )?(0x[0-9a-f]{1,64}|\d{1,20})\)$/i;

/** Results and codes that are words of everybody. */
const COMMON =
  /^(?:SUCCESS|DEFAULT|UNKNOWN|FAILED|REVERT|OUT_OF_MEMORY|OUT_OF_TIME|ILLEGAL_OPERATION|INVALID_CODE|OTHER_ERROR|SERVER_BUSY|NO_CONNECTION|PERMISSION_ERROR)$/;
/** Text before a word that a node returned as a result. */
const RESULT_BEFORE =
  /["']?(?:contractRet|contractResult|receipt)["']?\s{0,8}[:=]\s{0,8}["']?$|\breceipt\b[^\n]{0,40}$/;
/** The same where it is known that the text is one of the chain. */
const FIELD_BEFORE = /["']?(?:result|code|status|ret)["']?\s{0,8}[:=]\s{0,8}["']?$/i;
/** Forms in which tronpy prints an error with its code, and in which Chinese reports quote one. */
const REPORT_BEFORE =
  /\b\w{0,20}Error: \((?:b?'[^'\n]{0,120}'|b?"[^"\n]{0,120}"), ?["']$|(?:提示|返回|报错|错误码?|显示)[\s:：的是为了]{0,4}["“「]?$/;
const BEFORE = 160;

/**
 * Returns true if a word in capitals refers to the chain. A common word does so if a field of an answer names it.
 *
 * @param start - where the word stands in the text
 * @param isOfChain - whether the text around has to do with the chain
 */
export function meansChain(word: string, text: string, start: number, isOfChain: () => boolean): boolean {
  if (!COMMON.test(word)) return true;
  const before = text.slice(Math.max(0, start - BEFORE), start);
  if (word === "REVERT" && /["']$/.test(before) && /["']/.test(text[start + word.length] ?? "")) return true;
  if (isBroadcastCode(word) && REPORT_BEFORE.test(before)) return true;
  if (isBroadcastCode(word) && isLineOfTest(word, text, start)) return true;
  return RESULT_BEFORE.test(before) || (FIELD_BEFORE.test(before) && isOfChain());
}

/** Returns whether a code is a line of its own in what a test runner prints of a test of contracts. */
function isLineOfTest(word: string, text: string, start: number): boolean {
  const isLine =
    /(?:^|\n)[ \t]{0,40}(?:Error: )?$/.test(text.slice(Math.max(0, start - BEFORE), start)) &&
    /^[ \t]{0,40}(?:$|[\r\n])/.test(text.slice(start + word.length, start + word.length + BEFORE));
  return isLine && TEST_OF_CONTRACTS.test(text.slice(0, MAX_TEST));
}

const TEST_OF_CONTRACTS = /\b\d{1,5} (?:passing|failing)\b[\s\S]{0,2000}\bContract: /;
const MAX_TEST = 16_384;

const SHAPE = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;

/** Explains an address as people write it, mistyped ones too; undefined for other text. */
export function explainAddressText(text: string): Finding | undefined {
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
export function explainWrongCase(digits: string): Finding | undefined {
  if (!/^(?:41)?[\da-f]{40}$/i.test(digits)) return undefined;
  try {
    parseAnyAddress(digits);
    return undefined;
  } catch (error) {
    if (!isChainError(error)) throw error;
    return explainMistyped(error, digits);
  }
}

function explainMistyped({ code, message }: ChainError, text: string): Finding {
  const words = {
    title: t`This address is mistyped`,
    cause: message,
    fix: t`Copy the address again from where it comes from.`,
  };
  return plainFinding(code, words, {
    category: "validation",
    entry: "address-mistyped",
    retry: verdictOf("request-after-fix"),
    decoded: field(t`text`, text),
    sources: [READINGS],
  });
}

/** Explains an address. */
export function explainAddress(address: Address, cause: string): Finding {
  const base58 = toBase58(address);
  const words = { title: t`Address ${base58}`, cause, fix: t`Look it up to see its balance and its code.` };
  return plainFinding("ADDRESS", words, {
    decoded: [...field("base58", base58, "address"), ...field("hex", address, "hex")],
    sources: [READINGS],
  });
}
