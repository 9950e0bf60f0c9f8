import { type Address, type Base58Address, bytesToHex, sha256, toBase58 } from "@finality/tron/primitives";
import { addressOfPrivateKey, generatePrivateKey, type PrivateKey } from "@finality/tron/transaction";
import type { Actuators } from "../chain/actuator.ts";
import type { GenesisAccount } from "../chain/genesis.ts";
import type { NodeSettings } from "../node/simulated-node.ts";
import type { Pace } from "./block-producer.ts";

/** How a local chain is started. Everything has a default. */
export interface LocalChainOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /**
   * Real ms between blocks, 3000 by default; 0 makes blocks only on `POST /local/mine`, and `instant` one for each
   * transaction as well. What it does to chain time: see `chain/block-times.ts`.
   */
  readonly blockTimeMs?: Pace;
  /** 5 by default: solidified data lags three blocks behind. */
  readonly witnesses?: number;
  /**
   * The same seed and the same requests give the same chain: it has a time of its own, 3000 ms a block. Without one, keys
   * are new and chain time is the present.
   */
  readonly seed?: string;
  /** Keys come from this text alone, and chain time keeps to the clock as without a seed. */
  readonly keySeed?: string;
  /** How many accounts get 10,000 coins, 10 by default. */
  readonly accounts?: number;
  /** Chain parameters by the names of `getchainparameters`. */
  readonly parameters?: { readonly [name: string]: unknown };
  /** The folder that the chain is kept in; without one it ends with its process. */
  readonly data?: string;
  readonly apiKey?: string;
  readonly apiKeyHeader?: string;
  /** PEM of the public key whose tokens open the JWT switch, with the id that tokens name as `kid`. */
  readonly jwt?: { readonly publicKey: string; readonly kid: string; readonly audience: string };
  /** What is not as usual with the node. */
  readonly node?: Partial<NodeSettings>;
  /** What the chain executes besides, or instead of, its own contract types. */
  readonly actuators?: Actuators;
  /**
   * What Mainnet's history has brought: others have staked so much that a stake brings what it would bring there, and
   * permissions may name all contract types.
   */
  readonly likeMainnet?: boolean;
  /** Accounts that exist from the first block on, besides the funded ones. */
  readonly genesisAccounts?: readonly GenesisAccount[];
  /** Chain time in ms of the first block, in place of the present or the seed's. With it chain time is its own. */
  readonly startTime?: number;
  /** Unix time in ms: where chain time begins without a seed, and what tokens are judged by. */
  readonly now?: () => number;
  /** How faults wait: real ms. */
  readonly delay?: (ms: number) => Promise<void>;
}

/** An account whose key the chain gives away: it is worth nothing anywhere else. */
export interface FundedAccount {
  readonly address: Base58Address;
  readonly hex: Address;
  readonly privateKey: string;
  /** Sun at genesis, as a decimal text. */
  readonly balance: string;
}

export const FAUCET_BALANCE = 90_000_000_000_000_000n;
export const ACCOUNT_BALANCE = 10_000_000_000n;

const SUN_A_COIN = 1_000_000n;
/** About what is staked on Mainnet: a coin brings 9 energy a day there, and 1.6 bytes of bandwidth. */
const STAKE_OF_OTHERS = { energy: 20_000_000_000n * SUN_A_COIN, bandwidth: 27_000_000_000n * SUN_A_COIN };

/** Who stands for everybody else that stakes. Its key belongs to nobody who looks for it. */
export function otherStaker(seed: string | undefined): GenesisAccount {
  return { address: addressOfPrivateKey(keyFor(seed, "others")), balance: 0n, stake: STAKE_OF_OTHERS };
}

/** A key for a purpose: always the same one under a seed, a new one without. */
export function keyFor(seed: string | undefined, purpose: string): PrivateKey {
  if (seed === undefined) return generatePrivateKey();
  return sha256(new TextEncoder().encode(`finality local chain/${seed}/${purpose}`)) as PrivateKey;
}

export function fundedAccount(key: PrivateKey, balance: bigint): FundedAccount {
  const hex = addressOfPrivateKey(key);
  return { address: toBase58(hex), hex, privateKey: bytesToHex(key), balance: balance.toString() };
}
