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

/** Transaction inside a block: `contractResult` is its `contractRet`, undefined in the genesis block. */
export interface BlockTransaction {
  readonly txId: TxId;
  readonly contractType: string;
  readonly contractResult?: string;
  /** Bytes as reported; those of a `complete` block match the txID. */
  readonly rawDataHex?: Hex;
}

/** Hash and signature (65 bytes) of the block's witness. Not part of the block's id. */
export interface BlockSeal {
  readonly hash: Hex;
  readonly signature: Hex;
}

/**
 * Block whose ID was computed from its header: number, time, parent, witness and the root of its transactions belong to
 * this ID.
 */
export interface Block extends BlockReference {
  readonly parentId: BlockId;
  readonly witness: Address | undefined;
  readonly transactions: readonly BlockTransaction[];
  /**
   * True if these are exactly the transactions of this id. Each txID is computed from the bytes, and together they
   * give the Merkle root in the header.
   */
  readonly complete: boolean;
  /** Undefined in a genesis block, and if the gateway omits it. */
  readonly seal?: BlockSeal;
}

/** Newest block as reported. Used for intervals, dates and display; it proves nothing. */
export interface Head {
  readonly number: number;
  /** Chain time in ms; whole seconds if the gateway does not return the block itself. */
  readonly timestamp: number;
  /** Undefined if the gateway does not return the block itself. */
  readonly id?: BlockId;
  /** Estimated from the newest solidified block at the usual block interval. */
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

/** A node's JSON about a transaction, for display; mostly unverified. */
export interface TransactionAnswer {
  readonly txId: TxId;
  readonly json: JsonObject;
}

/** Event that a contract emitted. */
export interface EventLog {
  readonly address: Address;
  /** 64 hex digits each; the first one names the event, unless it is anonymous. */
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** Internal transaction: a call, a creation or a stake operation of a contract, as the node reports it. */
export interface InternalTransaction {
  /** Undefined if the node omits it. */
  readonly from: Address | undefined;
  readonly to: Address | undefined;
  /** Operation by its name in the node: `call`, `create`, `suicide`, `delegateResourceOfEnergy`. */
  readonly note: string;
  /** True if it was reverted. */
  readonly rejected: boolean;
  /** Amounts in sun, or in the smallest unit of a TRC-10 token. */
  readonly values: readonly { readonly amount: bigint; readonly tokenId?: string }[];
}

/** Energy, fees and outcome of an included transaction. Amounts are sun unless named energy or bandwidth. */
export interface TransactionInfo {
  readonly txId: TxId;
  readonly blockNumber: number;
  readonly blockTimestamp: number;
  readonly fee: Sun;
  /** True if the top-level `result` is FAILED. */
  readonly failed: boolean;
  /** `receipt.result`; undefined for system contracts, which have none. */
  readonly receiptResult?: string;
  readonly energyUsed: bigint;
  /** Parts of `energyUsed` that the caller's stake and the contract's owner paid for. */
  readonly energyStaked: bigint;
  readonly energyOfOwner: bigint;
  readonly energyFee: Sun;
  readonly bandwidthUsed: bigint;
  readonly bandwidthFee: Sun;
  /** Returned or revert data. */
  readonly contractResult: Hex;
  /** `resMessage`, decoded. */
  readonly message: string;
  readonly contractAddress?: Address;
  /** Undefined if there are none. */
  readonly logs?: readonly EventLog[];
  /** Undefined if the node reports none. Not every node stores all of them. */
  readonly internal?: readonly InternalTransaction[];
}

/** Activated account. An absent field is unknown, never 0. */
export interface Account {
  readonly address: Address;
  readonly balance?: Sun;
  /** Path that would return the missing fields, if the gateway does not serve it. */
  readonly missingPath?: string;
  /** Stake for the account's energy, its own and received; sun. */
  readonly energyStake?: Sun;
  readonly stakes?: AccountStakes;
  /** TRC-10 tokens by their ID, in the smallest unit. */
  readonly trc10?: ReadonlyMap<string, bigint>;
  /** Undefined if the chain was not queried for them; its own key is then assumed to decide. */
  readonly permissions?: AccountPermissions;
  /** Current votes; a new vote replaces all of them. */
  readonly votes?: readonly Vote[];
  /** Time of the last withdrawal of rewards; ms of chain time, 0 for never. */
  readonly rewardWithdrawnAt?: number;
  readonly recovery?: Recovery;
}

/** Recovery of used resources. */
export interface Recovery {
  /** Time of the last use of free bandwidth, ms of chain time; undefined if the node does not report it. */
  readonly freeBandwidthUsedAt: number | undefined;
  /** Time in ms from the newest block until all staked bandwidth is available again. */
  readonly bandwidthMs: number | undefined;
  /** The same for energy. */
  readonly energyMs: number | undefined;
}

/** Votes for one witness; whole coins. */
export interface Vote {
  readonly witness: Address;
  readonly count: bigint;
}

/** Coins of an account outside its balance; sun. */
export interface AccountStakes {
  /** Excludes delegated stakes. */
  readonly own: { readonly [P in StakePurpose]: Sun };
  readonly delegated: { readonly [R in Resource]: Sun };
  /** Stakes that other accounts delegate to this one. */
  readonly received: { readonly [R in Resource]: Sun };
  readonly unstaking: readonly Unstaking[];
}

/** Part of a stake that is being returned to the balance. */
export interface Unstaking {
  readonly purpose: StakePurpose;
  readonly amount: Sun;
  /** Time from which it can be withdrawn; ms of chain time. */
  readonly due: number;
}

/** Network-wide daily limit of a resource and total stake weight; whole coins. */
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
  /** Voting power of the account's stakes, including cast votes; whole coins. */
  readonly votingPower?: bigint;
}

/** Chain parameters by the names of `getchainparameters`; a parameter without a value is 0. */
export type ChainParameters = ReadonlyMap<string, bigint>;

export interface NodeInfo {
  readonly version: string;
  readonly head: number;
  readonly solid: number;
}

/** Head, server time and duration of one exchange, for the clock check of a connection test. */
export interface Probe {
  readonly head: Head;
  /** HTTP `Date` in Unix ms; undefined if the gateway sends none. */
  readonly serverTime: number | undefined;
  readonly durationMs: number;
}

/**
 * The chain as the core uses it. "head" may still change, "solid" never does. Implementations repeat reads within their
 * deadline; they never repeat a broadcast. Methods reject with a `ChainError` (`GATEWAY_…`, `NODE_REFUSED`,
 * `PATH_NOT_SERVED`) or with the reason of the signal. A block, transaction, info or account that the node does not
 * have is `undefined`, which alone never proves that it does not exist.
 */
export interface Gateway {
  /** Base URL, for display. */
  readonly endpoint: string;
  probe(signal?: AbortSignal): Promise<Probe>;
  /**
   * Reads the genesis block from the base URL, or from the URL of its solidified view: one attempt each, and no
   * fallback URL. Undefined if the node does not have that block.
   */
  chainId(view: View, signal?: AbortSignal): Promise<ChainId | undefined>;
  buildTransfer(request: TransferRequest, signal?: AbortSignal): Promise<BuiltTransaction>;
  /** Rejects only with the signal's reason: other failures are part of the outcome. */
  broadcast(transaction: SignedTransaction, signal?: AbortSignal): Promise<BroadcastAnswer>;
  headBlock(signal?: AbortSignal): Promise<Head>;
  solidBlock(signal?: AbortSignal): Promise<Block>;
  /** Reads solidified blocks from `start` to before `end`, at most 100; fewer if some are not solidified yet. */
  solidBlocks(start: number, end: number, signal?: AbortSignal): Promise<readonly Block[]>;
  /**
   * Reads blocks of the head view; the newest may still change. Without a head view, returns the solidified blocks
   * unless the full node reports another chain.
   */
  headBlocks(start: number, end: number, signal?: AbortSignal): Promise<readonly Block[]>;
  headTransaction(txId: TxId, signal?: AbortSignal): Promise<FoundTransaction | undefined>;
  headTransactionInfo(txId: TxId, signal?: AbortSignal): Promise<TransactionInfo | undefined>;
  solidTransaction(txId: TxId, signal?: AbortSignal): Promise<FoundTransaction | undefined>;
  solidTransactionInfo(txId: TxId, signal?: AbortSignal): Promise<TransactionInfo | undefined>;
  /** Reads the infos of a solidified block; undefined if the gateway does not serve them by height. */
  solidTransactionInfos(height: number, signal?: AbortSignal): Promise<readonly TransactionInfo[] | undefined>;
  account(address: Address, signal?: AbortSignal): Promise<Account | undefined>;
  accountResources(address: Address, signal?: AbortSignal): Promise<AccountResources | undefined>;
  chainParameters(signal?: AbortSignal): Promise<ChainParameters>;
  nodeInfo(signal?: AbortSignal): Promise<NodeInfo>;
}

/** Code that a node can run without a transaction: a contract call, or, without a contract, a deployment of `data`. */
export interface ContractRun {
  readonly owner: Address;
  readonly contract?: Address;
  readonly data: Hex;
  /** Sun. */
  readonly callValue: Sun;
  readonly tokenId?: bigint;
  readonly tokenValue?: bigint;
}

/** Outcome of a simulated run. A run that stops for another reason than a revert is a `NODE_REFUSED`. */
export interface SimulatedRun {
  readonly reverted: boolean;
  /** Total energy, `energyPenalty` included. */
  readonly energyUsed: bigint;
  readonly energyPenalty: bigint;
  /** Return value of the call, code of the deployment, or revert data. */
  readonly returned: Hex;
  /** Events in the order of the run. */
  readonly events: readonly EventLog[];
}

/** Contract as stored on the chain. */
export interface DeployedContract {
  readonly address: Address;
  /** Deployer of the contract, who shares the energy. */
  readonly owner: Address;
  readonly name: string;
  /** Caller's share of the energy, 0 to 100: `consume_user_resource_percent`. */
  readonly callerPercent: bigint;
  /** Maximum energy that the owner pays for one call: `origin_energy_limit`. */
  readonly ownerEnergyLimit: bigint;
  /** Creation code with constructor arguments; undefined if another contract created it. */
  readonly created: Hex;
  /** Runtime code; undefined if the node does not return it. */
  readonly runtimeCode?: Hex;
  /** Entries of its ABI, in the spelling of compilers; none after its owner cleared it. */
  readonly abi: readonly JsonObject[];
}

/** Queries about contracts. Methods reject like those of `Gateway`. */
export interface ContractGateway {
  /** Runs code on the newest state without storing anything. */
  constantCall(run: ContractRun, signal?: AbortSignal): Promise<SimulatedRun>;
  /** Returns a sufficient energy limit, exact to about one coin. Not every node offers it. */
  estimateEnergy(run: ContractRun, signal?: AbortSignal): Promise<bigint>;
  deployedContract(address: Address, signal?: AbortSignal): Promise<DeployedContract | undefined>;
  /** Returns true if solidified data have this contract. A younger contract may still be reverted. */
  isSolid(address: Address, signal?: AbortSignal): Promise<boolean>;
}

/** Storage of contracts. */
export interface StorageGateway {
  /**
   * Reads a storage slot of 32 bytes at the newest block, over the JSON-RPC of the same URL. Undefined if the gateway
   * does not serve it. Rejects like the methods of `Gateway`.
   */
  storageAt(address: Address, slot: Hex, signal?: AbortSignal): Promise<Hex | undefined>;
}

/** Outcome of one broadcast. A value, not an exception, because each case has its own next step. */
export type BroadcastOutcome =
  /** `result: true`: this node accepted it. Not yet a success. */
  | { readonly kind: "accepted" }
  /**
   * `DUP_TRANSACTION_ERROR`: the node has seen this txID. It proves neither that the node holds it nor why it refused
   * it before.
   */
  | { readonly kind: "already-known"; readonly message: string }
  /** The node refused these bytes and did not store them. `code` has the node's spelling, `message` is decoded. */
  | { readonly kind: "rejected"; readonly code: string; readonly message: string }
  /**
   * No usable answer: the bytes may still arrive, so nothing may replace them before they expire. `turnedAway`: a proxy
   * in front of the node refused the request, which proves nothing.
   */
  | { readonly kind: "unknown"; readonly cause: AnyChainError; readonly turnedAway?: true };

/** Outcome with the answer that it was read from. */
export interface BroadcastAnswer {
  readonly outcome: BroadcastOutcome;
  /** Base URL of the request. */
  readonly endpoint: string;
  /** TxID that the node computed; a different one means that it read other bytes. */
  readonly txId?: string;
  /** Body as received, truncated for the journal; undefined if there was none. */
  readonly raw?: string;
}

/** Delegation partners of an account. */
export interface DelegationIndex {
  /** Accounts to which it delegates. */
  readonly receivers: readonly Address[];
  /** Accounts that delegate to it. */
  readonly owners: readonly Address[];
}

/** Delegation of one resource from one account to another. */
export interface Delegation {
  readonly from: Address;
  readonly to: Address;
  readonly resource: Resource;
  /** Stake behind the delegation. */
  readonly amount: Sun;
  /** Time before which it cannot be undelegated, ms of chain time; 0 if it can be at any time. */
  readonly lockedUntil: number;
}

/** TRC-10 token as described by its issuer: its ID is a fact, everything else a claim. */
export interface Trc10Token {
  readonly id: string;
  readonly name: ForeignText;
  readonly symbol: ForeignText;
  /** Decimals declared by the issuer; unverified. */
  readonly decimals: number;
  readonly issuer: Address;
}

/** Witness: an elected or standby block producer. */
export interface Witness {
  readonly address: Address;
  /** Web page that the witness declares; unverified. */
  readonly url: ForeignText;
  /** Votes at the last count; whole coins. */
  readonly votes: bigint;
  readonly producesBlocks: boolean;
}

export type DelegationParties = Pick<Delegation, "from" | "to">;

/** Further queries about accounts. Methods reject like those of `Gateway`. */
export interface AccountGateway {
  /** Reads all witnesses, in no order. */
  witnesses(signal?: AbortSignal): Promise<readonly Witness[]>;
  /** Returns the percentage of voting rewards that a witness keeps; its voters share the rest. */
  brokerage(witness: Address, signal?: AbortSignal): Promise<bigint>;
  /** Returns the voting rewards that are not withdrawn yet; sun. */
  reward(address: Address, signal?: AbortSignal): Promise<Sun>;
  delegationIndex(address: Address, signal?: AbortSignal): Promise<DelegationIndex>;
  /** Returns the delegations between two accounts, one for each resource and lock. */
  delegationsBetween(parties: DelegationParties, signal?: AbortSignal): Promise<readonly Delegation[]>;
  trc10Token(id: string, signal?: AbortSignal): Promise<Trc10Token | undefined>;
  /**
   * Returns the node's count of the signatures. The node receives the signed bytes, so store them in the journal first.
   */
  signWeight(transaction: SignedTransaction, signal?: AbortSignal): Promise<SignWeight>;
  /**
   * Lets the node build a change of permissions, to read its objections; the built transaction is not used.
   *
   * @throws {ChainError} `NODE_REFUSED` with its reason
   */
  checkPermissionUpdate(intent: IntentOf<"permission-update">, signal?: AbortSignal): Promise<void>;
}

/**
 * Throws if the gateway does not report the whole account, because absent fields would count as nothing.
 *
 * @param account - Undefined if it is not activated.
 * @param asked - The queried URL, and the purpose, which completes "which is needed for …".
 * @throws {ChainError} `PATH_NOT_SERVED`
 */
export function requireCompleteAccount(
  account: Account | undefined,
  { endpoint, purpose }: { readonly endpoint: string; readonly purpose: string },
): void {
  if (account?.missingPath === undefined) return;
  throw new ChainError("PATH_NOT_SERVED", { endpoint, path: account.missingPath, purpose });
}
