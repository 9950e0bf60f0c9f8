import { create, type Message } from "@bufbuild/protobuf";
import { hexToBytes, isHexPairs } from "../../core/primitives/bytes.ts";
import type { JsonObject } from "../../core/primitives/json.ts";
import { type ContractType, contractTypeByName } from "../../core/transaction/contract-types.ts";
import {
  type ABI,
  ABISchema,
  CreateSmartContractSchema,
  RawSchema,
} from "../../core/transaction/gen/transaction_pb.js";
import { contractEntry, decodeContract } from "../../core/transaction/raw-data-codec.ts";
import { DEFAULT_EXPIRATION_AHEAD_MS, referenceTo } from "../../core/transaction/reference-block.ts";
import { actuatorFor } from "../chain/actuator.ts";
import { Refusal } from "../chain/refusal.ts";
import { type ChainTransaction, chainTransaction } from "../chain/transaction.ts";
import { parseBody } from "../http/fastjson.ts";
import { hexException, validateException } from "../http/java-error.ts";
import { base58Payload, mergeJson } from "../http/json-format.ts";
import { compact, type Reply } from "../http/message.ts";
import { fieldsOf, messageOf } from "../http/message-fields.ts";
import { longValue, looseHex, printTransaction, textValue } from "./print.ts";
import { bodyText, isVisible, presentBody, type Route, type ServletRequest, type View } from "./route.ts";

/** The servlets that build an unsigned transaction, and the contract each of them makes. */
export const builderRoutes: readonly Route[] = [
  builder("createtransaction", "TransferServlet", "TransferContract"),
  { ...builder("createaccount", "CreateAccountServlet", "AccountCreateContract"), get: "refused" },
  builder("createassetissue", "CreateAssetIssueServlet", "AssetIssueContract"),
  builder("transferasset", "TransferAssetServlet", "TransferAssetContract"),
  builder("participateassetissue", "ParticipateAssetIssueServlet", "ParticipateAssetIssueContract"),
  builder("updateasset", "UpdateAssetServlet", "UpdateAssetContract"),
  builder("unfreezeasset", "UnFreezeAssetServlet", "UnfreezeAssetContract"),
  builder("updateaccount", "UpdateAccountServlet", "AccountUpdateContract"),
  builder("setaccountid", "SetAccountIdServlet", "SetAccountIdContract"),
  { ...builder("freezebalance", "FreezeBalanceServlet", "FreezeBalanceContract"), get: "refused" },
  builder("unfreezebalance", "UnFreezeBalanceServlet", "UnfreezeBalanceContract"),
  builder("updatesetting", "UpdateSettingServlet", "UpdateSettingContract"),
  builder("updateenergylimit", "UpdateEnergyLimitServlet", "UpdateEnergyLimitContract"),
  builder("clearabi", "ClearABIServlet", "ClearABIContract"),
  builder("accountpermissionupdate", "AccountPermissionUpdateServlet", "AccountPermissionUpdateContract"),
  { ...builder("freezebalancev2", "FreezeBalanceV2Servlet", "FreezeBalanceV2Contract"), get: "refused" },
  builder("unfreezebalancev2", "UnFreezeBalanceV2Servlet", "UnfreezeBalanceV2Contract"),
  builder("withdrawexpireunfreeze", "WithdrawExpireUnfreezeServlet", "WithdrawExpireUnfreezeContract"),
  { ...builder("cancelallunfreezev2", "CancelAllUnfreezeV2Servlet", "CancelAllUnfreezeV2Contract"), get: "refused" },
  { ...builder("delegateresource", "DelegateResourceServlet", "DelegateResourceContract"), get: "refused" },
  builder("undelegateresource", "UnDelegateResourceServlet", "UnDelegateResourceContract"),
  { ...builder("exchangecreate", "ExchangeCreateServlet", "ExchangeCreateContract"), get: "refused" },
  { ...builder("exchangeinject", "ExchangeInjectServlet", "ExchangeInjectContract"), get: "refused" },
  { ...builder("exchangewithdraw", "ExchangeWithdrawServlet", "ExchangeWithdrawContract"), get: "refused" },
  { ...builder("exchangetransaction", "ExchangeTransactionServlet", "ExchangeTransactionContract"), get: "refused" },
  builder("marketsellasset", "MarketSellAssetServlet", "MarketSellAssetContract"),
  builder("marketcancelorder", "MarketCancelOrderServlet", "MarketCancelOrderContract"),
  builder("votewitnessaccount", "VoteWitnessAccountServlet", "VoteWitnessContract"),
  builder("withdrawbalance", "WithdrawBalanceServlet", "WithdrawBalanceContract"),
  builder("createwitness", "CreateWitnessServlet", "WitnessCreateContract"),
  builder("updatewitness", "UpdateWitnessServlet", "WitnessUpdateContract"),
  { ...builder("updateBrokerage", "UpdateBrokerageServlet", "UpdateBrokerageContract"), get: "refused" },
  builder("proposalcreate", "ProposalCreateServlet", "ProposalCreateContract"),
  builder("proposalapprove", "ProposalApproveServlet", "ProposalApproveContract"),
  builder("proposaldelete", "ProposalDeleteServlet", "ProposalDeleteContract"),
];

