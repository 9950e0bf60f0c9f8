import { isMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { t } from "@vscode/l10n";
import { ChainError, isChainError } from "../errors/chain-error.ts";
import { type Address, parseAddress } from "../primitives/address.ts";
import { type Sun, sun } from "../primitives/amount.ts";
import { bytesToHex, equalBytes } from "../primitives/bytes.ts";
import { contractFromIntent } from "./contract-from-intent.ts";
import {
  ABISchema,
  AccountCreateContractSchema,
  AccountPermissionUpdateContractSchema,
  AccountUpdateContractSchema,
  CancelAllUnfreezeV2ContractSchema,
  ClearABIContractSchema,
  ContractSchema,
  CreateSmartContractSchema,
  DelegateResourceContractSchema,
  FreezeBalanceV2ContractSchema,
  type Permission,
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
import type { DecodedRawData } from "./raw-data-codec.ts";

/** Fields of `raw_data` outside the contract. */
type Common = Pick<Intent, "memo" | "permissionId">;

interface Source extends Common {
  readonly owner: Address;
  readonly feeLimit: Sun;
}

/**
 * Returns the intent of a decoded transaction; the inverse of `contractFromIntent`. A contract type without an intent
 * becomes `other`, with its unchanged message.
 *
 * @throws {ChainError} `TRANSACTION_FILE_REFUSED` nobody here can tell all that it does
 */
export function intentFromRawData({ raw, contracts, unknownFields }: DecodedRawData): Intent {
  const [contract, ...more] = contracts;
  if (contract === undefined || more.length > 0) throw refused(t`it has ${contracts.length} contracts, not one`);
  if (unknownFields.length > 0) throw refused(t`it has fields that are not in the protocol`);
  const { entry, type, message } = contract;
  if (type === undefined || message === undefined) throw refused(t`its kind, number ${entry.type}, is not known here`);
  const source: Source = {
    owner: ownerOf(message),
    feeLimit: sun(raw.feeLimit),
    ...(raw.data.length === 0 ? {} : { memo: bytesToHex(raw.data) }),
    ...(entry.PermissionId === 0 ? {} : { permissionId: entry.PermissionId }),
  };
  const intent = readIntent(message, source);
  const bytes = toBinary(ContractSchema, entry);
  if (intent !== undefined && equalBytes(toBinary(ContractSchema, contractFromIntent(intent)), bytes)) {
    const paysNoFee = intent.kind !== "contract-call" && intent.kind !== "contract-creation";
    if (paysNoFee && raw.feeLimit !== 0n) throw refused(t`it has a fee limit, and nothing of its kind uses one`);
    return intent;
  }
  const { owner, feeLimit, ...common } = source;
  return {
    kind: "other",
    owner,
    type: type.name,
    parameter: bytesToHex(toBinary(type.schema, message)),
    feeLimit,
    ...common,
  };
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

/** Undefined for what has no intent, or an address in it that is none. */
function readIntent(message: Message, source: Source): Intent | undefined {
  const { feeLimit, ...common } = source;
  try {
    return (
      readPayment(message, common) ??
      readCode(message, { feeLimit, ...common }) ??
      readStake(message, common) ??
      readDelegation(message, common) ??
      readSetting(message, common) ??
      readGovernance(message, common)
    );
  } catch (error) {
    if (!isChainError(error)) throw error;
    return undefined;
  }
}

type Owned = Omit<Source, "feeLimit">;

function readPayment(message: Message, owned: Owned): Intent | undefined {
  if (isMessage(message, TransferContractSchema)) {
    return { kind: "transfer", ...owned, to: addressOf(message.toAddress), amount: sun(message.amount) };
  }
  if (isMessage(message, TransferAssetContractSchema)) {
    const { toAddress, assetName, amount } = message;
    return { kind: "token-transfer", ...owned, to: addressOf(toAddress), tokenId: textOf(assetName), amount };
  }
  if (isMessage(message, AccountCreateContractSchema)) {
    return { kind: "account-creation", ...owned, account: addressOf(message.accountAddress) };
  }
  return undefined;
}

function readCode(message: Message, source: Source): Intent | undefined {
  if (isMessage(message, TriggerSmartContractSchema)) {
    const { contractAddress, data, callValue, tokenId, callTokenValue } = message;
    const call = { contract: addressOf(contractAddress), data: bytesToHex(data), callValue: sun(callValue) };
    const token = tokenId === 0n && callTokenValue === 0n ? {} : { tokenId, tokenValue: callTokenValue };
    return { kind: "contract-call", ...source, ...call, ...token };
  }
  if (isMessage(message, CreateSmartContractSchema)) return readCreation(message.newContract, source);
  return undefined;
}

type NewContract = NonNullable<import("./gen/transaction_pb.js").CreateSmartContract["newContract"]>;

function readCreation(contract: NewContract | undefined, source: Source): IntentOf<"contract-creation"> | undefined {
  if (contract?.abi === undefined) return undefined;
  return {
    kind: "contract-creation",
    ...source,
    name: contract.name,
    bytecode: bytesToHex(contract.bytecode),
    abi: bytesToHex(toBinary(ABISchema, contract.abi)),
    callValue: sun(contract.callValue),
    userPercent: contract.consumeUserResourcePercent,
    originEnergyLimit: contract.originEnergyLimit,
  };
}

const PURPOSES: readonly StakePurpose[] = ["BANDWIDTH", "ENERGY", "TRON_POWER"];

function readStake(message: Message, owned: Owned): Intent | undefined {
  if (isMessage(message, FreezeBalanceV2ContractSchema)) {
    const resource = PURPOSES[message.resource];
    return resource && { kind: "stake", ...owned, resource, amount: sun(message.frozenBalance) };
  }
  if (isMessage(message, UnfreezeBalanceV2ContractSchema)) {
    const resource = PURPOSES[message.resource];
    return resource && { kind: "unstake", ...owned, resource, amount: sun(message.unfreezeBalance) };
  }
  if (isMessage(message, WithdrawExpireUnfreezeContractSchema)) return { kind: "withdraw", ...owned };
  if (isMessage(message, CancelAllUnfreezeV2ContractSchema)) return { kind: "cancel-unstakes", ...owned };
  if (isMessage(message, WithdrawBalanceContractSchema)) return { kind: "claim-reward", ...owned };
  return undefined;
}

function readDelegation(message: Message, owned: Owned): Intent | undefined {
  const isDelegation = isMessage(message, DelegateResourceContractSchema);
  if (!isDelegation && !isMessage(message, UnDelegateResourceContractSchema)) return undefined;
  const { resource: code, balance, receiverAddress } = message;
  const resource = PURPOSES[code];
  if (resource === undefined || resource === "TRON_POWER") return undefined;
  const delegation = { ...owned, resource, amount: sun(balance), receiver: addressOf(receiverAddress) };
  if (!isDelegation) return { kind: "undelegate", ...delegation };
  const { lock, lockPeriod } = message;
  if (lock) return { kind: "delegate", ...delegation, lockPeriod };
  return { kind: "delegate", ...delegation, ...(lockPeriod === 0n ? {} : { ignoredLockPeriod: lockPeriod }) };
}

function readSetting(message: Message, owned: Owned): Intent | undefined {
  if (isMessage(message, UpdateSettingContractSchema)) {
    const { contractAddress, consumeUserResourcePercent: userPercent } = message;
    return { kind: "contract-share", ...owned, contract: addressOf(contractAddress), userPercent };
  }
  if (isMessage(message, UpdateEnergyLimitContractSchema)) {
    const { contractAddress, originEnergyLimit } = message;
    return { kind: "contract-limit", ...owned, contract: addressOf(contractAddress), originEnergyLimit };
  }
  if (isMessage(message, ClearABIContractSchema)) {
    return { kind: "contract-abi-removal", ...owned, contract: addressOf(message.contractAddress) };
  }
  if (isMessage(message, AccountUpdateContractSchema)) {
    return { kind: "account-name", ...owned, name: textOf(message.accountName) };
  }
  return undefined;
}

function readGovernance(message: Message, owned: Owned): Intent | undefined {
  if (isMessage(message, VoteWitnessContractSchema)) {
    const votes = message.votes.map((it) => ({ witness: addressOf(it.voteAddress), count: it.voteCount }));
    return { kind: "vote", ...owned, votes, ...(message.support ? { ignoredSupport: true } : {}) };
  }
  if (!isMessage(message, AccountPermissionUpdateContractSchema) || message.owner === undefined) return undefined;
  return {
    kind: "permission-update",
    ...owned,
    ownerPermission: permissionOf(message.owner),
    ...(message.witness === undefined ? {} : { witnessPermission: permissionOf(message.witness) }),
    activePermissions: message.actives.map(permissionOf),
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

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}
