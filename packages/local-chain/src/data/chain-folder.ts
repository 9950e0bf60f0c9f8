import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { decodeTransaction } from "@finality/tron/transaction";
import type { ChainEvent, PlainEvent } from "../chain/block-production.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import type { ChainSnapshot, SnapshotImage } from "../chain/chain-state.ts";
import { chainTransaction } from "../chain/transaction.ts";
import type { ForkPoint } from "../fork/fork-point.ts";
import {
  DEFAULT_ACCOUNTS,
  DEFAULT_WITNESSES,
  INITIAL,
  type LocalChainOptions,
  nodeVersionOf,
  type Simulation,
  startTime,
} from "../simulation/simulation.ts";
import { FolderLock, type LockedChain } from "./folder-lock.ts";
import { RecordFile, readRecords, replaceFile, replaceRecord } from "./record-file.ts";
import { readingStoredChain } from "./stored-chain-error.ts";

/** Initial conditions that reproduce a chain. */
type Setup = Required<Pick<LocalChainOptions, "accounts" | "witnesses" | "startTime" | "parameters" | "nodeVersion">> &
  Pick<LocalChainOptions, "seed" | "keySeed" | "likeMainnet" | "tre" | "chainId" | "forkPoint">;

/** An event in a file. */
type StoredEvent = PlainEvent | { readonly kind: "transaction"; readonly bytes: Uint8Array };

/** Stored state of a chain. */
interface StoredState {
  readonly chain: SnapshotImage;
  readonly snapshots: readonly (readonly [name: string, image: SnapshotImage])[];
}

/** Version of the file format, raised for each incompatible change. */
const VERSION = 2;
const SETUP = "chain.json";
/** Items of the network of a fork. They stay the same after a reset. */
const NETWORK_ITEMS = "network-items";
/** Version of folders that do not name one. */
const FIRST_NODE_VERSION = "4.8.0";
/** Bytes of events after which the state is saved; with a large state it is an eighth of that. */
const MANY_EVENTS = 1_000_000;
const SHARE = 8;

/**
 * Stores a chain in a folder: its setup (`chain.json`), a saved state (`state-N`) and all later events (`events-N`),
 * which the next start replays. A new state is saved from time to time, so that a start stays short.
 */
export class ChainFolder {
  readonly #path: string;
  readonly #lock: FolderLock;
  readonly #setup: Setup;
  readonly #options: LocalChainOptions;
  #number = 0;
  #stateSize = 0;
  #events: RecordFile | undefined;
  #items: RecordFile | undefined;
  #simulation: Simulation | undefined;
  /** Images of the named snapshots, which later states are saved with. */
  readonly #images = new Map<string, SnapshotImage>();