/** A transfer's body is JSON whatever its type says; the other servlets take forms as well. */
function builder(name: string, servlet: string, type: string): Route {
  const textOf = (request: ServletRequest): string =>
    type === "TransferContract" ? bodyText({ ...request, form: false }) : bodyText(request);
  return { name, servlet, solidity: false, get: "empty", post: (request, view) => build(textOf(request), view, type) };
}

function build(body: string, view: View, typeName: string): Reply {
  const json = presentBody(body) ?? {};
  const visible = isVisible(json.visible);
  const { schema } = contractTypeOf(typeName);
  const message = messageOf(schema, mergeJson(body, fieldsOf(schema), visible));
  const permissionId = Number(json.Permission_id ?? 0);
  const transaction = validated(view, typeName, { message, permissionId, memo: memoOf(json, visible) });
  return compact({ visible, ...printTransaction(transaction, visible) });
}

/** @throws {JavaError} the contract would be refused as things are */
function validated(view: View, type: string, contents: ContractContents): ChainTransaction {
  try {
    return validTransaction(view, type, contents);
  } catch (refusal) {
    throw refusal instanceof Refusal ? validateException(refusal.message) : refusal;
  }
}

function contractTypeOf(name: string): ContractType {
  const type = contractTypeByName(name);
  if (type === undefined) throw new TypeError(`The codec does not know ${name}.`);
  return type;
}

/** What stands in a transaction of one contract besides what the chain decides. */
export interface ContractContents {
  readonly message: Message;
  readonly permissionId: number;
  readonly memo?: Uint8Array;
}

/**
 * A transaction of a system contract as the node builds it.
 *
 * @throws {Refusal} the contract would be refused as things are
 */
export function validTransaction(view: View, typeName: string, contents: ContractContents): ChainTransaction {
  const { chain } = view;
  const entry = contractEntry(contractTypeOf(typeName), contents.message, Math.max(0, contents.permissionId));
  const contract = decodeContract(entry);
  const now = view.newest.header.timestamp;
  actuatorFor(chain.actuators, contract).validate({ ledger: view.state, parameters: chain.parameters, contract, now });
  const reference = referenceTo(view.solid.id);
  const rawData = create(RawSchema, {
    refBlockBytes: reference.bytes,
    refBlockHash: reference.hash,
    expiration: BigInt(now + DEFAULT_EXPIRATION_AHEAD_MS),
    timestamp: BigInt(chain.buildTime()),
    data: contents.memo ?? new Uint8Array(),
    contract: [entry],
  });
  return chainTransaction({ rawData, signature: [] });
}

