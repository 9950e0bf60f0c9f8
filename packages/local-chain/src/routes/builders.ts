import { create, type Message } from "@bufbuild/protobuf";
import {
  type ABI,
  ABISchema,
  CreateSmartContractSchema,
  RawSchema,
  type SmartContract,
  SmartContractSchema,
} from "@finality/tron/schema";
import {
  type ContractType,
  contractEntry,
  contractTypeByName,
  DEFAULT_EXPIRATION_AHEAD_MS,
  decodeContract,
  referenceTo,
} from "@finality/tron/transaction";
import { actuatorFor } from "../chain/execution.ts";
import { Refusal } from "../chain/refusal.ts";
import { type ChainTransaction, chainTransaction } from "../chain/transaction.ts";
import {
  JavaError,
  longValue,
  looseHex,
  type Members,
  nullPointerException,
  textValue,
  validateException,
} from "../http/java-values.ts";
import { fieldsOf, mergeJson, messageOf } from "../http/json-format.ts";
import { compact, type Reply } from "../http/message.ts";
import type { ServletRequest } from "../http/servlet-container.ts";
import type { NodeView } from "../node/node-view.ts";
import { printTransaction } from "./print.ts";
import {
  addressBytes,
  bodyText,
  invokedOnNull,
  isVisible,
  permissionIn,
  plainText,
  presentBody,
  type Route,
} from "./route.ts";

/**
 * Servlets that build an unsigned transaction, by contract type. Most accept forms; the others read any body as JSON. A
 * few accept a memo.
 */
export const builderRoutes: readonly Route[] = [
  builder("createtransaction", "TransferServlet", "TransferContract", { form: false, memo: true }),
  builder("createaccount", "CreateAccountServlet", "AccountCreateContract", { get: "refused" }),
  builder("updateaccount", "UpdateAccountServlet", "AccountUpdateContract"),
  builder("setaccountid", "SetAccountIdServlet", "SetAccountIdContract", { form: false }),
  builder("accountpermissionupdate", "AccountPermissionUpdateServlet", "AccountPermissionUpdateContract"),
  builder("votewitnessaccount", "VoteWitnessAccountServlet", "VoteWitnessContract", { form: false }),
  builder("createwitness", "CreateWitnessServlet", "WitnessCreateContract"),
  builder("updatewitness", "UpdateWitnessServlet", "WitnessUpdateContract"),
  builder("updateBrokerage", "UpdateBrokerageServlet", "UpdateBrokerageContract", { get: "refused" }),
  builder("withdrawbalance", "WithdrawBalanceServlet", "WithdrawBalanceContract", { form: false }),
  builder("createassetissue", "CreateAssetIssueServlet", "AssetIssueContract"),
  builder("transferasset", "TransferAssetServlet", "TransferAssetContract", { form: false, memo: true }),
  builder("participateassetissue", "ParticipateAssetIssueServlet", "ParticipateAssetIssueContract", { form: false }),
  builder("unfreezeasset", "UnFreezeAssetServlet", "UnfreezeAssetContract"),
  builder("updateasset", "UpdateAssetServlet", "UpdateAssetContract"),
  builder("freezebalance", "FreezeBalanceServlet", "FreezeBalanceContract", { get: "refused" }),
  builder("unfreezebalance", "UnFreezeBalanceServlet", "UnfreezeBalanceContract"),
  builder("freezebalancev2", "FreezeBalanceV2Servlet", "FreezeBalanceV2Contract", { get: "refused" }),
  builder("unfreezebalancev2", "UnFreezeBalanceV2Servlet", "UnfreezeBalanceV2Contract"),
  builder("withdrawexpireunfreeze", "WithdrawExpireUnfreezeServlet", "WithdrawExpireUnfreezeContract", { form: false }),
  builder("cancelallunfreezev2", "CancelAllUnfreezeV2Servlet", "CancelAllUnfreezeV2Contract", { get: "refused" }),
  builder("delegateresource", "DelegateResourceServlet", "DelegateResourceContract", { get: "refused" }),
  builder("undelegateresource", "UnDelegateResourceServlet", "UnDelegateResourceContract"),
  builder("updatesetting", "UpdateSettingServlet", "UpdateSettingContract"),
  builder("updateenergylimit", "UpdateEnergyLimitServlet", "UpdateEnergyLimitContract"),
  builder("clearabi", "ClearABIServlet", "ClearABIContract"),
  builder("proposalcreate", "ProposalCreateServlet", "ProposalCreateContract", { form: false }),
  builder("proposalapprove", "ProposalApproveServlet", "ProposalApproveContract", { form: false }),
  builder("proposaldelete", "ProposalDeleteServlet", "ProposalDeleteContract", { form: false }),
  builder("exchangecreate", "ExchangeCreateServlet", "ExchangeCreateContract", { get: "refused" }),
  builder("exchangeinject", "ExchangeInjectServlet", "ExchangeInjectContract", { get: "refused" }),
  builder("exchangewithdraw", "ExchangeWithdrawServlet", "ExchangeWithdrawContract", { get: "refused" }),
  builder("exchangetransaction", "ExchangeTransactionServlet", "ExchangeTransactionContract", { get: "refused" }),
  builder("marketsellasset", "MarketSellAssetServlet", "MarketSellAssetContract", { form: false, memo: true }),
  builder("marketcancelorder", "MarketCancelOrderServlet", "MarketCancelOrderContract", { memo: true }),
  {
    name: "createCommonTransaction",
    servlet: "CreateCommonTransactionServlet",
    solidity: false,
    get: "refused",
    post: (request, view) => buildOfNamedType(bodyText(request), view),
  },
];

