import { type AnyChainError, ChainError } from "@finality/tron/errors";
import type {
  Address,
  BlockId,
  BlockReference,
  ForeignText,
  Hex,
  JsonObject,
  Sun,
  TxId,
} from "@finality/tron/primitives";
import type { BuiltTransaction, IntentOf, Resource, SignedTransaction, StakePurpose } from "@finality/tron/transaction";
import type { AccountPermissions, SignWeight } from "../permissions/permissions.ts";
import type { ChainId } from "./network.ts";

/** "head" may still change, "solid" is final: `/wallet/…` and `/walletsolidity/…`. */
export type View = "head" | "solid";

export interface TransferRequest {
  readonly owner: Address;
  readonly to: Address;
  readonly amount: Sun;
  readonly memo?: Hex;
  readonly permissionId?: number;
}

/** A transaction inside a block: `contractResult` is the `contractRet` beside it, absent in the genesis block. */
export interface BlockTransaction {
  readonly txId: TxId;
  readonly contractType: string;
  readonly contractResult?: string;
  /** Its bytes as they were told; those of a `complete` block give the txID. */
  readonly rawDataHex?: Hex;
}

/** What the witness of a block signed, and its signature: 65 bytes. It is no part of the block's id. */
export interface BlockSeal {
  readonly hash: Hex;
  readonly signature: Hex;
}

/**
 * A block whose id was computed from its header: number, time, parent, witness and the root of its transactions are
 * those of this id.
 */
export interface Block extends BlockReference {
  readonly parentId: BlockId;
  readonly witness: Address | undefined;
  readonly transactions: readonly BlockTransaction[];
  /**
   * Whether these are exactly the transactions of this id: each txID was computed from the bytes, and all of them
   * together give the root in the header. False when one is missing, changed, or cannot be packed from what the gateway
   * told.
   */
  readonly complete: boolean;
  /** Absent in a genesis block, and when the gateway leaves it out. */
  readonly seal?: BlockSeal;
}

/**
 * The newest block of all, as far as it is told. It paces, dates and shows; nothing is proven by it.
 */
export interface Head {
  readonly number: number;
  /** Chain time in ms; whole seconds of it where the gateway does not tell the block itself. */
  readonly timestamp: number;
  /** Absent where the gateway does not tell the block itself. */
  readonly id?: BlockId;
  /** Nobody told it: it is what follows from the newest solidified block where blocks come in time. */
  readonly isGuess?: true;
}

/**
 * A transaction found by its txID. In the head view it may be only pending: this proves no inclusion (node behaviour
 * 17).
 */
export interface FoundTransaction {
  readonly txId: TxId;
  readonly rawDataHex: Hex;
  readonly contractType: string;
  /** In the head view this may be the result of a trial run. */
  readonly contractResult?: string;
}

/** What a node says of a transaction, whole and as it is: to be shown to people, for little of it is checked. */
export interface TransactionAnswer {
  readonly txId: TxId;
  readonly json: JsonObject;
}

