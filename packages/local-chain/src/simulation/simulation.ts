import { hash, randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { type Address, addressToBytes, BLOCK_INTERVAL_MS, hexToBytes, transactionId } from "@finality/tron/primitives";
import { RawSchema, TransferContractSchema } from "@finality/tron/schema";
import {
  addressOfPrivateKey,
  contractEntry,
  contractTypeByName,
  DEFAULT_EXPIRATION_AHEAD_MS,
  encodeRawData,
  type PrivateKey,
  referenceTo,
  signTransactionId,
} from "@finality/tron/transaction";
import {
  type AccessRules,
  DEFAULT_API_KEY_HEADER,
  fingerprintOf,
  type KeyRecord,
  readPublicKey,
} from "../access/access.ts";
import { systemActuators } from "../actuators/actuators.ts";
import { Blockchain } from "../chain/blockchain.ts";
import { MAINNET_OPERATIONS } from "../chain/chain-rules.ts";
import type { ChainSnapshot } from "../chain/chain-snapshot.ts";
import { chainParameters } from "../chain/parameters.ts";
import { type ChainTransaction, chainTransaction } from "../chain/transaction.ts";
import { Faults } from "../faults/faults.ts";
import { Filters } from "../json-rpc/filters.ts";
import { changedSettings, defaultSettings, SimulatedNode } from "../node/simulated-node.ts";
import { BlockProducer } from "./block-producer.ts";
import {
  ACCOUNT_BALANCE,
  FAUCET_BALANCE,
  type FundedAccount,
  fundedAccount,
  keyFor,
  type LocalChainOptions,
  otherStaker,
} from "./options.ts";

export const DEFAULT_WITNESSES = 5;
export const DEFAULT_ACCOUNTS = 10;
const SEEDED_EPOCH = Date.UTC(2026, 0, 1);
const SEEDED_SPREAD_DAYS = 300;
const DAY_MS = 86_400_000;

/** One simulated node: the chain, its accounts, what stands in front of it, and what was asked. */
export interface Simulation {
  readonly chain: Blockchain;
  /** What its keys come from. */
  readonly seed: string | undefined;
  readonly faucet: FundedAccount;
  readonly accounts: readonly FundedAccount[];
  /** What somebody asked for besides, one list for each time. */
  readonly temporaryAccounts: (readonly FundedAccount[])[];
  readonly access: AccessRules;
  readonly faults: Faults;
  /** Of JSON-RPC. */
  readonly filters: Filters;
  readonly requests: RequestCounter;
  readonly snapshots: Map<string, ChainSnapshot>;
  readonly producer: BlockProducer;
  readonly witnesses: number;
  readonly node: SimulatedNode;
  readonly now: () => number;
  readonly self: ChainSelf;
}

/** By what a chain proves that it is the one that was started. */
export interface ChainSelf {
  /** Printed on the ready line and never served: 32 bytes in hex, another one for each process, whatever the seed. */
  readonly secret: string;
  /** Where it answers; empty before it listens. */
  baseUrl: string;
}

/** @throws {Error} an option does not fit */
export async function createSimulation(options: LocalChainOptions): Promise<Simulation> {
  const { seed, keySeed = seed, witnesses = DEFAULT_WITNESSES, now = Date.now } = options;
  const faucet = fundedAccount(keyFor(keySeed, "faucet"), FAUCET_BALANCE);
  const accounts = counted(options.accounts ?? DEFAULT_ACCOUNTS).map((index) =>
    fundedAccount(keyFor(keySeed, `account ${index}`), ACCOUNT_BALANCE),
  );
  const chain = new Blockchain({
    seed: keySeed ?? faucet.hex,
    parameters: chainParameters(options.parameters),
    ...(options.likeMainnet === true ? { operations: MAINNET_OPERATIONS } : {}),
    actuators: { ...systemActuators, ...options.actuators },
    accounts: [
      ...[faucet, ...accounts].map(genesisAccount),
      ...(options.likeMainnet === true ? [otherStaker(keySeed)] : []),
      ...(options.genesisAccounts ?? []),
    ],
    witnesses: counted(witnesses).map((index) => keyFor(keySeed, `witness ${index}`)),
    startTime: options.startTime ?? startTime(seed, now(), witnesses),
  });
  // A young chain whose head and solidified block both have a time.
  for (let count = 0; count < witnesses; count += 1) chain.produceBlock();
  const producer = new BlockProducer(chain, now, options.blockTimeMs ?? BLOCK_INTERVAL_MS);
  if (seed === undefined && (options.startTime === undefined || keySeed !== undefined)) chain.follow(producer);
  chain.settle();
  return {
    chain,
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
    snapshots: new Map([[INITIAL, chain.snapshot()]]),
    producer,
    self: { secret: randomBytes(32).toString("hex"), baseUrl: "" },
  };
}

/** It keeps no process alive. */
async function delay(ms: number): Promise<void> {
  await setTimeout(ms, undefined, { ref: false });
}

/** The snapshot that `reset` goes back to. */
export const INITIAL = "initial";

function counted(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function genesisAccount({ hex, balance }: FundedAccount): { address: FundedAccount["hex"]; balance: bigint } {
  return { address: hex, balance: BigInt(balance) };
}

/** Without a seed the head is at the present when the first requests come; a seed has a time of its own. */
export function startTime(seed: string | undefined, now: number, witnesses: number): number {
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

/** What was asked of the chain, by path. Control requests do not count. */
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

/** A signed transfer of the chain's own: coins come to people as transactions that everybody can see. */
export function faucetTransfer(
  chain: Blockchain,
  key: Uint8Array,
  to: Address,
  { amount, memo = new Uint8Array() }: Payment,
): ChainTransaction {
  const type = contractTypeByName("TransferContract");
  if (type === undefined) throw new TypeError("The codec does not know transfers.");
  const message = create(TransferContractSchema, {
    ownerAddress: addressToBytes(addressOfPrivateKey(key as PrivateKey)),
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
  const signature = signTransactionId(transactionId(encodeRawData(rawData)), key as PrivateKey);
  return chainTransaction({ rawData, signature: [hexToBytes(signature)] });
}