interface BuilderOptions {
  readonly form?: boolean;
  readonly memo?: boolean;
  readonly get?: "refused";
}

function builder(name: string, servlet: string, type: string, options: BuilderOptions = {}): Route {
  const { form = true, memo = false, get = "empty" } = options;
  const textOf = form ? bodyText : plainText;
  return {
    name,
    servlet,
    solidity: false,
    get,
    builds: type,
    post: (request, view) => build(textOf(request), view, { type: contractTypeOf(type), memo }),
  };
}

interface Made {
  readonly type: ContractType;
  readonly memo: boolean;
}

function build(body: string, view: NodeView, { type, memo }: Made): Reply {
  const { nodeVersion } = view.chain;
  const json = presentBody(body, nodeVersion);
  const visible = isVisible(json);
  const message = messageOf(type.schema, mergeJson(body, fieldsOf(type.schema), visible, nodeVersion));
  const transaction = validated(view, type.name, { message, permissionId: 0 });
  const members = json ?? {};
  const finished = withExtras(transaction, permissionIn(members), memo ? memoOf(members, visible) : new Uint8Array());
  return compact({ visible, ...printTransaction(finished, visible) });
}

/** Adds permission id and memo after validation. */
function withExtras({ raw }: ChainTransaction, permissionId: number, data: Uint8Array): ChainTransaction {
  const contract = raw.contract.map((it) => ({ ...it, PermissionId: permissionId }));
  return chainTransaction({ rawData: { ...raw, data, contract }, signature: [] });
}

/** Builds a contract whose type is in the body. */
function buildOfNamedType(body: string, view: NodeView): Reply {
  const { nodeVersion } = view.chain;
  const json = presentBody(body, nodeVersion);
  if (json === undefined)
    throw invokedOnNull(
      `com.alibaba.fastjson.JSONObject.containsKey(${nodeVersion === "4.8.0" ? "Object" : "String"})`,
    );
  const name = textValue(json, "contractType");
  if (name === undefined) throw nullPointerException("Name is null");
  const type = contractTypeByName(name);
  if (type === undefined) throw unknownType(name);
  return build(body, view, { type, memo: false });
}

