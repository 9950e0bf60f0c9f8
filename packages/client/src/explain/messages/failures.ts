import {
  type AbiCandidate,
  type DecodedCandidate,
  panicCode,
  panicData,
  panicOf,
  type RevertMeaning,
  readReason,
  readRevertData,
  reasonData,
  textOfBytes,
} from "@finality/tron/abi";
import { counted } from "@finality/tron/format";
import {
  type BroadcastCode,
  classifyBroadcastCode,
  codeMeant,
  isBroadcastCode,
  isBrokenNode,
  parseNodeFault,
} from "@finality/tron/node-messages";
import { bytesToHex, foreignText, type Hex, isForeignText, rawText, visibleLine } from "@finality/tron/primitives";
import { type ContractResult, contractResults } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { RETRIES, ruleNamed } from "../../retry/retry-policy.ts";
import {
  type CodedDetails,
  clip,
  cutField,
  type Diagnosis,
  diagnosisOf,
  field,
  plainDiagnosis,
  retryOfRequest,
} from "../diagnosis.ts";
import {
  type Candidate,
  caseOfRefusal,
  type DecodedField,
  type ExplainContext,
  isRetry,
  type RetryCase,
  verdictOf,
  verdictOfRequest,
} from "../explanation.ts";
import { argumentList, fieldsOfValues } from "../fields.ts";
import { broadcastCodeMessages } from "./admission-messages.ts";
import { entryOf, type MessageMatch, matchForm, matchMessage } from "./catalogue.ts";
import { receiptResultMessages } from "./contract-messages.ts";
import { findMessage, MESSAGE, type MessageText, matchNodeText, readMessage, stripPrefix } from "./message-text.ts";

/** Explains an answer to a broadcast with neither `result: true` nor a code: a missing or false result is a failure. */
export function explainNoSuccess(message = ""): Diagnosis {
  const read = readMessage(message);
  const quoted = message === "" ? t`It does not report a cause.` : t`The message says: ${clip(read.readable)}`;
  return plainDiagnosis(
    "NO_CODE",
    {
      title: t`The broadcast reports no success`,
      cause: t`The answer has neither a result of true nor a code, so it does not show whether the node kept the transaction. ${quoted}`,
      fix: fixOfRefusal(t`Look the txID up.`, "unknown-outcome"),
    },
    {
      category: "validation",
      entry: "broadcast-no-success",
      retry: verdictOf("unknown-outcome"),
      decoded: message === "" ? [] : read.fields,
      candidates: read.candidates,
      sources: ["gateway document, Broadcast response; protocol reference §7.4"],
    },
  );
}

/** Explains an answer to a broadcast with `result: true` and a failure code. */
export function explainContradiction(code: string, message: string): Diagnosis {
  const read = readMessage(message);
  return plainDiagnosis(
    code,
    {
      title: t`The answer contradicts itself`,
      cause: t`It reports true with the code ${code}, which does not show whether the node kept the transaction.`,
      fix: fixOfRefusal(t`Look the txID up.`, "unknown-outcome"),
    },
    {
      category: "validation",
      entry: "broadcast-contradiction",
      retry: verdictOf("unknown-outcome"),
      decoded: [...field("code", code), ...(message === "" ? [] : read.fields)],
      sources: ["gateway document, Broadcast response; protocol reference §7.4"],
    },
  );
}

/** Explains a broadcast code with its message, which may be missing. */
export function explainRefusal(code: string, message: string, context: ExplainContext): Diagnosis {
  const read = readMessage(message);
  const found = matchNodeText(read.text, VALIDATING.has(code));
  const retry = caseOfRefusal(code, read.text, context);
  const details = {
    category: "validation",
    code,
    retry: verdictOf(retry),
    decoded: [...field("code", code), ...(message === "" ? [] : read.fields)],
    candidates: [
      ...(codeMeant(code, read.text) === "TRANSACTION_EXPIRATION_ERROR" ? bothExpirations(context) : []),
      ...read.candidates,
    ],
  } as const;
  const asking = (diagnosis: Diagnosis): Diagnosis => ({ ...diagnosis, fix: fixOfRefusal(diagnosis.fix, retry) });
  if (found !== undefined) return carefully(code, read.text, asking(diagnosisOf(found.entry, found.captures, details)));
  return isBroadcastCode(code) ? asking(ofCode(code, read, details)) : asking(ofUnknownCode(code, read, details));
}

