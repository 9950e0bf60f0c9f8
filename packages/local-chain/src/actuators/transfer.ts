import type { Address } from "@finality/tron/primitives";
import type { TransferContract } from "@finality/tron/schema";
import type { Actuator, Execution } from "../chain/actuator.ts";
import { addBalance, burn, createdAccount } from "../chain/ledger.ts";
import { invalidContract } from "../chain/refusal.ts";
import { validAddress } from "../chain/transaction.ts";

const MAX_LONG = (1n << 63n) - 1n;

/** A transfer of coins; it creates the account of a recipient that the chain does not know (TransferActuator). */
export const transfer: Actuator = {
  validate(execution) {
    const { ledger } = execution;
    const { ownerAddress, toAddress, amount } = execution.contract.message as TransferContract;
    const owner = validAddress(ownerAddress);
    const to = validAddress(toAddress);
    if (owner === undefined) throw invalidContract("Invalid ownerAddress!");
    if (to === undefined) throw invalidContract("Invalid toAddress!");
    if (owner === to) throw invalidContract("Cannot transfer TRX to yourself.");
    const account = ledger.account(owner);
    if (account === undefined) throw invalidContract("Validate TransferContract error, no OwnerAccount.");
    if (amount <= 0n) throw invalidContract("Amount must be greater than 0.");
    checkReceiver(execution, to);
    const needed = amount + creationFee(execution);
    if (needed > MAX_LONG) throw invalidContract("long overflow");
    if (account.balance < needed) {
      throw invalidContract("Validate TransferContract error, balance is not sufficient.");
    }
  },

  execute(execution) {
    const { ledger, contract, now } = execution;
    const { ownerAddress, toAddress, amount } = contract.message as TransferContract;
    const [owner, to] = [validAddress(ownerAddress), validAddress(toAddress)];
    const payer = owner && ledger.account(owner);
    if (payer === undefined || to === undefined) throw invalidContract("Invalid toAddress!");
    const fee = creationFee(execution);
    burn(ledger, payer, fee);
    addBalance(ledger, { ...payer, balance: payer.balance - fee }, -amount);
    addBalance(ledger, ledger.account(to) ?? createdAccount(ledger, to, now), amount);
    return { result: "SUCCESS", fee };
  },
};

/** Contracts take coins only from calls. */
function checkReceiver({ ledger, parameters }: Execution, to: Address): void {
  if (ledger.account(to)?.kind !== "Contract") return;
  if (parameters.getForbidTransferToContract === 1) throw invalidContract("Cannot transfer TRX to a smartContract.");
  if (parameters.getAllowTvmCompatibleEvm !== 1) return;
  const contract = ledger.contract(to);
  if (contract === undefined) {
    throw invalidContract("Account type is Contract, but it is not exist in contract store.");
  }
  if (contract.definition.version === 1) {
    throw invalidContract(
      "Cannot transfer TRX to a smartContract which version is one. Instead please use TriggerSmartContract ",
    );
  }
}

function creationFee({ ledger, contract, parameters }: Execution): bigint {
  const to = validAddress((contract.message as TransferContract).toAddress);
  const creates = to !== undefined && ledger.account(to) === undefined;
  return creates ? BigInt(parameters.getCreateNewAccountFeeInSystemContract) : 0n;
}
