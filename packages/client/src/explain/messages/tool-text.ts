import { selectorOf } from "@finality/tron/abi";
import { isBroadcastCode } from "@finality/tron/node-messages";
import { stripHexPrefix } from "@finality/tron/primitives";
import { type ContractResult, contractResults } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { Span } from "../decode/json.ts";
import { hasTrace, isOfOtherService, withoutJsonEscapes } from "../decode/plain-text.ts";
import { clip, type Diagnosis, diagnosisOf, field, plainDiagnosis } from "../diagnosis.ts";
import type { ExplainContext } from "../explanation.ts";
import { entryOf } from "./catalogue.ts";
import { CLIENT_FORMS, LEDGER_FORMS, LEDGER_PROBLEM, LEDGER_STATUS, WALLET_FORMS } from "./client-messages.ts";
import { codeOfWithdrawal, EXCHANGE_FORMS, namesExchange } from "./exchange-messages.ts";
import {
  errorTexts,
  explainPanic,
  explainReason,
  explainRefusal,
  explainRevertData,
  explainVmFailure,
} from "./failures.ts";
import { failureLines, hasFieldWord, hasSharedWords, OF_LANGUAGE } from "./field-words.ts";
import { FALLBACK_FORMS, namesProgram, PROGRAM_FORMS } from "./program-messages.ts";
import { codeOfRpcEntry, INTERNAL, RPC_LIBRARY, RPC_PHRASES, rpcEntryOf } from "./rpc-messages.ts";
import { SETUP_FORMS } from "./setup-messages.ts";
import { withoutLogPrefix } from "./template.ts";
import { topicOf } from "./topic-messages.ts";

/** Tool output about a failed call, with its range. */
export interface ToolText extends Span {
  readonly report: ToolReport;
}

/**
 * Explains the output of libraries and test runners about a revert: its data, or a panic, an error or a reason as text.
 */
export function explainToolText(text: string, context: ExplainContext): Diagnosis | undefined {
  const found = findToolText(withoutJsonEscapes(text));
  return found && explainToolReport(found.report, context);
}

/**
 * Returns the first of the forms in which Hardhat, Foundry, Truffle, ethers and viem report a revert. Takes time linear
 * in the text.
 */
export function findToolText(text: string): ToolText | undefined {
  return firstForm(forms, text);
}

/** Explains an error of a program of the chain about which nothing else is known. */
export function explainProgramError(text: string, context: ExplainContext): Diagnosis | undefined {
  const worded = context.isUnprompted === true ? undefined : firstForm(sentenceForms, withoutJsonEscapes(text));
  if (worded !== undefined) return explainToolReport(worded.report, context);
  // Windows paths look like escapes: `node_modules\tronweb` contains no tab.
  const found = firstForm(fallbackForms, withoutJsonEscapes(text)) ?? firstForm(fallbackForms, text);
  if (found !== undefined && !isVague(found.report, text)) return explainToolReport(found.report, context);
  const topic = context.isUnprompted === true ? undefined : explainTopic(text, context);
  const isExplained = topic !== undefined && (found === undefined || topic.entry.startsWith("topic-"));
  return isExplained ? topic : found && explainToolReport(found.report, context);
}

function isVague(report: ToolReport, text: string): boolean {
  if (report.kind !== "client") return false;
  return report.entry === "tool-reports" || (report.entry === "tool-exception" && !OF_LANGUAGE.test(text));
}

/** Explains a failure of a program of the chain by its subject. */
function explainTopic(text: string, context: ExplainContext): Diagnosis | undefined {
  const lines = failureLines(withoutJsonEscapes(text));
  const [first] = lines;
  if (first === undefined) return undefined;
  const message = lines.join("\n");
  const isOther = isOfOtherService(text);
  const isOfField = hasFieldWord(message) || (!isOther && (namesProgram(text) || hasTrace(text)));
  if (!isOfField && (isOther || !hasSharedWords(message))) return undefined;
  const isOfLanguage = OF_LANGUAGE.test(text);
  const entry = isOfLanguage ? "tool-exception" : (topicOf(message) ?? (isOfField ? "tool-reports" : undefined));
  if (entry === undefined) return undefined;
  const line = isOfLanguage ? (lines.find((one) => OF_LANGUAGE.test(one)) ?? first) : first;
  return explainToolReport({ kind: "client", entry, line: withoutLogPrefix(line).trim() }, context);
}

function firstForm(table: readonly Form[], text: string): ToolText | undefined {
  for (const [pattern, read, isMeant] of table) {
    const match = pattern.exec(text);
    if (match === null || isMeant?.(text) === false) continue;
    const [whole, ...groups] = match;
    const report = read(groups.filter((it) => it !== undefined));
    if (report === undefined) continue;
    const bounds = { start: match.index, end: match.index + whole.length };
    return {
      ...bounds,
      report: report.kind === "client" ? { ...report, line: lineAround(text, match.index) } : report,
    };
  }
  return undefined;
}

const MAX_BEFORE = 160;
const MAX_LINE = 600;

/** Returns the line of an offset; of a long line the part after the offset. */
function lineAround(text: string, offset: number): string {
  const begin = text.lastIndexOf("\n", offset - 1) + 1;
  const start = offset - begin > MAX_BEFORE ? offset : begin;
  const [line = ""] = text.slice(start, start + MAX_LINE).split("\n", 1);
  return withoutLogPrefix(line).trim();
}