/**
 * Entries describe refusals. For a code that proves none, the transaction has to be queried before a new one is built.
 */
function carefully(code: string, message: string, diagnosis: Diagnosis): Diagnosis {
  if (classifyBroadcastCode(code, message) === "not-pooled" || diagnosis.fix.includes(t`txID`)) return diagnosis;
  return { ...diagnosis, fix: t`Look the txID up before anything new is built. ${diagnosis.fix}` };
}

function ofCode(code: BroadcastCode, { readable }: MessageText, details: CodedDetails): Diagnosis {
  const texts = broadcastCodeMessages[code];
  const cause = readable === "" ? texts.cause : t`${texts.cause} The node says: ${clip(readable)}`;
  const entry = readable === "" ? `code-${code}` : `generic-${code}`;
  const sources = ["gateway document, Errors 2; protocol reference §7.3"];
  return plainDiagnosis(code, { ...texts, cause }, { ...details, sources, entry });
}

function ofUnknownCode(code: string, { readable }: MessageText, details: CodedDetails): Diagnosis {
  const near =
    code === "BANDWIDTH_ERROR" ? t` The node's own code is spelled BANDWITH_ERROR; this is a different code.` : "";
  const quoted = readable === "" ? "" : t` The message: ${clip(readable)}`;
  const texts = {
    title: t`An undocumented code`,
    cause: t`${clip(code, 80)} is not documented, so it does not show whether the node kept the transaction.${near}${quoted}`,
    fix: t`Look the txID up.`,
  };
  return plainDiagnosis(code, texts, {
    ...details,
    entry: "generic-unknown-code",
    retry: verdictOf("unknown-outcome"),
  });
}

/** Returns both candidates of a code with two opposite meanings. Without the times they cannot be distinguished. */
function bothExpirations({ expiration, headTime }: ExplainContext): readonly Candidate[] {
  if (expiration !== undefined && headTime !== undefined) return [];
  const code = "TRANSACTION_EXPIRATION_ERROR";
  return [
    {
      code,
      title: t`The expiration has passed`,
      reason: t`build and sign again once no earlier attempt can be executed; the usual case`,
    },
    { code, title: t`The expiration is more than 24 h ahead of the head`, reason: t`wait, then send the same bytes` },
  ];
}

/** Codes whose message comes from the node's validation or execution. */
const VALIDATING: ReadonlySet<string> = new Set(["CONTRACT_VALIDATE_ERROR", "CONTRACT_EXE_ERROR"]);

/**
 * Returns the fix of a refusal: the correction of its cause, then the advice of the retry table. A cause that has to be
 * corrected needs no further advice.
 *
 * @param mending - Sentences about the cause, without advice on bytes and new transactions.
 */
export function fixOfRefusal(mending: string, retry: RetryCase): string {
  const sentence = adviceFor(retry);
  return sentence === undefined ? mending : `${mending} ${sentence}`;
}

/**
 * Returns the correction of the cause without the advice of the retry policy table. For a tracked transaction, its
 * whole history determines that advice.
 */
export function mendingIn(fix: string): string {
  const sentence = ADVICE.find((it) => fix.endsWith(it));
  return sentence === undefined ? fix : fix.slice(0, -sentence.length).trimEnd();
}

function adviceFor(retry: RetryCase): string | undefined {
  if (retry === "unknown-outcome") return ruleNamed("unknown").advice;
  if (retry === "expired-or-far-ahead") return EXPIRED_OR_FAR_AHEAD;
  if (retry === "same-bytes-when-head-advances") return FAR_AHEAD;
  if (retry === "fix-request" || !isRetry(retry)) return undefined;
  const { sameBytes, alone } = ruleNamed(retry);
  if (alone === undefined) return undefined;
  return sameBytes === "no"
    ? t`${alone.slice(0, 1).toUpperCase() + alone.slice(1)}.`
    : t`Send the same signed bytes again ${alone}.`;
}

const EXPIRED_OR_FAR_AHEAD = t`If it has passed, ${String(ruleNamed("rebuild").alone)}. If it is too far ahead, send the same signed bytes again ${String(ruleNamed("same-bytes-when-head-advances").alone)}, or rebuild with a valid expiration and never send these bytes.`;
/** Gateway document, Errors 2, rule 2. The refused bytes could be executed later, so only one of both is sent. */
const FAR_AHEAD = t`Send the same signed bytes again ${String(ruleNamed("same-bytes-when-head-advances").alone)}, or rebuild with an expiration in range and never send these bytes.`;

