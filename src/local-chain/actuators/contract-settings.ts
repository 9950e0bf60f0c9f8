import type {
  ClearABIContract,
  SmartContract,
  UpdateEnergyLimitContract,
  UpdateSettingContract,
} from "../../core/transaction/gen/transaction_pb.js";
import type { Actuator, Execution } from "../chain/actuator.ts";
import type { ContractRecord } from "../chain/contract.ts";
import { invalidContract } from "../chain/refusal.ts";
import { validAddress } from "../chain/transaction.ts";

const WHOLE = 100n;

/** The caller's part of what calls cost, in percent (UpdateSettingContractActuator). */
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

/** The most energy that the owner gives to one call (UpdateEnergyLimitContractActuator). */
export const updateEnergyLimit: Actuator = setting({
  check: ({ contract }) => {
    const limit = (contract.message as UpdateEnergyLimitContract).originEnergyLimit;
    if (limit <= 0n) throw invalidContract("origin energy limit must be > 0");
  },
  missing: "Contract does not exist",
  change: ({ contract }) => ({ originEnergyLimit: (contract.message as UpdateEnergyLimitContract).originEnergyLimit }),
});

/** Takes the ABI off the chain (ClearABIContractActuator). */
export const clearAbi: Actuator = setting({
  check: () => undefined,
  missing: "Contract not exists",
  change: () => ({ abi: undefined }),
});

interface Setting {
  /** What of the message is checked before the contract is looked for. */
  readonly check: (execution: Execution) => void;
  /** What is said of a contract that is not there. */
  readonly missing: string;
  readonly change: (execution: Execution) => Partial<SmartContract>;
}

/** What only the owner of a contract may do; it acts at once. */
function setting({ check, missing, change }: Setting): Actuator {
  const validate = (execution: Execution): ContractRecord => {
    const { ownerAddress, contractAddress } = addresses(execution);
    const owner = validAddress(ownerAddress);
    if (owner === undefined) throw invalidContract("Invalid address");
    if (execution.ledger.account(owner) === undefined) throw invalidContract(`Account[${owner}] does not exist`);
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
