import { create, type Message, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { t } from "@vscode/l10n";
import type { JsonAbiEntry } from "../abi/abi-index.ts";
import type { JsonParameter } from "../abi/abi-type.ts";
import { ChainError } from "../errors/chain-error.ts";
import { addressToBytes } from "../primitives/address.ts";
import { bytesToHex, type Hex, hexToBytes } from "../primitives/bytes.ts";
import { type ContractType, contractTypeByName } from "./contract-types.ts";
import {
  ABISchema,
  AccountCreateContractSchema,
  AccountPermissionUpdateContractSchema,
  AccountUpdateContractSchema,
  CancelAllUnfreezeV2ContractSchema,
  ClearABIContractSchema,
  type Contract,
  CreateSmartContractSchema,
  DelegateResourceContractSchema,
  type EntrySchema,
  FreezeBalanceV2ContractSchema,
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
import { contractEntry, readMessage } from "./raw-data-codec.ts";

const RESOURCE_CODES: { readonly [P in StakePurpose]: number } = { BANDWIDTH: 0, ENERGY: 1, TRON_POWER: 2 };
const PERMISSION_TYPES = { owner: 0, witness: 1, active: 2 };

/**
 * The one contract entry that does what the intent says.
 *
 * @throws {ChainError} `TRANSACTION_MALFORMED` the ABI of a contract creation is not a serialised ABI, or what nobody
 *   here builds is not a message of its kind
 */
export function contractFromIntent(intent: Intent): Contract {
  const message = messageFromIntent(intent);
  return contractEntry(typeOf(message), message, intent.permissionId ?? 0);
}

function typeOf(message: Message): ContractType {
  const name = message.$typeName.replace(/^protocol\./, "");
  const type = contractTypeByName(name);
  if (type === undefined) throw new TypeError(`${name} is missing in the table of contract types`);
  return type;
}

function messageFromIntent(intent: Intent): Message {
  const ownerAddress = addressToBytes(intent.owner);
  switch (intent.kind) {
    case "transfer":
      return transfer(intent);
    case "token-transfer":
      return tokenTransfer(intent);
    case "contract-call":
      return contractCall(intent);
    case "contract-creation":
      return contractCreation(intent);
    case "stake":
      return stake(intent);
    case "unstake":
      return unstake(intent);
    case "withdraw":
      return create(WithdrawExpireUnfreezeContractSchema, { ownerAddress });
    case "cancel-unstakes":
      return create(CancelAllUnfreezeV2ContractSchema, { ownerAddress });
    case "delegate":
      return delegate(intent);
    case "undelegate":
      return undelegate(intent);
    case "permission-update":
      return permissionUpdate(intent);
    case "vote":
      return vote(intent);
    case "claim-reward":
      return create(WithdrawBalanceContractSchema, { ownerAddress });
    case "account-creation":
      return create(AccountCreateContractSchema, { ownerAddress, accountAddress: addressToBytes(intent.account) });
    case "account-name":
      return create(AccountUpdateContractSchema, { ownerAddress, accountName: textBytes(intent.name) });
    case "contract-share":
    case "contract-limit":
    case "contract-abi-removal":
      return contractSetting(intent, { ownerAddress, contractAddress: addressToBytes(intent.contract) });
    case "other":
      return otherMessage(intent);
  }
}

function transfer({ owner, to, amount }: IntentOf<"transfer">): Message {
  return create(TransferContractSchema, {
    ownerAddress: addressToBytes(owner),
    toAddress: addressToBytes(to),
    amount,
  });
}

function tokenTransfer({ owner, to, amount, tokenId }: IntentOf<"token-transfer">): Message {
  return create(TransferAssetContractSchema, {
    assetName: textBytes(tokenId),
    ownerAddress: addressToBytes(owner),
    toAddress: addressToBytes(to),
    amount,
  });
}

function contractCall(intent: IntentOf<"contract-call">): Message {
  return create(TriggerSmartContractSchema, {
    ownerAddress: addressToBytes(intent.owner),
    contractAddress: addressToBytes(intent.contract),
    callValue: intent.callValue,
    data: hexToBytes(intent.data),
    callTokenValue: intent.tokenValue ?? 0n,
    tokenId: intent.tokenId ?? 0n,
  });
}

/** The ABI is always present, if empty, as builders of the node and TronWeb have it. */
function contractCreation(intent: IntentOf<"contract-creation">): Message {
  return create(CreateSmartContractSchema, {
    ownerAddress: addressToBytes(intent.owner),
    newContract: {
      originAddress: addressToBytes(intent.owner),
      abi: readMessage(ABISchema, hexToBytes(intent.abi), "abi"),
      bytecode: hexToBytes(intent.bytecode),
      callValue: intent.callValue,
      consumeUserResourcePercent: intent.userPercent,
      name: intent.name,
      originEnergyLimit: intent.originEnergyLimit,
    },
  });
}

function stake({ owner, amount, resource }: IntentOf<"stake">): Message {
  return create(FreezeBalanceV2ContractSchema, {
    ownerAddress: addressToBytes(owner),
    frozenBalance: amount,
    resource: RESOURCE_CODES[resource],
  });
}

function unstake({ owner, amount, resource }: IntentOf<"unstake">): Message {
  return create(UnfreezeBalanceV2ContractSchema, {
    ownerAddress: addressToBytes(owner),
    unfreezeBalance: amount,
    resource: RESOURCE_CODES[resource],
  });
}

function delegate(intent: IntentOf<"delegate">): Message {
  const { owner, receiver, amount, resource, lockPeriod, ignoredLockPeriod } = intent;
  return create(DelegateResourceContractSchema, {
    ownerAddress: addressToBytes(owner),
    resource: RESOURCE_CODES[resource],
    balance: amount,
    receiverAddress: addressToBytes(receiver),
    lock: lockPeriod !== undefined,
    lockPeriod: lockPeriod ?? ignoredLockPeriod ?? 0n,
  });
}

function undelegate({ owner, receiver, amount, resource }: IntentOf<"undelegate">): Message {
  return create(UnDelegateResourceContractSchema, {
    ownerAddress: addressToBytes(owner),
    resource: RESOURCE_CODES[resource],
    balance: amount,
    receiverAddress: addressToBytes(receiver),
  });
}

function permissionUpdate(intent: IntentOf<"permission-update">): Message {
  const { owner, ownerPermission, witnessPermission, activePermissions } = intent;
  return create(AccountPermissionUpdateContractSchema, {
    ownerAddress: addressToBytes(owner),
    owner: permission("owner", ownerPermission),
    ...(witnessPermission === undefined ? {} : { witness: permission("witness", witnessPermission) }),
    actives: activePermissions.map((it) => permission("active", it)),
  });
}

/** Ids are left out: the chain numbers permissions itself. */
function permission(
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

function vote({ owner, votes, ignoredSupport }: IntentOf<"vote">): Message {
  return create(VoteWitnessContractSchema, {
    ownerAddress: addressToBytes(owner),
    votes: votes.map(({ witness, count }) => ({ voteAddress: addressToBytes(witness), voteCount: count })),
    support: ignoredSupport === true,
  });
}

type ContractSetting = IntentOf<"contract-share" | "contract-limit" | "contract-abi-removal">;

function contractSetting(
  intent: ContractSetting,
  addresses: { readonly ownerAddress: Uint8Array; readonly contractAddress: Uint8Array },
): Message {
  switch (intent.kind) {
    case "contract-share":
      return create(UpdateSettingContractSchema, { ...addresses, consumeUserResourcePercent: intent.userPercent });
    case "contract-limit":
      return create(UpdateEnergyLimitContractSchema, { ...addresses, originEnergyLimit: intent.originEnergyLimit });
    case "contract-abi-removal":
      return create(ClearABIContractSchema, addresses);
  }
}

function otherMessage({ type: name, parameter }: IntentOf<"other">): Message {
  const type = contractTypeByName(name);
  if (type === undefined) throw new ChainError("TRANSACTION_MALFORMED", { reason: t`${name} is no kind of contract` });
  return readMessage(type.schema, hexToBytes(parameter), name);
}

function textBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "utf8"));
}

const TYPES = ["unknown", "constructor", "function", "event", "fallback", "receive", "error"];
const MUTABILITIES = ["unknown", "pure", "view", "nonpayable", "payable"];

/**
 * The ABI as a deployment carries it: the chain keeps names and types, and no fields of tuples.
 *
 * @returns the serialised message, for the intent of a creation
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
