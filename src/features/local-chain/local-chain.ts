import * as vscode from "vscode";
import { toBase58 } from "../../core/primitives/address.ts";
import type { TxId } from "../../core/primitives/hash.ts";
import { isAlive } from "../../core/tracking/possible-actions.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import { setContext } from "../../host/commands.ts";
import {
  isProcessAlive,
  type LocalChainProcess,
  startLocalChainProcess,
  watchProcess,
} from "../../host/local-chain-process.ts";
import { type LocalChainReady, parseReadyLine } from "../../host/local-chain-ready.ts";
import type { LocalChainRecord, LocalChainRecordFile } from "../../host/local-chain-record.ts";
import type { Log } from "../../host/log.ts";
import { LOCAL_NETWORK_NAME } from "../../host/network-settings.ts";
import type { Networks } from "../../host/networks.ts";
import { blockTimeSetting } from "../../host/settings.ts";
import type { ChainAccount, SigningKeys } from "../../host/signing-keys.ts";
import type { TransactionDesk } from "../../host/transaction-desk.ts";
import { chainIdentity, namedAccounts } from "./chain-accounts.ts";

export interface LocalChainServices {
  readonly networks: Networks;
  readonly keys: SigningKeys;
  readonly desk: TransactionDesk;
  readonly record: LocalChainRecordFile;
  readonly log: Log;
  /** dist/local-chain.js */
  readonly program: string;
  /** The ready line of a chain that runs beside the editor already. */
  readonly readyLine: string | undefined;
}

/** What the commands give back. */
export interface LocalChainResult {
  readonly network: string;
  readonly baseUrl: string;
  readonly accounts: readonly { readonly label: string; readonly address: string }[];
}

interface Running {
  readonly record: LocalChainRecord;
  /** Whether the process is a child of this window. */
  readonly ours: boolean;
  /** Lets the chain go: one of our own ends, one of somebody else goes on without us. */
  release(): void;
}

/**
 * The embedded chain. There is one for all windows: the first window that starts it owns the process, the others find it. Its state
 * is gone when it ends, and so are its accounts.
 */
export class LocalChain implements vscode.Disposable {
  readonly #services: LocalChainServices;
  #running: Running | undefined;
  #starting: Promise<LocalChainResult> | undefined;
  #adopting: Promise<boolean> | undefined;

  constructor(services: LocalChainServices) {
    this.#services = services;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Where the chain that runs answers. */
  get baseUrl(): string | undefined {
    return this.#running?.record.baseUrl;
  }

  /** Starts the chain, or gives the one that runs. @throws {ChainError} `LOCAL_CHAIN_FAILED` */
  start(): Promise<LocalChainResult> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Uses a chain that runs already, or clears away what one that ended has left. */
  async findRunning(): Promise<void> {
    if (!(await this.#adoptOnce())) await this.#cleanUp();
  }

  /** Transactions of local chains that the list shows. */
  async listedTransactions(): Promise<readonly TrackedTransaction[]> {
    const { desk } = this.#services;
    await desk.ready();
    return desk.list().filter((it) => it.network === LOCAL_NETWORK_NAME && !it.hidden);
  }

  /** Transactions that end with the chain. */
  async liveTransactions(): Promise<readonly TrackedTransaction[]> {
    return (await this.listedTransactions()).filter(isAlive);
  }

  /** The chain is where it was before, and these are not there: the journal keeps them, the list lets them go. */
  async wentBack(gone: readonly TxId[]): Promise<void> {
    const { desk } = this.#services;
    for (const txId of gone) await desk.hide(txId);
    desk.startOver(LOCAL_NETWORK_NAME);
  }

  /** Whether stopping ends the chain, and not only our use of it. */
  get isOurs(): boolean {
    return this.#running?.ours === true;
  }

  /** Ends the chain and forgets its accounts. A chain that is not ours goes on, and can be used again. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    this.#leave();
    if (running.ours) await this.#forget(running.record.chain);
  }

  /** The chain ends with this window; what it left is cleaned up by the next start. */
  dispose(): void {
    this.#running?.release();
    this.#running = undefined;
  }

  #adoptOnce(): Promise<boolean> {
    if (this.#running !== undefined) return Promise.resolve(true);
    this.#adopting ??= this.#adopt().finally(() => {
      this.#adopting = undefined;
    });
    return this.#adopting;
  }

  /** Uses the chain that another window started, or the editor's own starter, if there is one. */
  async #adopt(): Promise<boolean> {
    const { readyLine, record } = this.#services;
    const last = await record.read();
    if (readyLine !== undefined) {
      const ready = parseReadyLine(readyLine);
      // The accounts of a chain that was never started here are not ours yet.
      if (last?.chain !== chainIdentity(ready)) return false;
      await this.#use({ ...last, baseUrl: ready.baseUrl }, last.accounts);
      return true;
    }
    if (last?.pid === undefined || !isProcessAlive(last.pid)) return false;
    const watch = watchProcess(last.pid, () => void this.#gone(last.chain));
    await this.#use(last, last.accounts, { ours: false, release: () => watch.dispose() });
    return true;
  }

  async #start(): Promise<LocalChainResult> {
    if (await this.#adoptOnce()) return this.#chosen();
    const { readyLine, record: file } = this.#services;
    await this.#cleanUp();
    if (readyLine !== undefined) {
      const ready = parseReadyLine(readyLine);
      const record = recordOf(ready);
      await file.write(record);
      await this.#use(record, namedAccounts(ready));
    } else {
      await this.#spawn();
    }
    return this.#chosen();
  }

  async #spawn(): Promise<void> {
    const { program, log, record: file } = this.#services;
    const chain = await startLocalChainProcess({ program, log, blockTimeMs: blockTimeSetting() });
    const record = recordOf(chain.ready, chain.pid);
    await file.write(record);
    await this.#use(record, namedAccounts(chain.ready), { ours: true, release: () => chain.stop() });
    void this.#watchOwn(chain, record.chain);
    log.info(`The local chain answers at ${record.baseUrl}.`);
  }