const ADVISED: readonly RetryCase[] = ["unknown-outcome", "expired-or-far-ahead"];
const ADVICE = [...ADVISED, ...RETRIES].flatMap((it) => adviceFor(it) ?? []);

/**
 * Explains the text of a refusal. The class decides if the text depends on the Java version.
 *
 * @param text - With or without its class.
 */
export function explainFault(text: string): Diagnosis {
  const fault = parseNodeFault(text);
  const [code, message] = [clip(fault.code, 80) || "Error", fault.message];
  const found = matchNodeText(text) ?? matchMessage(message, weakClasses.has(code)) ?? formOf(code, message);
  const details = {
    code,
    decoded: [...field("class", code === "Error" ? undefined : code), ...field(MESSAGE, message)],
  };
  if (found !== undefined) {
    const diagnosis = diagnosisOf(found.entry, found.captures, details);
    const retry = retryOfRequest(found.entry, message);
    const expired = found.entry.id === "transaction-expired";
    return { ...diagnosis, retry, fix: expired ? fixOfRefusal(diagnosis.fix, "expired-or-far-ahead") : diagnosis.fix };
  }
  const vm = resultInMessage(text);
  return vm === undefined ? ofClass(code, message, details) : explainVmFailure(vm, message, details);
}

/** Classes of refusals after parsing. Others have their own texts, or are internal. */
function formOf(code: string, message: string): MessageMatch | undefined {
  return REFUSING.test(code) ? matchForm(stripPrefix(message)) : undefined;
}

const REFUSING =
  /^(?:Contract(?:Validate|Exe)|BadItem|IllegalArgument|InvalidParameter|ItemNotFound|Permission|NonUniqueObject|Header|Zksnark)Exception$/;

/** Classes whose texts consist mostly of variable parts. */
const weakClasses: ReadonlySet<string> = new Set(["ParseException", "NullPointerException", "JSONException"]);

const entryOfClass: { readonly [name: string]: string } = {
  NullPointerException: "null-field",
  JSONException: "json-syntax",
  ParseException: "field-unreadable",
  DecoderException: "hex-undecodable",
  InvalidProtocolBufferException: "protobuf-malformed",
  NumberFormatException: "number-malformed",
  ArithmeticException: "number-overflow",
  ClassCastException: "value-unusable",
  StringIndexOutOfBoundsException: "value-unusable",
  ArrayIndexOutOfBoundsException: "value-unusable",
};

function titleOf(code: string): string {
  if (code === "ContractValidateException") return t`The contract was refused`;
  return isBrokenNode(code) ? t`The node failed while processing this` : t`The node refused the request`;
}

function ofClass(code: string, message: string, details: CodedDetails): Diagnosis {
  const entry = Object.hasOwn(entryOfClass, code) ? entryOfClass[code] : undefined;
  if (entry !== undefined) return diagnosisOf(entryOf(entry), { rest: message, call: "this", variable: "it" }, details);
  const texts = {
    title: titleOf(code),
    cause: t`The node says: ${clip(message)}`,
    fix: isBrokenNode(code)
      ? t`Try again later, or use another node. For a write, look up the txID and send only the same bytes.`
      : t`Read the message, correct the request or the state of the account, and try again.`,
  };
  return plainDiagnosis(code, texts, {
    ...details,
    category: "validation",
    entry: `generic-${code}`,
    retry: isBrokenNode(code) ? verdictOf("unknown-outcome") : verdictOfRequest(message),
    sources: ["protocol reference §2.2"],
  });
}

/**
 * Fields that revert data add to an explanation. `code` is the name of the error: `Error(string)`, `Panic(uint256)`, a
 * signature.
 */
export type RevertTexts = Required<
  Pick<Diagnosis, "code" | "entry" | "title" | "cause" | "fix" | "decoded" | "sources" | "candidates">
>;

/** Explains revert data alone. */
export function explainRevertData(data: Uint8Array, context: ExplainContext): Diagnosis {
  return explainRevert(readRevertData(data, context.abi), data);
}

