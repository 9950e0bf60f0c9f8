import { type AbiCandidate, ERROR_STRING, PANIC, readRevertData, tryDecode } from "@finality/tron/abi";
import { hexToBytes, parseAddress } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Candidate, ExplainContext } from "../result/explanation.ts";
import { argumentList, fieldsOfValues } from "../words/fields.ts";
import {
  clip,
  cutField,
  type Finding,
  field,
  firstOf,
  NOTHING_TO_DO,
  plainFinding,
  READINGS,
  type Recogniser,
} from "../words/finding.ts";
import { explainMessage } from "../words/message-words.ts";
import { explainCutReason, explainReading, explainRevertData } from "../words/revert-words.ts";
import { explainRawDataHex } from "./raw-data.ts";
import { explainAddress, explainWrongCase } from "./word.ts";

/**
 * Explains hex by its length and its content. If several meanings are possible, all of them are named.
 *
 * @param digits - pairs of hex digits without 0x
 */
export function explainHex(digits: string, context: ExplainContext): Finding {
  const hex = digits.toLowerCase();
  return explainWrongCase(digits) ?? firstOf(kindsOfHex, hex, context) ?? explainBytes(hex);
}

/** Recognisers for hex in lower case: the most specific first. */
const kindsOfHex: readonly Recogniser<string>[] = [
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
function explainErrorData(hex: string, context: ExplainContext): Finding | undefined {
  if (hex.length < 8 || hex.length % 64 !== 8) return explainReasonWithoutEnd(hex, context);
  const data = hexToBytes(hex);
  const reading = readRevertData(data, context.abi);
  const isKnown = reading.kind === "error-string" || reading.kind === "panic" || reading.kind === "custom";
  return isKnown && hex.length > 8 ? explainReading(reading, data) : undefined;
}

/** The length of the text, and what is there of it. */
const REASON = new RegExp(`^${ERROR_STRING}0{62}200{56}([0-9a-f]{8})([0-9a-f]{2,})$`);

/** `Error(string)` without its padding, or cut off in the middle of its text. */
function explainReasonWithoutEnd(hex: string, context: ExplainContext): Finding | undefined {
  const [, digits, rest] = REASON.exec(hex) ?? [];
  if (digits === undefined || rest === undefined) return undefined;
  const length = Number.parseInt(digits, 16);
  const reason = hexToBytes(rest).subarray(0, length);
  return explainCutReason({ data: hexToBytes(hex), reason, length }, context);
}

/** Explains hex that lost a digit: what it says up to there, or that it did. */
export function explainOddHex(digits: string, context: ExplainContext): Finding {
  const hex = digits.slice(0, -1).toLowerCase();
  const found = explainMessage(hex, context) ?? explainErrorData(hex, context);
  if (found !== undefined) return { ...found, decoded: [...found.decoded, ...cutField] };
  const words = {
    title: t`${digits.length} hex digits: half a byte is missing`,
    cause: t`Bytes have two digits each, so a digit was lost or cut off.`,
    fix: t`Copy it again, whole.`,
  };
  return plainFinding("HEX", words, { entry: "hex-odd", decoded: field("hex", digits, "hex") });
}

/** Explains `0x`. */
export function explainNoData(): Finding {
  const words = {
    title: t`Empty data`,
    cause: t`As revert data: the contract gave no reason. As a result: nothing was returned, as an address without code does.`,
    fix: t`Compare address, network, selector and arguments with the ABI of the contract.`,
  };
  return plainFinding("EMPTY_DATA", words);
}

/** Hardly any id or encoded value consists of nothing but letters, digits and marks: so many of them are a text. */
const MIN_TEXT_BYTES = 22;

function explainPlainText(hex: string): Finding | undefined {
  const bytes = hex.length / 2;
  if (bytes < MIN_TEXT_BYTES || /[^\x20-\x7e]/.test(Buffer.from(hex, "hex").toString("latin1"))) return undefined;
  const meant = bytes === 32 ? t`a transaction's id` : undefined;
  const data = bytes % 32 === 4 ? t`the data of a call or of a revert` : undefined;
  const candidates = [meant, data].flatMap((it) => (it === undefined ? [] : [other(it, t`it has the same length`)]));
  return { ...explainBytes(hex), candidates };
}

function explainAddressHex(hex: string): Finding | undefined {
  const full = hex.length === 40 ? `41${hex}` : hex;
  if (full.length !== 42 || !full.startsWith("41")) return undefined;
  const short = hex.length === 40 ? t` It was written as 20 bytes, without the 41.` : "";
  const candidates = [
    ...(hex.length === 40 ? [other(t`20 bytes of other data`, t`the length alone says address`)] : []),
    ...asText(hex),
  ];
  return { ...explainAddress(parseAddress(full), t`An account or a contract.${short}`), candidates };
}

function explainId(hex: string): Finding | undefined {
  if (hex.length !== 64) return undefined;
  const word = [other(t`32 bytes of data, such as a number or a topic`, t`the length alone says txID`)];
  if (/^0{8}/.test(hex) && !/^0{16}/.test(hex)) {
    const height = BigInt(`0x${hex.slice(0, 16)}`);
    return plainFinding(
      "BLOCK_ID",
      {
        title: t`Block ${String(height)}, or a 32-byte value`,
        cause: t`The id of a block begins with its height in 8 bytes.`,
        fix: t`Look the block up.`,
      },
      { decoded: field(t`height`, height, "number"), candidates: word, sources: [READINGS] },
    );
  }
  if (/^0{16}/.test(hex)) return explainBytes(hex);
  return plainFinding(
    "TXID",
    {
      title: t`A transaction's id, or another 32-byte hash`,
      cause: t`32 bytes: the SHA-256 of a transaction's raw data has this form.`,
      fix: t`Track it to see where the transaction stands.`,
    },
    {
      decoded: field("txID", hex, "tx-id"),
      candidates: [...word, other(t`a private key`, t`it has the same length: never paste one`)],
      sources: [READINGS],
    },
  );
}

function explainSelector(hex: string, context: ExplainContext): Finding | undefined {
  if (hex.length !== 8) return undefined;
  const known = [...builtIn.filter(({ selector }) => selector === hex), ...(context.abi?.lookup(hex) ?? [])];
  const [first, ...others] = known;
  const words = first === undefined ? unknownSelector(hex) : selectorWords(first);
  return plainFinding("SELECTOR", words, {
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
  cause: t`No artifact and no dictionary has a name for it.`,
  fix: t`Open the artifacts of the contract in the workspace.`,
});

/** A selector alone may be all that a call reverted with. */
function selectorWords({ kind, signature, origin }: Named) {
  return kind === "error"
    ? {
        title: t`Error ${signature}`,
        cause: t`${origin} says so. As revert data, it says that a contract refused a call with this error.`,
        fix: t`If a call gave it, look where the contract reverts with it; simulate the call to see its values.`,
      }
    : { title: t`Function ${signature}`, cause: t`${origin} says so.`, fix: NOTHING_TO_DO };
}

function explainCallData(hex: string, context: ExplainContext): Finding | undefined {
  if (hex.length % 64 !== 8) return undefined;
  const selector = hex.slice(0, 8);
  const body = Buffer.from(hex.slice(8), "hex");
  const fits = (context.abi?.lookup(selector) ?? []).filter(isFunction).flatMap((one) => {
    const values = tryDecode(one.parameters, body);
    return values === undefined ? [] : [{ one, values }];
  });
  const [first, ...others] = fits;
  if (first === undefined) return { ...explainRevertData(hexToBytes(hex), context), ...unknownData(selector) };
  return plainFinding(
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

const unknownData = (selector: string): Partial<Finding> => ({
  code: "ABI_DATA",
  entry: "abi-data",
  title: t`Data with the selector 0x${selector}, whose name is not known`,
  cause: t`A selector and whole words: the data of a call, or of a revert with an error of its own.`,
});

/** Bytes that fit nothing: both forms, as far as they can be read. */
function explainBytes(hex: string): Finding {
  const text = Buffer.from(hex, "hex").toString("utf8");
  const readable = isReadable(text);
  return plainFinding(
    readable ? "TEXT" : "HEX",
    {
      title: readable ? t`Text in hex: ${clip(text, 200)}` : t`${hex.length / 2} bytes`,
      cause: readable
        ? t`UTF-8 that no entry of the catalogue knows.`
        : t`No known form. Shown as hex, and as far as it is text.`,
      fix: t`Paste the whole answer that it comes from.`,
    },
    {
      decoded: [...field(t`text`, text), ...field("hex", hex, "hex"), ...numberField(hex)],
      sources: [READINGS],
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
