import {
  create,
  type DescMessage,
  isMessage,
  type Message,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { t } from "@vscode/l10n";
import type { JsonAbiEntry } from "../abi/abi-index.ts";
import type { JsonParameter } from "../abi/abi-type.ts";
import { ChainError } from "../errors/chain-error.ts";
import { type Address, addressToBytes, parseAddress } from "../primitives/address.ts";
import { type Sun, sun } from "../primitives/amount.ts";
import { bytesToHex, equalBytes, type Hex, hexToBytes } from "../primitives/bytes.ts";
import { type ContractType, contractTypeByName } from "./contract-types.ts";
import {
  ABISchema,
  AccountCreateContractSchema,
  AccountPermissionUpdateContractSchema,
  AccountUpdateContractSchema,
  CancelAllUnfreezeV2ContractSchema,
  ClearABIContractSchema,
  type Contract,
  ContractSchema,
  CreateSmartContractSchema,
  DelegateResourceContractSchema,
  type EntrySchema,
  FreezeBalanceV2ContractSchema,
  type Permission,
  type PermissionSchema,
  TransferAssetContractSchema,
  TransferContractSchema,
  TriggerSmartContractSchema,
  UnDelegateResourceContractSchema,
  UnfreezeBalanceV2ContractSchema,
  UpdateEnergyLimitContractSchema,
  UpdateSettingContractSchema,
  VoteWitnessContractSchema,
  WithdrawBalanceContractSchema,
  WithdrawExpireUnfreezeContractSchema,
} from "./gen/transaction_pb.js";
import type { Intent, IntentOf, PermissionIntent, StakePurpose } from "./intent.ts";
import { contractEntry, type DecodedRawData, readMessage } from "./raw-data-codec.ts";

/** Kinds of intents with a contract type of their own. */
type MappedKind = Exclude<Intent["kind"], "other">;

/** Fields of every intent, read from `raw_data`. */
interface CommonFields extends Pick<Intent, "memo" | "permissionId"> {
  readonly owner: Address;
}

/** Contract type of one kind of intent, in both directions. */
interface ContractMapping<K extends MappedKind> {
  /** @throws {ChainError} `TRANSACTION_MALFORMED` if the ABI of a contract creation is not a serialized ABI */
  toMessage(intent: IntentOf<K>, ownerAddress: Uint8Array): Message;
  /**
   * Returns undefined if the message has another type, or fields that no intent has.
   *
   * @throws {ChainError} if an address of the message is malformed
   */
  fromMessage(message: Message, common: CommonFields, feeLimit: Sun): IntentOf<K> | undefined;
}

function mapping<K extends MappedKind, S extends DescMessage>(
  schema: S,
  toContract: (intent: IntentOf<K>, ownerAddress: Uint8Array) => MessageInitShape<S>,
  fromContract: (message: MessageShape<S>, common: CommonFields, feeLimit: Sun) => IntentOf<K> | undefined,
): ContractMapping<K> {
  return {
    toMessage: (intent, ownerAddress) => create(schema, toContract(intent, ownerAddress)),
    fromMessage: (message, common, feeLimit) =>
      isMessage(message, schema) ? fromContract(message, common, feeLimit) : undefined,
  };
}

const mappings: { readonly [K in MappedKind]: ContractMapping<K> } = {
  transfer: mapping(
    TransferContractSchema,
    ({ to, amount }, ownerAddress) => ({ ownerAddress, toAddress: addressToBytes(to), amount }),
    ({ toAddress, amount }, common) => ({
      kind: "transfer",
      ...common,
      to: addressOf(toAddress),
      amount: sun(amount),
    }),
  ),
  "token-transfer": mapping(
    TransferAssetContractSchema,
    ({ to, amount, tokenId }, ownerAddress) => ({
      assetName: textBytes(tokenId),
      ownerAddress,
      toAddress: addressToBytes(to),
      amount,
    }),
    ({ toAddress, assetName, amount }, common) => ({
      kind: "token-transfer",
      ...common,
      to: addressOf(toAddress),
      tokenId: textOf(assetName),
      amount,
    }),
  ),
  "contract-call": mapping(
    TriggerSmartContractSchema,
    ({ contract, callValue, data, tokenValue = 0n, tokenId = 0n }, ownerAddress) => ({
      ownerAddress,
      contractAddress: addressToBytes(contract),
      callValue,
      data: hexToBytes(data),
      callTokenValue: tokenValue,
      tokenId,
    }),
    ({ contractAddress, data, callValue, tokenId, callTokenValue }, common, feeLimit) => ({
      kind: "contract-call",
      ...common,
      feeLimit,
      contract: addressOf(contractAddress),
      data: bytesToHex(data),
      callValue: sun(callValue),
      ...(tokenId === 0n && callTokenValue === 0n ? {} : { tokenId, tokenValue: callTokenValue }),
    }),
  ),
  "contract-creation": mapping(
    CreateSmartContractSchema,
    ({ name, abi, bytecode, callValue, userPercent, originEnergyLimit }, ownerAddress) => ({
      ownerAddress,
      newContract: {
        originAddress: ownerAddress,
        // Always present, even if empty, as in transactions that the node and TronWeb build.
        abi: readMessage(ABISchema, hexToBytes(abi), "abi"),
        bytecode: hexToBytes(bytecode),
        callValue,
        consumeUserResourcePercent: userPercent,
        name,
        originEnergyLimit,
      },
    }),
    ({ newContract }, common, feeLimit) =>
      newContract?.abi && {
        kind: "contract-creation",
        ...common,
        feeLimit,
        name: newContract.name,
        bytecode: bytesToHex(newContract.bytecode),
        abi: bytesToHex(toBinary(ABISchema, newContract.abi)),
        callValue: sun(newContract.callValue),
        userPercent: newContract.consumeUserResourcePercent,
        originEnergyLimit: newContract.originEnergyLimit,
      },
  ),
  stake: mapping(
    FreezeBalanceV2ContractSchema,
    ({ amount, resource }, ownerAddress) => ({
      ownerAddress,
      frozenBalance: amount,
      resource: PURPOSES.indexOf(resource),
    }),
    (message, common) => {
      const resource = PURPOSES[message.resource];
      return resource && { kind: "stake", ...common, resource, amount: sun(message.frozenBalance) };
    },
  ),
  unstake: mapping(
    UnfreezeBalanceV2ContractSchema,
    ({ amount, resource }, ownerAddress) => ({
      ownerAddress,
      unfreezeBalance: amount,
      resource: PURPOSES.indexOf(resource),
    }),
    (message, common) => {
      const resource = PURPOSES[message.resource];
      return resource && { kind: "unstake", ...common, resource, amount: sun(message.unfreezeBalance) };
    },
  ),
  withdraw: mapping(
    WithdrawExpireUnfreezeContractSchema,
    (_, ownerAddress) => ({ ownerAddress }),
    (_, common) => ({ kind: "withdraw", ...common }),
  ),
  "cancel-unstakes": mapping(
    CancelAllUnfreezeV2ContractSchema,
    (_, ownerAddress) => ({ ownerAddress }),
    (_, common) => ({ kind: "cancel-unstakes", ...common }),
  ),
  "claim-reward": mapping(
    WithdrawBalanceContractSchema,
    (_, ownerAddress) => ({ ownerAddress }),
    (_, common) => ({ kind: "claim-reward", ...common }),
  ),
  delegate: mapping(
    DelegateResourceContractSchema,
    ({ receiver, amount, resource, lockPeriod, ignoredLockPeriod }, ownerAddress) => ({
      ownerAddress,
      resource: PURPOSES.indexOf(resource),
      balance: amount,
      receiverAddress: addressToBytes(receiver),
      lock: lockPeriod !== undefined,
      lockPeriod: lockPeriod ?? ignoredLockPeriod ?? 0n,
    }),
    ({ lock, lockPeriod, ...message }, common) => {
      const delegation = delegationOf(message);
      if (delegation === undefined) return undefined;
      if (lock) return { kind: "delegate", ...common, ...delegation, lockPeriod };
      return {
        kind: "delegate",
        ...common,
        ...delegation,
        ...(lockPeriod === 0n ? {} : { ignoredLockPeriod: lockPeriod }),
      };
    },
  ),
  undelegate: mapping(
    UnDelegateResourceContractSchema,
    ({ receiver, amount, resource }, ownerAddress) => ({
      ownerAddress,
      resource: PURPOSES.indexOf(resource),
      balance: amount,
      receiverAddress: addressToBytes(receiver),
    }),
    (message, common) => {
      const delegation = delegationOf(message);
      return delegation && { kind: "undelegate", ...common, ...delegation };
    },
  ),
  "permission-update": mapping(
    AccountPermissionUpdateContractSchema,
    ({ ownerPermission, witnessPermission, activePermissions }, ownerAddress) => ({
      ownerAddress,
      owner: permissionMessage("owner", ownerPermission),
      ...(witnessPermission === undefined ? {} : { witness: permissionMessage("witness", witnessPermission) }),
      actives: activePermissions.map((it) => permissionMessage("active", it)),
    }),
    ({ owner, witness, actives }, common) =>
      owner && {
        kind: "permission-update",
        ...common,
        ownerPermission: permissionOf(owner),
        ...(witness === undefined ? {} : { witnessPermission: permissionOf(witness) }),
        activePermissions: actives.map(permissionOf),
      },
  ),
  vote: mapping(
    VoteWitnessContractSchema,
    ({ votes, ignoredSupport }, ownerAddress) => ({
      ownerAddress,
      votes: votes.map(({ witness, count }) => ({ voteAddress: addressToBytes(witness), voteCount: count })),
      support: ignoredSupport === true,
    }),
    ({ votes, support }, common) => ({
      kind: "vote",
      ...common,
      votes: votes.map(({ voteAddress, voteCount }) => ({ witness: addressOf(voteAddress), count: voteCount })),
      ...(support ? { ignoredSupport: true } : {}),
    }),
  ),
  "account-creation": mapping(
    AccountCreateContractSchema,
    ({ account }, ownerAddress) => ({ ownerAddress, accountAddress: addressToBytes(account) }),
    ({ accountAddress }, common) => ({ kind: "account-creation", ...common, account: addressOf(accountAddress) }),
  ),
  "account-name": mapping(
    AccountUpdateContractSchema,
    ({ name }, ownerAddress) => ({ ownerAddress, accountName: textBytes(name) }),
    ({ accountName }, common) => ({ kind: "account-name", ...common, name: textOf(accountName) }),
  ),
  "contract-share": mapping(
    UpdateSettingContractSchema,
    ({ contract, userPercent }, ownerAddress) => ({
      ownerAddress,
      contractAddress: addressToBytes(contract),
      consumeUserResourcePercent: userPercent,
    }),
    ({ contractAddress, consumeUserResourcePercent }, common) => ({
      kind: "contract-share",
      ...common,
      contract: addressOf(contractAddress),
      userPercent: consumeUserResourcePercent,
    }),
  ),
  "contract-limit": mapping(
    UpdateEnergyLimitContractSchema,
    ({ contract, originEnergyLimit }, ownerAddress) => ({
      ownerAddress,
      contractAddress: addressToBytes(contract),
      originEnergyLimit,
    }),
    ({ contractAddress, originEnergyLimit }, common) => ({
      kind: "contract-limit",
      ...common,
      contract: addressOf(contractAddress),
      originEnergyLimit,
    }),
  ),
  "contract-abi-removal": mapping(
    ClearABIContractSchema,
    ({ contract }, ownerAddress) => ({ ownerAddress, contractAddress: addressToBytes(contract) }),
    ({ contractAddress }, common) => ({
      kind: "contract-abi-removal",
      ...common,
      contract: addressOf(contractAddress),
    }),
  ),
};

/**
 * Returns the contract entry of an intent.
 *
 * @throws {ChainError} `TRANSACTION_MALFORMED` if the ABI of a contract creation is not a serialized ABI, or the
 *   message of an `other` intent is malformed
 */
export function contractFromIntent(intent: Intent): Contract {
  const message = messageFromIntent(intent);
  return contractEntry(typeOf(message), message, intent.permissionId ?? 0);
}

function messageFromIntent(intent: Intent): Message {
  if (intent.kind === "other") return otherMessage(intent);
  const row = mappings[intent.kind] as ContractMapping<typeof intent.kind>;
  return row.toMessage(intent, addressToBytes(intent.owner));
}

function otherMessage({ type: name, parameter }: IntentOf<"other">): Message {
  const type = contractTypeByName(name);
  if (type === undefined) throw new ChainError("TRANSACTION_MALFORMED", { reason: t`${name} is not a contract type` });
  return readMessage(type.schema, hexToBytes(parameter), name);
}

function typeOf(message: Message): ContractType {
  const name = message.$typeName.replace(/^protocol\./, "");
  const type = contractTypeByName(name);
  if (type === undefined) throw new TypeError(`${name} is missing in the table of contract types`);
  return type;
}

/**
 * Returns the intent of a decoded transaction; the inverse of `contractFromIntent`. A contract type without an intent
 * becomes `other`, with its unchanged message.
 *
 * @throws {ChainError} `TRANSACTION_FILE_REFUSED` if its effects are not fully known
 */
export function intentFromRawData({ raw, contracts, unknownFields }: DecodedRawData): Intent {
  const [contract, ...more] = contracts;
  if (contract === undefined || more.length > 0) throw refused(t`it has ${contracts.length} contracts, not one`);
  if (unknownFields.length > 0) throw refused(t`it has fields that are not in the protocol`);
  const { entry, type, message } = contract;
  if (type === undefined || message === undefined)
    throw refused(t`its contract type, number ${entry.type}, is not supported`);
  const common: CommonFields = {
    owner: ownerOf(message),
    ...(raw.data.length === 0 ? {} : { memo: bytesToHex(raw.data) }),
    ...(entry.PermissionId === 0 ? {} : { permissionId: entry.PermissionId }),
  };
  const feeLimit = sun(raw.feeLimit);
  const intent = intentFromMessage(message, common, feeLimit);
  const bytes = toBinary(ContractSchema, entry);
  if (intent !== undefined && equalBytes(toBinary(ContractSchema, contractFromIntent(intent)), bytes)) {
    const paysNoFee = intent.kind !== "contract-call" && intent.kind !== "contract-creation";
    if (paysNoFee && raw.feeLimit !== 0n) throw refused(t`it has a fee limit, which its contract type does not use`);
    return intent;
  }
  return { kind: "other", type: type.name, parameter: bytesToHex(toBinary(type.schema, message)), feeLimit, ...common };
}

/** Returns undefined if no kind of intent has this message, or if an address in it is malformed. */
function intentFromMessage(message: Message, common: CommonFields, feeLimit: Sun): Intent | undefined {
  try {
    for (const row of Object.values(mappings)) {
      const intent = row.fromMessage(message, common, feeLimit);
      if (intent !== undefined) return intent;
    }
    return undefined;
  } catch (error) {
    if (error instanceof ChainError) return undefined;
    throw error;
  }
}

function refused(reason: string): ChainError {
  return new ChainError("TRANSACTION_FILE_REFUSED", { reason });
}

function ownerOf(message: Message): Address {
  const { ownerAddress } = message as Message & { readonly ownerAddress?: Uint8Array };
  if (ownerAddress === undefined) throw refused(t`it has no owner`);
  return addressOf(ownerAddress);
}

/** @throws {ChainError} `ADDRESS_MALFORMED`, `ADDRESS_PREFIX_UNKNOWN` */
function addressOf(bytes: Uint8Array): Address {
  if (bytes.length !== 21) throw new ChainError("ADDRESS_MALFORMED", { text: bytesToHex(bytes) });
  return parseAddress(bytesToHex(bytes));
}

/** Purposes of a stake; the index is the number of the protocol. */
const PURPOSES: readonly StakePurpose[] = ["BANDWIDTH", "ENERGY", "TRON_POWER"];

/** Returns the common fields of a delegation and its end; undefined if the resource cannot be delegated. */
function delegationOf(message: {
  readonly resource: number;
  readonly balance: bigint;
  readonly receiverAddress: Uint8Array;
}): Pick<IntentOf<"delegate">, "resource" | "amount" | "receiver"> | undefined {
  const resource = PURPOSES[message.resource];
  if (resource === undefined || resource === "TRON_POWER") return undefined;
  return { resource, amount: sun(message.balance), receiver: addressOf(message.receiverAddress) };
}

const PERMISSION_TYPES = { owner: 0, witness: 1, active: 2 };

/** Returns the message of a permission. It has no ID, because the chain numbers permissions itself. */
function permissionMessage(
  type: keyof typeof PERMISSION_TYPES,
  { name, threshold, keys, operations }: PermissionIntent,
): MessageInitShape<typeof PermissionSchema> {
  return {
    type: PERMISSION_TYPES[type],
    permissionName: name,
    threshold,
    operations: hexToBytes(operations ?? ""),
    keys: keys.map(({ address, weight }) => ({ address: addressToBytes(address), weight })),
  };
}

function permissionOf({ permissionName, threshold, operations, keys }: Permission): PermissionIntent {
  return {
    name: permissionName,
    threshold,
    keys: keys.map(({ address, weight }) => ({ address: addressOf(address), weight })),
    ...(operations.length === 0 ? {} : { operations: bytesToHex(operations) }),
  };
}

function textBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "utf8"));
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}

