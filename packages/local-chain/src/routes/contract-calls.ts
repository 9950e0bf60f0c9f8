import { bytesToBase58Check, bytesToHex, type Hex, hexToBytes, type JsonObject } from "@finality/tron/primitives";
import {
  type Entry,
  SmartContractSchema,
  type TriggerSmartContract,
  TriggerSmartContractSchema,
} from "@finality/tron/schema";
import { messageToJson } from "@finality/tron/transaction";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { ContractRecord } from "../chain/account.ts";
import { invalidContract, Refusal } from "../chain/refusal.ts";
import { type ContractLog, validAddress } from "../chain/transaction.ts";
import { JavaError } from "../http/java-error.ts";
import { longValue, looseHex, type Members, textValue } from "../http/java-values.ts";
import { mergeJson } from "../http/json-format.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import { fieldsOf, messageOf } from "../http/message-fields.ts";
import { caughtUp } from "../vm/energy-schedule.ts";
import { messageOf as endMessage } from "../vm/machine.ts";
import { unsignedTransaction } from "./builders.ts";
import { type ConstantCall, type ConstantRequest, constantCall, estimateEnergy } from "./constant-call.ts";
import { printInternal, printMessage, printTransaction, unlessZero } from "./print.ts";
import {
  type Body,
  invokedOnNull,
  isVisible,
  permissionIn,
  plainText,
  presentBody,
  queryAddress,
  type Route,
  readAddress,
  type ServletRequest,
  type View,
} from "./route.ts";

export const contractCallRoutes: readonly Route[] = [
  {
    name: "triggersmartcontract",
    servlet: "TriggerSmartContractServlet",
    builds: "TriggerSmartContract",
    solidity: false,
    get: "empty",
    post: (request, view) => compact(answered(request, requireContract, (it) => triggerContract(view, it))),
  },
  {
    name: "triggerconstantcontract",
    servlet: "TriggerConstantContractServlet",
    solidity: true,
    get: "empty",
    post: (request, view) => compact(answered(request, requireCallOrCode, (it) => triggerConstant(view, it))),
  },
  {
    name: "estimateenergy",
    servlet: "EstimateEnergyServlet",
    solidity: true,
    get: "empty",
    post: (request, view) => spaced(answered(request, requireCallOrCode, (it) => estimate(view, it))),
  },
];

/** These servlets answer a failure in their own shape: a code and a text. */
function answered(
  request: ServletRequest,
  check: (json: Members) => void,
  answer: (trigger: TriggerRequest) => JsonObject,
): JsonObject {
  let visible = false;
  try {
    return answer(
      readTrigger(request, check, (it) => {
        visible = it;
      }),
    );
  } catch (error) {
    return { result: failure(error, visible) };
  }
}

function failure(error: unknown, visible: boolean): JsonObject {
  if (error instanceof Refusal) return { code: error.code, message: printMessage(error.message, visible) };
  if (!(error instanceof JavaError)) throw error;
  const text = `class ${error.javaClass} : ${error.message.replaceAll('"', "'")}`;
  return { code: "OTHER_ERROR", message: printMessage(text, visible) };
}

/** A call to be signed; a function that only reads runs at once instead. */
function triggerContract(view: View, { json, message, visible }: TriggerRequest): JsonObject {
  message.callTokenValue = longValue(json, "call_token_value");
  message.tokenId = longValue(json, "token_id");
  message.callValue = longValue(json, "call_value");
  const feeLimit = longValue(json, "fee_limit");
  const address = validAddress(message.contractAddress);
  const contract = address && view.state.contract(address);
  if (contract === undefined) throw invalidContract("No contract or not a valid smart contract");
  const request = { message, permissionId: permissionIn(json), feeLimit };
  if (isView(contract, message.data)) return printConstant(constantCall(view, request), visible);
  const transaction = unsignedTransaction(view, { ...request, type: "TriggerSmartContract" });
  return { result: { result: true }, transaction: { visible, ...printTransaction(transaction, visible) } };
}

function isView({ definition }: ContractRecord, data: Uint8Array): boolean {
  return data.length >= 4 && isConstantFunction(definition.abi?.entrys ?? [], bytesToHex(data.subarray(0, 4)));
}

function triggerConstant(view: View, trigger: TriggerRequest): JsonObject {
  return printConstant(constantCall(view, { ...requestOf(trigger), feeLimit: 0n }), trigger.visible);
}

function requestOf({ json, message, visible }: TriggerRequest): Omit<ConstantRequest, "feeLimit"> {
  const extra = textValue(json, "extra_data");
  const memo = extra && (visible ? new TextEncoder().encode(extra) : looseHex(extra));
  return { message, permissionId: permissionIn(json), ...(memo && { memo }) };
}

/** @throws {JavaError} the code was ended by force: its exception is all that is told */
function printConstant({ transaction, run }: ConstantCall, visible: boolean): JsonObject {
  if (run.halt !== undefined) throw new JavaError(run.halt.javaClass, run.halt.message);
  const message = endMessage(run);
  const { logs, internal, penalty } = run.machine;
  return {
    result: { result: true, ...(message !== "" && { message: printMessage(message, visible) }) },
    energy_used: unlessZero(run.energy),
    energy_penalty: unlessZero(penalty),
    constant_result: [bytesToHex(run.output)],
    ...(logs.length > 0 && { logs: logs.map((it) => printConstantLog(it, visible)) }),
    ...(internal.count > 0 && { internal_transactions: internal.all.map((it) => printInternal(it, visible)) }),
    transaction: {
      ret: [message === "" ? {} : { ret: "FAILED" }],
      visible,
      ...printTransaction(transaction, visible),
    },
  };
}

