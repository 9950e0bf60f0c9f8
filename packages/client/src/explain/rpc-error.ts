import { statusOf, statusOfPhrase } from "@finality/tron/node-messages";
import { isHexPairs, isJsonObject, type Json, type JsonObject, stripHexPrefix } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { bytesOf, objectOf, textOf } from "./decode/json.ts";
import { hasTrace } from "./decode/plain-text.ts";
import {
  type CodedDetails,
  clip,
  type Diagnosis,
  diagnosisOf,
  type Explainer,
  field,
  firstOf,
  plainDiagnosis,
  retryOfRequest,
} from "./diagnosis.ts";
import { type ExplainContext, type RetryCase, verdictOf } from "./explanation.ts";
import { fieldsOfJson } from "./fields.ts";
import { entryOf } from "./messages/catalogue.ts";
import { explainReason, explainVmFailure, resultInMessage, revertTexts } from "./messages/failures.ts";
import { explainStatus } from "./messages/http-text.ts";
import { MESSAGE, matchNodeText } from "./messages/message-text.ts";
import { INTERNAL, rpcEntryOf } from "./messages/rpc-messages.ts";

/** Error of JSON-RPC, with its data. */
interface RpcError {
  readonly number: number;
  readonly message: string;
  /** The message, and those of the enclosing errors of wallets and libraries. */
  readonly text: string;
  readonly data: Uint8Array | undefined;
  /** Reason of a revert, in a separate field. */
  readonly reason: string | undefined;
  /** True if the data are the text `{}`, as java-tron writes them. */
  readonly isOfJavaNode: boolean;
  readonly details: { readonly code: string; readonly decoded: Diagnosis["decoded"] };
}

/** Explains an error of JSON-RPC: `{"error":{"code":-32000,"message":"…","data":"0x…"}}`. */
export function explainRpcError(json: JsonObject, context: ExplainContext): Diagnosis | undefined {
  const error = json.error ?? (isBareError(json) ? json : undefined);
  if (!isJsonObject(error) || typeof error.code !== "number" || typeof error.message !== "string") return undefined;
  // Google services list the parts of a failure, which JSON-RPC does not.
  if (Array.isArray(error.errors) && context.isOfChain?.() !== true) return undefined;
  const text = [error.message, ...messagesIn(error.data)].join("\n");
  const decoded = [...field("code", error.code, "number"), ...field(MESSAGE, error.message)];
  const details = { code: `RPC_${error.code}`, decoded };
  const run = ganacheRun(error.data);
  const data = revertDataIn(error.data, text) ?? bytesOf(run?.return) ?? bytesOf(run?.result);
  const reason = textOf(run?.reason) || undefined;
  const isOfJavaNode = error.data === "{}";
  const rpcError = { number: error.code, message: error.message, text, data, reason, isOfJavaNode, details };
  return firstOf(kindsOfError, rpcError, context);
}

/** Kinds of errors, in order. The number alone decides last, because nodes use few numbers for everything. */
const kindsOfError: readonly Explainer<RpcError>[] = [
  ofRevert,
  ofRejection,
  ({ text, details }) => ofEntry(rpcEntryOf(text), details),
  ofNodeText,
  ({ number, details }) => ofEntry(entryOfNumber[number], details),
  ofStatus,
  ofNumber,
];

/** Number that other services use, too: it counts with words of a refusal, or with a trace of the chain. */
function ofRejection(
  { number, text, details }: RpcError,
  { isOfChain: isAround }: ExplainContext,
): Diagnosis | undefined {
  const isMeant = number === USER_REJECTED && (REJECTED.test(text.slice(0, MAX_TEXT)) || isAround?.() === true);
  return ofEntry(isMeant ? "tool-declined" : undefined, { ...details, code: "DECLINED" });
}

const REJECTED = /\buser\b|reject|declin|den(?:y|ied)|cancel|abort|refus|disapprov|signature|拒|取消/i;

function ofEntry(entry: string | undefined, details: CodedDetails): Diagnosis | undefined {
  return entry === undefined ? undefined : diagnosisOf(entryOf(entry), {}, details);
}

const MAX_TEXT = 400;
const MAX_INNER = 4;

/** Returns the messages of nested errors, as MetaMask and hosted nodes wrap them. */
function messagesIn(data: Json | undefined): readonly string[] {
  const texts: string[] = [];
  for (let inner = data, level = 0; level < MAX_INNER; level++) {
    if (typeof inner === "string") texts.push(inner.slice(0, MAX_TEXT));
    if (!isJsonObject(inner)) break;
    if (typeof inner.message === "string") texts.push(inner.message.slice(0, MAX_TEXT));
    inner = inner.originalError ?? inner.cause ?? inner.error ?? inner.data;
  }
  return texts;
}