/** Explains decoded revert data. */
export function explainRevert(meaning: RevertMeaning, data: Uint8Array): Diagnosis {
  return ofTexts(withData(textsOf(meaning, data), bytesToHex(data)));
}

/** Explains a reason that was given as text, with the data that a contract returns for it. */
export function explainReason(reason: string, { abi }: ExplainContext): Diagnosis {
  const text = reason.toWellFormed();
  return ofTexts(withData(textsOf(readReason(foreignText(text), abi)), reasonData(text)));
}

/** Explains a panic with a known code. */
export function explainPanic(code: bigint): Diagnosis {
  return ofTexts(withData(textsOf({ kind: "panic", code }), panicData(code)));
}

/** `Error(string)` without its padding, or truncated within its text. */
export interface CutReason {
  /** Revert data as given. */
  readonly data: Uint8Array;
  /** Available bytes of the text. */
  readonly reason: Uint8Array;
  /** Length of the complete text in bytes. */
  readonly length: number;
}

/** Explains a reason whose padding or end is missing, as far as possible. */
export function explainCutReason({ data, reason, length }: CutReason, { abi }: ExplainContext): Diagnosis {
  const texts = textsOf(readReason(textOfBytes(reason), abi));
  const decoded = reason.length < length ? [...texts.decoded, ...cutField] : texts.decoded;
  return ofTexts(withData({ ...texts, decoded }, bytesToHex(data)));
}

function ofTexts(texts: RevertTexts): Diagnosis {
  return plainDiagnosis(texts.code, texts, { ...texts, category: "abi" });
}

/** Decodes revert data and describes them, including nested data. */
export function revertTexts(data: Uint8Array, context: ExplainContext, contract?: string): RevertTexts {
  return withData(textsOf(readRevertData(data, context.abi, contract), data), bytesToHex(data));
}

function withData(texts: RevertTexts, data: Hex): RevertTexts {
  const raw = field(t`revert data`, data === "" ? undefined : `0x${data}`, "hex");
  return { ...texts, decoded: [...texts.decoded, ...raw] };
}

const NO_DATA = new Uint8Array();

/** @param data - Decoded bytes, shown for an error without a known name. */
function textsOf(meaning: RevertMeaning, data: Uint8Array = NO_DATA): RevertTexts {
  switch (meaning.kind) {
    case "empty":
      return { ...emptyRevert, decoded: [], sources: ["Solidity, errors without data"], candidates: [] };
    case "error-string":
      return errorString(meaning);
    case "panic":
      return panic(meaning.code);
    case "custom":
      return customError(meaning);
    case "unknown":
      return unknownError(meaning, data);
    case "raw":
      return {
        code: "REVERT_DATA",
        entry: "revert-raw",
        title: t`Revert data without a known form`,
        cause: t`These bytes are shorter than a selector: they come from inline assembly or another language.`,
        fix: t`Check how the contract reverts.`,
        decoded: [],
        sources: ["Solidity, encoding of errors"],
        candidates: [],
      };
  }
}

const emptyRevert = {
  code: "EMPTY_REVERT",
  entry: "revert-empty",
  title: t`Reverted without a reason`,
  cause: t`The contract returned no data. Common reasons: it has no such function and no fallback, or the function is not payable. The arguments could not be decoded (an address with the prefix 41, or incomplete data). A require has no text, or the address has no code.`,
  fix: t`Compare the selector and the arguments with the ABI of the contract, check that a function with a call value is payable, then simulate the call.`,
} as const;

type Nesting = Extract<RevertMeaning, { nested?: RevertMeaning }>;

function errorString(meaning: Extract<RevertMeaning, { kind: "error-string" }>): RevertTexts {
  const text = rawText(isForeignText(meaning.text) ? meaning.text : meaning.text.text);
  const bytes = isForeignText(meaning.text) ? undefined : meaning.text.bytes;
  const known = findMessage(text);
  const own: RevertTexts = {
    code: "Error(string)",
    entry: "revert-error-string",
    title: text === "" ? t`Reverted with an empty text` : t`Reverted: ${visibleLine(text, 200)}`,
    cause: t`The contract refused the call with the text ${JSON.stringify(clip(text))}.`,
    fix: known === undefined ? t`Find this text in the contract source: its condition was not met.` : known.entry.fix,
    decoded: [...field(t`reason`, text), ...field(t`reason (hex)`, bytes, "hex")],
    sources: ["Solidity, Error(string)"],
    candidates: [],
  };
  return withNested(own, meaning);
}

