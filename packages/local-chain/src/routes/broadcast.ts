import { create, type Message, toBinary } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import { bytesToHex, type Json, type JsonObject, jsonInteger } from "@finality/tron/primitives";
import {
  AuthoritySchema,
  type Contract,
  PermissionSchema,
  RawSchema,
  type Transaction,
  TransactionSchema,
} from "@finality/tron/schema";
import {
  contractResultName,
  contractTypeByName,
  contractTypeName,
  encodeRawData,
  messageToJson,
} from "@finality/tron/transaction";
import type { NodeVersion } from "../chain/parameters.ts";
import { broadcastMessage, Refusal } from "../chain/refusal.ts";
import {
  type Approvals,
  approvals,
  type PermissionMessages,
  requiredPermission,
  SignatureRefusal,
  signerOf,
} from "../chain/signatures.ts";
import { type ChainTransaction, chainTransaction, ownerOf } from "../chain/transaction.ts";
import { listIn, objectIn, objectOf, parseBody } from "../http/fastjson.ts";
import {
  JavaError,
  looseHex,
  type Members,
  nullPointerException,
  PARSE_EXCEPTION,
  printMembers,
  textValue,
  type Value,
} from "../http/java-values.ts";
import { fieldsOf, mergeJson, messageOf, plainValues } from "../http/json-format.ts";
import { compact, printSpaced, type Reply } from "../http/message.ts";
import type { ServletRequest } from "../http/servlet-container.ts";
import { readTransaction } from "../http/wire-reader.ts";
import { accountIn, type NodeView } from "../node/node-view.ts";
import { printAddress, printMessage, printTransaction } from "./print.ts";
import { bodyText, isVisible, presentBody, type Route } from "./route.ts";

export const broadcastRoutes: readonly Route[] = [
  {
    name: "broadcasttransaction",
    servlet: "BroadcastServlet",
    solidity: false,
    post: broadcastTransaction,
    get: "refused",
  },
  { name: "broadcasthex", servlet: "BroadcastHexServlet", solidity: false, post: broadcastHex, get: "refused" },
];

/** Broadcasts a transaction. Success has no `code`, failure no `result`: both would be defaults. */
function broadcastTransaction(request: ServletRequest, view: NodeView): Reply {
  const { transaction, visible } = packTransaction(bodyText(request), request.nodeVersion);
  const refusal = submit(view, transaction);
  if (refusal === undefined) return compact({ result: true, txid: transaction.id });
  const message = printMessage(broadcastMessage(refusal), visible);
  return compact({ code: refusal.code, txid: transaction.id, message });
}

const NOTHING_PARSED =
  'Cannot invoke "com.alibaba.fastjson.JSONObject.getString(String)" because the return value of "com.alibaba.fastjson.JSONObject.parseObject(String)" is null';

/** Broadcasts hex. The response has every field, with the transaction as JSON text. */
function broadcastHex({ body, nodeVersion }: ServletRequest, view: NodeView): Reply {
  const json = parseBody(body, nodeVersion);
  if (json === undefined) throw nullPointerException(NOTHING_PARSED);
  const message = readTransaction(looseHex(textValue(json, "transaction") ?? ""));
  const transaction = chainTransaction({ ...message, rawData: message.rawData ?? create(RawSchema) });
  const refusal = submit(view, transaction);
  return compact({
    result: refusal === undefined,
    code: refusal?.code ?? "SUCCESS",
    txid: transaction.id,
    message: refusal === undefined ? "" : broadcastMessage(refusal),
    transaction: printSpaced(plainTransaction(transaction, message)),
  });
}

function submit(view: NodeView, transaction: ChainTransaction): Refusal | undefined {
  try {
    view.submit(transaction);
    return undefined;
  } catch (refusal) {
    if (refusal instanceof Refusal) return refusal;
    throw refusal;
  }
}

/** Prints the message with the contract's bytes as hex; only here the node does not decode them. */
function plainTransaction({ raw, signatures }: ChainTransaction, message: Transaction): Json {
  if (encodeRawData(raw).length === 0) return resultsOf(message);
  return {
    raw_data: {
      ref_block_bytes: hexUnlessEmpty(raw.refBlockBytes),
      ref_block_num: integerUnlessZero(raw.refBlockNum),
      ref_block_hash: hexUnlessEmpty(raw.refBlockHash),
      expiration: integerUnlessZero(raw.expiration),
      auths: raw.auths.length === 0 ? undefined : raw.auths.map((it) => messageToJson(AuthoritySchema, it, true)),
      data: hexUnlessEmpty(raw.data),
      contract: raw.contract.length === 0 ? undefined : raw.contract.map(plainContract),
      scripts: hexUnlessEmpty(raw.scripts),
      timestamp: integerUnlessZero(raw.timestamp),
      fee_limit: integerUnlessZero(raw.feeLimit),
    },
    ...(signatures.length === 0 ? {} : { signature: signatures.map((it) => bytesToHex(it)) }),
    ...resultsOf(message),
  };
}

