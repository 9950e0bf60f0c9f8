import { type Address, bytesToHex } from "@finality/tron/primitives";
import type {
  AccountCreateContract,
  AccountPermissionUpdateContract,
  AccountUpdateContract,
  Permission,
  SetAccountIdContract,
  TransferContract,
} from "@finality/tron/schema";
import {
  ACCOUNT_KINDS,
  ACTIVE,
  type Account,
  allowsOperation,
  FIRST_ACTIVE_ID,
  idKey,
  isReadable,
  OWNER,
  WITNESS,
  WITNESS_ID,
} from "../chain/account.ts";
import type { Actuator, Execution } from "../chain/execution.ts";
import { addBalance, burn, createdAccount } from "../chain/ledger.ts";
import { invalidContract, Refusal } from "../chain/refusal.ts";
import { validAddress } from "../chain/transaction.ts";

/** Creates an account without coins (CreateAccountActuator). */
export const accountCreate: Actuator = {
  validate({ ledger, contract, parameters }) {
    const { ownerAddress, accountAddress } = contract.message as AccountCreateContract;
    const owner = validAddress(ownerAddress);
    if (owner === undefined) throw invalidContract("Invalid ownerAddress");
    const payer = ledger.account(owner);
    if (payer === undefined) throw invalidContract(`Account[${bytesToHex(ownerAddress)}] not exists`);
    if (payer.balance < BigInt(parameters.getCreateNewAccountFeeInSystemContract)) {
      throw invalidContract("Validate CreateAccountActuator error, insufficient fee.");
    }
    const address = validAddress(accountAddress);
    if (address === undefined) throw invalidContract("Invalid account address");
    if (ledger.account(address) !== undefined) throw invalidContract("Account has existed");
  },

  execute({ ledger, contract, parameters, now }) {
    const { ownerAddress, accountAddress, type } = contract.message as AccountCreateContract;
    const [owner, address] = [validAddress(ownerAddress), validAddress(accountAddress)];
    const payer = owner && ledger.account(owner);
    if (payer === undefined || address === undefined) throw invalidContract("Invalid account address");
    const fee = BigInt(parameters.getCreateNewAccountFeeInSystemContract);
    burn(ledger, payer, fee);
    ledger.put({ ...createdAccount(ledger, address, now), kind: ACCOUNT_KINDS[type] ?? "Normal" });
    return { result: "SUCCESS", fee };
  },
};

const MAX_KEYS = 5;
const MAX_ACTIVES = 8;
/** UTF-16 units. */
const MAX_NAME = 32;
const MAX_LONG = (1n << 63n) - 1n;
const OPERATION_BITS = 256;
const TYPES = ["Owner", "Witness", "Active"];

/** Replaces the permissions of an account (AccountPermissionUpdateActuator). */
export const accountPermissionUpdate: Actuator = {
  validate({ ledger, contract, parameters }) {
    const message = contract.message as AccountPermissionUpdateContract;
    if (parameters.getAllowMultiSign !== 1) {
      throw invalidContract("multi sign is not allowed, need to be opened by the committee");
    }
    const owner = validAddress(message.ownerAddress);
    if (owner === undefined) throw invalidContract("invalidate ownerAddress");
    if (ledger.account(owner) === undefined) throw invalidContract("ownerAddress account does not exist");
    checkPresence(message, ledger.witness(owner) !== undefined);
    const { available } = ledger.totals.operations;
    if (message.owner?.type !== OWNER) throw invalidContract("owner permission type is error");
    checkPermission(message.owner, available);
    if (message.witness !== undefined) {
      if (message.witness.type !== WITNESS) throw invalidContract("witness permission type is error");
      checkPermission(message.witness, available);
    }
    for (const active of message.actives) {
      if (active.type !== ACTIVE) throw invalidContract("active permission type is error");
      checkPermission(active, available);
    }
  },

  execute({ ledger, contract, parameters }) {
    const message = contract.message as AccountPermissionUpdateContract;
    const owner = validAddress(message.ownerAddress);
    const account = owner && ledger.account(owner);
    if (account === undefined || message.owner === undefined) throw invalidContract("owner permission is missed");
    const fee = BigInt(parameters.getUpdateAccountPermissionFee);
    if (account.balance < fee) {
      const text = `${bytesToHex(message.ownerAddress)} insufficient balance, balance: ${account.balance}, amount: ${fee}`;
      throw new Refusal("CONTRACT_EXE_ERROR", text);
    }
    const activePermissions = message.actives.map((it, index) => ({ ...it, id: FIRST_ACTIVE_ID + index }));
    const witnessPermission = message.witness && { ...message.witness, id: WITNESS_ID };
    const ownerPermission = { ...message.owner, id: 0 };
    burn(
      ledger,
      { ...account, ownerPermission, activePermissions, ...(witnessPermission && { witnessPermission }) },
      fee,
    );
    return { result: "SUCCESS", fee };
  },
};

