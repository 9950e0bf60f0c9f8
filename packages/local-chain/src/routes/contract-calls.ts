import { create } from "@bufbuild/protobuf";
import {
  type Address,
  bytesToBase58Check,
  bytesToHex,
  type Hex,
  hexToBytes,
  type JsonObject,
} from "@finality/tron/primitives";
import {
  CreateSmartContractSchema,
  type Entry,
  SmartContractSchema,
  type TriggerSmartContract,
  TriggerSmartContractSchema,
} from "@finality/tron/schema";
import { deployedContractAddress, messageToJson } from "@finality/tron/transaction";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { createContractRecord } from "../actuators/contract-actuators.ts";
import type { ContractRecord } from "../chain/account.ts";
import { blockContext } from "../chain/block.ts";
import { Ledger } from "../chain/ledger.ts";
import type { NodeVersion } from "../chain/parameters.ts";
import { invalidContract, Refusal } from "../chain/refusal.ts";
import { type ChainTransaction, type ContractLog, validAddress } from "../chain/transaction.ts";
import { JavaError, longValue, looseHex, type Members, nullPointerException, textValue } from "../http/java-values.ts";
import { fieldsOf, mergeJson, messageOf } from "../http/json-format.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import type { ServletRequest } from "../http/servlet-container.ts";
import type { NodeView } from "../node/node-view.ts";
import { caughtUp } from "../vm/energy-schedule.ts";
import {
  type CodeRecorder,
  type CodeRun,
  messageOf as endMessage,
  type OutermostCall,
  runOutermost,
} from "../vm/machine.ts";
import {
  type CallValue,
  callValueOf,
  checkCallValue,
  checkToken,
  type Parties,
  transferCallValue,
} from "../vm/transfers.ts";
import { addressOf, wordOfBytes } from "../vm/words.ts";
import { type Unsigned, unsignedTransaction } from "./builders.ts";
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

/** Returns a reply; these servlets report failures as a code and a text. */
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
    return { result: failure(error, visible, request.nodeVersion) };
  }
}

function failure(error: unknown, visible: boolean, version: NodeVersion): JsonObject {
  if (error instanceof Refusal) return { code: error.code, message: printMessage(error.message, visible) };
  if (!(error instanceof JavaError)) throw error;
  const { javaClass, message } = error.ofVersion(version);
  const text = `class ${javaClass} : ${message.replaceAll('"', "'")}`;
  return { code: "OTHER_ERROR", message: printMessage(text, visible) };
}