/** Prints the results that the sender claims, which are not used. */
function resultsOf({ ret }: Transaction): { readonly ret?: Json } {
  if (ret.length === 0) return {};
  return {
    ret: ret.map(({ fee, ret: code, contractRet }) => ({
      fee: integerUnlessZero(fee),
      ret: code === 0 ? undefined : "FAILED",
      contractRet: contractRet === 0 ? undefined : (contractResultName(contractRet) ?? contractRet),
    })),
  };
}

function plainContract({ type, parameter, provider, ContractName: name, PermissionId }: Contract): JsonObject {
  return {
    type: contractTypeName(type),
    parameter: { type_url: textUnlessEmpty(parameter?.typeUrl), value: hexUnlessEmpty(parameter?.value) },
    provider: hexUnlessEmpty(provider),
    ContractName: textUnlessEmpty(Buffer.from(name).toString("utf8")),
    Permission_id: PermissionId === 0 ? undefined : PermissionId,
  };
}

function textUnlessEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function hexUnlessEmpty(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined || bytes.length === 0 ? undefined : bytesToHex(bytes);
}

function integerUnlessZero(value: bigint): Json | undefined {
  return value === 0n ? undefined : jsonInteger(value);
}

/** Form of addresses in a body, and the version whose readers read it. */
interface ReadingRules {
  readonly visible: boolean;
  readonly version: NodeVersion;
}

interface Packed {
  readonly transaction: ChainTransaction;
  readonly visible: boolean;
}

/**
 * Reads a transaction from `raw_data`, as the node does. An unreadable contract is dropped; `raw_data_hex` and `txID`
 * are ignored (Util.packTransaction).
 *
 * @throws {JavaError}
 */
export function packTransaction(text: string, version: NodeVersion): Packed {
  const json = presentBody(text, version);
  if (json === undefined) throw missing("JSONObject.getJSONObject(String)", "<local2>");
  const visible = isVisible(json);
  const rawData = objectIn(json, "raw_data", version);
  if (rawData === undefined) throw missing("JSONObject.getJSONArray(String)", "<local3>");
  const entries = listIn(rawData, "contract", version);
  if (entries === undefined) throw missing("JSONArray.size()", "<local5>");
  const contract = entries.map((it) => readableContract(it, { visible, version })).filter((it) => it !== undefined);
  return { transaction: transactionOf({ ...json, raw_data: { ...rawData, contract } }, { visible, version }), visible };
}

/** Reads with the node's second reader the text that its first one produces. */
function readAgain<Read extends Message>(
  schema: GenMessage<Read>,
  members: Members,
  { visible, version }: ReadingRules,
): Read {
  const fields = fieldsOf(schema);
  const plain = visible ? undefined : plainValues(members, fields);
  return messageOf(schema, plain ?? mergeJson(printMembers(members), fields, visible, version)) as Read;
}

/** Reads a transaction. @throws {JavaError} the node's exception without a transaction */
function transactionOf(members: Members, rules: ReadingRules): ChainTransaction {
  try {
    const message = readAgain(TransactionSchema, members, rules);
    return chainTransaction({ ...message, rawData: message.rawData ?? create(RawSchema) });
  } catch (error) {
    if (error instanceof JavaError && error.javaClass !== PARSE_EXCEPTION) throw error;
    throw missing("Protocol$Transaction.getRawData()", "<local4>");
  }
}

/** Returns an entry with its message as bytes; undefined for an unknown type or a mismatching message. */
function readableContract(entry: Value, { visible, version }: ReadingRules): Members | undefined {
  try {
    const contract = objectOf(entry, version);
    const type = contract && contractTypeByName(textValue(contract, "type") ?? "");
    const parameter = contract && objectOf(contract.parameter, version);
    const value = parameter && objectOf(parameter.value, version);
    if (type === undefined || value === undefined) return undefined;
    const message = readAgain(type.schema, value, { visible, version });
    return { ...contract, parameter: { ...parameter, value: bytesToHex(toBinary(type.schema, message)) } };
  } catch {
    return undefined;
  }
}

function missing(method: string, variable: string): JavaError {
  const owner = method.startsWith("JSON") ? "com.alibaba.fastjson." : "org.tron.protos.";
  return nullPointerException(`Cannot invoke "${owner}${method}" because "${variable}" is null`);
}