function panic(code: bigint): RevertTexts {
  const known = panicOf(code);
  const number = panicCode(code);
  return {
    code: "Panic(uint256)",
    entry: known === undefined ? "revert-panic-unknown" : `revert-panic-${number.slice(2)}`,
    title: t`Panic ${number}: ${known?.cause ?? t`a code that Solidity does not define`}`,
    cause: t`Solidity stopped the call: ${known?.cause ?? t`this panic code is not documented`}.`,
    fix: known?.fix ?? t`Check inline assembly and the compiler that generates this code.`,
    decoded: [{ name: t`panic code`, value: number, kind: "number", type: "uint256" }],
    sources: ["Solidity, Panic"],
    candidates: [],
  };
}

function customError(meaning: Extract<RevertMeaning, { kind: "custom" }>): RevertTexts {
  const [first, ...others] = distinct(meaning.matches);
  const { candidate, values } = first ?? (meaning.matches[0] as DecodedCandidate);
  const shown = `${candidate.name}(${argumentList(candidate.parameters, values)})`;
  const doubt = others.length > 0 ? t`, if this is the one of several that share the selector` : "";
  const own: RevertTexts = {
    code: candidate.signature,
    ...errorTexts(shown, `${candidate.name}${doubt}`),
    decoded: fieldsOfValues(candidate.parameters, values),
    sources: originsOf(meaning.matches, candidate.signature),
    candidates: others.map(({ candidate: other, values: input }) => ({
      code: other.signature,
      title: clip(`${other.name}(${argumentList(other.parameters, input)})`, 240),
      reason: t`the same selector ${meaning.selector}: ${other.origin}`,
    })),
  };
  return withNested(own, meaning);
}

/** Returns the texts for an error of the contract, shown with its values. */
export function errorTexts(shown: string, name: string) {
  return {
    entry: "revert-custom-error",
    title: t`Reverted: ${clip(shown, 240)}`,
    cause: t`The contract refused the call with its error ${name}.`,
    fix: t`Compare the values of the error with the arguments and the state of the contract.`,
  };
}

function distinct(matches: readonly DecodedCandidate[]): readonly DecodedCandidate[] {
  return [...new Map(matches.map((match) => [match.candidate.signature, match] as const).reverse()).values()].reverse();
}

function originsOf(matches: readonly DecodedCandidate[], signature: string): readonly string[] {
  return matches.filter(({ candidate }) => candidate.signature === signature).map(({ candidate }) => candidate.origin);
}

function unknownError(
  { selector, misfits }: Extract<RevertMeaning, { kind: "unknown" }>,
  data: Uint8Array,
): RevertTexts {
  const words = Math.ceil((data.length - 4) / 32);
  const candidates: readonly Candidate[] = misfits.map(({ candidate, reason }) => ({
    code: candidate.signature,
    title: candidate.signature,
    reason: t`${candidate.origin}; but ${reason}`,
  }));
  const [only, ...more] = data.length === 4 ? misfits : [];
  if (only !== undefined && more.length === 0) return withoutValues(only.candidate);
  return {
    code: "CUSTOM_ERROR",
    entry: "revert-unknown-selector",
    title: t`Reverted with the error ${selector}, whose name is not known`,
    cause: t`The contract refused the call with a custom error and ${counted(words, t`word`, t`words`)} of data. No artifact of the workspace or dictionary has the name of ${selector}.`,
    fix: t`Open the artifacts of the contract (its ABI) in the workspace: the error then has its name.`,
    decoded: [{ name: t`selector`, value: `0x${selector}`, kind: "hex" }, ...wordFields(data)],
    sources: ["Solidity, encoding of errors"],
    candidates,
  };
}

/** Some tools show the selector of an error alone. */
function withoutValues({ signature, name, origin }: AbiCandidate): RevertTexts {
  return {
    code: signature,
    entry: "revert-custom-error",
    title: t`Reverted: ${clip(signature, 240)}`,
    cause: t`The contract refused the call with its error ${name}. Only the selector is known, not the values.`,
    fix: t`Simulate the call to see the values of the error.`,
    decoded: [],
    sources: [origin],
    candidates: [],
  };
}

