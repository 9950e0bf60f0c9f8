import { bytesToHex } from "@finality/tron/primitives";
import type { AccountCreateContract, AccountPermissionUpdateContract, Permission } from "@finality/tron/schema";
import {
  ACCOUNT_KINDS,
  ACTIVE,
  allowsOperation,
  FIRST_ACTIVE_ID,
  OWNER,
  WITNESS,
  WITNESS_ID,
} from "../chain/account.ts";
import type { Actuator } from "../chain/actuator.ts";
import { burn, createdAccount } from "../chain/ledger.ts";
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

/** Replaces who may sign for an account (AccountPermissionUpdateActuator). */
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
