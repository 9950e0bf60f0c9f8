import { type Address, addressToBytes, toBase58 } from "../../core/primitives/address.ts";
import { equalBytes } from "../../core/primitives/bytes.ts";
import { deployedContractAddress } from "../../core/transaction/contract-address.ts";
import type { CreateSmartContract, SmartContract } from "../../core/transaction/gen/transaction_pb.js";
import { newContractAccount } from "../chain/account.ts";
import type { Actuator, Execution } from "../chain/actuator.ts";
import { EMPTY_CODE_HASH } from "../chain/contract.ts";
import type { Ledger } from "../chain/ledger.ts";
import { invalidContract } from "../chain/refusal.ts";
import { validAddress } from "../chain/transaction.ts";
import { transferInside } from "../vm/call-operations.ts";
import { checkFeeLimit, checkToken, executeCode } from "./contract-execution.ts";
import { checkInternalTransfer } from "./internal-transfer.ts";

const MAX_NAME_BYTES = 32;
const WHOLE = 100n;

/** A new contract (VMActuator.create). */
export const createSmartContract: Actuator = {
  validate(execution) {
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
    if (message.callTokenValue < 0n) throw invalidContract("tokenValue must be >= 0");
    if (definition.originEnergyLimit <= 0n) throw invalidContract("The originEnergyLimit must be > 0");
    checkToken(message);
    checkInternalTransfer(execution.ledger, { from: caller, to: address ?? caller, value: definition.callValue });
  },

  execute(execution) {
    const message = execution.contract.message as CreateSmartContract;
    const definition = definitionOf(message);
    const caller = validAddress(message.ownerAddress);
    const address = caller && addressFor(execution, caller);
    if (caller === undefined || address === undefined) throw invalidContract("Invalid ownerAddress!");
    const value = definition.callValue;
    const version = execution.parameters.getAllowTvmCompatibleEvm === 1 ? 1 : 0;
    return executeCode(execution, {
      kind: "create",
      caller,
      address,
      code: definition.bytecode,
      data: new Uint8Array(),
      value,
      version,
      payer: { caller, value, feeLimit: execution.transaction?.raw.feeLimit ?? 0n },
      prepare: (ledger) => {
        layOut(ledger, { ...definition, version }, address);
        transferInside(ledger, { from: caller, to: address, value, now: execution.now });
      },
    });
  },
};

/** Puts the account and the contract there; its code comes when the code that makes it has ended well. */
export function layOut(ledger: Ledger, definition: SmartContract, address: Address): void {
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

/** Known as soon as there is a transaction. */
function addressFor({ transaction }: Execution, caller: Address): Address | undefined {
  return transaction && deployedContractAddress(transaction.id, caller);
}