const MAX_WORDS = 64;

function wordFields(data: Uint8Array): readonly DecodedField[] {
  const count = Math.min(MAX_WORDS, Math.ceil((data.length - 4) / 32));
  return Array.from({ length: count }, (_, index) => ({
    name: t`word ${index}`,
    value: `0x${bytesToHex(data.subarray(4 + index * 32, 36 + index * 32))}`,
    kind: "hex" as const,
  }));
}

/** Revert data inside revert data: the inner failure is the cause. */
function withNested(own: RevertTexts, { nested }: Pick<Nesting, "nested">): RevertTexts {
  if (nested === undefined) return own;
  const inner = textsOf(nested);
  return {
    ...own,
    title: t`${inner.title} (handed on by ${own.code})`,
    cause: t`${inner.cause} The failure was handed on by an outer contract as ${own.code}.`,
    fix: inner.fix,
    decoded: [...own.decoded, { name: t`inner failure`, value: inner.code, kind: "list", children: inner.decoded }],
    sources: [...own.sources, ...inner.sources],
    candidates: [...own.candidates, ...inner.candidates],
  };
}

/** VM exceptions, and the result that each becomes. */
const resultOfException: { readonly [name: string]: ContractResult } = {
  BadJumpDestinationException: "BAD_JUMP_DESTINATION",
  OutOfMemoryException: "OUT_OF_MEMORY",
  PrecompiledContractException: "PRECOMPILED_CONTRACT",
  StackTooSmallException: "STACK_TOO_SMALL",
  StackTooLargeException: "STACK_TOO_LARGE",
  IllegalOperationException: "ILLEGAL_OPERATION",
  OutOfEnergyException: "OUT_OF_ENERGY",
  OutOfTimeException: "OUT_OF_TIME",
  JVMStackOverFlowException: "JVM_STACK_OVER_FLOW",
  TransferException: "TRANSFER_FAILED",
  InvalidCodeException: "INVALID_CODE",
};

/** Returns true if a name is a contract result that receipts contain. */
export function isContractResult(name: string): name is ContractResult {
  return (contractResults as readonly string[]).includes(name);
}

/** Returns the result for a message with an exception class, because a simulation has no receipt. */
export function resultInMessage(message: string): ContractResult | undefined {
  const name = /Program\$(\w{1,60})/.exec(message.slice(0, 300))?.[1] ?? "";
  return Object.hasOwn(resultOfException, name) ? resultOfException[name] : undefined;
}

/** Returns the texts for a VM failure: those of its message, or else those of its result. */
export function explainVmFailure(result: string, message: string, details: CodedDetails): Diagnosis {
  const found = matchNodeText(message);
  const shared = { category: "execution", retry: verdictOf("if-executed"), ...details } as const;
  if (found !== undefined && found.entry.category === "execution")
    return diagnosisOf(found.entry, found.captures, shared);
  const sources = ["gateway document, Execution result values; protocol reference §11.5"];
  if (result === "FAILED") return ofFailed(stripPrefix(message.trim()), { ...shared, sources });
  if (!isContractResult(result)) return ofUnknownResult(result, message, { ...shared, sources });
  const texts = receiptResultMessages[result];
  const said = stripPrefix(message.trim());
  const cause = said === "" ? texts.cause : t`${texts.cause} The node says: ${clip(said)}`;
  return plainDiagnosis(details.code, { ...texts, cause }, { ...shared, sources, entry: `result-${result}` });
}

/** Result of the info and of simulations; system contracts have none. */
function ofFailed(said: string, details: CodedDetails): Diagnosis {
  const texts = {
    title: t`The execution failed`,
    cause:
      said === ""
        ? t`receipt.result and resMessage of the transaction information show how.`
        : t`The node says: ${clip(said)}`,
    fix: t`Read receipt.result, resMessage and contractResult of the transaction's information.`,
  };
  return plainDiagnosis(details.code, texts, { ...details, entry: "result-FAILED" });
}

function ofUnknownResult(result: string, message: string, details: CodedDetails): Diagnosis {
  const texts = {
    title: t`The contract failed with an undocumented result`,
    cause: `${clip(result, 80)}: ${clip(message)}`,
    fix: t`Read the message, and simulate the call.`,
  };
  return plainDiagnosis(details.code, texts, { ...details, entry: "generic-result" });
}