function checkPresence({ owner, witness, actives }: AccountPermissionUpdateContract, isWitness: boolean): void {
  if (owner === undefined) throw invalidContract("owner permission is missed");
  if (isWitness && witness === undefined) throw invalidContract("witness permission is missed");
  if (!isWitness && witness !== undefined) throw invalidContract("account isn't witness can't set witness permission");
  if (actives.length === 0) throw invalidContract("active permission is missed");
  if (actives.length > MAX_ACTIVES) throw invalidContract("active permission is too many");
}

function checkPermission(permission: Permission, available: Uint8Array): void {
  const { type, keys, threshold, permissionName, parentId, operations } = permission;
  if (keys.length > MAX_KEYS)
    throw invalidContract(`number of keys in permission should not be greater than ${MAX_KEYS}`);
  if (keys.length === 0) throw invalidContract("key's count should be greater than 0");
  if (type === WITNESS && keys.length !== 1) throw invalidContract("Witness permission's key count should be 1");
  if (threshold <= 0n) throw invalidContract("permission's threshold should be greater than 0");
  if (permissionName.length > MAX_NAME) throw invalidContract("permission's name is too long");
  if (parentId !== 0) throw invalidContract("permission's parent should be owner");
  checkKeys(permission, TYPES[type] ?? "");
  if (type !== ACTIVE) {
    if (operations.length > 0) throw invalidContract(`${TYPES[type]} permission needn't operations`);
    return;
  }
  checkOperations(operations, available);
}

function checkKeys({ keys, threshold }: Permission, type: string): void {
  const addresses = new Set(keys.map((key) => bytesToHex(key.address)));
  if (addresses.size !== keys.length) throw invalidContract(`address should be distinct in permission ${type}`);
  let sum = 0n;
  for (const key of keys) {
    if (validAddress(key.address) === undefined) throw invalidContract("key is not a validate address");
    if (key.weight <= 0n) throw invalidContract("key's weight should be greater than 0");
    sum += key.weight;
    if (sum > MAX_LONG) throw invalidContract("long overflow");
  }
  if (sum < threshold) {
    throw invalidContract(`sum of all key's weight should not be less than threshold in permission ${type}`);
  }
}

function checkOperations(operations: Uint8Array, available: Uint8Array): void {
  if (operations.length !== 32) throw invalidContract("operations size must 32");
  for (let bit = 0; bit < OPERATION_BITS; bit += 1) {
    if (allowsOperation(operations, bit) && !allowsOperation(available, bit)) {
      throw invalidContract(`${bit} isn't a validate ContractType`);
    }
  }
}

const MAX_NAME_BYTES = 200;
const MIN_ID_BYTES = 8;
const MAX_ID_BYTES = 32;

/** Sets the unique name of an account (UpdateAccountActuator). */
export const updateAccountName: Actuator = {
  validate(execution) {
    const { accountName } = execution.contract.message as AccountUpdateContract;
    if (accountName.length > MAX_NAME_BYTES) throw invalidContract("Invalid accountName");
    const account = ownerAccount(execution, "Account does not exist");
    if (execution.parameters.getAllowUpdateAccountName !== 0) return;
    if (account.identity.name !== "") throw invalidContract("This account name is already existed");
    if (execution.ledger.tables.names.get(bytesToHex(accountName)) !== undefined) {
      throw invalidContract("This name is existed");
    }
  },

  execute(execution) {
    const { accountName } = execution.contract.message as AccountUpdateContract;
    const account = ownerAccount(execution, "Account does not exist");
    const name = bytesToHex(accountName);
    execution.ledger.put({ ...account, identity: { ...account.identity, name } });
    execution.ledger.tables.names.set(name, account.address);
    return { result: "SUCCESS", fee: 0n };
  },
};

/** Sets the unique id of an account (SetAccountIdActuator). */
export const setAccountId: Actuator = {
  validate(execution) {
    const { accountId } = execution.contract.message as SetAccountIdContract;
    if (!isReadable(accountId, MAX_ID_BYTES) || accountId.length < MIN_ID_BYTES) {
      throw invalidContract("Invalid accountId");
    }
    const account = ownerAccount(execution, "Account has not existed");
    if (account.identity.id !== "") throw invalidContract("This account id already set");
    if (execution.ledger.tables.ids.get(idKey(accountId)) !== undefined) throw invalidContract("This id has existed");
  },

  execute(execution) {
    const { accountId } = execution.contract.message as SetAccountIdContract;
    const account = ownerAccount(execution, "Account has not existed");
    execution.ledger.put({ ...account, identity: { ...account.identity, id: bytesToHex(accountId) } });
    execution.ledger.tables.ids.set(idKey(accountId), account.address);
    return { result: "SUCCESS", fee: 0n };
  },
};

/** @throws {Refusal} no address, or one that the chain does not know */
function ownerAccount({ ledger, contract }: Execution, unknown: string): Account {
  const owner = validAddress((contract.message as AccountUpdateContract | SetAccountIdContract).ownerAddress);
  if (owner === undefined) throw invalidContract("Invalid ownerAddress");
  const account = ledger.account(owner);
  if (account === undefined) throw invalidContract(unknown);
  return account;
}

/** Transfers coins, and creates the recipient's account if it does not exist (TransferActuator). */
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

/** Rejects contracts, which receive coins by calls only. */
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