/** What a contract told by an event. */
export interface EventLog {
  readonly address: Address;
  /** 64 hex digits each; the first one names the event, unless it is anonymous. */
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** What a contract moved while it ran: coins, or a TRC-10 token by its number. */
export interface InternalTransfer {
  readonly from: Address;
  readonly to: Address;
  /** Sun, or the smallest part of the token. */
  readonly amount: bigint;
  readonly tokenId?: string;
  /** Its place among the internal transactions, and among the amounts of that one: `2.0`. */
  readonly position: string;
}

/** The energy, fees and outcome of an included transaction. Amounts are sun unless they say energy or bytes. */
export interface TransactionInfo {
  readonly txId: TxId;
  readonly blockNumber: number;
  readonly blockTimestamp: number;
  readonly fee: Sun;
  /** Whether the top-level `result` is FAILED. */
  readonly failed: boolean;
  /** `receipt.result`; absent for contracts of the system, which have none. */
  readonly receiptResult?: string;
  readonly energyUsed: bigint;
  /** The parts of `energyUsed` that the caller's stake and the contract's owner paid for. */
  readonly energyStaked: bigint;
  readonly energyOfOwner: bigint;
  readonly energyFee: Sun;
  readonly bandwidthUsed: bigint;
  readonly bandwidthFee: Sun;
  /** The returned or revert data. */
  readonly contractResult: Hex;
  /** `resMessage`, decoded. */
  readonly message: string;
  readonly contractAddress?: Address;
  /** Absent when there are none. */
  readonly logs?: readonly EventLog[];
  /** Those that were not undone, as far as the node keeps them: not every one does. */
  readonly internal?: readonly InternalTransfer[];
}

/**
 * Activated accounts only; an account that is not activated is `undefined`. What is absent is not known: it is never 0.
 */
export interface Account {
  readonly address: Address;
  readonly balance?: Sun;
  /** The path that would tell the rest, where the gateway does not serve it. */
  readonly missingPath?: string;
  /** What is staked for its energy, by itself and by others; sun. */
  readonly energyStake?: Sun;
  readonly stakes?: AccountStakes;
  /** TRC-10 tokens by their number, in their smallest part. */
  readonly trc10?: ReadonlyMap<string, bigint>;
  /** Absent where nobody asked the chain for them: then its own key decides. */
  readonly permissions?: AccountPermissions;
  /** For whom it votes; a new vote takes the place of all of them. */
  readonly votes?: readonly Vote[];
  /** Chain time in ms at which it withdrew rewards last; 0 for never. */
  readonly rewardWithdrawnAt?: number;
  readonly recovery?: Recovery;
}

/** How what an account has used of its resources comes back. */
export interface Recovery {
  /** Chain time in ms at which it used free bandwidth last; absent where the node does not tell. */
  readonly freeBandwidthUsedAt: number | undefined;
  /** How long it takes until all staked bandwidth is back, from the newest block on: ms. */
  readonly bandwidthMs: number | undefined;
  /** The same of energy. */
  readonly energyMs: number | undefined;
}

/** So many votes for one witness: whole coins. */
export interface Vote {
  readonly witness: Address;
  readonly count: bigint;
}

/** Coins of an account that are not in its balance: sun. */
export interface AccountStakes {
  /** Without what is lent to others. */
  readonly own: { readonly [P in StakePurpose]: Sun };
  readonly delegated: { readonly [R in Resource]: Sun };
  /** What others have staked and lent to it. */
  readonly received: { readonly [R in Resource]: Sun };
  readonly unstaking: readonly Unstaking[];
}

/** A part of a stake on its way back to the balance. */
export interface Unstaking {
  readonly purpose: StakePurpose;
  readonly amount: Sun;
  /** Chain time in ms from which it can be withdrawn. */
  readonly due: number;
}

/** What all accounts share of a resource in 24 hours, and what all stakes for it weigh: whole coins. */
export interface ResourceTotals {
  readonly limit: bigint;
  readonly weight: bigint;
}

/** Bandwidth in bytes and energy, both as limit and used. */
export interface AccountResources {
  readonly freeBandwidthLimit: bigint;
  readonly freeBandwidthUsed: bigint;
  readonly stakedBandwidthLimit: bigint;
  readonly stakedBandwidthUsed: bigint;
  readonly energyLimit: bigint;
  readonly energyUsed: bigint;
  readonly energyTotals?: ResourceTotals;
  readonly bandwidthTotals?: ResourceTotals;
  /** How many votes its stakes give, those that are given included: whole coins. */
  readonly votingPower?: bigint;
}

/** By the names of `getchainparameters`; a parameter that is listed without a value is 0. */
export type ChainParameters = ReadonlyMap<string, bigint>;

export interface NodeInfo {
  readonly version: string;
  readonly head: number;
  readonly solid: number;
}

/** What `Date` said and how long the exchange took: for the clock check of a connection test. */
export interface Probe {
  readonly head: Head;
  /** HTTP `Date` in Unix ms; absent when the gateway sends none. */
  readonly serverTime: number | undefined;
  readonly durationMs: number;
}

/**
 * The chain as the rest of core sees it. "head" may still change, "solid" never does.
 *
 * Reads are repeated by the implementation within its deadline; a broadcast never is. Every method rejects with a
 * `ChainError` (`GATEWAY_…`, `NODE_REFUSED`, `PATH_NOT_SERVED`) or with the reason of the signal. A block, transaction, info or account that
 * the node does not have is `undefined`: that alone never proves that it does not exist.
 */
export interface Gateway {
  /** The base URL people know it by. */
  readonly endpoint: string;
  probe(signal?: AbortSignal): Promise<Probe>;
  /**
   * The genesis block of the chain at the base URL, or at the URL of its solidified view: one try there, and nowhere
   * else. Undefined where the node does not have that block.
   */
  chainId(view: View, signal?: AbortSignal): Promise<ChainId | undefined>;
  buildTransfer(request: TransferRequest, signal?: AbortSignal): Promise<BuiltTransaction>;
  /** Never rejects but for the signal's reason: what went wrong is part of the outcome. */
  broadcast(transaction: SignedTransaction, signal?: AbortSignal): Promise<BroadcastAnswer>;
  headBlock(signal?: AbortSignal): Promise<Head>;
  solidBlock(signal?: AbortSignal): Promise<Block>;
  /** Solidified blocks from `start` to before `end`, at most 100; fewer when some are not solidified yet. */
  solidBlocks(start: number, end: number, signal?: AbortSignal): Promise<readonly Block[]>;
  /**
   * The same of the head view, where the newest ones may still change. A gateway that serves none of that view gives
   * the solidified ones, if its full node agrees that they are on its chain, as far as it can be asked.
   */
  headBlocks(start: number, end: number, signal?: AbortSignal): Promise<readonly Block[]>;
  headTransaction(txId: TxId, signal?: AbortSignal): Promise<FoundTransaction | undefined>;
  headTransactionInfo(txId: TxId, signal?: AbortSignal): Promise<TransactionInfo | undefined>;
  solidTransaction(txId: TxId, signal?: AbortSignal): Promise<FoundTransaction | undefined>;
  solidTransactionInfo(txId: TxId, signal?: AbortSignal): Promise<TransactionInfo | undefined>;
  /** The infos of a solidified block; undefined where the gateway does not serve them by height. */
  solidTransactionInfos(height: number, signal?: AbortSignal): Promise<readonly TransactionInfo[] | undefined>;
  account(address: Address, signal?: AbortSignal): Promise<Account | undefined>;
  accountResources(address: Address, signal?: AbortSignal): Promise<AccountResources | undefined>;
  chainParameters(signal?: AbortSignal): Promise<ChainParameters>;
  nodeInfo(signal?: AbortSignal): Promise<NodeInfo>;
}

/** Code that a node may run without a transaction: a call of a contract, or, without one, a deployment of `data`. */
export interface ContractRun {
  readonly owner: Address;
  readonly contract?: Address;
  readonly data: Hex;
  /** Sun. */
  readonly callValue: Sun;
  readonly tokenId?: bigint;
  readonly tokenValue?: bigint;
}

/** How a simulated run ended. A run that the machine stopped for another reason than a revert is a `NODE_REFUSED`. */
export interface SimulatedRun {
  readonly reverted: boolean;
  /** Energy up to its end, `energyPenalty` included. */
  readonly energyUsed: bigint;
  readonly energyPenalty: bigint;
  /** What the call gives back, the code of a deployment, or the revert data. */
  readonly returned: Hex;
}

/** A contract as the chain knows it. */
export interface DeployedContract {
  readonly address: Address;
  /** Who deployed it, and shares the energy. */
  readonly owner: Address;
  readonly name: string;
  /** The caller's part of the energy, 0 to 100: `consume_user_resource_percent`. */
  readonly callerPercent: bigint;
  /** Energy that the owner pays at most for one call: `origin_energy_limit`. */
  readonly ownerEnergyLimit: bigint;
  /** The code that created it, the arguments of its constructor included; nothing for what another contract created. */
  readonly created: Hex;
  /** The code that calls run; absent where the node does not return it. */
  readonly runtimeCode?: Hex;
  /** The entries of its ABI, spelled as compilers spell them; none after its owner cleared it. */
  readonly abi: readonly JsonObject[];
}

/** What a chain can be asked about contracts. Methods reject as those of `Gateway` do. */
export interface ContractGateway {
  /** Runs code against the newest state and keeps nothing of it. */
  constantCall(run: ContractRun, signal?: AbortSignal): Promise<SimulatedRun>;
  /** Energy that surely suffices: exact only to about one coin's worth, and not offered by every node. */
  estimateEnergy(run: ContractRun, signal?: AbortSignal): Promise<bigint>;
  deployedContract(address: Address, signal?: AbortSignal): Promise<DeployedContract | undefined>;
  /** Whether solidified data have this address: a contract that is younger may still be taken back. */
  isSolid(address: Address, signal?: AbortSignal): Promise<boolean>;
}

/** What one broadcast proved. A value, not an exception: each case has a next step of its own. */
export type BroadcastOutcome =
  /** `result: true`: this node holds it. Not yet a success. */
  | { readonly kind: "accepted" }
  /**
   * `DUP_TRANSACTION_ERROR`: the node has seen this txID. It proves neither that it holds it nor why it refused it
   * before.
   */
  | { readonly kind: "already-known"; readonly message: string }
  /** The node says that it refused these bytes and did not keep them. `code` as it spells it, `message` decoded. */
  | { readonly kind: "rejected"; readonly code: string; readonly message: string }
  /**
   * No usable answer. The bytes may be on their way, so nothing may replace them before they expire. `turnedAway`:
   * whoever stands before the node refused the request in words of its own. Then the bytes were not sent as far as is
   * known, which proves nothing.
   */
  | { readonly kind: "unknown"; readonly cause: AnyChainError; readonly turnedAway?: true };

/** An outcome with the answer it was read from. */
export interface BroadcastAnswer {
  readonly outcome: BroadcastOutcome;
  /** The base URL that was asked. */
  readonly endpoint: string;
  /** The txID that the node computed; another one than ours means that it read other bytes. */
  readonly txId?: string;
  /** The body as it came, shortened to what a journal can hold; absent without one. */
  readonly raw?: string;
}

/** With whom an account shares resources of stakes. */
export interface DelegationIndex {
  /** To whom it lends. */
  readonly receivers: readonly Address[];
  /** Who lends to it. */
  readonly owners: readonly Address[];
}

/** What one account lends to another of one resource. */
export interface Delegation {
  readonly from: Address;
  readonly to: Address;
  readonly resource: Resource;
  /** What is staked for it. */
  readonly amount: Sun;
  /** Chain time in ms before which it cannot be taken back; 0 where it can be at any time. */
  readonly lockedUntil: number;
}

/** A TRC-10 token as its issuer described it: its number is a fact, everything else a claim. */
export interface Trc10Token {
  readonly id: string;
  readonly name: ForeignText;
  readonly symbol: ForeignText;
  /** What the issuer counts in a whole token; nobody holds anybody to it. */
  readonly decimals: number;
  readonly issuer: Address;
}

/** Somebody who makes blocks, or would like to. */
export interface Witness {
  readonly address: Address;
  /** What it says of itself: the address of a page, which nobody has checked. */
  readonly url: ForeignText;
  /** As the chain counted them last: whole coins. */
  readonly votes: bigint;
  readonly producesBlocks: boolean;
}

export type DelegationParties = Pick<Delegation, "from" | "to">;

/** What a chain can be asked about accounts besides. Methods reject as those of `Gateway` do. */
export interface AccountGateway {
  /** All that can be voted for, in no order. */
  witnesses(signal?: AbortSignal): Promise<readonly Witness[]>;
  /** What a witness keeps of the rewards that its votes bring, in percent; the rest is shared by its voters. */
  brokerage(witness: Address, signal?: AbortSignal): Promise<bigint>;
  /** What votes have earned and nobody has withdrawn, in sun. */
  reward(address: Address, signal?: AbortSignal): Promise<Sun>;
  delegationIndex(address: Address, signal?: AbortSignal): Promise<DelegationIndex>;
  /** What one lends to the other, one for each resource and lock. */
  delegationsBetween(parties: DelegationParties, signal?: AbortSignal): Promise<readonly Delegation[]>;
  trc10Token(id: string, signal?: AbortSignal): Promise<Trc10Token | undefined>;
  /** Lets the node count signatures. It gets the signed bytes: whoever asks has written them down before. */
  signWeight(transaction: SignedTransaction, signal?: AbortSignal): Promise<SignWeight>;
  /**
   * Lets the node build a change of permissions, for what it has against it: nothing of what it builds is used.
   *
   * @throws {ChainError} `NODE_REFUSED` with its reason
   */
  checkPermissionUpdate(intent: IntentOf<"permission-update">, signal?: AbortSignal): Promise<void>;
}

/**
 * Stops where a gateway does not tell all of an account: what is absent would be taken for nothing.
 *
 * @param account - undefined for one that is not activated: of that nothing is untold
 * @param asked - the URL that was asked, and what it is needed for: it completes "which is needed for …"
 * @throws {ChainError} `PATH_NOT_SERVED`
 */
export function requireCompleteAccount(
  account: Account | undefined,
  { endpoint, purpose }: { readonly endpoint: string; readonly purpose: string },
): void {
  if (account?.missingPath === undefined) return;
  throw new ChainError("PATH_NOT_SERVED", { endpoint, path: account.missingPath, purpose });
}
