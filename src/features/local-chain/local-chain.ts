import type { NetworkProfile } from "@finality/client/gateway";
import { isUnsettled, type TrackedTransaction } from "@finality/client/tracking";
import { ChainError, isChainError } from "@finality/tron/errors";
import { bytesToHex, defined, sha256, type TxId, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { setContext } from "../../host/commands/commands.ts";
import {
  isProcessRunning,
  type LocalChainProcess,
  proveLocalChain,
  startLocalChainProcess,
  watchProcess,
} from "../../host/local-chain/local-chain-process.ts";
import {
  type LocalChainReady,
  type LocalChainRecord,
  type LocalChainRecordFile,
  parseReadyLine,
} from "../../host/local-chain/local-chain-ready.ts";
import type { Log } from "../../host/log/log.ts";
import { LOCAL_NETWORK_NAME } from "../../host/networks/network-settings.ts";
import type { Networks } from "../../host/networks/networks.ts";
import { confirmModal, notify } from "../../host/prompts/notify.ts";
import type { LocalAccess, NetworkCredentials } from "../../host/secrets/network-credentials.ts";
import type { SecretStore } from "../../host/secrets/secret-store.ts";
import type { ChainAccount, SigningKeys } from "../../host/secrets/signing-keys.ts";
import { blockTimeSetting } from "../../host/settings/settings.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";
import { LOCAL_AUDIENCE } from "./chain.view.ts";

export interface LocalChainServices {
  readonly networks: Networks;
  readonly keys: SigningKeys;
  readonly secrets: SecretStore;
  readonly credentials: NetworkCredentials;
  readonly transactions: TransactionService;
  readonly record: LocalChainRecordFile;
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

type Hold = Pick<Running, "ours" | "release">;

interface Running {
  readonly record: LocalChainRecord;
  /** Secret that identifies the chain. */
  readonly secret: string;
  /** True if the process is a child of this window. */
  readonly ours: boolean;
  /** Releases the chain: stops our own, and disconnects from any other. */
  release(): void;
}

/**
 * State of the recorded chain: the started chain still runs, no chain answers any more, or the process there does not
 * prove its identity.
 */
type Found = "running" | "gone" | "unproven";

/**
 * Embedded chain, shared by all windows: the first window that starts it owns the process, the others find it. Its
 * state and accounts are lost when it ends. A process is accepted as the chain only if it knows the secret of the ready
 * line, which the windows share in the secret storage.
 */
export class LocalChain implements vscode.Disposable {
  readonly #services: LocalChainServices;
  #running: Running | undefined;
  #starting: Promise<LocalChainResult> | undefined;
  #adopting: Promise<Found> | undefined;
  readonly #following: vscode.Disposable;

  constructor(services: LocalChainServices) {
    this.#services = services;
    this.#following = services.credentials.onDidChange((network) => {
      if (network !== LOCAL_NETWORK_NAME) return;
      const report = (error: unknown): void => services.log.error("What the local chain asks for is not known.", error);
      this.#showAccess().catch(report);
    });
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
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

  /** Connects to a running chain, or removes the remains of one that ended. */
  async findRunning(): Promise<void> {
    if ((await this.#adoptOnce()) === "gone") await this.#cleanUp();
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

  /** Returns the transactions that end with the chain. */
  async liveTransactions(): Promise<readonly TrackedTransaction[]> {
    return (await this.listedTransactions()).filter(isUnsettled);
  }

  /** Removes transactions that the chain dropped by a revert from the list. The journal keeps them. */
  async wentBack(gone: readonly TxId[]): Promise<void> {
    const { transactions } = this.#services;
    await transactions.hide(...gone);
    transactions.startOver(LOCAL_NETWORK_NAME);
  }

  /** Returns whether stopping ends the chain, or only disconnects from it. */
  get isOurs(): boolean {
    return this.#running?.ours === true;
  }

  /**
   * Stops the chain and removes its accounts. A chain that was started elsewhere keeps running and can be used again.
   */
  async stop(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    this.#leave();
    if (running.ours) await this.#forget(running.record.chain);
  }

  /** The chain ends with this window; the next start removes its remains. */
  dispose(): void {
    this.#following.dispose();
    this.#running?.release();
    this.#running = undefined;
  }

  #adoptOnce(): Promise<Found> {
    if (this.#running !== undefined) return Promise.resolve("running");
    this.#adopting ??= this.#adopt().finally(() => {
      this.#adopting = undefined;
    });
    return this.#adopting;
  }

  /** Connects to the chain of another window, or one beside VS Code that the user accepted. */
  async #adopt(): Promise<Found> {
    const { record, secrets } = this.#services;
    const last = await record.read();
    if (last === undefined) return "gone";
    const { pid, chain } = last;
    if (pid !== undefined && !isProcessRunning(pid)) return "gone";
    const secret = await secrets.get("chainProof", chain);
    if (pid === undefined) {
      const found = secret === undefined ? "gone" : await this.#useProven(last, secret);
      return found === "running" ? found : "gone";
    }
    if (secret === undefined) return "unproven";
    return await this.#useProven(last, secret, () => {
      const watch = watchProcess(pid, () => void this.#gone(chain));
      return { ours: false, release: () => watch.dispose() };
    });
  }

  /** Connects if the process proves that it is the chain of this secret. */
  async #useProven(record: LocalChainRecord, secret: string, hold = (): Hold => NOT_OURS): Promise<Found> {
    try {
      await proveLocalChain(record.baseUrl, secret);
    } catch (error) {
      if (!isChainError(error)) throw error;
      this.#services.log.warn(error.message);
      return "unproven";
    }
    await this.#use(record, secret, hold());
    return "running";
  }

  async #start(): Promise<LocalChainResult> {
    if ((await this.#adoptOnce()) === "running") return this.#chosen();
    await this.#cleanUp();
    const beside = await this.#chainBeside();
    if (beside === undefined) await this.#spawn();
    else await this.#bring(beside, recordOf(beside));
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

  async #spawn(): Promise<void> {
    const { program, log } = this.#services;
    const chain = await startLocalChainProcess({ program, log, blockTimeMs: blockTimeSetting() });
    const record = recordOf(chain.ready, chain.pid);
    await this.#bring(chain.ready, record, { ours: true, release: () => chain.stop() });
    void this.#watchOwn(chain, record.chain);
    log.info(`The local chain answers at ${record.baseUrl}.`);
  }

  async #watchOwn({ exited }: LocalChainProcess, chain: string): Promise<void> {
    await exited;
    await this.#gone(chain);
  }

  /** Called when the process ended unexpectedly. */
  async #gone(chain: string): Promise<void> {
    if (this.#running?.record.chain !== chain) return;
    this.#leave();
    await this.#forget(chain);
    const again = t`Start Local Chain`;
    const message = t`The local chain has stopped. Its accounts and transactions are lost.`;
    const chosen = await notify("warning", message, again, t`Show Log`);
    if (chosen === undefined) return;
    await vscode.commands.executeCommand(chosen === again ? "finality.startLocalChain" : "finality.showLog");
  }

  /** Stores the secrets of a new chain before its record tells other windows of it. */
  async #bring(ready: LocalChainReady, record: LocalChainRecord, hold = NOT_OURS): Promise<void> {
    const { keys, secrets, record: file } = this.#services;
    try {
      await keys.storeKeysOfChain(namedAccounts(ready), record.chain);
      await secrets.set("chainProof", record.chain, ready.proof);
      await file.write(record);
    } catch (error) {
      hold.release();
      throw error;
    }
    await this.#use(record, ready.proof, hold);
  }

  async #use(record: LocalChainRecord, secret: string, hold: Hold): Promise<void> {
    const { keys, credentials } = this.#services;
    this.#running = { record, secret, ...hold };
    await keys.addOfChain(record.accounts, record.chain);
    keys.setChain(record.chain);
    credentials.setLocalChain(record.chain);
    await this.#showAccess();
    setContext("finality.localChainRunning", true);
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
    this.#running?.release();
    this.#running = undefined;
    keys.setChain(undefined);
    credentials.setLocalChain(undefined);
    networks.setLocal(undefined);
    setContext("finality.localChainRunning", false);
  }

  /** Removes the remains of a chain whose window closed or crashed: accounts and transactions without a chain. */
  async #cleanUp(): Promise<void> {
    const { keys, secrets, credentials, record } = this.#services;
    const last = await record.read();
    if (last !== undefined) await secrets.delete("chainProof", last.chain);
    await credentials.forgetLocalChains();
    await keys.removeOfChains(() => true);
    await this.#hideTransactions();
  }

  async #forget(chain: string): Promise<void> {
    const { keys, secrets, credentials, record } = this.#services;
    await record.remove();
    await secrets.delete("chainProof", chain);
    await credentials.forgetLocalChains(chain);
    await keys.removeOfChains((it) => it === chain);
    await this.#hideTransactions();
  }

  /** These transactions can no longer become final. The journal keeps them; the list removes them. */
  async #hideTransactions(): Promise<void> {
    await this.wentBack((await this.liveTransactions()).map(({ txId }) => txId));
  }
}

/** A chain that the starter of VS Code owns is left alone. */
const NOT_OURS: Hold = { ours: false, release: () => undefined };

function recordOf(ready: LocalChainReady, pid?: number): LocalChainRecord {
  const accounts = namedAccounts(ready).map(({ address, label }) => ({ address, label }));
  return { chain: chainIdentity(ready), baseUrl: ready.baseUrl, ...defined({ pid }), accounts };
}

const NAMES = ["Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy"];

/** Names the accounts of a local chain; the faucet comes last. */
export function namedAccounts({ accounts, faucet }: LocalChainReady): readonly ChainAccount[] {
  return [
    ...accounts.map((it, index) => ({ ...it, label: NAMES[index] ?? t`Local ${index + 1}` })),
    { ...faucet, label: t`Faucet` },
  ];
}

/** Identifies a chain by the hash of its secret, because a seed gives equal accounts to several chains. */
export function chainIdentity({ proof }: LocalChainReady): string {
  return bytesToHex(sha256(Buffer.from(`finality local chain ${proof}`))).slice(0, 40);
}