function unknownType(name: string): JavaError {
  const enumeration = "org.tron.protos.Protocol.Transaction.Contract.ContractType";
  return new JavaError("java.lang.IllegalArgumentException", `No enum constant ${enumeration}.${name}`);
}

/** @throws {JavaError} the contract would be refused as things are */
function validated(view: NodeView, type: string, contents: ContractContents): ChainTransaction {
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

/** Contents of a transaction that the chain does not set. */
export interface ContractContents {
  readonly message: Message;
  readonly permissionId: number;
  readonly memo?: Uint8Array;
}

/** Builds a transaction of a system contract as the node does. @throws {Refusal} validation fails */
export function validTransaction(view: NodeView, typeName: string, contents: ContractContents): ChainTransaction {
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

/** Reads `extra_data`: text when visible, else hex. @throws {JavaError} null, or no hex */
function memoOf(members: Members, visible: boolean): Uint8Array {
  if (!("extra_data" in members)) return new Uint8Array();
  const text = textValue(members, "extra_data");
  if (text === undefined) throw invokedOnNull("String.length()", "<parameter1>");
  return visible ? new TextEncoder().encode(text) : looseHex(text);
}

/** Contents of a transaction with code. */
export interface Unsigned extends ContractContents {
  readonly type: "TriggerSmartContract" | "CreateSmartContract";
  /** Sun. */
  readonly feeLimit: bigint;
}

/** Builds a transaction as the node does, without validation. */
export function unsignedTransaction({ chain, solid, head }: NodeView, contents: Unsigned): ChainTransaction {
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
    builds: "CreateSmartContract",
    solidity: false,
    get: "empty",
    post: deployContract,
  },
];

function deployContract(request: ServletRequest, view: NodeView): Reply {
  const json = presentBody(bodyText(request), request.nodeVersion);
  if (json === undefined) throw invokedOnNull("com.alibaba.fastjson.JSONObject.getString(String)");
  const visible = isVisible(json);
  const ownerAddress = addressBytes(textValue(json, "owner_address"), visible, request.nodeVersion);
  const message = create(CreateSmartContractSchema, {
    ownerAddress,
    callTokenValue: longValue(json, "call_token_value"),
    tokenId: longValue(json, "token_id"),
    newContract: newContractOf(json, ownerAddress, visible),
  });
  const feeLimit = longValue(json, "fee_limit");
  const percent = message.newContract?.consumeUserResourcePercent ?? 0n;
  if (percent < 0n || percent > WHOLE) throw validateException("percent must be >= 0 and <= 100");
  const permissionId = permissionIn(json);
  const transaction = unsignedTransaction(view, { type: "CreateSmartContract", message, feeLimit, permissionId });
  return compact({ visible, ...printTransaction(transaction, visible) });
}

function newContractOf(json: Members, originAddress: Uint8Array, visible: boolean): SmartContract {
  const abi = abiOf(json, visible);
  return create(SmartContractSchema, {
    originAddress,
    abi,
    callValue: longValue(json, "call_value"),
    consumeUserResourcePercent: longValue(json, "consume_user_resource_percent"),
    originEnergyLimit: longValue(json, "origin_energy_limit"),
    bytecode: bytecodeOf(json),
    name: textValue(json, "name") ?? "",
  });
}

/** Reads the ABI, as JSON or JSON text, as the field of a message. */
function abiOf(json: Members, visible: boolean): ABI {
  if (!("abi" in json)) return create(ABISchema);
  const text = textValue(json, "abi") ?? "null";
  return messageOf(ABISchema, mergeJson(`{"entrys":${text}}`, ABI_FIELDS, visible)) as ABI;
}

/** Returns code with appended arguments; empty without code. */
function bytecodeOf(json: Members): Uint8Array {
  const code = textValue(json, "bytecode");
  const parameter = "parameter" in json ? (textValue(json, "parameter") ?? "null") : undefined;
  if (code === undefined && parameter === undefined) return new Uint8Array();
  return looseHex(`${code ?? "null"}${parameter ?? ""}`);
}