/** Returns the data of a revert: as bytes, or in a text as OpenEthereum and Nethermind write it, `Reverted 0x…`. */
function revertDataIn(data: Json | undefined, text: string): Uint8Array | undefined {
  const digits = /\breverted:? (0x[\da-f]{8,65536})/i.exec(typeof data === "string" ? `${text}\n${data}` : text)?.[1];
  return bytesOf(data) ?? bytesOf(textOf(objectOf(data).data)) ?? bytesOf(digits);
}

/** Returns the failed run in an answer of Ganache: under the hash of the transaction, or in the data themselves. */
function ganacheRun(data: Json | undefined): JsonObject | undefined {
  const runs = [data, ...Object.values(objectOf(data)).slice(0, MAX_INNER)].filter((it) => isJsonObject(it));
  return runs.find((run) => "program_counter" in run || "programCounter" in run);
}

const REVERTED =
  /execution reverted|\btransaction: revert\b|REVERT opcode|\breverted\b|\bVM execution error|(?:^|\n)revert(?:$|: [A-Z])/i;

function ofRevert({ text, data, details, ...error }: RpcError, context: ExplainContext): Diagnosis | undefined {
  const hasData = data !== undefined && data.length > 0;
  if (!hasData && resultInMessage(error.message) !== undefined) return undefined;
  const result = hasData ? undefined : VM_FAILURES.find(([words]) => words.test(text))?.[1];
  const retry = verdictOf("request-after-fix");
  if (result !== undefined) return explainVmFailure(result, error.message, { ...details, code: result, retry });
  if (!hasData && !REVERTED.test(text.slice(0, MAX_TEXT))) return undefined;
  const reason = hasData ? undefined : (error.reason ?? REASON.exec(text)?.[1]);
  const texts = reason === undefined ? revertTexts(data ?? new Uint8Array(), context) : explainReason(reason, context);
  const decoded = [...field(t`error`, texts.code), ...texts.decoded, ...details.decoded];
  return plainDiagnosis("REVERT", texts, { ...texts, category: "execution", retry, code: "REVERT", decoded });
}