/** Builds a call to sign; a view function runs at once instead. */
function triggerContract(view: NodeView, { json, message, visible }: TriggerRequest): JsonObject {
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

function triggerConstant(view: NodeView, trigger: TriggerRequest): JsonObject {
  return printConstant(constantCall(view, { ...requestOf(trigger), feeLimit: 0n }), trigger.visible);
}

function requestOf({ json, message, visible }: TriggerRequest): Omit<ConstantRequest, "feeLimit"> {
  const extra = textValue(json, "extra_data");
  const memo = extra && (visible ? new TextEncoder().encode(extra) : looseHex(extra));
  return { message, permissionId: permissionIn(json), ...(memo && { memo }) };
}

/** Prints a constant call. @throws {JavaError} the code halted: only its exception is printed */
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

/** Prints a log. With `visible` the 20 address bytes get a checksum but no prefix 41, which is no valid address. */
function printConstantLog({ address, topics, data }: ContractLog, visible: boolean): JsonObject {
  const digits = address.slice(2);
  return {
    address: visible ? bytesToBase58Check(hexToBytes(digits)) : digits,
    ...(data !== "" && { data }),
    ...(topics.length > 0 && { topics }),
  };
}

function estimate(view: NodeView, trigger: TriggerRequest): JsonObject {
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

/** Request of calls, constant calls and estimates. */
interface TriggerRequest {
  readonly json: Members;
  readonly message: TriggerSmartContract;
  readonly visible: boolean;
}

/** Check of required fields before others are read. */
type RequiredFields = (json: Members) => void;

/**
 * Reads a call. A selector takes precedence over data.
 *
 * @param seen - receives `visible` early, for the response to an unreadable request
 * @throws {JavaError}
 */
function readTrigger(request: ServletRequest, check: RequiredFields, seen: (visible: boolean) => void): TriggerRequest {
  const body = plainText(request);
  const json = presentBody(body, request.nodeVersion);
  if (json === undefined) throw invokedOnNull("com.alibaba.fastjson.JSONObject.getString(String)");
  const visible = isVisible(json);
  seen(visible);
  check(json);
  const message = messageOf(
    TriggerSmartContractSchema,
    mergeJson(body, FIELDS, visible, request.nodeVersion),
  ) as TriggerSmartContract;
  const selector = textValue(json, "function_selector");
  if (selector !== undefined && selector !== "") message.data = callData(selector, textValue(json, "parameter") ?? "");
  return { json, message, visible };
}

/** Requires a contract or code: constant calls and estimates may run new code. */
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

/** Encodes call data: selector and given arguments. */
function callData(signature: string, parameter: string): Uint8Array {
  const selector = keccak_256(new TextEncoder().encode(signature)).subarray(0, SELECTOR_BYTES);
  return looseHex(Buffer.from(selector).toString("hex") + parameter);
}

export const contractRoutes: readonly Route[] = [
  lookUp("getcontract", "GetContractServlet", (contract, _view, visible) => definitionJson(contract, visible)),
  lookUp("getcontractinfo", "GetContractInfoServlet", infoJson),
];

type Printer = (contract: ContractRecord, view: NodeView, visible: boolean) => JsonObject;

function lookUp(name: string, servlet: string, print: Printer): Route {
  const answer = (view: NodeView, { values, visible }: Body): Reply => {
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

function infoJson(contract: ContractRecord, view: NodeView, visible: boolean): JsonObject {
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

/** Returns whether the on-chain ABI marks the function as view or pure. */
function isConstantFunction(entries: readonly Entry[], selector: Hex): boolean {
  const entry = entries.find((it) => it.type === FUNCTION && selectorOf(it) === selector);
  return entry !== undefined && (entry.constant || entry.stateMutability === VIEW || entry.stateMutability === PURE);
}

function selectorOf({ name, inputs }: Entry): Hex {
  const signature = `${name}(${inputs.map(({ type }) => type).join(",")})`;
  return bytesToHex(keccak_256(new TextEncoder().encode(signature)).subarray(0, 4));
}

/** Energy limit of constant calls. */
const CONSTANT_ENERGY = 100_000_000;
const WHOLE = 100n;

/** A simulated call: its transaction, and the result of its code. */
export interface ConstantCall {
  readonly transaction: ChainTransaction;
  readonly run: CodeRun;
  /** State after a successful run, as a layer over that of the view. */
  readonly ledger: Ledger;
}

export interface ConstantRequest {
  readonly message: TriggerSmartContract;
  readonly permissionId: number;
  readonly memo?: Uint8Array;
  /** In sun; above 0 it caps the node's limit. */
  readonly feeLimit: bigint;
  readonly recorder?: CodeRecorder;
}

/**
 * Simulates a call, or a creation without an address, on the state of a view.
 *
 * @throws {Refusal} `CONTRACT_VALIDATE_ERROR`
 */
export function constantCall(view: NodeView, request: ConstantRequest): ConstantCall {
  const { message } = request;
  const creates = message.contractAddress.length === 0;
  const contract = creates ? undefined : contractOf(view, message);
  if (!view.settings.constantCalls) throw invalidContract("this node does not support constant");
  const endowment = callValueIn(view, request);
  if (!creates) checkAmounts(endowment);
  checkToken(endowment);
  return contract === undefined ? tryCreation(view, request) : tryCall(view, request, contract);
}

/** Checks the amounts of a call; the node skips this for simulated creations. */
function checkAmounts({ value, tokenValue }: CallValue): void {
  if (value < 0n) throw invalidContract("callValue must be >= 0");
  if (tokenValue < 0n) throw invalidContract("tokenValue must be >= 0");
}

function callValueIn({ chain }: NodeView, { message }: ConstantRequest): CallValue {
  return callValueOf(message.callValue, message, chain.parameters);
}

function contractOf(view: NodeView, { contractAddress }: TriggerSmartContract): ContractRecord {
  const address = validAddress(contractAddress);
  const contract = address && view.state.contract(address);
  if (contract === undefined) throw invalidContract("Smart contract is not exist.");
  return contract;
}

function tryCall(view: NodeView, request: ConstantRequest, contract: ContractRecord): ConstantCall {
  const { ownerAddress, data } = request.message;
  const { address, code } = contract;
  if (code.length === 0) {
    const method = "org.tron.core.vm.program.Program.getResult()";
    throw nullPointerException(`Cannot invoke "${method}" because "this.program" is null`);
  }
  const caller = callerOf(ownerAddress);
  const transaction = unsignedTransaction(view, { ...contents(request), type: "TriggerSmartContract" });
  const endowment = callValueIn(view, request);
  const call = { kind: "call", caller, address, code, data, ...endowment } as const;
  const ledger = new Ledger(view.state);
  move(ledger, view, { from: caller, to: address }, endowment);
  const { version } = contract.definition;
  return { transaction, ledger, run: run(view, { ...call, version, ledger, txId: transaction.id }, request) };
}

function tryCreation(view: NodeView, request: ConstantRequest): ConstantCall {
  const { ownerAddress, callTokenValue, tokenId, data } = request.message;
  const endowment = callValueIn(view, request);
  const caller = callerOf(ownerAddress);
  const version = view.chain.parameters.getAllowTvmCompatibleEvm === 1 ? 1 : 0;
  const definition = create(SmartContractSchema, {
    originAddress: ownerAddress,
    bytecode: data,
    callValue: endowment.value,
    version,
    consumeUserResourcePercent: WHOLE,
    originEnergyLimit: 1n,
  });
  const newContract = { ...definition, version: 0 };
  const message = create(CreateSmartContractSchema, { ownerAddress, newContract, callTokenValue, tokenId });
  const transaction = unsignedTransaction(view, { ...contents(request), type: "CreateSmartContract", message });
  const address = deployedContractAddress(transaction.id, caller);
  const ledger = new Ledger(view.state);
  createContractRecord(ledger, definition, address);
  move(ledger, view, { from: caller, to: address }, endowment);
  const call = { kind: "create", caller, address, code: data, data: new Uint8Array(), ...endowment, version } as const;
  return { transaction, ledger, run: run(view, { ...call, ledger, txId: transaction.id }, request) };
}

/** Returns the caller from the last 20 bytes; any bytes are accepted. */
function callerOf(bytes: Uint8Array): Address {
  return validAddress(bytes) ?? addressOf(wordOfBytes(bytes));
}

function contents({ message, permissionId, feeLimit, memo }: ConstantRequest): Omit<Unsigned, "type"> {
  return { message, permissionId, feeLimit, ...(memo && { memo }) };
}

function move(ledger: Ledger, { head }: NodeView, parties: Parties, endowment: CallValue): void {
  checkCallValue(ledger, parties, endowment);
  transferCallValue(ledger, parties, endowment, head.header.timestamp);
}

function run(
  { chain, newest }: NodeView,
  call: Omit<OutermostCall, "energyLimit">,
  { feeLimit, recorder }: ConstantRequest,
): CodeRun {
  const { parameters } = chain;
  const price = BigInt(parameters.getEnergyFee);
  if (feeLimit > 0n && price === 0n) throw new JavaError("java.lang.ArithmeticException", "/ by zero");
  const energyLimit = feeLimit > 0n ? Math.min(CONSTANT_ENERGY, Number(feeLimit / price)) : CONSTANT_ENERGY;
  const environment = { ...chain.context(blockContext(newest.header)), now: newest.header.timestamp, parameters };
  return runOutermost({ ...call, energyLimit }, environment, recorder);
}

const SUN_PER_COIN = 1_000_000n;

export type Estimate =
  | { readonly kind: "energy"; readonly required: bigint }
  | { readonly kind: "failed"; readonly run: CodeRun }
  | { readonly kind: "outOfTime"; readonly run: CodeRun };

/**
 * Estimates the energy of a call by the node's bisection (protocol reference §13.2): exact to the energy of one coin,
 * and twice the need for cheap calls.
 *
 * @throws {Refusal} estimation is off, or the call fails
 */
export function estimateEnergy(view: NodeView, request: Omit<ConstantRequest, "feeLimit" | "recorder">): Estimate {
  checkSupport(view);
  const { getMaxFeeLimit, getEnergyFee } = view.chain.parameters;
  const price = BigInt(getEnergyFee);
  const attempt = (feeLimit: bigint): CodeRun => constantCall(view, { ...request, feeLimit }).run;
  const first = attempt(BigInt(getMaxFeeLimit));
  if (first.result === "OUT_OF_TIME") return { kind: "outOfTime", run: first };
  if (first.result !== "SUCCESS") return { kind: "failed", run: first };
  const suffices = (feeLimit: bigint): boolean => attempt(feeLimit).result === "SUCCESS";
  const high = bisect(price * BigInt(first.energy), BigInt(getMaxFeeLimit), suffices);
  const last = attempt(high);
  if (last.result !== "SUCCESS") return { kind: "failed", run: last };
  return { kind: "energy", required: (high + price - 1n) / price };
}

/** Returns a sufficient fee limit, at most a coin above an insufficient one; the first step doubles. */
function bisect(used: bigint, most: bigint, suffices: (feeLimit: bigint) => boolean): bigint {
  let [low, high] = [used, most];
  if (low * 2n < high) {
    const twice = low * 2n;
    if (suffices(twice)) high = twice;
    else low = twice;
  }
  while (low + SUN_PER_COIN < high) {
    const middle = (low + high) / 2n;
    if (suffices(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** @throws {Refusal} */
function checkSupport({ settings }: NodeView): void {
  if (!settings.estimateEnergy) throw invalidContract("this node does not support estimate energy");
  if (settings.constantCalls) return;
  throw invalidContract("this node does not support constant, so estimate energy cannot work");
}
