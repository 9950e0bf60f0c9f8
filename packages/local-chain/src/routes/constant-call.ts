import { create } from "@bufbuild/protobuf";
import type { Address } from "@finality/tron/primitives";
import { CreateSmartContractSchema, SmartContractSchema, type TriggerSmartContract } from "@finality/tron/schema";
import { deployedContractAddress } from "@finality/tron/transaction";
import { layOut } from "../actuators/contract-actuators.ts";
import type { ContractRecord } from "../chain/account.ts";
import { blockContext } from "../chain/block.ts";
import { Ledger } from "../chain/ledger.ts";
import { invalidContract } from "../chain/refusal.ts";
import { type ChainTransaction, validAddress } from "../chain/transaction.ts";
import { JavaError, nullPointerException } from "../http/java-error.ts";
import { type CodeRun, type OutermostCall, runOutermost } from "../vm/machine.ts";
import {
  checkEndowment,
  checkToken,
  type Endowment,
  endowmentOf,
  moveEndowment,
  type Parties,
} from "../vm/transfers.ts";
import { addressOf, wordOfBytes } from "../vm/words.ts";
import { type Unsigned, unsignedTransaction } from "./builders.ts";
import type { View } from "./route.ts";

/** The energy that a node gives to a constant call. */
const CONSTANT_ENERGY = 100_000_000;
const WHOLE = 100n;

/** A call that is only tried: its transaction as it would be, and what its code did. */
export interface ConstantCall {
  readonly transaction: ChainTransaction;
  readonly run: CodeRun;
}

export interface ConstantRequest {
  readonly message: TriggerSmartContract;
  readonly permissionId: number;
  readonly memo?: Uint8Array;
  /** Sun: caps the node's limit when it is above 0. */
  readonly feeLimit: bigint;
}

/**
 * Tries a call, or the creation of a contract when no address is named, on the state of a view, and forgets it.
 *
 * @throws {Refusal} `CONTRACT_VALIDATE_ERROR`
 */
export function constantCall(view: View, request: ConstantRequest): ConstantCall {
  const { message } = request;
  const creates = message.contractAddress.length === 0;
  const contract = creates ? undefined : contractOf(view, message);
  if (!view.settings.constantCalls) throw invalidContract("this node does not support constant");
  const endowment = endowmentIn(view, request);
  if (!creates) checkAmounts(endowment);
  checkToken(endowment);
  return contract === undefined ? tryCreation(view, request) : tryCall(view, request, contract);
}

/** Of a creation that is only tried the node does not ask this. */
function checkAmounts({ value, tokenValue }: Endowment): void {
  if (value < 0n) throw invalidContract("callValue must be >= 0");
  if (tokenValue < 0n) throw invalidContract("tokenValue must be >= 0");
}

function endowmentIn({ chain }: View, { message }: ConstantRequest): Endowment {
  return endowmentOf(message.callValue, message, chain.parameters);
}

function contractOf(view: View, { contractAddress }: TriggerSmartContract): ContractRecord {
  const address = validAddress(contractAddress);
  const contract = address && view.state.contract(address);
  if (contract === undefined) throw invalidContract("Smart contract is not exist.");
  return contract;
}

function tryCall(view: View, request: ConstantRequest, contract: ContractRecord): ConstantCall {
  const { ownerAddress, data } = request.message;
  const { address, code } = contract;
  if (code.length === 0) {
    const method = "org.tron.core.vm.program.Program.getResult()";
    throw nullPointerException(`Cannot invoke "${method}" because "this.program" is null`);
  }
  const caller = callerOf(ownerAddress);
  const transaction = unsignedTransaction(view, { ...contents(request), type: "TriggerSmartContract" });
  const endowment = endowmentIn(view, request);
  const call = { kind: "call", caller, address, code, data, ...endowment } as const;
  const ledger = new Ledger(view.state);
  move(ledger, view, { from: caller, to: address }, endowment);
  const { version } = contract.definition;
  return { transaction, run: run(view, { ...call, version, ledger, txId: transaction.id }, request) };
}

function tryCreation(view: View, request: ConstantRequest): ConstantCall {
  const { ownerAddress, callTokenValue, tokenId, data } = request.message;
  const endowment = endowmentIn(view, request);
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
  layOut(ledger, definition, address);
  move(ledger, view, { from: caller, to: address }, endowment);
  const call = { kind: "create", caller, address, code: data, data: new Uint8Array(), ...endowment, version } as const;
  return { transaction, run: run(view, { ...call, ledger, txId: transaction.id }, request) };
}

/** Anybody may ask, also who has no address: what counts are the last 20 bytes. */
function callerOf(bytes: Uint8Array): Address {
  return validAddress(bytes) ?? addressOf(wordOfBytes(bytes));
}

function contents({ message, permissionId, feeLimit, memo }: ConstantRequest): Omit<Unsigned, "type"> {
  return { message, permissionId, feeLimit, ...(memo && { memo }) };
}

function move(ledger: Ledger, { head }: View, parties: Parties, endowment: Endowment): void {
  checkEndowment(ledger, parties, endowment);
  moveEndowment(ledger, parties, endowment, head.header.timestamp);
}

function run(
  { chain, newest }: View,
  call: Omit<OutermostCall, "energyLimit">,
  { feeLimit }: ConstantRequest,
): CodeRun {
  const { parameters } = chain;
  const price = BigInt(parameters.getEnergyFee);
  if (feeLimit > 0n && price === 0n) throw new JavaError("java.lang.ArithmeticException", "/ by zero");
  const energyLimit = feeLimit > 0n ? Math.min(CONSTANT_ENERGY, Number(feeLimit / price)) : CONSTANT_ENERGY;
  const surroundings = { ...chain.context(blockContext(newest.header)), now: newest.header.timestamp, parameters };
  return runOutermost({ ...call, energyLimit }, surroundings);
}

const SUN_PER_COIN = 1_000_000n;

export type Estimate =
  | { readonly kind: "energy"; readonly required: bigint }
  | { readonly kind: "failed"; readonly run: CodeRun }
  | { readonly kind: "outOfTime"; readonly run: CodeRun };

/**
 * The energy that a call needs, by the node's own bisection (protocol reference §13.2): exact to one coin's worth, and
 * twice the need for cheap calls.
 *
 * @throws {Refusal} the node does not estimate, or the call cannot be tried
 */
export function estimateEnergy(view: View, request: Omit<ConstantRequest, "feeLimit">): Estimate {
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

/** A fee limit that suffices, at most a coin above one that does not; the first step doubles. */
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
function checkSupport({ settings }: View): void {
  if (!settings.estimateEnergy) throw invalidContract("this node does not support estimate energy");
  if (settings.constantCalls) return;
  throw invalidContract("this node does not support constant, so estimate energy cannot work");
}