export const multiSignRoutes: readonly Route[] = [
  {
    name: "getsignweight",
    servlet: "GetTransactionSignWeightServlet",
    solidity: false,
    post: signWeight,
    get: "empty",
  },
  {
    name: "getapprovedlist",
    servlet: "GetTransactionApprovedListServlet",
    solidity: false,
    post: approvedList,
    get: "empty",
  },
];

const WEIGHT_WORDS: PermissionMessages = {
  missing: "Permission for this, does not exist!",
  wrongType: "Permission type is wrong!",
  denied: "Permission denied!",
};

const NO_CONTRACT = { code: "OTHER_ERROR", message: "Invalid transaction: no valid contract" };

/** Prints the current weight of the signatures. Messages are plain text regardless of `visible`. */
function signWeight(request: ServletRequest, view: NodeView): Reply {
  const packed = limited(packTransaction(bodyText(request), request.nodeVersion), request.nodeVersion);
  if (packed === undefined) return compact({ result: TOO_MANY });
  return compact({ ...weigh(packed, view), transaction: echo(packed) });
}

const MAX_SIGNATURES = 5;
const TOO_MANY = { code: "OTHER_ERROR", message: "too many signatures" };

/** Cuts long signatures as 4.8.2 does. Returns undefined for too many. */
function limited(packed: Packed, version: NodeVersion): Packed | undefined {
  if (version === "4.8.0") return packed;
  const { raw: rawData, signatures } = packed.transaction;
  if (signatures.length > MAX_SIGNATURES) return undefined;
  const signature = signatures.map((it) => it.subarray(0, SIGNATURE_BYTES));
  return { ...packed, transaction: chainTransaction({ rawData, signature }) };
}

const SIGNATURE_BYTES = 65;

/** Returns the signers that the permission contains. @throws {SignatureRefusal} */
function countedApprovals(view: NodeView, transaction: ChainTransaction): Approvals {
  if (accountIn(view, transaction.contract && ownerOf(transaction.contract)) === undefined) throw noAccount();
  const required = requiredPermission(view.state, transaction, WEIGHT_WORDS);
  return approvals(view.state, required, transaction);
}

function weigh({ transaction, visible }: Packed, view: NodeView): JsonObject {
  if (transaction.contract === undefined) return { result: NO_CONTRACT };
  let permission: JsonObject | undefined;
  try {
    if (accountIn(view, ownerOf(transaction.contract)) === undefined) throw noAccount();
    const required = requiredPermission(view.state, transaction, WEIGHT_WORDS);
    permission = messageToJson(PermissionSchema, required, visible);
    const { addresses, weight } = approvals(view.state, required, transaction);
    return {
      result: weight >= required.threshold ? {} : { code: "NOT_ENOUGH_PERMISSION" },
      ...approvedBy(addresses.map((it) => printAddress(it, visible))),
      permission,
      current_weight: weight === 0n ? undefined : jsonInteger(weight),
    };
  } catch (refusal) {
    return { result: problem(refusal), permission };
  }
}

/** Prints all signers, including those without a permission. */
function approvedList(request: ServletRequest, view: NodeView): Reply {
  const packed = limited(packTransaction(bodyText(request), request.nodeVersion), request.nodeVersion);
  if (packed === undefined) return compact({ result: TOO_MANY });
  const { transaction, visible } = packed;
  if (transaction.contract === undefined) return compact({ result: NO_CONTRACT, transaction: echo(packed) });
  try {
    if (request.nodeVersion !== "4.8.0") {
      const { addresses } = countedApprovals(view, transaction);
      const signers = addresses.map((it) => printAddress(it, visible));
      return compact({ result: {}, ...approvedBy(signers), transaction: echo(packed) });
    }
    const signers = transaction.signatures.map((it) => printAddress(signerOf(transaction.id, it), visible));
    return compact({ result: {}, ...approvedBy(signers), transaction: echo(packed) });
  } catch (refusal) {
    return compact({ result: problem(refusal), transaction: echo(packed) });
  }
}

function approvedBy(signers: readonly string[]): JsonObject {
  return signers.length === 0 ? {} : { approved_list: signers };
}

function noAccount(): SignatureRefusal {
  return new SignatureRefusal("PERMISSION_ERROR", "Account does not exist!");
}

function problem(refusal: unknown): Json {
  if (refusal instanceof SignatureRefusal) return { code: refusal.problem, message: refusal.message };
  if (refusal instanceof Refusal) return { code: "OTHER_ERROR", message: refusal.message };
  throw refusal;
}

/** Prints the whole transaction, even unsigned: clients complete theirs from it. */
function echo({ transaction, visible }: Packed): Json {
  return { result: { result: true }, txid: transaction.id, transaction: printTransaction(transaction, visible) };
}