/** With `visible` the 20 bytes get a checksum, but no 41: it is no address. */
function printConstantLog({ address, topics, data }: ContractLog, visible: boolean): JsonObject {
  const digits = address.slice(2);
  return {
    address: visible ? bytesToBase58Check(hexToBytes(digits)) : digits,
    ...(data !== "" && { data }),
    ...(topics.length > 0 && { topics }),
  };
}

function estimate(view: View, trigger: TriggerRequest): JsonObject {
  const answer = estimateEnergy(view, requestOf(trigger));
  switch (answer.kind) {
    case "energy":
      return { result: { result: true }, energy_required: unlessZero(answer.required) };
    case "failed":
      return { result: { code: "CONTRACT_EXE_ERROR", message: printMessage(endMessage(answer.run), trigger.visible) } };
    case "outOfTime":
      throw new JavaError(answer.run.halt?.javaClass ?? "", endMessage(answer.run));
  }
}

const SELECTOR_BYTES = 4;
const FIELDS = fieldsOf(TriggerSmartContractSchema);

/** A call as the servlets for calls, constant calls and estimates read it. */
interface TriggerRequest {
  readonly json: Members;
  readonly message: TriggerSmartContract;
  readonly visible: boolean;
}

/** What has to be there before anything else is read. */
export type RequiredFields = (json: Members) => void;

/**
 * Reads a call. A selector wins over data.
 *
 * @param seen - told of `visible` as soon as it is known, for the answer to what cannot be read
 * @throws {JavaError}
 */
function readTrigger(request: ServletRequest, check: RequiredFields, seen: (visible: boolean) => void): TriggerRequest {
  const body = plainText(request);
  const json = presentBody(body);
  if (json === undefined) throw invokedOnNull("com.alibaba.fastjson.JSONObject.getString(String)");
  const visible = isVisible(json);
  seen(visible);
  check(json);
  const message = messageOf(TriggerSmartContractSchema, mergeJson(body, FIELDS, visible)) as TriggerSmartContract;
  const selector = textValue(json, "function_selector");
  if (selector !== undefined && selector !== "") message.data = callData(selector, textValue(json, "parameter") ?? "");
  return { json, message, visible };
}

/** Constant calls and estimates may be of code that is not on the chain. */
function requireCallOrCode(json: Members): void {
  requireOwner(json);
  const [address, data] = [textValue(json, "contract_address") ?? "", textValue(json, "data") ?? ""];
  if (address !== "") return;
  if (data === "") throw invalidParameter("At least one of contract_address and data must be set.");
  if ((textValue(json, "function_selector") ?? "") !== "") {
    throw invalidParameter("While trying to deploy, function_selector and data can not be both set.");
  }
}

function requireContract(json: Members): void {
  requireOwner(json);
  if ((textValue(json, "contract_address") ?? "") === "") throw invalidParameter("contract_address isn't set.");
}

function requireOwner(json: Members): void {
  if ((textValue(json, "owner_address") ?? "") === "") throw invalidParameter("owner_address isn't set.");
}

function invalidParameter(message: string): JavaError {
  return new JavaError("java.security.InvalidParameterException", message);
}

/** Four bytes of the signature's hash, and the arguments as they were given. */
function callData(signature: string, parameter: string): Uint8Array {
  const selector = keccak_256(new TextEncoder().encode(signature)).subarray(0, SELECTOR_BYTES);
  return looseHex(Buffer.from(selector).toString("hex") + parameter);
}

export const contractRoutes: readonly Route[] = [
  lookUp("getcontract", "GetContractServlet", (contract, _view, visible) => definitionJson(contract, visible)),
  lookUp("getcontractinfo", "GetContractInfoServlet", infoJson),
];

type Printer = (contract: ContractRecord, view: View, visible: boolean) => JsonObject;

function lookUp(name: string, servlet: string, print: Printer): Route {
  const answer = (view: View, { values, visible }: Body): Reply => {
    const known = validAddress(hexToBytes(String(values.value ?? "")));
    const contract = known && view.state.contract(known);
    return compact(contract === undefined ? {} : print(contract, view, visible));
  };
  return {
    name,
    servlet,
    solidity: false,
    post: (request, view) => answer(view, readAddress(request)),
    get: (request, view) => answer(view, queryAddress(request)),
  };
}

function definitionJson({ definition }: ContractRecord, visible: boolean): JsonObject {
  const json = messageToJson(SmartContractSchema, definition, visible);
  return { ...json, abi: json.abi ?? {} };
}

function infoJson(contract: ContractRecord, view: View, visible: boolean): JsonObject {
  const { parameters } = view.chain;
  const { cycle } = view.state.totals;
  const use = caughtUp(view.state.tables.uses.get(contract.address), cycle, parameters);
  return {
    ...(contract.code.length > 0 && { runtimecode: bytesToHex(contract.code) }),
    smart_contract: definitionJson(contract, visible),
    contract_state: {
      energy_usage: unlessZero(use.energyUsage),
      energy_factor: unlessZero(use.energyFactor),
      update_cycle: unlessZero(use.updateCycle),
    },
  };
}

const FUNCTION = 2;
const PURE = 1;
const VIEW = 2;

/** Whether the ABI on the chain says of a selector that its function only reads. */
function isConstantFunction(entries: readonly Entry[], selector: Hex): boolean {
  const entry = entries.find((it) => it.type === FUNCTION && selectorOf(it) === selector);
  return entry !== undefined && (entry.constant || entry.stateMutability === VIEW || entry.stateMutability === PURE);
}

function selectorOf({ name, inputs }: Entry): Hex {
  const signature = `${name}(${inputs.map(({ type }) => type).join(",")})`;
  return bytesToHex(keccak_256(new TextEncoder().encode(signature)).subarray(0, 4));
}
