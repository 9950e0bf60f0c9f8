import {
  type Address,
  addressFromBytes,
  addressToBytes,
  bytesToHex,
  equalBytes,
  type Hex,
  toBase58,
} from "@finality/tron/primitives";
import type {
  ClearABIContract,
  CreateSmartContract,
  SmartContract,
  TriggerSmartContract,
  UpdateEnergyLimitContract,
  UpdateSettingContract,
} from "@finality/tron/schema";
import { deployedContractAddress } from "@finality/tron/transaction";
import { type ContractRecord, EMPTY_CODE_HASH, newContractAccount } from "../chain/account.ts";
import type { Actuator, Execution, ExecutionResult } from "../chain/execution.ts";
import { Ledger } from "../chain/ledger.ts";
import { invalidContract, Refusal } from "../chain/refusal.ts";
import { type EnergyPayer, energyBudget, payEnergy, settleUsage } from "../chain/resources.ts";
import { type ChainTransaction, validAddress } from "../chain/transaction.ts";
import { type CodeRecorder, type CodeRun, messageOf, type OutermostCall, runOutermost } from "../vm/machine.ts";
import { callValueOf, checkCallValue, checkToken, transferCallValue } from "../vm/transfers.ts";

const MAX_NAME_BYTES = 32;
const WHOLE = 100n;

/** Records the code of a transaction. */
export interface CodeWatch {
  readonly recorder: CodeRecorder;
  /** Receives the result of the code. */
  readonly onRun: (run: CodeRun) => void;
}

/** Actuators of transactions that run code. */
export interface CodeActuators {
  readonly CreateSmartContract: Actuator;
  readonly TriggerSmartContract: Actuator;
}

/** Returns the actuators of transactions that run code. @param watch - records the code */
export function codeActuators(watch?: CodeWatch): CodeActuators {
  return {
    CreateSmartContract: {
      validate: validateCreation,
      execute: (execution) => executeCode(execution, codeCreation(execution), watch),
    },
    TriggerSmartContract: {
      validate: validateCall,
      execute: (execution) => executeCode(execution, codeCall(execution), watch),
    },
  };
}

/** Checks the creation of a contract (VMActuator.create). */
function validateCreation(execution: Execution): void {
  const message = execution.contract.message as CreateSmartContract;
  const definition = definitionOf(message);
  checkDefinition(message, definition);
  const caller = validAddress(message.ownerAddress);
  if (caller === undefined) throw invalidContract("Invalid ownerAddress!");
  const address = addressFor(execution, caller);
  if (address !== undefined && execution.ledger.account(address) !== undefined) {
    const taken = "Trying to create a contract with existing contract address: ";
    throw invalidContract(taken + toBase58(address));
  }
  checkFeeLimit(execution);
  if (definition.callValue < 0n) throw invalidContract("callValue must be >= 0");
  const endowment = callValueOf(definition.callValue, message, execution.parameters);
  if (endowment.tokenValue < 0n) throw invalidContract("tokenValue must be >= 0");
  if (definition.originEnergyLimit <= 0n) throw invalidContract("The originEnergyLimit must be > 0");
  checkToken(endowment);
  checkCallValue(execution.ledger, { from: caller, to: address ?? caller }, endowment);
}

function codeCreation(execution: Execution): CodeCall {
  const message = execution.contract.message as CreateSmartContract;
  const definition = definitionOf(message);
  const caller = validAddress(message.ownerAddress);
  const address = caller && addressFor(execution, caller);
  if (caller === undefined || address === undefined) throw invalidContract("Invalid ownerAddress!");
  const endowment = callValueOf(definition.callValue, message, execution.parameters);
  const version = execution.parameters.getAllowTvmCompatibleEvm === 1 ? 1 : 0;
  return {
    kind: "create",
    caller,
    address,
    code: definition.bytecode,
    data: new Uint8Array(),
    ...endowment,
    version,
    payer: { caller, value: endowment.value, feeLimit: execution.transaction?.raw.feeLimit ?? 0n },
    prepare: (ledger) => {
      createContractRecord(ledger, { ...definition, version }, address);
      transferCallValue(ledger, { from: caller, to: address }, endowment, execution.now);
    },
  };
}

/** Creates the account and the contract without code. The code is added when its constructor has succeeded. */
export function createContractRecord(ledger: Ledger, definition: SmartContract, address: Address): void {
  ledger.put(newContractAccount(address, definition.name));
  const complete = { ...definition, contractAddress: addressToBytes(address) };
  ledger.putContract({ address, definition: complete, code: new Uint8Array(), codeHash: EMPTY_CODE_HASH });
}

