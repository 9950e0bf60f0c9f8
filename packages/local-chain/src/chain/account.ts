import { create } from "@bufbuild/protobuf";
import { type Address, addressToBytes, bytesToHex, type Hex, hex, parseAddress } from "@finality/tron/primitives";
import { type Permission, PermissionSchema, type SmartContract } from "@finality/tron/schema";
import {
  type ByResource,
  type Delegation,
  NO_STAKE,
  type Stake,
  UNUSED,
  UNUSED_WINDOW,
  type Unstaking,
  type Usage,
  type WindowedUsage,
} from "./stake.ts";
import { type Issue, NO_TOKEN_USE, NO_TOKENS, NOTHING_ISSUED, type TokenBalances, type TokenUse } from "./token.ts";
import { NO_VOTING, type Voting } from "./witness.ts";

/** An account. Immutable: each change creates a new value (see `ledger.ts`). */
export interface Account {
  readonly address: Address;
  readonly kind: AccountKind;
  /** Sun. */
  readonly balance: bigint;
  /** Chain time in ms. */
  readonly createdAt: number;
  /** Chain time in ms of the last transaction that the account paid for. */
  readonly lastOperationAt: number;
  readonly freeNet: Usage;
  /** Used part of the staked resources. */
  readonly used: ByResource<WindowedUsage>;
  /** Sun staked, without delegated amounts. */
  readonly stake: Stake;
  /** Sun staked and delegated to other accounts. */
  readonly lent: ByResource<bigint>;
  /** Sun that other accounts have delegated to this one. */
  readonly borrowed: ByResource<bigint>;
  /** Receivers of its delegations and accounts that delegate to it, latest last. */
  readonly delegations: readonly Delegation[];
  readonly lenders: readonly Address[];
  readonly unstaking: readonly Unstaking[];
  /** A spent token keeps a balance of 0 until the block is solidified. */
  readonly tokens: TokenBalances;
  readonly tokenUse: TokenUse;
  readonly issued: Issue;
  readonly identity: Identity;
  /** True once a block that changed the account is solidified: the node then stores its tokens separately. */
  readonly tokensApart: boolean;
  readonly voting: Voting;
  /** Sun that still count as votes from other stakes: 0 while undecided, -1 for none. */
  readonly oldPower: bigint;
  /** True for a contract that ended itself and stays (TIP-6780): the node then shows empty entries of the old stake. */
  readonly clearedOldStake?: true;
  readonly ownerPermission: Permission;
  /** Permission that signs the blocks of a witness. */
  readonly witnessPermission?: Permission;
  readonly activePermissions: readonly Permission[];
}

/** Account type. Contract accounts have no key, and receive coins and tokens by calls only. */
export type AccountKind = "Normal" | "AssetIssue" | "Contract";

/** In the order of the protocol's numbers. */
export const ACCOUNT_KINDS: readonly AccountKind[] = ["Normal", "AssetIssue", "Contract"];

const NOTHING: readonly never[] = [];
const NO_SUN: ByResource<bigint> = { bandwidth: 0n, energy: 0n };
const NOTHING_USED: ByResource<WindowedUsage> = { bandwidth: UNUSED_WINDOW, energy: UNUSED_WINDOW };

/** @param operations - the contract types that its active permission allows: `Totals.operations.usual` */
export function newAccount(address: Address, createdAt: number, operations: Uint8Array): Account {
  const ownerPermission = defaultOwnerPermission(addressToBytes(address));
  const activePermissions = [defaultActivePermission(addressToBytes(address), operations)];
  defaultPermissions.set(ownerPermission, operations).set(activePermissions, operations);
  return {
    address,
    kind: "Normal",
    balance: 0n,
    createdAt,
    lastOperationAt: 0,
    freeNet: UNUSED,
    used: NOTHING_USED,
    stake: NO_STAKE,
    lent: NO_SUN,
    borrowed: NO_SUN,
    delegations: NOTHING,
    lenders: NOTHING,
    unstaking: NOTHING,
    tokens: NO_TOKENS,
    tokenUse: NO_TOKEN_USE,
    issued: NOTHING_ISSUED,
    identity: NAMELESS,
    tokensApart: false,
    voting: NO_VOTING,
    oldPower: 0n,
    ownerPermission,
    activePermissions,
  };
}

/** Initial permissions of accounts, which are shared until they change. */
const defaultPermissions = new WeakMap<object, Uint8Array>();

/** Returns whether a value is an initial permission. */
export function isDefaultPermission(part: unknown): boolean {
  return typeof part === "object" && part !== null && defaultPermissions.has(part);
}

/** Returns the operations of the active permission if it is the initial one. */
export function defaultOperations({ activePermissions }: Account): Uint8Array | undefined {
  return defaultPermissions.get(activePermissions);
}

/** Returns the permission of a `Permission_id`. */
export function permissionOf(account: Account, id: number): Permission | undefined {
  if (id === WITNESS_ID) return account.witnessPermission;
  return id === 0 ? account.ownerPermission : account.activePermissions.find((it) => it.id === id);
}

