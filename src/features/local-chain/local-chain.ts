import type { NetworkProfile } from "@finality/client/gateway";
import { LOCAL_NETWORK_NAME } from "@finality/client/gateway";
import { isUnsettled, type TrackedTransaction } from "@finality/client/tracking";
import { ACCOUNT_NAMES } from "@finality/node/account-names";
import { ChainError, isChainError } from "@finality/tron/errors";
import { chainIdentity, type TxId, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { setContext } from "../../host/commands/commands.ts";
import { type ChainOwner, LocalChainData } from "../../host/local-chain/local-chain-data.ts";
import {
  askLocalChain,
  holdLocalChain,
  newChainSecret,
  proveLocalChain,
  startLocalChainProcess,
} from "../../host/local-chain/local-chain-process.ts";
import {
  type LocalChainReady,
  type LocalChainRecord,
  LocalChainRecordFile,
  parseAccounts,
  parseReadyLine,
} from "../../host/local-chain/local-chain-ready.ts";
import type { Log } from "../../host/log/log.ts";
import type { Networks } from "../../host/networks/networks.ts";
import { confirmModal, notify } from "../../host/prompts/notify.ts";
import type { LocalAccess, NetworkCredentials } from "../../host/secrets/network-credentials.ts";
import type { SecretStore } from "../../host/secrets/secret-store.ts";
import type { ChainAccount, SigningKeys } from "../../host/secrets/signing-keys.ts";
import { blockTimeSetting, stopAfterSetting } from "../../host/settings/settings.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";
import { LOCAL_AUDIENCE } from "./chain.view.ts";

/** Time limits for a chain that another window starts, and for one that ends; ms. */
const START_MS = 60_000;
const STOP_MS = 30_000;
/** Interval at which a window looks for a chain that another one started; ms. */
const LOOK_MS = 2_000;

export interface LocalChainServices {
  readonly networks: Networks;
  readonly keys: SigningKeys;
  readonly secrets: SecretStore;
  readonly credentials: NetworkCredentials;
  readonly transactions: TransactionService;
  /** Storage of the extension, which all windows share. */
  readonly folder: string;
  readonly log: Log;
  /** dist/local-chain.js */
  readonly program: string;
  /**
   * Ready line of a chain that was started beside the editor, as given by its starter. The user confirms it before it
   * is used.
   */
  readonly readyLine: string | undefined;
}

/** Result of the commands. */
export interface LocalChainResult {
  readonly network: string;
  readonly baseUrl: string;
  readonly accounts: readonly { readonly label: string; readonly address: string }[];
}

interface Running {
  readonly record: LocalChainRecord;
  /** Secret that identifies the chain. */
  readonly secret: string;
  /** Ends what this window does for the chain. */
  release(): void;
}

/** State of the recorded chain. `stopped`: only its data is there. `unproven`: another process may use its data. */
type Found = "running" | "stopped" | "gone" | "unproven";

/**
 * Embedded chain, shared by all windows. It runs in a process of its own, which outlives windows, with its data in the
 * extension's storage. A process is accepted as the chain only if it knows the secret that the window which started it
 * put into the secret storage.
 */
export class LocalChain implements vscode.Disposable {
  readonly #services: LocalChainServices;
  readonly #record: LocalChainRecordFile;
  readonly #data: LocalChainData;
  #running: Running | undefined;
  #starting: Promise<LocalChainResult> | undefined;
  #adopting: Promise<Found> | undefined;
  /** Chain beside the editor that the user disconnected from. It is used again on request only. */
  #disconnected: string | undefined;
  readonly #following: vscode.Disposable;
  /** Timer that looks for a chain that another window starts. */
  #lookout: NodeJS.Timeout | undefined;

  constructor(services: LocalChainServices) {
    this.#services = services;
    this.#record = new LocalChainRecordFile(services.folder);
    this.#data = new LocalChainData(services.folder);
    this.#following = services.credentials.onDidChange((network) => {
      if (network !== LOCAL_NETWORK_NAME) return;
      const report = (error: unknown): void => services.log.error("What the local chain asks for is not known.", error);
      this.#showAccess().catch(report);
    });
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** True if the chain beside the editor is disconnected, which runs on. */
  get isDisconnected(): boolean {
    return this.#disconnected !== undefined;
  }

  /** URL of the running chain. */
  get baseUrl(): string | undefined {
    return this.#running?.record.baseUrl;
  }

  /** Starts the chain, or returns the one that runs. @throws {ChainError} `LOCAL_CHAIN_FAILED` */
  start(): Promise<LocalChainResult> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Returns the URL of the network that the stored chain is a fork of. */
  async forkedFrom(): Promise<string | undefined> {
    return await this.#data.forkedFrom();
  }

  /**
   * Starts a fork of a network in place of the stored chain, which is set aside, or with undefined that chain again. The
   * stored chain comes back if the fork does not start.
   *
   * @param url - base URL of the network
   * @throws {ChainError} `LOCAL_CHAIN_FAILED`
   */
  async fork(url: string | undefined): Promise<LocalChainResult> {
    if ((await this.#adoptOnce()) === "running") await this.stop();
    if ((await this.#data.owner()) !== undefined) {
      throw new ChainError("LOCAL_CHAIN_FAILED", { reason: t`another process uses its data` });
    }
    await this.#cleanUp();
    await this.#record.remove();
    await (url === undefined ? this.#data.bringBack() : this.#data.setAside());
    try {
      this.#starting = this.#startOther(url);
      return await this.#starting;
    } catch (error) {
      if (url !== undefined) await this.#data.bringBack();
      throw error;
    } finally {
      this.#starting = undefined;
    }
  }

  async #startOther(url: string | undefined): Promise<LocalChainResult> {
    await this.#startStored(url);
    return this.#chosen();
  }

  /** Connects to a running chain. Otherwise shows the accounts of the stored one, or removes the remains of another. */
  async findRunning(): Promise<void> {
    const found = await this.#adoptOnce();
    if (found === "running") return;
    if (found === "gone") await this.#cleanUp();
    else await this.#showStored();
    this.#services.networks.setLocal(undefined);
    this.#followOthers();
  }

  /**
   * Verifies again that the chain is the one that was started: another program may use its port by now.
   *
   * @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`, `GATEWAY_UNREACHABLE`
   */
  async prove(): Promise<void> {
    const running = this.#running;
    if (running === undefined) throw new ChainError("LOCAL_CHAIN_UNPROVEN", { baseUrl: LOCAL_NETWORK_NAME });
    await proveLocalChain(running.record.baseUrl, running.secret);
  }

  /** Returns the running chain, to change its required credentials. @throws {ChainError} `NETWORK_UNKNOWN` */
  asked(): { readonly credentials: NetworkCredentials; readonly network: NetworkProfile } {
    const { credentials, networks } = this.#services;
    return { credentials, network: networks.get(LOCAL_NETWORK_NAME) };
  }

  /** Returns the credentials that the running chain requires. */
  async access(): Promise<LocalAccess> {
    return await this.#services.credentials.localAccess();
  }

  /** Tracked transactions of local chains. */
  async listedTransactions(): Promise<readonly TrackedTransaction[]> {
    const { transactions } = this.#services;
    await transactions.ready();
    return transactions.list().filter((it) => it.network === LOCAL_NETWORK_NAME && !it.hidden);
  }

  /** Returns the transactions of the chain that are not final. */
  async liveTransactions(): Promise<readonly TrackedTransaction[]> {
    return (await this.listedTransactions()).filter(isUnsettled);
  }

  /** Removes transactions that the chain dropped by a revert from the list. The journal keeps them. */
  async wentBack(gone: readonly TxId[]): Promise<void> {
    const { transactions } = this.#services;
    await transactions.hide(...gone);
    transactions.startOver(LOCAL_NETWORK_NAME);
  }

  /** Returns whether the chain is the stored one, which `stop` ends. */
  get isStored(): boolean {
    return this.#running?.record.isStored === true;
  }

  /**
   * Ends the process of the stored chain, whose data stays. Disconnects from a chain that was started beside the editor,
   * and removes its accounts.
   */
  async stop(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    const { baseUrl, chain, isStored } = running.record;
    if (!isStored) this.#disconnected = chain;
    this.#leave();
    if (isStored) await this.#endProcess(baseUrl);
    this.#followOthers();
  }

  /** The chain goes on without this window. */
  dispose(): void {
    this.#following.dispose();
    clearInterval(this.#lookout);
    this.#running?.release();
    this.#running = undefined;
  }

  /** Connects to the chain that another window starts while this window shows it as not running. */
  #followOthers(): void {
    const look = async (): Promise<void> => {
      if (!this.#services.networks.isLocalStopped || this.#starting !== undefined) return;
      if ((await this.#data.owner())?.baseUrl !== undefined) await this.#adoptOnce();
    };
    const report = (error: unknown): void => this.#services.log.error("The local chain was not found.", error);
    this.#lookout ??= setInterval(() => void look().catch(report), LOOK_MS).unref();
  }

  #adoptOnce(): Promise<Found> {
    if (this.#running !== undefined) return Promise.resolve("running");
    this.#adopting ??= this.#adopt().finally(() => {
      this.#adopting = undefined;
    });
    return this.#adopting;
  }

  /** Connects to the chain beside the editor that the user accepted, or to the stored chain. */
  async #adopt(): Promise<Found> {
    const last = await this.#record.read();
    if (last?.isStored === false) return await this.#adoptBeside(last);
    const owner = await this.#data.owner();
    if (owner !== undefined) return await this.#adoptStored(owner, last);
    return last !== undefined && (await this.#data.exists()) ? "stopped" : "gone";
  }

  async #adoptBeside(record: LocalChainRecord): Promise<Found> {
    if (record.chain === this.#disconnected) return "unproven";
    const secret = await this.#services.secrets.get("chainProof", record.chain);
    if (secret === undefined || !(await this.#isProven(record.baseUrl, secret))) return "gone";
    await this.#use(record, secret);
    return "running";
  }

  async #adoptStored({ baseUrl, chain }: ChainOwner, last: LocalChainRecord | undefined): Promise<Found> {
    if (baseUrl === undefined || chain === undefined) return "unproven";
    const secret = await this.#services.secrets.get("chainProof", chain);
    if (secret === undefined || !(await this.#isProven(baseUrl, secret))) return "unproven";
    if (last?.chain === chain) await this.#use({ ...last, baseUrl }, secret);
    else await this.#bring({ ...parseAccounts(await askLocalChain(baseUrl, "status")), baseUrl, proof: secret }, true);
    return "running";
  }

  /** Returns whether the process proves that it is the chain of this secret. */
  async #isProven(baseUrl: string, secret: string): Promise<boolean> {
    try {
      await proveLocalChain(baseUrl, secret);
      return true;
    } catch (error) {
      if (!isChainError(error)) throw error;
      this.#services.log.warn(error.message);
      return false;
    }
  }

  async #start(): Promise<LocalChainResult> {
    this.#disconnected = undefined;
    if ((await this.#adoptOnce()) === "running") return this.#chosen();
    const beside = await this.#chainBeside();
    if (beside === undefined) await this.#startStored();
    else {
      await this.#cleanUp();
      await this.#bring(beside, false);
    }
    return this.#chosen();
  }

  /** Returns the chain that the environment names, if it proves its identity and the user accepts it. */
  async #chainBeside(): Promise<LocalChainReady | undefined> {
    const { readyLine, log } = this.#services;
    if (readyLine === undefined) return undefined;
    try {
      const ready = parseReadyLine(readyLine);
      await proveLocalChain(ready.baseUrl, ready.proof);
      const title = t`Use the local chain that runs at ${ready.baseUrl}?`;
      const detail = t`It was started next to this editor, and its accounts are added. If you decline, Finality starts a chain of its own.`;
      return (await confirmModal({ title, detail }, t`Use It`)) ? ready : undefined;
    } catch (error) {
      if (!isChainError(error)) throw error;
      log.warn(error.message);
      return undefined;
    }
  }

  /** Continues the stored chain, or creates it. @param url - network that a new chain is a fork of */
  async #startStored(url?: string): Promise<void> {
    const { program, secrets, credentials, log } = this.#services;
    const last = await this.#record.read();
    const stored = last?.isStored === true && (await this.#data.exists()) ? last : undefined;
    if (stored === undefined) await this.#cleanUp();
    // A new process requires no credentials.
    else await credentials.forgetLocalChains(stored.chain);
    const known = stored && (await secrets.get("chainProof", stored.chain));
    const secret = known ?? newChainSecret();
    // Another window can prove the chain if this one ends before it has the ready line.
    await secrets.set("chainProof", chainIdentity(secret), secret);
    const [blockTimeMs, leaseMs] = [blockTimeSetting(), stopAfterSetting()];
    const fork = url ?? (await this.#data.forkedFrom());
    const { path: data } = this.#data;
    const options = { log, program, data, fork, secret, baseUrl: stored?.baseUrl, blockTimeMs, leaseMs };
    try {
      await this.#bring(await startLocalChainProcess(options), true);
    } catch (error) {
      if ((await this.#adoptStarting()) !== "running") {
        if (known === undefined) await secrets.delete("chainProof", chainIdentity(secret));
        if (stored === undefined || !(await this.#replaceStored(error))) throw error;
        return await this.#startStored();
      }
    }
    log.info(`The local chain answers at ${this.baseUrl}.`);
  }

  /** Deletes a stored chain whose files cannot be read if the user agrees: for example, one of an older version. */
  async #replaceStored(cause: unknown): Promise<boolean> {
    if (!isChainError(cause) || cause.code !== "LOCAL_CHAIN_FAILED" || cause.details.isDataUnreadable !== true)
      return false;
    if ((await this.#data.owner()) !== undefined) return false;
    const title = t`Start a new local chain?`;
    const detail = t`${cause.message} To keep the stored chain, cancel and try again. A new chain has other accounts, and deletes the stored accounts, contracts and transactions.`;
    if (!(await confirmModal({ title, detail }, t`Delete and Start New Chain`))) return false;
    await this.#data.remove();
    return true;
  }

  /** Connects to the chain that another window starts. */
  async #adoptStarting(): Promise<Found> {
    await this.#data.until((owner) => owner === undefined || owner.baseUrl !== undefined, START_MS);
    return await this.#adoptOnce();
  }

  async #endProcess(baseUrl: string): Promise<void> {
    await askLocalChain(baseUrl, "stop", {}).catch((error: unknown) => {
      if (!isChainError(error)) throw error;
    });
    if (await this.#data.until((owner) => owner === undefined, STOP_MS)) return;
    throw new ChainError("GATEWAY_UNREACHABLE", { endpoint: baseUrl, attempts: 1, reason: t`it did not end` });
  }

  /** Called when the process has ended. Its lock is left behind if it was killed. */
  async #gone(chain: string): Promise<void> {
    if (this.#running?.record.chain !== chain) return;
    this.#leave();
    this.#followOthers();
    if (!(await this.#data.isAbandoned())) return;
    const again = t`Start Local Chain`;
    const message = t`The local chain has stopped. Its accounts, contracts and transactions are stored.`;
    const chosen = await notify("warning", message, again, t`Show Log`);
    if (chosen === undefined) return;
    await vscode.commands.executeCommand(chosen === again ? "finality.startLocalChain" : "finality.showLog");
  }

  /** Stores the secrets of a chain before its record tells other windows of it. */
  async #bring(ready: LocalChainReady, isStored: boolean): Promise<void> {
    const { keys, secrets } = this.#services;
    const record = recordOf(ready, isStored);
    await keys.storeKeysOfChain(namedAccounts(ready), record.chain);
    await secrets.set("chainProof", record.chain, ready.proof);
    await this.#record.write(record);
    await this.#use(record, ready.proof);
    await keys.removeOfChains((it) => it !== record.chain);
  }

  async #use(record: LocalChainRecord, secret: string): Promise<void> {
    const { keys, credentials } = this.#services;
    const release = record.isStored ? await this.#hold(record) : (): void => undefined;
    this.#running = { record, secret, release };
    await keys.addOfChain(record.accounts, record.chain);
    keys.setChain(record.chain);
    credentials.setLocalChain(record.chain);
    await this.#showAccess();
    setContext("finality.localChainRunning", true);
  }

  /** Renews the lease of the chain, and notices its end. */
  async #hold({ baseUrl, chain }: LocalChainRecord): Promise<() => void> {
    const pid = (await this.#data.owner())?.pid;
    const held = holdLocalChain({ baseUrl, pid, leaseMs: stopAfterSetting, onGone: () => void this.#gone(chain) });
    return () => held.dispose();
  }

  /** Adds the credentials that the chain requires to the network, whichever window configured them. */
  async #showAccess(): Promise<void> {
    const { credentials, networks } = this.#services;
    const { jwt } = await credentials.localAccess();
    const baseUrl = this.#running?.record.baseUrl;
    const { local } = networks;
    if (baseUrl === undefined || (local?.baseUrl === baseUrl && local.jwt === jwt)) return;
    networks.setLocal(baseUrl, jwt ? LOCAL_AUDIENCE : undefined);
  }

  async #chosen(): Promise<LocalChainResult> {
    const { networks, keys } = this.#services;
    await networks.setActive(LOCAL_NETWORK_NAME);
    const { baseUrl } = networks.get(LOCAL_NETWORK_NAME);
    const accounts = keys.list().filter(({ chain }) => chain !== undefined);
    return {
      network: LOCAL_NETWORK_NAME,
      baseUrl,
      accounts: accounts.map(({ label, address }) => ({ label, address: toBase58(address) })),
    };
  }

  #leave(): void {
    const { keys, networks, credentials } = this.#services;
    const isStored = this.#running?.record.isStored === true;
    this.#running?.release();
    this.#running = undefined;
    if (!isStored) keys.setChain(undefined);
    credentials.setLocalChain(undefined);
    networks.setLocal(undefined, undefined, this.isDisconnected);
    setContext("finality.localChainRunning", false);
  }

  /** Names the accounts of the stored chain while it is not running. */
  async #showStored(): Promise<void> {
    const last = await this.#record.read();
    if (last?.isStored === true) this.#services.keys.setChain(last.chain);
  }

  /** Removes the remains of chains that exist no more: accounts, secrets, and transactions without a chain. */
  async #cleanUp(): Promise<void> {
    const { keys, secrets, credentials } = this.#services;
    const last = await this.#record.read();
    if (last !== undefined) await secrets.delete("chainProof", last.chain);
    await credentials.forgetLocalChains();
    await keys.removeOfChains(() => true);
    await this.#hideTransactions();
  }

  /** These transactions can no longer become final. The journal keeps them; the list removes them. */
  async #hideTransactions(): Promise<void> {
    await this.wentBack((await this.liveTransactions()).map(({ txId }) => txId));
  }
}

function recordOf(ready: LocalChainReady, isStored: boolean): LocalChainRecord {
  const accounts = namedAccounts(ready).map(({ address, label }) => ({ address, label }));
  return { chain: chainIdentity(ready.proof), baseUrl: ready.baseUrl, isStored, accounts };
}

/** Names the accounts of a local chain; the faucet comes last. */
export function namedAccounts({ accounts, faucet }: LocalChainReady): readonly ChainAccount[] {
  return [
    ...accounts.map((it, index) => ({ ...it, label: ACCOUNT_NAMES[index] ?? t`Local ${index + 1}` })),
    { ...faucet, label: t`Faucet` },
  ];
}