const TYPES = ["unknown", "constructor", "function", "event", "fallback", "receive", "error"];
const MUTABILITIES = ["unknown", "pure", "view", "nonpayable", "payable"];

/**
 * Returns the ABI as the message of a deployment, serialised, for the intent of a contract creation. The chain stores
 * names and types, and no fields of tuples.
 */
export function serialisedAbi(abi: readonly JsonAbiEntry[]): Hex {
  return bytesToHex(toBinary(ABISchema, create(ABISchema, { entrys: abi.map(entryOf) })));
}

function entryOf(entry: JsonAbiEntry): MessageInitShape<typeof EntrySchema> {
  const { type = "function", name = "", inputs = [], outputs = [], stateMutability = "", anonymous = false } = entry;
  return {
    anonymous,
    constant: entry.constant === true,
    payable: entry.payable === true,
    name,
    inputs: inputs.map(parameterOf),
    outputs: outputs.map(parameterOf),
    type: Math.max(TYPES.indexOf(type.toLowerCase()), 0),
    stateMutability: Math.max(MUTABILITIES.indexOf(stateMutability.toLowerCase()), 0),
  };
}

function parameterOf({ name = "", type, indexed = false }: JsonParameter & { indexed?: boolean | undefined }) {
  return { name, type, indexed };
}
