import type { Address } from "../../core/primitives/address.ts";
import { addressFromBytes } from "../../core/primitives/address.ts";
import type { TriggerSmartContract } from "../../core/transaction/gen/transaction_pb.js";
import type { Actuator, Execution } from "../chain/actuator.ts";
import type { ContractRecord } from "../chain/contract.ts";
import type { Ledger } from "../chain/ledger.ts";
import { invalidContract, Refusal } from "../chain/refusal.ts";
import { validAddress } from "../chain/transaction.ts";
import { transferInside } from "../vm/call-operations.ts";
import { type CodeCall, checkFeeLimit, checkToken, executeCode } from "./contract-execution.ts";
import { checkInternalTransfer } from "./internal-transfer.ts";

/** A call of a contract (VMActuator.call). */
export const triggerSmartContract: Actuator = {
  validate(execution) {
    const message = messageOf(execution);
    const contract = contractOf(execution.ledger, message);
    const caller = validAddress(message.ownerAddress);
    if (message.callValue < 0n) throw invalidContract("callValue must be >= 0");
    if (message.callTokenValue < 0n) throw invalidContract("tokenValue must be >= 0");
    checkToken(message);
    if (contract.code.length === 0) throw withoutProgram();
    checkFeeLimit(execution);
    if (caller === undefined) throw invalidContract("Invalid ownerAddress!");
    checkInternalTransfer(execution.ledger, { from: caller, to: contract.address, value: message.callValue });
  },

  execute(execution) {
    const message = messageOf(execution);
    const caller = validAddress(message.ownerAddress);
    if (caller === undefined) throw invalidContract("Invalid ownerAddress!");
    return executeCode(execution, codeCall(execution, contractOf(execution.ledger, message), caller));
  },
};

function codeCall(execution: Execution, contract: ContractRecord, caller: Address): CodeCall {
  const { callValue: value, data } = messageOf(execution);
  const { address, code, definition } = contract;
  return {
    kind: "call",
    caller,
    address,
    code,
    data,
    value,
    version: definition.version,
    prepare: (ledger) => transferInside(ledger, { from: caller, to: address, value, now: execution.now }),
    payer: {
      caller,
      value,
      feeLimit: execution.transaction?.raw.feeLimit ?? 0n,
      share: {
        owner: addressFromBytes(definition.originAddress),
        callerPercent: definition.consumeUserResourcePercent,
        ownerLimit: definition.originEnergyLimit,
      },
    },
  };
}

function messageOf({ contract }: Execution): TriggerSmartContract {
  return contract.message as TriggerSmartContract;
}

function contractOf(ledger: Ledger, { contractAddress }: TriggerSmartContract): ContractRecord {
  const address = validAddress(contractAddress);
  const contract = address && ledger.contract(address);
  if (contract === undefined) throw invalidContract("No contract or not a smart contract");
  return contract;
}

/** The node stumbles over a contract without code; the text depends on its Java. */
function withoutProgram(): Refusal {
  const method = "org.tron.core.vm.program.Program.getResult()";
  return new Refusal("OTHER_ERROR", `Cannot invoke "${method}" because "this.program" is null`);
}