/** Returns the default permission of an account that does not exist, which its own key would sign. */
export function defaultPermissionOf(owner: Uint8Array, id: number, operations: Uint8Array): Permission | undefined {
  if (id === FIRST_ACTIVE_ID) return defaultActivePermission(owner, operations);
  return id === 0 ? defaultOwnerPermission(owner) : undefined;
}

const NO_OPERATIONS = new Uint8Array();

/** Creates the account of a contract. It has no key and no creation time. */
export function newContractAccount(address: Address, name: string): Account {
  const identity = { ...NAMELESS, name: bytesToHex(new TextEncoder().encode(name)) };
  return { ...newAccount(address, 0, NO_OPERATIONS), kind: "Contract", identity, activePermissions: [] };
}

export const OWNER = 0;
export const WITNESS = 1;
export const ACTIVE = 2;
export const WITNESS_ID = 1;
export const FIRST_ACTIVE_ID = 2;

/** Creates the default owner permission: the account's own key. */
function defaultOwnerPermission(owner: Uint8Array): Permission {
  return create(PermissionSchema, {
    type: OWNER,
    id: 0,
    permissionName: "owner",
    threshold: 1n,
    keys: [{ address: owner, weight: 1n }],
  });
}

/** Creates the default witness permission: the account's own key signs blocks. */
export function defaultWitnessPermission(owner: Uint8Array): Permission {
  return create(PermissionSchema, {
    type: WITNESS,
    id: WITNESS_ID,
    permissionName: "witness",
    threshold: 1n,
    keys: [{ address: owner, weight: 1n }],
  });
}

function defaultActivePermission(owner: Uint8Array, operations: Uint8Array): Permission {
  return create(PermissionSchema, {
    type: ACTIVE,
    id: FIRST_ACTIVE_ID,
    permissionName: "active",
    threshold: 1n,
    operations,
    keys: [{ address: owner, weight: 1n }],
  });
}

/** Returns the weight of a key, or undefined if the permission does not contain it. */
export function weightOf(permission: Permission, address: Address): bigint | undefined {
  return permission.keys.find((key) => bytesToHex(key.address) === address)?.weight;
}

/** Returns whether the bit of a contract type is set: byte type/8, mask 1 << type%8. */
export function allowsOperation(operations: Uint8Array, contractType: number): boolean {
  return (((operations[contractType >> 3] ?? 0) >> (contractType & 7)) & 1) === 1;
}

/** A stored contract. Immutable: each change creates a new value. */
export interface ContractRecord {
  readonly address: Address;
  /** Definition that `getcontract` returns: as deployed, with the address and without the runtime code. */
  readonly definition: SmartContract;
  /** Empty until the creation succeeds. */
  readonly code: Uint8Array;
  readonly codeHash: Hex;
}

/** Usage of a contract, which raises its energy price (protocol reference §11.3). */
export interface ContractUse {
  readonly energyUsage: number;
  /** Surcharge on the price, in parts of 10,000. */
  readonly energyFactor: number;
  readonly updateCycle: number;
}

/** Key of a storage slot. */
export type StorageKey = `${string}:${string}`;

/** @param storage - the contract's address, or what tells apart contracts that followed each other there */
export function storageKey(storage: string, slot: bigint): StorageKey {
  return `${storage}:${slot.toString(16)}`;
}

/** Keccak-256 of empty input. */
export const EMPTY_CODE_HASH = hex("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");

/** Name and id of an account. Both are empty at first, and are set once. */
interface Identity {
  readonly name: Hex;
  readonly id: Hex;
}

const NAMELESS: Identity = { name: bytesToHex(new Uint8Array()), id: bytesToHex(new Uint8Array()) };

/** Returns the lookup key of an account id, which ignores case. */
export function idKey(id: Uint8Array): string {
  return Buffer.from(id).toString("utf8").toLowerCase();
}

const FIRST_READABLE = 0x21;
const LAST_READABLE = 0x7e;

/** Returns whether bytes are a valid token name or account id: printable ASCII without spaces, not empty. */
export function isReadable(bytes: Uint8Array, longest: number): boolean {
  const readable = (byte: number): boolean => byte >= FIRST_READABLE && byte <= LAST_READABLE;
  return bytes.length > 0 && bytes.length <= longest && bytes.every(readable);
}

/** Account that receives burnt coins. Every genesis block has one. */
export const BLACK_HOLE: Address = parseAddress("THkYe2f9MJPt5eKcEdeM5Q8ESPdaRyG8PB");

const NAME = bytesToHex(new TextEncoder().encode("Blackhole"));
/** Initial balance in sun, far below zero. */
const LEAST_BALANCE = -(2n ** 63n);
const ZERO_ADDRESS = addressToBytes(`41${"0".repeat(40)}` as Address);

/** Creates the black hole. Its permission names an address without a key (resetBlackholeAccountPermission). */
export function newBlackHole(): Account {
  const account = newAccount(BLACK_HOLE, 0, new Uint8Array());
  return {
    ...account,
    balance: LEAST_BALANCE,
    identity: { ...account.identity, name: NAME },
    ownerPermission: create(PermissionSchema, {
      type: OWNER,
      id: 0,
      permissionName: "owner",
      threshold: 1n,
      keys: [{ address: ZERO_ADDRESS, weight: 1n }],
    }),
    activePermissions: [],
  };
}
