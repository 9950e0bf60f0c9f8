import { hash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import {
  type Address,
  addressToBytes,
  type Base58Address,
  BLOCK_INTERVAL_MS,
  bytesToHex,
  CHALLENGE,
  sha256,
  toBase58,
  transactionId,
} from "@finality/tron/primitives";
import { RawSchema, TransferContractSchema } from "@finality/tron/schema";
import {
  contractEntry,
  contractTypeByName,
  DEFAULT_EXPIRATION_AHEAD_MS,
  encodeRawData,
  type PrivateKey,
  referenceTo,
} from "@finality/tron/transaction";
import {
  type AccessRules,
  DEFAULT_API_KEY_HEADER,
  fingerprintOf,
  type KeyRecord,
  readPublicKey,
} from "../access/access.ts";
import { systemActuators } from "../actuators/actuators.ts";
import { BLACK_HOLE } from "../chain/account.ts";
import type { RealClock } from "../chain/block-production.ts";
import { Blockchain } from "../chain/blockchain.ts";
import type { ChainSnapshot, SnapshotImage, StateSnapshot } from "../chain/chain-state.ts";
import type { Actuators } from "../chain/execution.ts";
import type { GenesisAccount } from "../chain/genesis.ts";
import { chainParameters, MAINNET_OPERATIONS, type NodeVersion } from "../chain/parameters.ts";
import { type ChainTransaction, chainTransaction } from "../chain/transaction.ts";
import { accountOf, newDevelopmentKey, signWithDevelopmentKey } from "../curve/keys.ts";
import { Faults } from "../faults/faults.ts";
import type { ForkPoint } from "../fork/fork-point.ts";
import type { NetworkOrigin } from "../fork/network-origin.ts";
import { Filters } from "../json-rpc/logs.ts";
import { changedSettings, defaultSettings, type NodeSettings, SimulatedNode } from "../node/simulated-node.ts";
import { DEVELOPMENT_KEYS, DEVELOPMENT_MNEMONIC, keysOfMnemonic, parsePrivateKey } from "./development-keys.ts";
import { Lifetime } from "./lifetime.ts";

export const DEFAULT_WITNESSES = 5;
export const DEFAULT_ACCOUNTS = 10;
/** Returns the version of the node that the options ask for: one like Mainnet's is the newest. */
export function nodeVersionOf({ nodeVersion, likeMainnet, forkPoint }: LocalChainOptions): NodeVersion {
  return nodeVersion ?? forkPoint?.nodeVersion ?? (likeMainnet === true ? "4.8.2" : "4.8.0");
}
const SEEDED_EPOCH = Date.UTC(2026, 0, 1);
const SEEDED_SPREAD_DAYS = 300;
const DAY_MS = 86_400_000;

/** A simulated node: the chain, its accounts, gateway access, faults and request counts. */
export interface Simulation {
  readonly chain: Blockchain;
  /** Network that the chain is a fork of. */
  readonly origin: NetworkOrigin | undefined;
  /** Seed of the keys. */
  readonly seed: string | undefined;
  readonly faucet: FundedAccount;
  readonly accounts: readonly FundedAccount[];
  /** Accounts generated later, one list per request. */
  readonly temporaryAccounts: (readonly FundedAccount[])[];
  readonly access: AccessRules;
  readonly faults: Faults;
  /** JSON-RPC filters. */
  readonly filters: Filters;
  readonly requests: RequestCounter;
  readonly snapshots: Map<string, ChainSnapshot | SnapshotImage>;
  /** State snapshots of development tools. */
  readonly stateSnapshots: StateSnapshots;
  readonly producer: BlockProducer;
  readonly witnesses: number;
  readonly node: SimulatedNode;
  /** True if JSON-RPC is as lenient as other development nodes. */
  readonly lenientRpc: boolean;
  readonly now: () => number;
  readonly identity: ChainIdentity;
  readonly lifetime: Lifetime;
}

/** Identity of a started chain. */
interface ChainIdentity {
  /**
   * Secret of the ready line, which no endpoint returns: 32 bytes in hex, new for each process unless its starter
   * sets it, independent of the seed.
   */
  readonly secret: string;
  /** Identifies the process: 32 bytes in hex. Development tools read it. */
  readonly instanceId: string;
  /** Base URL; empty before the server listens. */
  baseUrl: string;
}

/** Chain id that hardhat-tron expects of TronBox's runtime environment. */
const TRE_CHAIN_ID = 0xc845df2f;
const TRE_ENERGY_FEE = 100;
const TRE_PORT = 9090;
/** Enough for whole suites of tests; sun. */
const TRE_BALANCE = 1_000_000_000_000_000n;

/** Adds the values of TronBox's runtime environment where `tre` is set, and writes the energy price as a parameter. */
export function completeOptions({ energyFee, ...options }: LocalChainOptions): LocalChainOptions {
  const parameters = {
    ...(options.tre === true && { getEnergyFee: TRE_ENERGY_FEE }),
    ...options.parameters,
    ...(energyFee !== undefined && { getEnergyFee: energyFee }),
  };
  const changed = Object.keys(parameters).length === 0 ? options : { ...options, parameters };
  if (options.tre !== true) return changed;
  return { port: TRE_PORT, blockTimeMs: "instant", witnesses: 1, chainId: TRE_CHAIN_ID, lenientRpc: true, ...changed };
}

/** Returns the keys of the accounts: given ones, those of a mnemonic, or new ones. */
function accountKeys({
  privateKeys,
  mnemonic,
  tre,
  accounts = DEFAULT_ACCOUNTS,
  ...options
}: LocalChainOptions): PrivateKey[] {
  if (privateKeys !== undefined) return privateKeys.map(parsePrivateKey);
  if (mnemonic !== undefined) return [...keysOfMnemonic(mnemonic, accounts)];
  if (tre === true)
    return [...keysOfMnemonic(DEVELOPMENT_MNEMONIC, accounts), ...DEVELOPMENT_KEYS.map(parsePrivateKey)];
  return counted(accounts).map((index) => keyFor(options.keySeed ?? options.seed, `account ${index}`));
}

/** Runs a step on the chain; on a fork again for each item of the network that it misses. */
export async function runStep<Result>(
  { chain, origin }: Pick<Simulation, "chain" | "origin">,
  step: () => Result,
): Promise<Result> {
  return origin === undefined ? step() : await origin.run(chain, step);
}

/**
 * @param origin - network that the chain is a fork of
 * @throws {Error} an option does not fit
 */
export async function createSimulation(given: LocalChainOptions, origin?: NetworkOrigin): Promise<Simulation> {
  const options = completeOptions(given);
  if (options.secret !== undefined && !CHALLENGE.test(options.secret)) {
    throw new Error("The secret of a chain has to be 32 bytes in hex, in lower case.");
  }
  const { seed, keySeed = seed, witnesses = DEFAULT_WITNESSES, now = Date.now } = options;
  const faucet = fundedAccount(keyFor(keySeed, "faucet"), FAUCET_BALANCE);
  const balance = options.tre === true ? TRE_BALANCE : ACCOUNT_BALANCE;
  const accounts = accountKeys(options).map((key) => fundedAccount(key, balance));
  const witnessKeys = counted(witnesses).map((index) => keyFor(keySeed, `witness ${index}`));
  const genesisAccounts = [
    ...[faucet, ...accounts].map(genesisAccount),
    ...otherStakers(options, origin?.point),
    ...(options.genesisAccounts ?? []),
  ];
  origin?.addLocal([BLACK_HOLE, ...genesisAccounts.map((it) => it.address), ...witnessKeys.map(accountOf)]);
  const chain = new Blockchain({
    seed: keySeed ?? faucet.hex,
    parameters: chainParameters(
      { ...origin?.point.parameters, ...options.parameters },
      nodeVersionOf(options),
      options.likeMainnet,
    ),
    ...(options.likeMainnet === true ? { operations: MAINNET_OPERATIONS } : {}),
    actuators: { ...systemActuators, ...options.actuators },
    accounts: genesisAccounts,
    witnesses: witnessKeys,
    startTime: startTime(options, now()),
    ...(options.chainId === undefined ? {} : { chainId: options.chainId }),
    ...(origin && { forkedFrom: origin }),
  });
  if (origin !== undefined) checkChainId(chain, origin.point);
  // Initial blocks, so that head and solidified block have a time.
  const first = (): void => counted(witnesses).forEach(() => void chain.produceBlock());
  await runStep({ chain, origin }, first);
  const producer = new BlockProducer(
    { chain, origin },
    now,
    options.blockTimeMs ?? BLOCK_INTERVAL_MS,
    options.minBlockGapMs,
  );
  if (seed === undefined && (options.startTime === undefined || keySeed !== undefined)) chain.follow(producer);
  chain.settle();
  return {
    chain,
    origin,
    seed: keySeed,
    faucet,
    accounts,
    temporaryAccounts: [],
    witnesses,
    now,
    node: new SimulatedNode(chain, changedSettings(defaultSettings, { ...options.node }), () => producer.accepted()),
    access: await accessRules(options),
    faults: new Faults({ chain, now, delay: options.delay ?? delay }),
    filters: new Filters(now),
    requests: new RequestCounter(),
    snapshots: new Map([[INITIAL, chain.image()]]),
    stateSnapshots: new StateSnapshots(chain),
    producer,
    lenientRpc: options.lenientRpc === true,
    identity: { secret: options.secret ?? randomHex(), instanceId: randomHex(), baseUrl: "" },
    lifetime: new Lifetime(),
  };
}

/** Keeps transactions of a fork invalid on its network, where signatures count for one chain id. @throws {Error} */
function checkChainId(chain: Blockchain, { chainId }: ForkPoint): void {
  const own = Number.parseInt(chain.blockId(0)?.slice(-CHAIN_ID_DIGITS) ?? "", 16);
  if (own === chainId) throw new Error("A fork needs another chain id than its network: change --chain-id or --seed.");
}

const CHAIN_ID_DIGITS = 8;

/** Returns the genesis account that stands for all other stakers: as on the network of a fork, or as on Mainnet. */
function otherStakers({ likeMainnet, keySeed, seed }: LocalChainOptions, fork?: ForkPoint): readonly GenesisAccount[] {
  if (fork === undefined) return likeMainnet === true ? [otherStaker(keySeed ?? seed, STAKE_OF_OTHERS)] : [];
  const energy = BigInt(fork.weight.energy) * SUN_A_COIN;
  const bandwidth = BigInt(fork.weight.bandwidth) * SUN_A_COIN;
  return [otherStaker(keySeed ?? seed, { energy, bandwidth })];
}

/** Returns 32 random bytes in hex. */
function randomHex(): string {
  return randomBytes(32).toString("hex");
}

/** Waits without keeping the process alive. */
async function delay(ms: number): Promise<void> {
  await sleep(ms, undefined, { ref: false });
}

/** Name of the snapshot that `reset` restores. */
export const INITIAL = "initial";

function counted(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function genesisAccount({ hex, balance }: FundedAccount): { address: FundedAccount["hex"]; balance: bigint } {
  return { address: hex, balance: BigInt(balance) };
}

/**
 * Returns the chain time of the first block. Without a seed the head is at the present when requests start; a seed has
 * its own time, and a fork goes on after its network.
 */
export function startTime(
  { seed, startTime: set, forkPoint, witnesses = DEFAULT_WITNESSES }: LocalChainOptions,
  now: number,
): number {
  if (set !== undefined) return set;
  if (forkPoint !== undefined) return forkPoint.block.timestamp + BLOCK_INTERVAL_MS;
  if (seed === undefined)
    return Math.floor(now / BLOCK_INTERVAL_MS) * BLOCK_INTERVAL_MS - (witnesses - 1) * BLOCK_INTERVAL_MS;
  const days = Number.parseInt(hash("sha256", seed).slice(0, 8), 16) % SEEDED_SPREAD_DAYS;
  return SEEDED_EPOCH + days * DAY_MS;
}

async function accessRules({ apiKey, apiKeyHeader, jwt }: LocalChainOptions): Promise<AccessRules> {
  return {
    kids: new Map(),
    apiKey: apiKey === undefined ? undefined : { header: apiKeyHeader ?? DEFAULT_API_KEY_HEADER, key: apiKey },
    jwt:
      jwt === undefined
        ? { on: false, audience: "", keys: [] }
        : { on: true, audience: jwt.audience, keys: [await accountKey(jwt)] },
  };
}

async function accountKey({ publicKey, kid }: { publicKey: string; kid: string }): Promise<KeyRecord> {
  return {
    id: kid,
    name: "given at the start",
    publicKey: await readPublicKey(publicKey),
    fingerprint: fingerprintOf(publicKey),
  };
}

/** Snapshots of the state alone, by increasing ids. */
class StateSnapshots {
  readonly #chain: Blockchain;
  readonly #snapshots = new Map<string, StateSnapshot>();
  #count = 0;

  constructor(chain: Blockchain) {
    this.#chain = chain;
  }

  /** @returns the id of the new snapshot */
  take(): string {
    this.#count += 1;
    const id = `0x${this.#count.toString(16)}`;
    this.#snapshots.set(id, this.#chain.stateSnapshot());
    return id;
  }

  /** Restores a snapshot. It and newer ones are used up. @returns false if there is no such snapshot */
  revert(id: string): boolean {
    const snapshot = this.#snapshots.get(id);
    if (snapshot === undefined) return false;
    this.#chain.revertState(snapshot);
    const ids = [...this.#snapshots.keys()];
    for (const used of ids.slice(ids.indexOf(id))) this.drop(used);
    return true;
  }

  /** @returns false if there is no such snapshot */
  drop(id: string): boolean {
    const snapshot = this.#snapshots.get(id);
    if (snapshot === undefined) return false;
    this.#snapshots.delete(id);
    this.#chain.releaseState(snapshot);
    return true;
  }
}

/** Counts requests by path, without control requests. */
class RequestCounter {
  readonly #counts = new Map<string, number>();

  count(path: string): void {
    this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
  }

  report(): { readonly total: number; readonly paths: { readonly [path: string]: number } } {
    const paths = Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
    return { total: [...this.#counts.values()].reduce((sum, it) => sum + it, 0), paths };
  }

  reset(): void {
    this.#counts.clear();
  }
}

export interface Payment {
  /** Sun. */
  readonly amount: bigint;
  readonly memo?: Uint8Array;
}

/** Wallets write the recovery byte as 27 or 28. */
const RECOVERY_OFFSET = 27;

/** Creates a signed transfer of the faucet, so that coins arrive by a visible transaction. */
export function faucetTransfer(
  chain: Blockchain,
  key: Uint8Array,
  to: Address,
  { amount, memo = new Uint8Array() }: Payment,
): ChainTransaction {
  const type = contractTypeByName("TransferContract");
  if (type === undefined) throw new TypeError("The codec does not know transfers.");
  const message = create(TransferContractSchema, {
    ownerAddress: addressToBytes(accountOf(key as PrivateKey)),
    toAddress: addressToBytes(to),
    amount,
  });
  const reference = referenceTo(chain.irreversible.id);
  const rawData = create(RawSchema, {
    refBlockBytes: reference.bytes,
    refBlockHash: reference.hash,
    expiration: BigInt(chain.head.header.timestamp + DEFAULT_EXPIRATION_AHEAD_MS),
    timestamp: BigInt(chain.buildTime()),
    data: memo,
    contract: [contractEntry(type, message)],
  });
  const signature = signWithDevelopmentKey(transactionId(encodeRawData(rawData)), key as PrivateKey);
  signature[64] = (signature[64] ?? 0) + RECOVERY_OFFSET;
  return chainTransaction({ rawData, signature: [signature] });
}

/** Log entry of a request. */
export interface LogEntry {
  /** Unix time in ms of the response. */
  readonly time: number;
  readonly method: string;
  readonly path: string;
  /** HTTP status; absent without a response. */
  readonly status?: number;
  /** Duration. */
  readonly ms: number;
}

/** Options of a local chain. All have defaults. */
export interface LocalChainOptions {
  /** Port; 0, the default, takes any free one. */
  readonly port?: number;
  /** Address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /** Allows a `host` that other machines reach: they control the chain and read its keys. */
  readonly allowRemote?: boolean;
  /**
   * Real ms between blocks, 3000 by default; 0 produces blocks only on `POST /local/mine`, and `instant` also one for
   * each transaction. See `BlockTimes` for the effect on chain time.
   */
  readonly blockTimeMs?: BlockInterval;
  /** Least ms between blocks without a set time, 1000 by default. A shorter block time shortens it. */
  readonly minBlockGapMs?: number;
  /** Number of witnesses, 5 by default: solidified data lags three blocks behind. */
  readonly witnesses?: number;
  /**
   * Seed: the same seed and requests give the same chain, with its own time of 3000 ms a block. Without a seed keys are
   * new and chain time is real.
   */
  readonly seed?: string;
  /** Seed of the keys only; chain time follows the clock. */
  readonly keySeed?: string;
  /** Number of accounts with 10,000 coins, 10 by default. */
  readonly accounts?: number;
  /**
   * Imitates TronBox's runtime environment: port 9090, blocks at once, one witness, 100 sun for each energy, the chain id
   * that plugins expect, lenient JSON-RPC, and funded accounts of public keys. Other options override these.
   */
  readonly tre?: boolean;
  /** Chain id, 32 bits: the end of the genesis block's id. Without it the id is derived. */
  readonly chainId?: number;
  /** Sun for each energy; the parameter `getEnergyFee`. */
  readonly energyFee?: number;
  /** Keys of the accounts in hex, in place of new ones. */
  readonly privateKeys?: readonly string[];
  /** Mnemonic of the accounts' keys, at `m/44'/60'/0'/0`. */
  readonly mnemonic?: string;
  /** Makes JSON-RPC lenient: unknown call fields, block tags and counts of transactions are accepted. */
  readonly lenientRpc?: boolean;
  /** Receives an entry for each request. */
  readonly log?: (entry: LogEntry) => void;
  /** Chain parameters by the names of `getchainparameters`. */
  readonly parameters?: { readonly [name: string]: unknown };
  /** Version of java-tron whose rules, messages and endpoints the chain has: 4.8.0, with `likeMainnet` 4.8.2. */
  readonly nodeVersion?: NodeVersion;
  /** Folder that stores the chain; without one it ends with its process. */
  readonly data?: string;
  /** URL of a network whose head the chain is a fork of. */
  readonly fork?: string;
  /** Fork point of the chain; it is read from `fork`. */
  readonly forkPoint?: ForkPoint;
  /** Secret of the ready line, 32 bytes in hex, in place of a new one. */
  readonly secret?: string;
  /** Ends the chain this many ms after the last `POST /local/lease`; 0, the default, for never. */
  readonly leaseMs?: number;
  readonly apiKey?: string;
  readonly apiKeyHeader?: string;
  /** Enables JWT: PEM of the public key, the `kid` of its tokens, and their audience. */
  readonly jwt?: { readonly publicKey: string; readonly kid: string; readonly audience: string };
  /** Settings of the node that differ from the defaults. */
  readonly node?: Partial<NodeSettings>;
  /** Additional or replaced actuators. */
  readonly actuators?: Actuators;
  /**
   * Imitates Mainnet: a stake gives as much as there, permissions may name all contract types, and the proposals since
   * 4.8.0 are those in force there.
   */
  readonly likeMainnet?: boolean;
  /** Additional genesis accounts. */
  readonly genesisAccounts?: readonly GenesisAccount[];
  /** Chain time in ms of the first block. With it the chain has its own time. */
  readonly startTime?: number;
  /** Clock in Unix ms, for chain time without a seed and for token expiry. */
  readonly now?: () => number;
  /** Delay function of faults in real ms. */
  readonly delay?: (ms: number) => Promise<void>;
}

/** A funded account with a public key, which is worthless on any other chain. */
export interface FundedAccount {
  readonly address: Base58Address;
  readonly hex: Address;
  readonly privateKey: string;
  /** Sun at genesis, as a decimal text. */
  readonly balance: string;
}

const FAUCET_BALANCE = 90_000_000_000_000_000n;
export const ACCOUNT_BALANCE = 10_000_000_000n;

const SUN_A_COIN = 1_000_000n;
/** Approximate stakes on Mainnet: a coin gives 9 energy a day there, and 1.6 bytes of bandwidth. */
const STAKE_OF_OTHERS = { energy: 20_000_000_000n * SUN_A_COIN, bandwidth: 27_000_000_000n * SUN_A_COIN };

/** Creates the account of all other stakers. Its key is not printed. */
function otherStaker(seed: string | undefined, stake: GenesisAccount["stake"]): GenesisAccount {
  return { address: accountOf(keyFor(seed, "others")), balance: 0n, ...(stake && { stake }) };
}

/** Returns a key for a purpose: derived from the seed, or new without one. */
export function keyFor(seed: string | undefined, purpose: string): PrivateKey {
  if (seed === undefined) return newDevelopmentKey();
  return sha256(new TextEncoder().encode(`finality local chain/${seed}/${purpose}`)) as PrivateKey;
}

export function fundedAccount(key: PrivateKey, balance: bigint): FundedAccount {
  const hex = accountOf(key);
  return { address: toBase58(hex), hex, privateKey: bytesToHex(key), balance: balance.toString() };
}

/**
 * Real ms between blocks, 0 for blocks on request, or `instant` for a block per transaction and those that solidify it.
 */
export type BlockInterval = number | "instant";

/** Code reads block times in seconds, so blocks one second apart have different ones. */
const DEFAULT_MIN_BLOCK_GAP_MS = 1000;

/** Most witnesses; solidified data lags by about two thirds of their number. */
const MOST_WITNESSES = 127;

/** Produces the blocks of a chain on time. */
class BlockProducer implements RealClock {
  readonly #chain: Blockchain;
  readonly #origin: NetworkOrigin | undefined;
  readonly now: () => number;
  readonly #minGapMs: number;
  #interval: BlockInterval;
  #timer: NodeJS.Timeout | undefined;
  #started = false;

  constructor(
    { chain, origin }: Pick<Simulation, "chain" | "origin">,
    now: () => number,
    interval: BlockInterval,
    minGapMs = DEFAULT_MIN_BLOCK_GAP_MS,
  ) {
    this.#chain = chain;
    this.#origin = origin;
    this.now = now;
    this.#interval = interval;
    this.#minGapMs = minGapMs;
  }

  get interval(): BlockInterval {
    return this.#interval;
  }

  get running(): boolean {
    return this.#blockTimeMs > 0;
  }

  get slotMs(): number {
    return this.running ? Math.min(this.#blockTimeMs, BLOCK_INTERVAL_MS) : BLOCK_INTERVAL_MS;
  }

  /** A shorter block time shortens the least distance too. */
  get minGapMs(): number {
    return this.running ? Math.min(this.#minGapMs, this.#blockTimeMs) : this.#minGapMs;
  }

  get #blockTimeMs(): number {
    return this.#interval === "instant" ? 0 : this.#interval;
  }

  start(): void {
    this.#started = true;
    this.#schedule();
  }

  stop(): void {
    this.#started = false;
    clearTimeout(this.#timer);
  }

  change(interval: BlockInterval): void {
    this.#interval = interval;
    this.#schedule();
  }

  /**
   * Called for each accepted transaction. In `instant` mode it is in a block of its own before its sender gets the
   * response.
   */
  accepted(): void {
    if (this.#interval === "instant") this.#produceUntilSolid();
  }

  /** Produces blocks until the new one is solidified. */
  #produceUntilSolid(): void {
    const { number } = this.#chain.produceBlock("near").header;
    for (let more = 0; more < MOST_WITNESSES && this.#chain.irreversible.header.number < number; more += 1) {
      this.#chain.produceBlock("near");
    }
    this.#chain.settle();
  }

  /** Schedules blocks at multiples of the block time, as on a network. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#started || !this.running) return;
    this.#timer = setTimeout(
      () => {
        this.#schedule();
        void runStep({ chain: this.#chain, origin: this.#origin }, () => this.#chain.produceBlock("near"));
      },
      this.#blockTimeMs - (this.now() % this.#blockTimeMs),
    );
  }
}