function definitionOf({ newContract }: CreateSmartContract): SmartContract {
  if (newContract === undefined) throw invalidContract("Cannot get CreateSmartContract from transaction");
  return newContract;
}

function checkDefinition({ ownerAddress }: CreateSmartContract, definition: SmartContract): void {
  if (!equalBytes(ownerAddress, definition.originAddress)) {
    throw invalidContract("OwnerAddress is not equals OriginAddress");
  }
  if (new TextEncoder().encode(definition.name).length > MAX_NAME_BYTES) {
    throw invalidContract("contractName's length cannot be greater than 32");
  }
  const percent = definition.consumeUserResourcePercent;
  if (percent < 0n || percent > WHOLE) throw invalidContract("percent must be >= 0 and <= 100");
}

/** Returns the address of the new contract, which depends on the transaction. */
function addressFor({ transaction }: Execution, caller: Address): Address | undefined {
  return transaction && deployedContractAddress(transaction.id, caller);
}

/** Checks the call of a contract (VMActuator.call). */
function validateCall(execution: Execution): void {
  const message = triggerMessage(execution);
  const contract = contractOf(execution.ledger, message);
  const caller = validAddress(message.ownerAddress);
  if (message.callValue < 0n) throw invalidContract("callValue must be >= 0");
  const endowment = callValueOf(message.callValue, message, execution.parameters);
  if (endowment.tokenValue < 0n) throw invalidContract("tokenValue must be >= 0");
  checkToken(endowment);
  if (contract.code.length === 0) throw missingCode();
  checkFeeLimit(execution);
  if (caller === undefined) throw invalidContract("Invalid ownerAddress!");
  checkCallValue(execution.ledger, { from: caller, to: contract.address }, endowment);
}

function codeCall(execution: Execution): CodeCall {
  const { data, ...message } = triggerMessage(execution);
  const caller = validAddress(message.ownerAddress);
  if (caller === undefined) throw invalidContract("Invalid ownerAddress!");
  const { address, code, definition } = contractOf(execution.ledger, message);
  const endowment = callValueOf(message.callValue, message, execution.parameters);
  return {
    kind: "call",
    caller,
    address,
    code,
    data,
    ...endowment,
    version: definition.version,
    prepare: (ledger) => transferCallValue(ledger, { from: caller, to: address }, endowment, execution.now),
    payer: {
      caller,
      value: endowment.value,
      feeLimit: execution.transaction?.raw.feeLimit ?? 0n,
      share: {
        owner: addressFromBytes(definition.originAddress),
        consumeUserResourcePercent: definition.consumeUserResourcePercent,
        originEnergyLimit: definition.originEnergyLimit,
      },
    },
  };
}

function triggerMessage({ contract }: Execution): TriggerSmartContract {
  return contract.message as TriggerSmartContract;
}

function contractOf(
  ledger: Ledger,
  { contractAddress }: Pick<TriggerSmartContract, "contractAddress">,
): ContractRecord {
  const address = validAddress(contractAddress);
  const contract = address && ledger.contract(address);
  if (contract === undefined) throw invalidContract("No contract or not a smart contract");
  return contract;
}

/** The node fails with a Java exception for a contract without code. */
function missingCode(): Refusal {
  const method = "org.tron.core.vm.program.Program.getResult()";
  return new Refusal("OTHER_ERROR", `Cannot invoke "${method}" because "this.program" is null`);
}

/** Code execution common to calls and creations. */
type CodeCall = Omit<OutermostCall, "txId" | "energyLimit" | "ledger"> & {
  readonly payer: EnergyPayer;
  /** Applies changes that are undone when the code fails: the transferred value, the new account. */
  readonly prepare: (ledger: Ledger) => void;
};

/** Runs the code of a transaction. @throws {Refusal} `CONTRACT_EXE_ERROR` it cannot be paid for any more */
function executeCode(execution: Execution, call: CodeCall, watch: CodeWatch | undefined): ExecutionResult {
  const { txId, context } = codeExecution(execution);
  const budget = energyBudget(execution, call.payer);
  const ledger = new Ledger(execution.ledger);
  call.prepare(ledger);
  const limits = { txId, ledger, energyLimit: Number(budget.limit) };
  const run = runOutermost({ ...call, ...limits }, { ...context, ...execution }, watch?.recorder);
  if (run.result === "SUCCESS") {
    ledger.dropZeroRows();
    ledger.commit();
    settleUsage(execution, call.payer);
  }
  const tookTooLong = run.result === "OUT_OF_TIME";
  const used = { total: BigInt(run.energy), penalty: BigInt(run.machine.penalty), tookTooLong };
  const energy = payEnergy(execution, call.payer, budget, used);
  if (run.result === "SUCCESS") for (const address of run.machine.ended) execution.ledger.removeContract(address);
  const logs = run.result === "SUCCESS" ? run.machine.logs : [];
  watch?.onRun(run);
  const answer = { contractAddress: call.address, returned: outputOf(run), logs, ...resultFields(run) };
  return { result: run.result, fee: 0n, outcome: { ...answer, energy } };
}

