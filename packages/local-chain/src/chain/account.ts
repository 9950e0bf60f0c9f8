import { create } from "@bufbuild/protobuf";
import { type Address, addressToBytes, bytesToHex, type Hex, hex, parseAddress } from "@finality/tron/primitives";
import { type Permission, PermissionSchema, type SmartContract } from "@finality/tron/schema";
import {
  type ByResource,
  type Loan,
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

/** One account. Never changed: every change makes a new value (see `ledger.ts`). */
export interface Account {
  readonly address: Address;
  readonly kind: AccountKind;
  /** Sun. */
  readonly balance: bigint;
  /** Chain time in ms. */
  readonly createdAt: number;
  /** Chain time in ms of the last transaction it paid for. */
  readonly lastOperationAt: number;
  readonly freeNet: Usage;
  /** What it has used of its stake. */
  readonly used: ByResource<WindowedUsage>;
  /** Sun staked, without what is lent to others. */
  readonly stake: Stake;
  /** Sun staked and lent to others. */
  readonly lent: ByResource<bigint>;
  /** Sun that others have staked and lent to it. */
  readonly borrowed: ByResource<bigint>;
  /** To whom it lends and who lends to it, the latest last. */
  readonly loans: readonly Loan[];
  readonly lenders: readonly Address[];
  readonly unstaking: readonly Unstaking[];
  /** A token that was all given away stays with a balance of 0 until the block of that is solidified. */
  readonly tokens: TokenBalances;
  readonly tokenUse: TokenUse;
  readonly issued: Issue;
  readonly identity: Identity;
  /** Whether the node keeps its tokens apart from it: from when a block that changed it was solidified. */
  readonly tokensApart: boolean;
  readonly voting: Voting;
  /** Sun that count for votes although they are staked for something else: 0 while that is open, -1 for none. */
  readonly oldPower: bigint;
  readonly ownerPermission: Permission;
  /** Who signs the blocks of a witness. */
  readonly witnessPermission?: Permission;
  readonly activePermissions: readonly Permission[];
}

/** As its creator named it. Those of contracts take coins and tokens only from calls, and nobody has a key for them. */
export type AccountKind = "Normal" | "AssetIssue" | "Contract";

/** In the order of the numbers that contracts carry. */
export const ACCOUNT_KINDS: readonly AccountKind[] = ["Normal", "AssetIssue", "Contract"];

const NOTHING: readonly never[] = [];
const NO_SUN: ByResource<bigint> = { bandwidth: 0n, energy: 0n };
const NOTHING_USED: ByResource<WindowedUsage> = { bandwidth: UNUSED_WINDOW, energy: UNUSED_WINDOW };

/** @param operations - the contract types that its active permission allows: `Totals.operations.usual` */
export function newAccount(address: Address, createdAt: number, operations: Uint8Array): Account {
  const ownerPermission = defaultOwnerPermission(addressToBytes(address));
  const activePermissions = [defaultActivePermission(addressToBytes(address), operations)];
  usual.set(ownerPermission, operations).set(activePermissions, operations);
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
    loans: NOTHING,
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

/** The permissions that accounts began with, and have as long as they are the same values. */
const usual = new WeakMap<object, Uint8Array>();

/** Whether a part of an account is a permission that it began with. */
export function isUsual(part: unknown): boolean {
  return typeof part === "object" && part !== null && usual.has(part);
}

/** What the active permission allows, when it is the one that the account began with. */
export function usualOperations({ activePermissions }: Account): Uint8Array | undefined {
  return usual.get(activePermissions);
}

/** The permission that a contract's `Permission_id` names. */
export function permissionOf(account: Account, id: number): Permission | undefined {
  if (id === WITNESS_ID) return account.witnessPermission;
  return id === 0 ? account.ownerPermission : account.activePermissions.find((it) => it.id === id);
}

/** The same of an account that is not there: its own key would decide, if these bytes are an address at all. */
export function permissionOfNobody(owner: Uint8Array, id: number, operations: Uint8Array): Permission | undefined {
  if (id === FIRST_ACTIVE_ID) return defaultActivePermission(owner, operations);
  return id === 0 ? defaultOwnerPermission(owner) : undefined;
}

const NO_OPERATIONS = new Uint8Array();

/** The account of a contract: nobody has a key for it, so nothing but its code moves its coins, and no time is kept. */
export function newContractAccount(address: Address, name: string): Account {
  const identity = { ...NAMELESS, name: bytesToHex(new TextEncoder().encode(name)) };
  return { ...newAccount(address, 0, NO_OPERATIONS), kind: "Contract", identity, activePermissions: [] };
}

export const OWNER = 0;
export const WITNESS = 1;
export const ACTIVE = 2;
export const WITNESS_ID = 1;
export const FIRST_ACTIVE_ID = 2;

/** What every new account starts with: its own key alone decides. */
function defaultOwnerPermission(owner: Uint8Array): Permission {
  return create(PermissionSchema, {
    type: OWNER,
    id: 0,
    permissionName: "owner",
    threshold: 1n,
    keys: [{ address: owner, weight: 1n }],
  });
}

/** What an account gets when it becomes a witness: its own key signs its blocks. */
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

/** The weight of a key in a permission, or undefined when it is not part of it. */
export function weightOf(permission: Permission, address: Address): bigint | undefined {
  return permission.keys.find((key) => bytesToHex(key.address) === address)?.weight;
}

/** Whether the bit of a contract type is set: byte type/8, mask 1 << type%8. */
export function allowsOperation(operations: Uint8Array, contractType: number): boolean {
  return (((operations[contractType >> 3] ?? 0) >> (contractType & 7)) & 1) === 1;
}

/** A contract as the chain keeps it. Never changed: every change makes a new value. */
export interface ContractRecord {
  readonly address: Address;
  /** What `getcontract` tells: as it was deployed, with the address and without the code that runs. */
  readonly definition: SmartContract;
  /** Absent until its creation ends well. */
  readonly code: Uint8Array;
  readonly codeHash: Hex;
}

/** How much a contract was used, for the price that rises with use (protocol reference §11.3). */
export interface ContractUse {
  readonly energyUsage: number;
  /** What is added to the price, in parts of 10,000. */
  readonly energyFactor: number;
  readonly updateCycle: number;
}

/** Where a word of storage is kept. */
export type StorageKey = `${string}:${string}`;

/** @param storage - the contract's address, or what tells apart contracts that followed each other there */
export function storageKey(storage: string, slot: bigint): StorageKey {
  return `${storage}:${slot.toString(16)}`;
}

/** Keccak-256 of nothing. */
export const EMPTY_CODE_HASH = hex("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");

/** What an account is called besides its address. Both are empty at first, and are set once. */
export interface Identity {
  readonly name: Hex;
  readonly id: Hex;
}

export const NAMELESS: Identity = { name: bytesToHex(new Uint8Array()), id: bytesToHex(new Uint8Array()) };

/** By what an account is found by its id: letters count without their case. */
export function idKey(id: Uint8Array): string {
  return Buffer.from(id).toString("utf8").toLowerCase();
}

const FIRST_READABLE = 0x21;
const LAST_READABLE = 0x7e;

/** Whether bytes may be the name of a token or the id of an account: printable ASCII without blanks, and not empty. */
export function isReadable(bytes: Uint8Array, longest: number): boolean {
  const readable = (byte: number): boolean => byte >= FIRST_READABLE && byte <= LAST_READABLE;
  return bytes.length > 0 && bytes.length <= longest && bytes.every(readable);
}

/** Where coins go that nobody has any more. Every network has such an account in its genesis block. */
export const BLACK_HOLE: Address = parseAddress("THkYe2f9MJPt5eKcEdeM5Q8ESPdaRyG8PB");

const NAME = bytesToHex(new TextEncoder().encode("Blackhole"));
/** Sun: whatever comes in, it owes more. */
const LEAST_BALANCE = -(2n ** 63n);
const ZERO_ADDRESS = addressToBytes(`41${"0".repeat(40)}` as Address);

/** The account as it begins: only an address that nobody has a key for may act for it (resetBlackholeAccountPermission). */
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