/** Form of tool output, with the parser of its groups and a check that it applies to a text. */
type Form = readonly [
  pattern: RegExp,
  read: (groups: readonly string[]) => ToolReport | undefined,
  isMeant?: (text: string) => boolean,
];

/**
 * Messages of libraries that could not encode arguments, or decode a result: ethers, viem, web3.js, web3.py and
 * TronWeb.
 */
const clientForms: readonly Form[] = [
  [
    /\bCannot decode zero data\b|\bcould not decode result data \(value="0x"[,)]|\bcall revert exception\b[^\n]{0,300}\bdata="0x"|\bis contract deployed correctly and chain synced\b|\bcontract 0x[\da-fA-F]{40} does not have any code\b|\bReturned values aren't valid\b|\bEmpty value \(0x\) returned from contract\b|\bno contract code at given address\b|\babi: attempting to unmarshal an empty string\b|\bCouldn't decode \w{2,20} from ABI: 0x(?![\da-f])/,
    () => ({ kind: "client", entry: "no-data" }),
  ],
  [
    /\b(?:Data size of \d+ bytes is too small|Tried to read \d+ bytes\. Only got \d+ bytes|ABI decoding failed|data out-of-bounds|InsufficientDataBytes|NonEmptyPaddingBytes|AbiEvent\w{4,40}Error|DecodeLog\w{4,30}|could not decode result data|BUFFER_OVERRUN|BAD_DATA|Padding bytes were not empty|Position `?\d+`? is out of bounds)\b|\b(?:INVALID_ARGUMENT|NUMERIC_FAULT)\b[\s\S]{0,1500}?\b\w{2,30}Coder\.decode\b/,
    () => ({ kind: "client", entry: "client-data" }),
  ],
  [
    /\bmust pass "address" validation|\bcapitalization checksum test failed\b|\bnetwork does not support ENS\b|\binvalid address \(|\bAddress "[^"\n]{0,100}" is invalid|\bbad address checksum\b|\bInvalidAddress(?:Error)?: |\bunconfigured name\b|\bconfigured for ENS name\b|\bInvalid address passed to \w{1,60}\.at\(|\bresolve ENS name\b|\bexpected hex digits or the `0x` prefix|\bBadAddress[(:]|\bNon-base58 character\b|\bBase58\w{0,12}\.Decode\w{0,20}\b|\bnot a valid (?:ETH|Ethereum|Tron|TRX|checksummed|base58)\w{0,6} address\b|\bdecode base58\b|\bbase58\w{0,8}\b[^\n]{0,40}\bchecksum\b|\bencoded by AddressEncoder\b|\bcoderType="address"/i,
    () => ({ kind: "client", entry: "client-address" }),
  ],
  [
    /\bmust pass "u?int\d{0,3}" validation|\bis not in safe \d|\bCannot convert \S{1,80} to a BigInt\b|\bvalue out-of-bounds\b|\bexceeds decimals\b|\btoo many decimals\b|\binvalid BigNumber|\bNUMERIC_FAULT\b|\[number-to-bn\]|\bhas more than 15 significant digits\b|\bNumber can only safely store up to 53 bits|\bfault="?(?:over|under)flow|\bIntegerOutOfRange|\b(?:under|over)flow \(argument=|\bencoded by (?:Un)?[Ss]ignedIntegerEncoder\b|\bis not compatible with type `u?int|\bpass numbers as strings or BN\b|\bcoderType="u?int/,
    () => ({ kind: "client", entry: "client-number" }),
  ],
  [
    /\b(?:types|params)\/values length mismatch\b|\bInvalid number of parameters\b|\bvalue at "\/\d+" is required\b|\bencode length mismatch\b|\bwrong number of arguments, require\b|\bexpect(?:s|ed) \d+ argument(?:s|\(s\)),? (?:but received|got)|\bInvalid arguments provided: expected \d+ arguments|\b(?:MISSING|UNEXPECTED)_ARGUMENT\b|\bincorrect number of arguments\b/i,
    () => ({ kind: "client", entry: "client-argument-count" }),
  ],
  [
    /\b(?:Function|Event) "[^"\n]{1,120}" not found on ABI\b|\b[Nn]o matching (?:fragments?|functions?)\b(?! for call to)|\bABIFunctionNotFound\b|\bwas not found in this contract's abi\b|\bcontract has no method named\b|\bCould not identify the intended function\b|\bABI fragment not found for function\b|\bAmbiguous overloaded function "|\bMismatchedABI\b|\bContract method \w{1,80} not found\b|\bInvalid function ABI fragment provided\b/,
    () => ({ kind: "client", entry: "client-no-function" }),
  ],
  [
    /\binvalid JSON wallet\b|\bcode="?(?:INVALID_ARGUMENT|UNSUPPORTED_OPERATION)"?, version=|\b(?:Abi(?:Encoding|Type)\w{0,40}|Invalid(?:Array|AbiEncodingType|BytesBoolean|DefinitionType))Error: |\binvalid (?:hexlify|arrayify) value\b|\bGiven parameter bytes has an invalid length\b|\bWeb3 validator found \d|\beth_abi\.exceptions\.\w|\bcoderType="\w|\bFailed to parse tokens\b[\s>]{1,20}\d: Invalid data\b|\bTransaction (?:had invalid|must (?:not )?include (?:these|unrecognized)) fields\b/,
    () => ({ kind: "client", entry: "client-argument" }),
  ],
];