/** @throws {TypeError} code runs only as a transaction of a chain */
function codeExecution({ transaction, context }: Execution): {
  txId: ChainTransaction["id"];
  context: NonNullable<Execution["context"]>;
} {
  if (transaction === undefined || context === undefined) throw new TypeError("Code runs only in a chain.");
  return { txId: transaction.id, context };
}

function outputOf({ output }: CodeRun): Hex {
  return bytesToHex(output);
}

/** Returns the result fields. A transaction that ran out of time is not run again in the block. */
function resultFields(run: CodeRun): Pick<NonNullable<ExecutionResult["outcome"]>, "message" | "internal"> {
  if (run.result === "OUT_OF_TIME") return { message: "Already Time Out", internal: [] };
  const { internal } = run.machine;
  if (run.result !== "SUCCESS") internal.reject(0);
  return { message: messageOf(run), internal: internal.all };
}

/** @throws {Refusal} the fee limit is not one */
function checkFeeLimit({ transaction, parameters }: Execution): void {
  const feeLimit = transaction?.raw.feeLimit ?? 0n;
  if (feeLimit < 0n || feeLimit > BigInt(parameters.getMaxFeeLimit)) {
    throw invalidContract(`feeLimit must be >= 0 and <= ${parameters.getMaxFeeLimit}`);
  }
}

/** Sets `consume_user_resource_percent`, the caller's percentage of the energy (UpdateSettingContractActuator). */
export const updateSetting: Actuator = setting({
  check: ({ contract }) => {
    const percent = (contract.message as UpdateSettingContract).consumeUserResourcePercent;
    if (percent < 0n || percent > WHOLE) throw invalidContract("percent not in [0, 100]");
  },
  missing: "Contract does not exist",
  change: ({ contract }) => ({
    consumeUserResourcePercent: (contract.message as UpdateSettingContract).consumeUserResourcePercent,
  }),
});

/** Sets `origin_energy_limit`, the most energy that the owner pays per call (UpdateEnergyLimitContractActuator). */
export const updateEnergyLimit: Actuator = setting({
  check: ({ contract }) => {
    const limit = (contract.message as UpdateEnergyLimitContract).originEnergyLimit;
    if (limit <= 0n) throw invalidContract("origin energy limit must be > 0");
  },
  missing: "Contract does not exist",
  change: ({ contract }) => ({ originEnergyLimit: (contract.message as UpdateEnergyLimitContract).originEnergyLimit }),
});

/** Removes the ABI of a contract (ClearABIContractActuator). */
export const clearAbi: Actuator = setting({
  check: () => undefined,
  missing: "Contract not exists",
  missingOwner: "not exists",
  change: () => ({ abi: undefined }),
});

interface Setting {
  /** Validates the message before the contract is loaded. */
  readonly check: (execution: Execution) => void;
  /** Message for a missing contract. */
  readonly missing: string;
  /** Message for a missing owner account. */
  readonly missingOwner?: string;
  readonly change: (execution: Execution) => Partial<SmartContract>;
}

/** Creates the actuator of a change that only the owner of a contract may make. */
function setting({ check, missing, missingOwner = "does not exist", change }: Setting): Actuator {
  const validate = (execution: Execution): ContractRecord => {
    const { ownerAddress, contractAddress } = addresses(execution);
    const owner = validAddress(ownerAddress);
    if (owner === undefined) throw invalidContract("Invalid address");
    if (execution.ledger.account(owner) === undefined) throw invalidContract(`Account[${owner}] ${missingOwner}`);
    check(execution);
    const address = validAddress(contractAddress);
    const contract = address && execution.ledger.contract(address);
    if (contract === undefined) throw invalidContract(missing);
    if (validAddress(contract.definition.originAddress) !== owner) {
      throw invalidContract(`Account[${owner}] is not the owner of the contract`);
    }
    return contract;
  };
  return {
    validate: (execution) => void validate(execution),
    execute: (execution) => {
      const contract = validate(execution);
      const definition = { ...contract.definition, ...change(execution) };
      execution.ledger.putContract({ ...contract, definition });
      return { result: "SUCCESS", fee: 0n };
    },
  };
}

function addresses({ contract }: Execution): { ownerAddress: Uint8Array; contractAddress: Uint8Array } {
  return contract.message as UpdateSettingContract | UpdateEnergyLimitContract | ClearABIContract;
}