  /**
   * Opens a folder, or creates one for a new chain.
   *
   * @throws {Error} another process uses it
   * @throws {StoredChainError} its chain has a different setup
   */
  constructor(path: string, options: LocalChainOptions) {
    if (options.privateKeys !== undefined || options.mnemonic !== undefined) {
      throw new Error("A chain in a folder stores no keys of yours: leave the mnemonic and the file of accounts away.");
    }
    mkdirSync(path, { recursive: true, mode: 0o700 });
    this.#path = path;
    this.#lock = new FolderLock(path);
    try {
      this.#options = options;
      this.#setup = readingStoredChain(() => readSetup(path)) ?? this.#writeSetup();
      readingStoredChain(() => this.#checkOptions());
    } catch (error) {
      this.#lock.release();
      throw error;
    }
  }

  /** Returns where the chain of a folder was forked; undefined for other chains, and without a chain. */
  static forkPointIn(path: string): ForkPoint | undefined {
    return readingStoredChain(() => readSetup(path)?.forkPoint);
  }

  /** Opens the items of the network that a fork has read. */
  networkItems(): ReturnType<typeof RecordFile.open> {
    const items = RecordFile.open(join(this.#path, NETWORK_ITEMS));
    this.#items = items.file;
    return items;
  }

  /** Options that the simulation has to be created with. */
  get options(): LocalChainOptions {
    return { ...this.#options, ...this.#setup };
  }

  /**
   * Replays the stored chain on a new one, and stores later events.
   *
   * @throws {StoredChainError} the files are damaged, or of an incompatible version
   */
  resume(simulation: Simulation): void {
    this.#images.set(INITIAL, simulation.chain.image());
    const file = readingStoredChain(() => this.#replayStored(simulation));
    simulation.chain.passBuildTimes();
    this.#simulation = simulation;
    this.#events = file;
    simulation.chain.production.onEvent((event) => this.#keep(event));
    // The former owner may still be running and append to its file of events, so a new one begins.
    if (file.size > this.#worthAState() || this.#lock.isTakenOver) this.#saveState();
  }

  /** Replays the stored state and events. Returns the file of events. */
  #replayStored(simulation: Simulation): RecordFile {
    this.#loadState(simulation);
    const { file, values } = RecordFile.open(this.#file("events"));
    for (const event of values as readonly StoredEvent[]) {
      replay(simulation, event);
      this.#keepImage(event, simulation);
    }
    return file;
  }

  /** Tells other programs where the chain answers. */
  announce(chain: LockedChain): void {
    this.#lock.announce(chain);
  }

  /** Registers a listener for the loss of the folder: it was deleted, or another process has taken it. */
  onLost(listener: () => void): void {
    this.#lock.onLost(listener);
  }

  /** Saves the state, so that the next start replays nothing, and releases the folder. A lost folder stays unchanged. */
  close(): void {
    if (this.#events !== undefined && this.#events.size > 0 && this.#lock.isHeld) this.#saveState();
    this.#simulation?.chain.production.onEvent(() => {});
    this.#events?.close();
    this.#items?.close();
    this.#lock.release();
  }

  #file(name: "state" | "events"): string {
    return join(this.#path, `${name}-${this.#number}`);
  }

  #writeSetup(): Setup {
    const { seed, accounts = DEFAULT_ACCOUNTS, witnesses = DEFAULT_WITNESSES, parameters = {} } = this.#options;
    const { likeMainnet, tre, chainId, forkPoint, nodeVersion = nodeVersionOf(this.#options) } = this.#options;
    const now = (this.#options.now ?? Date.now)();
    const setup = {
      ...(seed === undefined ? { keySeed: randomBytes(32).toString("hex") } : { seed }),
      accounts,
      witnesses,
      startTime: startTime(this.#options, now),
      parameters,
      nodeVersion,
      ...(likeMainnet === undefined ? {} : { likeMainnet }),
      ...(tre === undefined ? {} : { tre }),
      ...(chainId === undefined ? {} : { chainId }),
      ...(forkPoint === undefined ? {} : { forkPoint }),
    };
    const text = `${JSON.stringify({ version: VERSION, ...setup }, undefined, 2)}\n`;
    replaceFile(join(this.#path, SETUP), Buffer.from(text));
    return setup;
  }

  #checkOptions(): void {
    for (const name of [
      "seed",
      "accounts",
      "witnesses",
      "startTime",
      "parameters",
      "likeMainnet",
      "nodeVersion",
      "tre",
      "chainId",
      "forkPoint",
    ] as const) {
      const requestedValue = this.#options[name];
      if (requestedValue === undefined || isDeepStrictEqual(requestedValue, this.#setup[name])) continue;
      throw new Error(
        `${this.#path} holds a chain that began with other ${name}; leave it away, or take another folder.`,
      );
    }
  }

  #loadState({ chain, snapshots }: Simulation): void {
    const numbers = readdirSync(this.#path).flatMap((it) => (/^state-\d+$/.test(it) ? [Number(it.slice(6))] : []));
    if (numbers.length === 0) return;
    this.#number = Math.max(...numbers);
    const { values, size } = readRecords(this.#file("state"));
    const state = values[0] as StoredState | undefined;
    if (state === undefined) throw new Error(`${this.#file("state")} is damaged.`);
    for (const [name, image] of state.snapshots) {
      snapshots.set(name, image);
      this.#images.set(name, image);
    }
    chain.load(state.chain);
    this.#stateSize = size;
  }

  #keep(event: ChainEvent): void {
    if (this.#simulation !== undefined) this.#keepImage(event, this.#simulation);
    if (event.kind !== "amendment") this.#events?.append(storedEvent(event));
    const written = this.#events?.size ?? 0;
    if (event.kind === "amendment" || written > this.#worthAState()) this.#saveState();
  }

  #keepImage(event: ChainEvent | StoredEvent, { chain }: Simulation): void {
    if (event.kind === "snapshot") this.#images.set(event.name, chain.image());
    if (event.kind === "drop") this.#images.delete(event.name);
  }

  #worthAState(): number {
    return Math.max(MANY_EVENTS, this.#stateSize / SHARE);
  }

  /** Saves the state. Old files are deleted last, so one complete pair always exists. */
  #saveState(): void {
    if (this.#simulation === undefined) return;
    const old = [this.#file("state"), this.#file("events")];
    const state: StoredState = { chain: this.#simulation.chain.image(), snapshots: [...this.#images] };
    this.#number += 1;
    this.#stateSize = replaceRecord(this.#file("state"), state);
    this.#events?.close();
    this.#events = RecordFile.open(this.#file("events")).file;
    for (const it of old) rmSync(it, { force: true });
  }
}

function readSetup(folder: string): Setup | undefined {
  const path = join(folder, SETUP);
  if (!existsSync(path)) return undefined;
  const { version, ...setup } = JSON.parse(readFileSync(path, "utf8")) as Setup & { version: number };
  if (version !== VERSION) throw new Error(`${path} is of version ${version}; this program reads ${VERSION}.`);
  return { ...setup, nodeVersion: setup.nodeVersion ?? FIRST_NODE_VERSION };
}

function storedEvent(event: Exclude<ChainEvent, { kind: "amendment" }>): StoredEvent {
  if (event.kind !== "transaction") return event;
  return { kind: "transaction", bytes: event.transaction.bytes };
}

function replay({ chain, snapshots }: Simulation, event: StoredEvent): void {
  switch (event.kind) {
    case "transaction":
      chain.submit(chainTransaction(decodeTransaction(event.bytes)));
      break;
    case "warp":
      chain.warp(event.ms);
      break;
    case "block":
      chain.production.replay(event, () => chain.produceBlock());
      checkHead(chain, event.id);
      break;
    case "fork":
      chain.production.replay(event, () => chain.fork(event.depth, event.transactions));
      checkHead(chain, event.id);
      break;
    case "snapshot":
      releaseSnapshot(chain, snapshots, event.name);
      snapshots.set(event.name, chain.snapshot());
      break;
    case "drop":
      releaseSnapshot(chain, snapshots, event.name);
      break;
    case "restore":
      chain.restore(snapshotNamed(snapshots, event.name));
  }
}

function releaseSnapshot(chain: Blockchain, snapshots: Simulation["snapshots"], name: string): void {
  const snapshot = snapshots.get(name);
  snapshots.delete(name);
  if (snapshot !== undefined) chain.release(snapshot);
}

function snapshotNamed(snapshots: Simulation["snapshots"], name: string): ChainSnapshot | SnapshotImage {
  const snapshot = snapshots.get(name);
  if (snapshot === undefined) throw new Error(`There is no snapshot ${name}.`);
  return snapshot;
}

/** Checks that replayed events give the same blocks; they differ when the rules have changed. */
function checkHead({ head }: Blockchain, id: string): void {
  if (head.id === id) return;
  throw new Error(
    `Block ${head.header.number} would be another one now: this chain was made by a program of other rules.`,
  );
}