/** `extra_data` is text when visible, else hex. */
function memoOf({ extra_data: memo }: JsonObject, visible: boolean): Uint8Array {
  if (memo === undefined || memo === null || memo === "") return new Uint8Array();
  if (visible) return new TextEncoder().encode(String(memo));
  const digits = String(memo).replace(/^0x/, "");
  if (!isHexPairs(digits)) throw hexException();
  return hexToBytes(digits);
}

/** The same of a transaction with code. */
export interface Unsigned extends ContractContents {
  readonly type: "TriggerSmartContract" | "CreateSmartContract";
  /** Sun. */
  readonly feeLimit: bigint;
}

/** A transaction as the node builds it; whether it would do is not asked. */
export function unsignedTransaction({ chain, solid, head }: View, contents: Unsigned): ChainTransaction {
  const reference = referenceTo(solid.id);
  const rawData = create(RawSchema, {
    refBlockBytes: reference.bytes,
    refBlockHash: reference.hash,
    expiration: BigInt(head.header.timestamp + DEFAULT_EXPIRATION_AHEAD_MS),
    timestamp: BigInt(chain.buildTime()),
    data: contents.memo ?? new Uint8Array(),
    contract: [contractEntry(contractTypeOf(contents.type), contents.message, Math.max(0, contents.permissionId))],
    feeLimit: contents.feeLimit,
  });
  return chainTransaction({ rawData, signature: [] });
}

const WHOLE = 100n;
const ABI_FIELDS = fieldsOf(ABISchema);

export const deployRoutes: readonly Route[] = [
  {
    name: "deploycontract",
    servlet: "DeployContractServlet",
    solidity: false,
    get: "empty",
    post: deployContract,
  },
];

function deployContract(request: ServletRequest, view: View): Reply {
  const json = parseBody(bodyText(request)) ?? {};
  const visible = isVisible(json.visible);
  const ownerAddress = ownerOf(json, visible);
  const percent = longValue(json, "consume_user_resource_percent");
  const abi = abiOf(json, visible);
  const newContract = {
    originAddress: ownerAddress,
    bytecode: bytecodeOf(json),
    name: textValue(json, "name") ?? "",
    abi,
    callValue: longValue(json, "call_value"),
    consumeUserResourcePercent: percent,
    originEnergyLimit: longValue(json, "origin_energy_limit"),
  };
  if (percent < 0n || percent > WHOLE) throw validateException("percent must be >= 0 and <= 100");
  const message = create(CreateSmartContractSchema, {
    ownerAddress,
    newContract,
    callTokenValue: longValue(json, "call_token_value"),
    tokenId: longValue(json, "token_id"),
  });
  const transaction = unsignedTransaction(view, {
    type: "CreateSmartContract",
    message,
    feeLimit: longValue(json, "fee_limit"),
    permissionId: Number(longValue(json, "Permission_id")),
  });
  return compact({ visible, ...printTransaction(transaction, visible) });
}

/** A text that is no address leaves the owner empty, and broadcast refuses it. */
function ownerOf(json: JsonObject, visible: boolean): Uint8Array {
  const text = textValue(json, "owner_address") ?? "";
  if (!visible) return looseHex(text);
  const payload = base58Payload(text);
  return payload.kind === "payload" ? hexToBytes(payload.hex) : new Uint8Array();
}

/** The ABI may be JSON, or a text of JSON: it is read as the field of a message. */
function abiOf(json: JsonObject, visible: boolean): ABI {
  const text = textValue(json, "abi");
  if (text === undefined && !("abi" in json)) return create(ABISchema);
  return messageOf(ABISchema, mergeJson(`{"entrys":${text ?? "null"}}`, ABI_FIELDS, visible)) as ABI;
}

/** Arguments follow the code; without any code there is none. */
function bytecodeOf(json: JsonObject): Uint8Array {
  const code = textValue(json, "bytecode");
  const parameter = "parameter" in json ? (textValue(json, "parameter") ?? "null") : undefined;
  if (code === undefined && parameter === undefined) return new Uint8Array();
  return looseHex(`${code ?? "null"}${parameter ?? ""}`);
}