const clientForm = ([entry, pattern]: readonly [entry: ClientFailure, pattern: RegExp]): Form => [
  pattern,
  () => ({ kind: "client", entry }),
];

const programForm = ([entry, pattern, isShared]: readonly [ClientFailure, RegExp, true?]): Form => [
  pattern,
  () => ({ kind: "client", entry }),
  ...(isShared === undefined ? ([] as const) : ([namesProgram] as const)),
];

const isAboutChain = (text: string): boolean => hasTrace(text) || hasFieldWord(text);

/** Failures in sentences of people. They count if a person asks about the text, and if it is about a chain. */
const sentenceForms: readonly Form[] = [
  [/\b(?:out of|not enough) energy\b/i, () => ({ kind: "result", result: "OUT_OF_ENERGY" }), isAboutChain],
  [/\billegal operation\b/i, () => ({ kind: "result", result: "ILLEGAL_OPERATION" }), isAboutChain],
  [/\btransaction revert(?:ed)? error\b/i, () => ({ kind: "result", result: "REVERT" }), isAboutChain],
  [
    /\bbroadcast\w{0,4}\b[^\n]{0,60}\bindex:? ?0\b|\bError: Index: 0\b/i,
    () => ({ kind: "client", entry: "transaction-empty" }),
  ],
  [
    /\bUndefined (?:array key|index:?) ["']?(?:result|transaction|txI[dD]|raw_data(?:_hex)?|constant_result|energy_used|contract_address)\b/,
    () => ({ kind: "client", entry: "tool-unreadable" }),
    isAboutChain,
  ],
  [
    /\bcannot unmarshal \w{3,10} into Go (?:struct field|value)\b/,
    () => ({ kind: "client", entry: "topic-answer" }),
    isAboutChain,
  ],
  [
    /\bunrecogni[sz]ed? (?:RPC )?method\b|\bmethod (?:is )?not recogni[sz]ed\b/i,
    () => ({ kind: "client", entry: "wallet-unsupported" }),
    (text) => /\bwallet/i.test(text),
  ],
  [
    /\bswap amount is too (?:small|low)\b|\bamount too (?:small|low)\b(?=[\s\S]{0,120}\bswap)/i,
    () => ({ kind: "client", entry: "swap-amount" }),
  ],
];

const fallbackForms: readonly Form[] = FALLBACK_FORMS.map(programForm);

/** Messages of wallets, hardware wallets, deployment tools and JSON-RPC libraries. */
const programForms: readonly Form[] = [
  ...WALLET_FORMS.map(clientForm),
  ...LEDGER_FORMS.map((pattern): Form => [pattern, ofStatusWord]),
  clientForm(["ledger-problem", LEDGER_PROBLEM]),
  ...RPC_PHRASES.map(clientForm),
  ...SETUP_FORMS.map(clientForm),
  ...PROGRAM_FORMS.map(programForm),
  ...CLIENT_FORMS.map(clientForm),
  ...EXCHANGE_FORMS.map(([entry, pattern]): Form => [pattern, () => ({ kind: "client", entry }), namesExchange]),
  [RPC_LIBRARY, ofRpcMessage],
];

/** Reasons of contracts of common libraries, without any text of a tool around them. */
const REASON_OF_LIBRARY =
  /(?:^|[\n"'(]|: )((?:Ownable(?:2Step)?|ERC20\w{0,12}|ERC721\w{0,12}|ERC1155\w{0,12}|BEP20|TRC20|TRC721|AccessControl|Pausable|ReentrancyGuard|SafeMath|SafeERC20|SafeCast|Initializable|TimelockController|UniswapV[23]\w{0,10}|Pancake\w{0,10}|SunSwap\w{0,10}|TransferHelper|UUPSUpgradeable|ERC1967): [A-Za-z][^\n"']{4,160})/;

/** Reasons of exchange contracts, without the name of their library. */
const REASON_OF_EXCHANGE =
  /\b(TRANSFER_FROM_FAILED|INSUFFICIENT_(?:OUTPUT|INPUT|A|B)_AMOUNT|INSUFFICIENT_LIQUIDITY(?:_MINTED|_BURNED)?|EXCESSIVE_INPUT_AMOUNT)\b/;

/** Data come first, because they are most specific; then the result that a test did not expect; then texts. */
const forms: readonly Form[] = [
  [/\b([A-Z_]{4,40}), <ByteString\b[^\n>]{0,80}?\bsize=0\b/, ofRefusal],
  [/\b([A-Z_]{4,40}), <ByteString\b[^\n>]{0,80}?\bcontents="([^"\n]{1,1000})"/, ofRefusal],
  [/\breverted\.\s{1,8}Error: ([A-Za-z_$][\w$]{0,80})\(([^)\n]{0,500})\)(?:\s{1,80}\(([^\n]{0,1000})\))?/, ofTypes],
  [/\bcustom error (0x[0-9a-f]{8})(?:[:\s]{1,3}((?:[0-9a-f]{64}){1,64}))?\b/i, ofData],
  [/\bcustom error\b[^\n]{0,60}?\bdata[=:] ?"?0x([0-9a-f]{8,65536})\b/i, ofData],
  [/\bContractCustomError\b[^\n]{0,20}?['"]?0x([0-9a-f]{8,65536})\b/i, ofData],
  [/\bCustom Error ([0-9a-f]{8}):\(/i, ofData],
  [/\bfollowing signature:\s{1,8}0x([0-9a-f]{8})\b/i, ofData],
  [/\bbut it reverted with (?:the )?reason (?:string )?['"]([^\n]{0,1000}?)['"](?=$|[\s.,;)\]])/, ofReason],
  [/\bbut it reverted with (?:the )?custom error ['"]([A-Za-z_$][\w$]{0,80})/, ofName],
  [/\bbut it reverted with panic code (0x[0-9a-f]{1,64})/i, ofPanic],
  [
    /\bto be reverted\b[^\n]{0,200}\bbut it didn't revert\b|\bTransaction NOT reverted\b|\bExpected transaction to be reverted\s{1,20}Expected ?:/,
    ofNothing,
  ],
  [
    /\b[Ee]xpected (?:transaction|event "|call)\b[^\n]{0,200}\b(?:to be (?:reverted|emitted)|to emit)\b|\bInvalid Chai property: (?:reverted|emit|changeE|changeT|proper)|\b(?:AssertionError|assertion)\b[^\n]{0,60}\bError in "\w{1,60}" event\b/,
    () => ({ kind: "client", entry: "topic-test" }),
  ],
  [/\bpanic code (0x[0-9a-f]{1,64}|\d{1,9})\b/i, ofPanic],
  [/\bPanic due to [A-Z_]{3,40}\((\d{1,3})\)/, ofPanic],
  [/\bREVERT opcode executed: ([^"'\n]{1,500})/, ofReason],
  [/\brevert(?:ed)?:? Panic\((0x[0-9a-f]{1,64}|\d{1,9})\)/i, ofPanic],
  [/\brevert(?:ed)?:? Error\((?:string: ?)?["']?([^\n]{1,300}?)["']?\)(?=$|[\s.,;"'}\]])/, ofReason],
  [/(?:^|\n|[Ee]rror: |["'])revert: ([A-Z]\w{1,80})\(([^\n]{0,300})\)(?=$|\s{0,8}\n|["'])/, ofName],
  [/\bpanic: [a-z][^(\n]{0,120}\((0x[0-9a-f]{2})\)/i, ofPanic],
  [
    /(?<!to be )\breverted with (?:an? )?custom error ['"]?([A-Za-z_$][\w$]{0,80})(?:\(([^\n]{0,1000}?)\))?['"]?(?=$|[\s.,;)\]])/,
    ofName,
  ],
  [/\[FAIL(?:\. Reason)?: (?:custom error )?([A-Za-z_$][\w$]{0,80})\(([^\n]{0,300}?)\)\](?: \w{1,80}\(|\s*$)/m, ofName],
  [/(?<!to be )\breverted with reason string '([^\n]{0,1000}?)'(?=$|[\s.,;)\]])/i, ofReason],
  [/(?<!to be )\breverted with reason (?:string )?"([^"\n]{0,1000})"/i, ofReason],
  [/\bFail(?:ed)? with error:? '([^\n]{1,1000}?)'(?=$|[\s.,;)\]])/, ofReason],
  [/\breverted with the following reason:\s{1,8}([^\n]{1,1000})/, ofReason],
  [/\bfollowing reason given:\s{1,8}\* ([^\n]{1,300})/, ofReason],
  [/(?:← \[Revert\]|\bscript failed:) ([A-Za-z_$][\w$]{0,80})\(([^\n]{0,300})\)/, ofName],
  [/(?:← \[Revert\]|\bscript failed:) (?!EvmError|call to non-contract)([^\n]{1,300})/, ofReason],
  [/\bPanic: (Division|Arithmetic|Index|Assertion|Array)/i, ofPanicWord],
  [/\bReason given: Custom error \(could not decode\)/, ofUnknownError],
  [/\bhit a require or revert statement\b/, ofData],
  [/\bReason given: ([^\n]{1,300})/, ofReason],
  [/\bReason provided by the contract: ["']([^\n]{1,1000}?)["']\.?(?=$|\s)/, ofReason],
  [/\bError provided by the contract:\s{1,8}([A-Za-z_$][\w$]{0,80})\b/, ofName],
  [/\bVirtualMachineError: revert: ([^\n]{1,300})/, ofReason],
  [/\bVirtualMachineError: revert\b|\bconfirmed \(reverted\)/, ofData],
  [
    /\b(?:VM error|VirtualMachineError): (out of (?:gas|energy)|invalid opcode|stack overflow|stack underflow|invalid JUMP)/i,
    ofVmError,
  ],
  [
    /\bVM Exception while (?:executing transaction|(?:processing|executing) eth_\w{1,40}): (out of gas|invalid opcode|invalid JUMP|stack overflow|stack underflow)/i,
    ofVmError,
  ],
  [/\bVM Exception while processing transaction: (invalid JUMP|stack overflow|stack underflow)/i, ofVmError],
  [
    /\bVM (?:execution )?error: (?:transaction )?revert(?:ed)?\b|\b[Cc]ontract function "[^"\n]{1,120}" reverted\.?\s{0,8}$/,
    ofData,
  ],
  [/\bVM Exception while (?:processing|executing) (?:transaction|eth_\w{1,40}): revert ([^\n]{1,1000})/, ofReason],
  [
    /\[FAIL(?:\. Reason)?: [^\n]{0,60}\bFailed to (?:get|fetch|send\/recv) (?:account|storage|block|code)\b/,
    () => ({ kind: "client", entry: "tool-offline" }),
  ],
  [/\[FAIL(?:\. Reason)?: (?:revert|Error): ([^\n\]]{1,300})\]/, ofReason],
  [/\[FAIL(?:\. Reason)?: (?!EvmError|call to non-contract|panic)([^\n]{1,300}?)\] \w{1,80}\(/, ofReason],
  [
    /\bexecution reverted: ([A-Za-z_$][\w$]{0,80})\(((?:u?int|address|bool|bytes|string|tuple)[\w[\], ]{0,300})\)/,
    ofTypes,
  ],
  [/\bexecution reverted\b[^\n]{0,60}?\bdata[=:] ?"?0x([0-9a-f]{8,65536})\b/i, ofData],
  [/\bexecution reverted, data: "0x"/, ofData],
  [/\bexecution reverted: ([A-Z][\w$]{0,80})\(\)/, ofName],
  [/\bexecution reverted: "([^"\n]{1,1000})"/, ofReason],
  [/\bfailed with error: Reverted with reason "([^"\n]{1,500})"/, ofReason],
  [
    /\bfailed with error: Reverted with custom error "?([A-Za-z_$][\w$]{0,80})(?:\(([^\n]{0,300}?)\))?"?(?=$|\s)/,
    ofName,
  ],
  [/\bExecution reverted with reason: ([^\n]{1,500}?)\.?(?=$|\n)/, ofReason],
  [/\bPanic\(uint256\)[^\n]{0,20}?\b(0x[0-9a-f]{1,64}|\d{1,3})\b/i, ofPanic],
  [/\bexecution reverted: ([^"\n(]{1,500}[^"\n(\s,])/, ofReason],
  [
    /\b[Rr]everted without (?:a )?reason\b|\bdeployment failed: Revert\b|\bExecution \{ reverted: true\b|\bcouldn't infer the reason\b|\bmissing revert data\b|\bno data present\b|\btransaction: revert(?=\s{0,8}$|\s{0,8}\n)/,
    ofData,
  ],
  [/\breason="([^"\\\n]{1,1000})"[^\n]{0,400}\bcode=CALL_EXCEPTION\b/, ofReason],
  [/\bCONTRACT_REVERT_EXECUTED\b/, ofData],
  [
    /\bThe call has been reverted or has thrown an error\b|\bException thrown in contract code\b|\b(?:creation of|transact to) \S{1,80} errored\b[^\n]{0,100}\breverted\b/,
    ofData,
  ],
  [/\bencoded error signature "?(0x[0-9a-f]{8})"? not found/i, ofData],
  [
    /\b(?:FAIL(?:ED)?\s{0,3}-\s{0,3}(?:TRANSACTION\s)?|Result:\s{0,3}TRANSACTION |FAIL(?:ED)? TRANSACTION[\s-]{1,3}(?=REVERT\b|OUT\b))([A-Z][A-Z_ ]{3,30})\b/i,
    ofResult,
  ],
  [
    /(?:^|\n)\s{0,8}(?:error: )?(out[ _]of[ _]energy)[.!]?\s{0,8}(?=$|\n)|\b(?:txn?|transaction|contract|execution|reverted|call|TvmError)\b[^\n]{0,30}?[:(]\s?(out[ _]of[ _]energy)\b/i,
    ofResult,
  ],
  [/\bEvmError: (\w{4,30})\b/, ofEvmError],
  ...programForms,
  [REASON_OF_LIBRARY, ofReason],
  [REASON_OF_EXCHANGE, ofReason],
  ...clientForms,
];

/** Status word of a Ledger device, in hex or as a decimal number. */
function ofStatusWord([word = ""]: readonly string[]): ToolReport {
  const hex = word.length === 5 ? Number(word).toString(16) : word.toLowerCase();
  const statuses: { readonly [word: string]: ClientFailure } = LEDGER_STATUS;
  return {
    kind: "client",
    entry: Object.hasOwn(statuses, hex) ? (statuses[hex] ?? "ledger-problem") : "ledger-problem",
  };
}

/** Message of a node after the name of the library that prints it. */
function ofRpcMessage([message = ""]: readonly string[]): ToolReport | undefined {
  const entry = rpcEntryOf(message) ?? (INTERNAL.test(message.trim()) ? "rpc-internal" : undefined);
  return entry && { kind: "client", entry };
}

function ofRefusal([code = "", message = ""]: readonly string[]): ToolReport | undefined {
  return isBroadcastCode(code) ? { kind: "refusal", code, message } : undefined;
}

function ofData(groups: readonly string[]): ToolReport {
  return { kind: "data", data: Buffer.from(stripHexPrefix(groups.join("")), "hex") };
}

function ofPanic([code = "0"]: readonly string[]): ToolReport {
  return { kind: "panic", code: BigInt(code) };
}

/** Panics in the wording of Truffle. */
function ofPanicWord([word = ""]: readonly string[]): ToolReport {
  return { kind: "panic", code: panicWords[word.toLowerCase()] ?? 0n };
}

const panicWords: { readonly [word: string]: bigint } = {
  assertion: 0x01n,
  arithmetic: 0x11n,
  division: 0x12n,
  array: 0x32n,
  index: 0x32n,
};

/** Line of a stack that a tool printed after the reason, in the same line. */
const STACK_LINE = /(?:^|\s{2,})at [\w$.<>[\] ]{1,100}(?:\([\s\S]*)?$/;

function ofReason([text = ""]: readonly string[]): ToolReport {
  const reason = text
    .trim()
    .replace(STACK_LINE, "")
    .replace(/^revert(?:ed)?: /, "")
    .trim();
  return reason === "" || reason === "revert" || reason === "CONTRACT_REVERT_EXECUTED"
    ? ofData([])
    : { kind: "reason", reason };
}

/**
 * Parses an error by its name, with the values as the tool prints them. Without values its selector and declaring
 * contract are known.
 */
function ofName([name = "", values = ""]: readonly string[]): ToolReport {
  return { kind: "error", name, values, signature: values === "" ? `${name}()` : undefined };
}

/** Format of viem: `Name(address sender, uint256 needed)`, and the values in the next line. */
function ofTypes([name = "", types = "", values = ""]: readonly string[]): ToolReport {
  const plain = types.split(",").map((one) => one.trim().split(/\s/, 1)[0] ?? "");
  return { kind: "error", name, values, signature: `${name}(${plain.join(",")})` };
}

/** Custom error whose data the tool did not print. */
function ofUnknownError(): ToolReport {
  return { kind: "unknown-error" };
}

/** Result in the wording of explorers: `FAIL-Out of Energy`. */
function ofResult([words = ""]: readonly string[]): ToolReport | undefined {
  const name = words.trim().toUpperCase().replaceAll(" ", "_");
  const known = Object.hasOwn(explorerResults, name) ? explorerResults[name] : undefined;
  const result = known ?? contractResults.find((it) => name.startsWith(it) && !EVERYBODYS.has(it));
  return result && { kind: "result", result };
}

/** VM failure in the wording of Remix and TronIDE. */
function ofVmError([words = ""]: readonly string[]): ToolReport | undefined {
  const result = vmErrors[words.toLowerCase()];
  return result && { kind: "result", result };
}

const vmErrors: { readonly [words: string]: ContractResult } = {
  "out of gas": "OUT_OF_ENERGY",
  "out of energy": "OUT_OF_ENERGY",
  "invalid opcode": "ILLEGAL_OPERATION",
  "stack overflow": "STACK_TOO_LARGE",
  "stack underflow": "STACK_TOO_SMALL",
  "invalid jump": "BAD_JUMP_DESTINATION",
};

/** VM failure in the wording of Foundry. */
function ofEvmError([name = ""]: readonly string[]): ToolReport | undefined {
  const result = Object.hasOwn(evmErrors, name) ? evmErrors[name] : undefined;
  return result && { kind: "result", result };
}

const evmErrors: { readonly [name: string]: ContractResult } = {
  StackUnderflow: "STACK_TOO_SMALL",
  StackOverflow: "STACK_TOO_LARGE",
  InvalidJump: "BAD_JUMP_DESTINATION",
  MemoryOOG: "OUT_OF_ENERGY",
  MemoryLimitOOG: "OUT_OF_MEMORY",
  PrecompileOOG: "OUT_OF_ENERGY",
  PrecompileError: "PRECOMPILED_CONTRACT",
};

/** Results whose words are common after `Result:`. */
const EVERYBODYS: ReadonlySet<string> = new Set(["SUCCESS", "DEFAULT", "UNKNOWN", "OUT_OF_MEMORY"]);

const explorerResults: { readonly [words: string]: ContractResult } = {
  BAD_JUMP: "BAD_JUMP_DESTINATION",
  TIMEOUT_FOR_CONTRACT_EXECUTION: "OUT_OF_TIME",
  TIME_OUT_FOR_CONTRACT_EXECUTION: "OUT_OF_TIME",
  CONTRACT_EXECUTION_TIMEOUT: "OUT_OF_TIME",
};

function ofNothing(): ToolReport {
  return { kind: "no-revert" };
}

/** Report of a tool about a call that failed, or should have failed. */
type ToolReport =
  | { readonly kind: "data"; readonly data: Uint8Array }
  | { readonly kind: "panic"; readonly code: bigint }
  | { readonly kind: "reason"; readonly reason: string }
  | NamedError
  | { readonly kind: "no-revert" }
  /** Error of the contract without further details from the tool. */
  | { readonly kind: "unknown-error" }
  /** Result of an execution in the wording of the tool. */
  | { readonly kind: "result"; readonly result: ContractResult }
  /** A library refused the request before it was sent, or could not parse the answer. */
  | { readonly kind: "client"; readonly entry: ClientFailure; readonly line?: string }
  /** Broadcast code and its message in protobuf text format. */
  | { readonly kind: "refusal"; readonly code: string; readonly message: string };

/** Entries for messages of libraries, tools and wallets about themselves. */
type ClientFailure = keyof typeof codeOfClient;

interface NamedError {
  readonly kind: "error";
  readonly name: string;
  /** In the tool's format. */
  readonly values: string;
  /** Signature of the error; undefined while the types of the values are unknown. */
  readonly signature: string | undefined;
}

/** Explains the report of a tool. */
function explainToolReport(report: ToolReport, context: ExplainContext): Diagnosis {
  switch (report.kind) {
    case "data":
      return explainRevertData(report.data, context);
    case "panic":
      return explainPanic(report.code);
    case "reason":
      return explainReason(report.reason, context);
    case "error":
      return ofNamed(report, context);
    case "no-revert":
      return ofNoRevert();
    case "unknown-error":
      return explainUnknownError();
    case "result":
      return explainVmFailure(report.result, "", { code: report.result });
    case "client":
      return ofClient(report);
    case "refusal":
      return explainRefusal(report.code, report.message, context);
  }
}

/** Returns the diagnosis of an entry. If the entry stands for many causes, the line of the text follows. */
function ofClient({ entry, line }: { readonly entry: ClientFailure; readonly line?: string }): Diagnosis {
  const diagnosis = diagnosisOf(entryOf(entry), {}, { code: codeOfClient[entry] });
  if (line === undefined || line === "" || !QUOTED.has(entry)) return diagnosis;
  return { ...diagnosis, cause: t`${diagnosis.cause} The text: ${clip(line, 220)}` };
}

/** Entries with many causes. */
const QUOTED: ReadonlySet<ClientFailure> = new Set([
  "node-start",
  "node-config",
  "tool-load-order",
  "tool-login",
  "node-block",
  "node-event",
  "node-build",
  "sol-compile",
  "sol-import",
  "sol-version",
  "verify-failed",
  "upgrade-refused",
  "tool-storage-layout",
  "tool-import",
  "tool-argument",
  "tool-install",
  "node-produce",
  "node-files",
  "withdrawal-asset",
  "withdrawal-address",
  "withdrawal-paused",
  "withdrawal-limit",
  "tool-no-account",
  "tool-no-tronweb",
  "client-argument-count",
  "client-no-function",
  "tool-stopped-first",
  "tool-configuration",
  "tool-reports",
  "tool-exception",
  "topic-address",
  "topic-key",
  "topic-signature",
  "topic-arguments",
  "topic-abi",
  "topic-unsupported",
  "topic-number",
  "topic-fee",
  "topic-balance",
  "topic-nonce",
  "topic-network",
  "topic-wallet",
  "topic-contract",
  "topic-setup",
  "topic-test",
  "topic-transaction",
  "topic-answer",
  "topic-connection",
  "topic-node",
  "rpc-refused",
  "wallet-not-signed",
  "wallet-not-connected",
  "wallet-send-failed",
  "wallet-unsupported",
  "wallet-network",
  "client-argument",
  "client-number",
  "client-address",
  "client-data",
]);

function ofNamed({ name, values, signature }: NamedError, { abi }: ExplainContext): Diagnosis {
  const known = signature === undefined ? [] : (abi?.lookup(selectorOf(signature)) ?? []);
  const origins = known.filter(({ kind }) => kind === "error").map(({ origin }) => origin);
  const texts = errorTexts(`${name}(${values})`, clip(name, 80));
  return plainDiagnosis(signature ?? name, texts, {
    category: "abi",
    entry: texts.entry,
    decoded: [...field(t`error`, name), ...field("values", values)],
    sources: origins.length > 0 ? origins : ["the words of the tool"],
  });
}

const codeOfClient = {
  "client-argument": "ABI_ARGUMENT",
  "client-number": "ABI_NUMBER",
  "client-address": "ABI_ADDRESS",
  "client-argument-count": "ABI_ARGUMENT_COUNT",
  "client-no-function": "ABI_NO_FUNCTION",
  "client-data": "ABI_DATA_TOO_SHORT",
  "no-data": "NO_DATA",
  ...codeOfRpcEntry,
  "tool-declined": "DECLINED",
  "tool-not-ready": "NOT_SET_UP",
  "tool-configuration": "NOT_SET_UP",
  "tool-stopped-first": "NOT_SENT",
  "tool-stopped-waiting": "NOT_CONFIRMED",
  "tool-not-found": "NOT_FOUND",
  "tool-dropped": "DROPPED",
  "tool-code-not-found": "NOT_CONFIRMED",
  "tool-interference": "NOT_CONFIRMED",
  "tool-trial-reverted": "REVERT",
  "tool-no-tronweb": "NOT_SET_UP",
  "tool-unreadable": "UNEXPECTED_ANSWER",
  "vm-call-failed": "FAILED",
  "tool-account-missing": "NOT_ACTIVATED",
  "tool-argument": "REQUEST_REFUSED",
  "tool-same-account": "REQUEST_REFUSED",
  "tool-answer": "UNEXPECTED_ANSWER",
  "tool-nothing-found": "EMPTY_OBJECT",
  "wallet-missing": "WALLET_NOT_FOUND",
  "wallet-not-connected": "WALLET_NOT_CONNECTED",
  "wallet-not-signed": "NOT_SIGNED",
  "wallet-network": "WALLET_NETWORK",
  "wallet-send-failed": "NOT_CONFIRMED",
  "ledger-declined": "DECLINED",
  "ledger-data": "LEDGER_DATA",
  "ledger-path": "LEDGER_PATH",
  "ledger-setting-data": "LEDGER_SETTING",
  "ledger-setting-hash": "LEDGER_SETTING",
  "ledger-setting-contract": "LEDGER_SETTING",
  "ledger-parameter": "LEDGER_PARAMETER",
  "ledger-app": "LEDGER_APP",
  "ledger-locked": "LEDGER_LOCKED",
  "ledger-problem": "LEDGER_PROBLEM",
  "tool-private-key": "REQUEST_REFUSED",
  "node-database-locked": "DATABASE_LOCKED",
  "node-database-damaged": "DATABASE_DAMAGED",
  "tool-block-not-found": "NOT_FOUND",
  "tool-transfer-failed": "NOT_CONFIRMED",
  "tool-compiler": "NOT_SET_UP",
  "tool-storage-layout": "NOT_SENT",
  "verify-pending": "VERIFICATION_PENDING",
  "verify-failed": "NOT_VERIFIED",
  "verify-key": "NOT_SET_UP",
  "client-no-abi": "ABI_MISSING",
  "client-type": "ABI_ARGUMENT",
  "node-start": "NODE_START",
  "node-config": "NODE_START",
  "node-no-key": "NODE_PRODUCE",
  "node-block": "NODE_BLOCK",
  "node-peer": "NODE_PEER",
  "node-memory": "NODE_MEMORY",
  "node-java": "NODE_JAVA",
  "node-native": "NODE_JAVA",
  "node-event": "NODE_EVENT",
  "node-port": "NODE_PORT",
  "node-build": "NOT_BUILT",
  "node-no-events": "HTTP_404",
  "node-waiting": "NODE_START",
  "tool-not-logged-in": "WALLET_NOT_CONNECTED",
  "tool-console-name": "EXCEPTION",
  "wallet-script": "EXCEPTION",
  "client-abi-form": "ABI_ARGUMENT",
  "client-tuple": "ABI_ARGUMENT",
  "signature-recovery-byte": "TOOL_SIGNATURE",
  "transaction-empty": "REQUEST_REFUSED",
  "wallet-firmware": "WALLET_FIRMWARE",
  "tool-extension": "NOT_SET_UP",
  "sol-tron": "NOT_COMPILED",
  ...codeOfWithdrawal,
  "node-files": "NODE_FILES",
  "node-produce": "NODE_PRODUCE",
  "tool-install": "NOT_SET_UP",
  "wallet-resources": "REQUEST_REFUSED",
  "sol-compile": "NOT_COMPILED",
  "sol-stack": "NOT_COMPILED",
  "sol-version": "NOT_COMPILED",
  "sol-import": "NOT_COMPILED",
  "verify-done": "VERIFIED",
  "verify-no-code": "NOT_VERIFIED",
  "upgrade-refused": "NOT_SENT",
  "tool-import": "NOT_SET_UP",
  "tool-no-display": "NOT_SET_UP",
  "tool-load-order": "EXCEPTION",
  "tool-login": "TOOL_KEY",
  "tool-weak-password": "TOOL_KEY",
  "tool-not-deployed": "NOT_DEPLOYED",
  "tool-empty-answer": "NOT_DEPLOYED",
  "tool-offline": "NOT_CONNECTED",
  "tool-command-failed": "NOT_CONFIRMED",
  "wallet-unsupported": "WALLET_UNSUPPORTED",
  "wallet-project": "WALLET_PROJECT",
  "rpc-refused": "RPC_REFUSED",
  "tool-reports": "TOOL_ERROR",
  "tool-exception": "EXCEPTION",
  "topic-address": "TOOL_ADDRESS",
  "topic-key": "TOOL_KEY",
  "topic-signature": "TOOL_SIGNATURE",
  "topic-arguments": "TOOL_ARGUMENTS",
  "topic-abi": "TOOL_ABI",
  "topic-unsupported": "TOOL_UNSUPPORTED",
  "topic-number": "TOOL_NUMBER",
  "topic-fee": "TOOL_FEE",
  "topic-balance": "TOOL_BALANCE",
  "topic-nonce": "TOOL_NONCE",
  "topic-network": "TOOL_NETWORK",
  "topic-wallet": "TOOL_WALLET",
  "topic-contract": "TOOL_CONTRACT",
  "topic-setup": "NOT_SET_UP",
  "topic-test": "TEST_FAILED",
  "topic-transaction": "TOOL_TRANSACTION",
  "topic-answer": "UNEXPECTED_ANSWER",
  "topic-connection": "NOT_CONNECTED",
  "topic-node": "NODE_PROBLEM",
} as const;

function explainUnknownError(): Diagnosis {
  const texts = {
    title: t`Reverted with an error of the contract`,
    cause: t`The error is declared by the contract, and the tool did not decode it.`,
    fix: t`Look up the transaction here, or simulate the call: the error data contain its name and values.`,
  };
  return plainDiagnosis("CUSTOM_ERROR", texts, {
    category: "abi",
    entry: "revert-not-decoded",
    sources: ["the words of the tool"],
  });
}

function ofNoRevert(): Diagnosis {
  const texts = {
    title: t`A revert was expected, and the call succeeded`,
    cause: t`The test expects a revert, and the call succeeded.`,
    fix: t`Compare the arguments, the caller and the state with the condition in the contract.`,
  };
  return plainDiagnosis("NO_REVERT", texts, {
    category: "execution",
    entry: "tool-no-revert",
    sources: ["the words of the tool"],
  });
}