  async #watchOwn({ exited }: LocalChainProcess, chain: string): Promise<void> {
    await exited;
    await this.#gone(chain);
  }

  /** The process ended without being asked to. */
  async #gone(chain: string): Promise<void> {
    if (this.#running?.record.chain !== chain) return;
    this.#leave();
    await this.#forget(chain);
    const again = vscode.l10n.t("Start Local Chain");
    const message = vscode.l10n.t("The local chain has ended, and its accounts and transactions with it.");
    const chosen = await vscode.window.showWarningMessage(message, again, vscode.l10n.t("Show Log"));
    if (chosen === undefined) return;
    await vscode.commands.executeCommand(chosen === again ? "finality.startLocalChain" : "finality.showLog");
  }

  async #use(record: LocalChainRecord, accounts: readonly ChainAccount[], hold = NOT_OURS): Promise<void> {
    const { keys, networks } = this.#services;
    this.#running = { record, ...hold };
    await keys.addOfChain(accounts, record.chain);
    keys.setChain(record.chain);
    networks.setLocal(record.baseUrl);
    setContext("finality.localChainRunning", true);
  }

  async #chosen(): Promise<LocalChainResult> {
    const { networks, keys } = this.#services;
    await networks.setActive(LOCAL_NETWORK_NAME);
    const { baseUrl } = networks.get(LOCAL_NETWORK_NAME);
    const accounts = keys.list().filter(({ chain }) => chain !== undefined);
    return {
      ...{ network: LOCAL_NETWORK_NAME, baseUrl },
      accounts: accounts.map(({ label, address }) => ({ label, address: toBase58(address) })),
    };
  }

  #leave(): void {
    const { keys, networks } = this.#services;
    this.#running?.release();
    this.#running = undefined;
    keys.setChain(undefined);
    networks.setLocal(undefined);
    setContext("finality.localChainRunning", false);
  }

  /** What a chain leaves behind when its window closed or crashed: accounts of nothing, transactions without a chain. */
  async #cleanUp(): Promise<void> {
    await this.#services.keys.removeOfChains(() => true);
    await this.#hideTransactions();
  }

  async #forget(chain: string): Promise<void> {
    const { keys, record } = this.#services;
    await record.remove();
    await keys.removeOfChains((it) => it === chain);
    await this.#hideTransactions();
  }

  /** They can never be final any more. The journal keeps them; the list lets them go. */
  async #hideTransactions(): Promise<void> {
    await this.wentBack((await this.liveTransactions()).map(({ txId }) => txId));
  }
}

/** Nothing is to be done about a chain of the editor's own starter. */
const NOT_OURS: Omit<Running, "record"> = { ours: false, release: () => undefined };

function recordOf(ready: LocalChainReady, pid?: number): LocalChainRecord {
  const accounts = namedAccounts(ready).map(({ address, label }) => ({ address, label }));
  return { chain: chainIdentity(ready), baseUrl: ready.baseUrl, ...(pid === undefined ? {} : { pid }), accounts };
}