const REASON =
  /\b(?:execution reverted|REVERT opcode executed|reverted with reason string|transaction: revert|(?:^|\n)revert(?=:)):? ['"]?(?!CONTRACT_REVERT_EXECUTED)([^\n'"]{1,300})/i;

/** VM failures in the wording of Ethereum nodes, with the corresponding result. */
const VM_FAILURES: readonly (readonly [words: RegExp, result: string])[] = [
  [/\bout ?of ?gas\b/i, "OUT_OF_ENERGY"],
  [/\bbad ?instruction\b|(?:^|\n|: )invalid opcode\b/i, "ILLEGAL_OPERATION"],
  [/\bbad ?jump|\binvalid jump destination/i, "BAD_JUMP_DESTINATION"],
  [/\bstack ?underflow\b/i, "STACK_TOO_SMALL"],
  [/\bout ?of ?stack\b|\bstack limit reached/i, "STACK_TOO_LARGE"],
];

function ofNodeText({ message, details }: RpcError): Diagnosis | undefined {
  const found = matchNodeText(message);
  if (found === undefined) return undefined;
  if (found.entry.category === "execution") {
    const result = resultInMessage(message) ?? details.code;
    return explainVmFailure(result, message, { ...details, code: result, retry: verdictOf("request-after-fix") });
  }
  const retry = retryOfRequest(found.entry, message);
  return { ...diagnosisOf(found.entry, found.captures, details), retry };
}

/** Failure of a gateway or of the node itself: the request may have been processed. */
function ofStatus(error: RpcError, context: ExplainContext): Diagnosis | undefined {
  const { number, message, text, details } = error;
  if (QUOTA.test(text)) return ofEntry("gateway-quota", details);
  const isNumber = !isForeignStatus({ code: number, message }) || isOfChain(error, context);
  const status = (isNumber ? statusOf({ code: number }) : undefined) ?? statusOfPhrase(message);
  if (status !== undefined && status !== 500) return explainStatus(status, message);
  if (RATE.test(text)) return { ...explainStatus(429, message), ...details };
  if (NO_KEY.test(text)) return { ...explainStatus(401, message), ...details };
  if (!isOfChain(error, context)) return undefined;
  if (TIMED_OUT.test(text)) return { ...explainStatus(504, message), ...details };
  const isInternal = number === -32603 || status === 500 || INTERNAL.test(text);
  return isInternal ? ofEntry("rpc-internal", details) : undefined;
}

/** Limits of hosted nodes, under their own numbers. */
const RATE = /\brate limit|\brequest limit|\b(?:requests|calls) per (?:second|minute|day)\b|\bcompute units?\b/i;
/** Daily or monthly limits. */
const QUOTA =
  /\b(?:daily|monthly) (?:(?:capacity|request|usage|compute unit|credit)s? )?(?:limit|quota)s? (?:\w{1,8} )?(?:exceeded|reached)\b|\bexceeded (?:your|the|its) (?:daily|monthly) \w/i;
/** Messages of hosted nodes about the key or the project of a request. */
const NO_KEY =
  /\bmust be authenticated!|\bproject id (?:is required|does not)|\binvalid project id\b|\bauthenticate your request\b|\btenant disabled\b|\binvalid api key\b|\bapi key (?:is )?(?:missing|required|not allowed)/i;
const TIMED_OUT = /\btimed? ?-?out\b|\bdeadline exceeded\b/i;

function ofNumber(error: RpcError, context: ExplainContext): Diagnosis | undefined {
  const { number, message, details } = error;
  const isTooMany = TOO_MANY.test(message.slice(0, 300));
  if (!isTooMany && !isOfChain(error, context)) return undefined;
  const sign = isTooMany ? -32005 : number;
  const { title, fix, entry, retry } = { retry: "not-known" as const, ...(requestTexts[sign] ?? refused) };
  return plainDiagnosis(
    details.code,
    { title, cause: t`The node says: ${clip(message)}`, fix },
    { ...details, category: "validation", entry, retry: verdictOf(retry) },
  );
}

/**
 * Returns true if an error comes from a node of the chain: language servers and tool servers use JSON-RPC, too. A
 * message that only repeats the standard's text for its number may be one. The timeout -32001 belongs to the Model
 * Context Protocol.
 */
function isOfChain(
  { number, text, isOfJavaNode }: RpcError,
  { endpoint, isOfChain: isAround }: ExplainContext,
): boolean {
  const start = text.slice(0, MAX_TEXT);
  if (SERVERS.test(start)) return endpoint !== undefined;
  const isStandard = STANDARD.test(start) && !(number === -32_001 && TIMED_OUT.test(start));
  const hasWords = isOfJavaNode || CHAIN_WORDS.test(start) || NODE_WORDS.test(start);
  return endpoint !== undefined || isStandard || hasWords || hasTrace(start) || isAround?.() === true;
}

/** Language servers and tool servers. */
const SERVERS = /\btextDocument\/|\bfor tool\b|\b(?:tools|resources|prompts|completion|workspace)\/[a-z]/;
const STANDARD =
  /^(?:json-?rpc )?(?:parse error|invalid (?:request|params|input|parameters)|method not (?:found|supported)|(?:internal|unknown|unexpected)(?: (?:server|json-rpc|rpc))?(?: error)?|server error|resource (?:not found|unavailable|not available)|limit exceeded|request timed out|json-rpc version not supported)[.!]?(?:\n|$)/i;
const CHAIN_WORDS =
  /\b(?:eth|net|web3|debug|trace|txpool|personal|wallet|anvil|evm|hardhat)_[a-z]|0x[\da-f]{6}|\b(?:blocks?|transactions?|tx|gas|gasPrice|nonce|sign(?:er|ature)|filter|topics?|logs|mempool|txpool|contract|chain ?id|accounts?|initcode|eoa|query|required argument|address|balance|energy|trie|0x-prefixed|hex-encoded|too many arguments, want|tuple of size|AA\d\d|paymaster|bundler|user ?op(?:eration)?|yParity|blob|fee cap|tip|abi|tracer?|subscription|header|receipts?|snapshot|sidecar|pruned?|tokenId|from ?block|to ?block|blockhash|hex number|topic|opcode|handler crashed|backend|upstream|context deadline exceeded)\b/i;
/** Forms of block numbers in messages of the node. */
const NODE_WORDS = /\bTAG\b|\bQUANTITY\b/;

/** Code that wallets return if the user rejects the request (EIP-1193). */
const USER_REJECTED = 4001;

/** Entries for the numbers of wallets (EIP-1193, EIP-3326). */
const entryOfNumber: { readonly [number: number]: string } = {
  4100: "wallet-not-connected",
  4200: "rpc-method",
  4900: "wallet-not-connected",
  4901: "wallet-not-connected",
  4902: "rpc-chain",
};

/** Explains an error without its answer: the numbers of JSON-RPC are below -32000. */
function isBareError({ code, message, data }: JsonObject): boolean {
  const hasData = (bytesOf(data)?.length ?? 0) > 0;
  return (
    typeof code === "number" &&
    (isRpcNumber(code) || code === USER_REJECTED || code in entryOfNumber) &&
    typeof message === "string" &&
    !hasData
  );
}

function isRpcNumber(code: number): boolean {
  return code <= -32_000 && code > -33_000;
}

/** Messages of nodes about queries over too many blocks, mostly under the number of a general error. */
const TOO_MANY =
  /block range|range (?:\d{1,20} exceeds|(?:is )?(?:too|limit))|returned more than|too many (?:blocks|results|logs)|limited to \d/i;

/** Explains the receipt of JSON-RPC: `status` is 0x0 if the execution failed, without the reason. */
export function explainRpcReceipt({ status, transactionHash, ...receipt }: JsonObject): Diagnosis | undefined {
  const txId = textOf(transactionHash);
  if (txId === undefined || !("blockHash" in receipt || "gasUsed" in receipt || "logs" in receipt)) return undefined;
  const isFailed = status === "0x0" || status === 0 || status === false || status === "reverted";
  if (!isFailed) return undefined;
  return plainDiagnosis("FAILED", entryTexts("vm-call-failed"), {
    category: "execution",
    entry: "vm-call-failed",
    retry: verdictOf("executed"),
    decoded: [...field("txID", stripHexPrefix(txId), "tx-id"), ...fieldsOfJson(receipt)],
    sources: ["the words of JSON-RPC"],
  });
}

function entryTexts(id: string): Pick<Diagnosis, "title" | "cause" | "fix"> {
  const { title, cause, fix } = entryOf(id);
  return { title, cause, fix };
}

const CORRECT = t`Correct the method and its parameters.`;
const refused = {
  entry: "rpc-error",
  title: t`The JSON-RPC request failed`,
  fix: t`Read the message. If a transaction was sent, look up its hash or txID before you build anything new.`,
};
const NO_METHOD = {
  entry: "rpc-method",
  title: t`The node has no such JSON-RPC method`,
  fix: t`Its JSON-RPC interface does not sign or send: use broadcasttransaction of the HTTP interface.`,
  retry: "request-after-fix",
} as const;
const NO_REQUEST = {
  entry: "rpc-request",
  title: t`This is not a JSON-RPC request`,
  fix: CORRECT,
  retry: "request-after-fix",
} as const;

/** Meanings of the JSON-RPC error numbers (EIP-1474), for errors without a known message. */
const requestTexts: {
  readonly [number: number]: Pick<Diagnosis, "entry" | "title" | "fix"> & { readonly retry?: RetryCase };
} = {
  [-32700]: {
    entry: "rpc-syntax",
    title: t`The JSON-RPC request is not JSON`,
    fix: t`Send one object as JSON.`,
    retry: "request-after-fix",
  },
  [-32600]: NO_REQUEST,
  [-32601]: NO_METHOD,
  [-32602]: {
    entry: "rpc-parameters",
    title: t`The parameters of the request are not valid`,
    fix: CORRECT,
    retry: "request-after-fix",
  },
  [-32001]: {
    entry: "rpc-not-found",
    title: t`The node does not have the requested item`,
    fix: t`Check the hash or the number. This does not prove that a transaction is absent: look up its txID again later, or on another node.`,
  },
  [-32004]: NO_METHOD,
  [-32005]: {
    entry: "rpc-too-many",
    title: t`The answer would be too large`,
    fix: t`Request fewer blocks or fewer topics at once.`,
    retry: "request-after-fix",
  },
  [-32006]: NO_REQUEST,
};

/** Excludes answers of other services with the same field names: `Error`, `code`, `status`, `message`. */
export function unlessForeign(explainer: Explainer<JsonObject>): Explainer<JsonObject> {
  return (json, context) => {
    const diagnosis = explainer(json, context);
    return diagnosis !== undefined && isForeign(json, diagnosis) && !isChainRequest(context) ? undefined : diagnosis;
  };
}

function isChainRequest({ endpoint, isOfChain: isAround }: ExplainContext): boolean {
  return endpoint !== undefined || isAround?.() === true;
}

function isForeign(json: JsonObject, diagnosis: Diagnosis): boolean {
  if (typeof json.Error === "string") return isForeignError(json, json.Error, diagnosis);
  if (isForeignCode(json, diagnosis)) return true;
  return diagnosis.category === "http" && isForeignStatus(json);
}

/** Packages of the classes in the node's refusals. */
export const NODE_CLASS =
  /^class (?:org\.(?:tron|bouncycastle|spongycastle|eclipse\.jetty)|java|javax|jakarta|com\.(?:google|alibaba|fasterxml)|io\.grpc|io\.netty|sun)\.[\w.$]{1,200}\s?:/;
/** Fields that gateways put beside `Error`. */
const BESIDE_ERROR: ReadonlySet<string> = new Set([
  "Error",
  "Success",
  "success",
  "StatusCode",
  "statusCode",
  "status",
  "code",
]);

function isForeignError(json: JsonObject, text: string, { entry, category }: Diagnosis): boolean {
  if (NODE_CLASS.test(text)) return false;
  if (category === "http") return text.trim() === "";
  return entry.startsWith("generic-") || !Object.keys(json).every((name) => BESIDE_ERROR.has(name));
}

/** Broadcast codes that services of all kinds use. */
const SHARED_CODES: ReadonlySet<string> = new Set(["OTHER_ERROR", "SERVER_BUSY", "NO_CONNECTION", "SUCCESS"]);

/** A common code or refusal, with an unknown message and without anything else of a node. */
function isForeignCode({ code, message, ...others }: JsonObject, { entry }: Diagnosis): boolean {
  if (["txid", "txID", "transaction"].some((name) => name in others) || isHexPairs(textOf(message) ?? "")) return false;
  if (entry === "generic-unknown-code") return !("result" in others);
  return SHARED_CODES.has(textOf(code) ?? "") && entry.startsWith("generic-") && !("result" in others);
}

/** Field names in which services write the requested path. */
const PATHS = ["path", "url", "instance", "uri"] as const;
/** Fields in which services describe problems of their own data. */
const OTHER_FIELDS = ["errors", "details", "field", "fields", "param", "type"] as const;
/** Fields with which services describe their failures: links to their pages, names of their failures. */
const OWN_FIELDS =
  /^(?:documentation_?url|error_?(?:description|uri|code|type|id|user_title)|doc_?url|help(?:_?url)?|more_?info|fbtrace_id|cod|__type|kind|apiVersion|x-?amzn\S*|code_?name|trace_?id|global)$/i;
/** Texts of services that refuse credentials which no gateway of a node accepts. */
const OF_OTHERS =
  /\bbad credentials\b|\b(?:user ?name|password|login|session|cookie|csrf|oauth\w{0,3}|bearer|scopes?)\b/i;
const OTHER_PATH = /^(?:Cannot|No route matched for) (?:GET|POST|PUT|DELETE|PATCH) \//;
/** Names in which a gateway or a server reports a failed request. Other services use `code` for their own failures. */
const OF_REQUEST =
  /\bhttp|\brequests?\b|\bgateway\b|\bapi[ -]?key\b|\brate\b|\blimit|\bupstream\b|\bunauthori[sz]ed\b|\bforbidden\b|\btimed? ?out\b|\btoo many\b|\bunavailable\b|\bbad request\b|\bmethod not allowed\b/i;

/**
 * Returns whether a status belongs to another service, by its path or because the number is no status. Jetty names
 * itself.
 */
function isForeignStatus(json: JsonObject): boolean {
  if ("servlet" in json) return false;
  const text = textOf(json.message) ?? textOf(json.error) ?? textOf(json.statusText) ?? "";
  if (textOf(json.type) !== undefined && textOf(json.title) !== undefined) return true;
  if (Object.keys(json).some((name) => OWN_FIELDS.test(name)) || OF_OTHERS.test(text)) return true;
  if (/_error$/.test(textOf(json.type) ?? "")) return true;
  if (Array.isArray(json.message) || isForeignObject(json.error)) return true;
  if (OTHER_PATH.test(text) || PATHS.some((name) => /^\//.test(textOf(json[name]) ?? ""))) return true;
  const hasStatus = ["status", "statusCode", "StatusCode"].some((name) => Number(scalarOf(json[name])) >= 400);
  if (hasStatus || typeof json.code !== "number") return false;
  return OTHER_FIELDS.some((name) => name in json) || (statusOfPhrase(text) === undefined && !OF_REQUEST.test(text));
}

/** Returns whether an error has its own type or list of causes, as search engines and model services write. */
function isForeignObject(error: Json | undefined): boolean {
  return (
    isJsonObject(error) && ("root_cause" in error || textOf(error.type) !== undefined || Array.isArray(error.errors))
  );
}

function scalarOf(value: Json | undefined): string | number | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** Returns whether a whole text is JSON in which another service reports its own failure. */
export function isForeignAnswer(json: Json, context: ExplainContext): boolean {
  return isJsonObject(json) && isForeignStatus(json) && !isChainRequest(context);
}
