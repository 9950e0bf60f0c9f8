import type { NetworkProfile } from "@finality/client/gateway";
import { SerialQueue } from "@finality/node/serial-queue";
import { ChainError } from "@finality/tron/errors";
import { type Address, defined, stripHexPrefix, toBase58 } from "@finality/tron/primitives";
import { type Read, address as readAddress, text as readText, record, tryRead } from "@finality/tron/read";
import type { PrivateKey } from "@finality/tron/transaction";
import * as vscode from "vscode";
import {
  distinguished,
  type NameMemory,
  type NameSource,
  type NamesBeside,
  namesBeside,
  withoutTakenNames,
} from "../addresses/address-names.ts";
import type { Networks } from "../networks/networks.ts";
import type { AccountFiles, Item } from "./account-files.ts";
import type { SecretStore } from "./secret-store.ts";
import type { StorageIssue } from "./storage-check.ts";

/** An account with a name. Its key, if any, is only in the secret storage. */
export interface SigningAccount {
  readonly address: Address;
  readonly label: string;
  readonly watchOnly: boolean;
  /** The key is in an external wallet; there is none here. */
  readonly signer?: "outside";
  /** Derivation path of the key if it came from a mnemonic: m/44'/195'/0'/0/0. */
  readonly path?: string;
  /** Stored key policy, parsed by `readKeptPolicy` where it is enforced. */
  readonly policy?: unknown;
  /** The key is only in this window's memory. */
  readonly sessionOnly?: true;
  /** Chain of an account that belongs to a local chain. */
  readonly chain?: string;
}

/** An account, or an address that only has a name. */
export interface KnownParty extends SigningAccount {
  /** Source of the name if it is no account. */
  readonly note?: string;
}

/** Accounts by network. */
export type NetworkAccounts = Pick<SigningKeys, "listOn">;

/** An account that a local chain provides. */
export interface ChainAccount {
  readonly address: Address;
  readonly label: string;
  readonly privateKey: string;
}

/** The user's accounts: names and addresses in the global state, keys in the secret storage. */
export class SigningKeys implements vscode.Disposable {
  readonly #shared: SharedAccounts;
  readonly #secrets: SecretStore;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #names: (NameSource & NameMemory) | undefined;
  readonly #namesFollowed: vscode.Disposable | undefined;
  /** Accounts of this session. They replace stored accounts of the same address. */
  #session: readonly SigningAccount[] = [];

  #chain: string | undefined;
  #beside: NamesBeside | undefined;

  readonly onDidChange = this.#changed.event;

  /**
   * @param folder - folder that windows share; without it each window has its own list
   * @param names - names of addresses that are no accounts
   */
  constructor(state: vscode.Memento, secrets: SecretStore, folder?: string, names?: NameSource & NameMemory) {
    this.#shared = new SharedAccounts({ state, folder, changed: () => this.#notify() });
    this.#secrets = secrets;
    this.#names = names;
    this.#namesFollowed = names?.onDidChange(() => this.#notify());
  }

  /** Reads the changes of other windows and follows them. */
  async start(): Promise<void> {
    await this.#shared.start();
    await this.#names?.remember(this.#ownNames());
  }

  /**
   * Returns the user's accounts in the order of their addition, then those of the running local chain. Labels that look
   * alike, as older versions allowed, end in part of the address.
   */
  list(): readonly SigningAccount[] {
    const all = this.#all();
    const own = all.filter(({ chain }) => chain === undefined);
    const ofChain = this.#chain === undefined ? [] : all.filter(({ chain }) => chain === this.#chain);
    const others = ofChain.filter(({ address }) => !own.some((it) => it.address === address));
    const mine = withoutTakenNames(distinguished(own, own), this.#names?.list() ?? [], (it) => this.meaningOf(it));
    return [...mine, ...distinguished(others, [...own, ...others])];
  }

  /** Returns the accounts of a network, then the address book: all payees with a name. */
  knownOn(network: NetworkProfile | undefined): readonly KnownParty[] {
    const accounts = this.listOn(network);
    return [
      ...accounts,
      ...this.#besides().named.filter(({ address }) => !accounts.some((it) => it.address === address)),
    ];
  }

  /** Returns the accounts of a network. Accounts of a local chain exist only there. */
  listOn(network: NetworkProfile | undefined): readonly SigningAccount[] {
    return this.list().filter(({ chain }) => network?.local === true || chain === undefined);
  }

  /** Returns the accounts of the active network, also while it is a local chain that does not run. */
  listActive({ active, isLocalStopped }: Pick<Networks, "active" | "isLocalStopped">): readonly SigningAccount[] {
    return isLocalStopped ? this.list() : this.listOn(active);
  }

  /** Sets the running local chain. */
  setChain(chain: string | undefined): void {
    this.#chain = chain;
    this.#notify();
  }

  find(address: Address): SigningAccount | undefined {
    return this.list().find((it) => it.address === address);
  }

  /** Returns the address for a label, a name of the address book, or either form of a known address. */
  addressOf(labelOrAddress: string): Address | undefined {
    const text = labelOrAddress.trim();
    const known = [...this.list(), ...this.#besides().named];
    return known.find(({ label, address }) => label === text || address === text || toBase58(address) === text)
      ?.address;
  }

  /** Returns the account's label, the name in the address book, or the workspace's name, marked as such. */
  nameOf(address: Address): string | undefined {
    return this.find(address)?.label ?? this.#besides().nameOf(address);
  }

  /** Returns the names of accounts and the address book. @param named - address that may keep its own name */
  takenNames(named?: Address): readonly string[] {
    const book = (this.#names?.list() ?? []).map(({ address, name }) => ({ address, label: name }));
    return [...this.list(), ...book].filter(({ address }) => address !== named).map(({ label }) => label);
  }

  /** Returns the address that a name meant before, as an account or in the address book. */
  meaningOf(name: string): Address | undefined {
    return this.#names?.meaningOf(name);
  }

  /** Returns whether the account's key is in an external wallet. */
  isOutside(address: Address): boolean {
    return this.find(address)?.signer === "outside";
  }

  /** Returns whether another key is stored under this address. @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async hasAnotherKey(address: Address, privateKeyHex: string): Promise<boolean> {
    const stored = await this.#secrets.get("signingKey", address);
    return stored !== undefined && stripHexPrefix(stored).toLowerCase() !== privateKeyHex;
  }

  /**
   * Adds or renames an account; its path and policy stay. The key is stored before the account is listed. The user has
   * confirmed the name.
   */
  async add(account: SigningAccount, privateKeyHex?: string): Promise<void> {
    await this.#store(account, privateKeyHex);
    if (account.chain === undefined) await this.#names?.accept({ address: account.address, name: account.label });
  }

  async #store(account: SigningAccount, privateKeyHex: string | undefined): Promise<void> {
    if (privateKeyHex !== undefined && account.sessionOnly === true) {
      this.#secrets.setForSession("signingKey", account.address, privateKeyHex);
      this.#storeForSession({ ...this.#stays(account.address), ...account });
      return;
    }
    if (privateKeyHex !== undefined) {
      await this.#secrets.set("signingKey", account.address, privateKeyHex);
      this.#forgetOfSession(account.address);
    }
    await this.#put([{ ...this.#stays(account.address), ...account }]);
  }

  /** Returns why a key stored here may be lost; undefined if there is no reason. */
  async storageIssue(): Promise<StorageIssue | undefined> {
    return await this.#secrets.storageIssue();
  }

  /** Masks mnemonics and passwords in the log from now on. */
  mask(...texts: readonly string[]): void {
    for (const it of texts) this.#secrets.mask(it);
  }

  /** Sets the policy of the user's own key. @param policy - as stored */
  async setPolicy(address: Address, policy: object): Promise<void> {
    const account = this.#own(address);
    if (account === undefined) return;
    if (account.sessionOnly === true) this.#storeForSession({ ...account, policy });
    else await this.#put([{ ...account, policy }]);
  }

  /**
   * Stores the keys of a local chain, apart from all others.
   *
   * @throws {ChainError} `SIGNING_KEY_FOREIGN` a key does not belong to its address; then none is stored
   */
  async storeKeysOfChain(accounts: readonly ChainAccount[], chain: string): Promise<void> {
    (await import("./use-private-key.ts")).requireKeysOf(accounts);
    for (const it of accounts) await this.#secrets.set("chainKey", ownerOf({ ...it, chain }), it.privateKey);
  }

  /** Lists the accounts of a local chain, whose keys are stored already. The user's accounts stay unchanged. */
  async addOfChain(accounts: readonly Pick<ChainAccount, "address" | "label">[], chain: string): Promise<void> {
    await this.#put(accounts.map(({ address, label }) => ({ address, label, watchOnly: false, chain })));
  }

  /** Returns whether the account comes from the running local chain and is not the user's own. */
  isOfChain(address: Address): boolean {
    return this.#chain !== undefined && this.find(address)?.chain === this.#chain;
  }

  /** Deletes an account and its key. */
  async remove(address: Address): Promise<void> {
    const account = this.find(address);
    if (account?.sessionOnly === true) {
      this.#forgetOfSession(address);
      this.#notify();
    } else if (account !== undefined) await this.#forget([account]);
  }

  /** Deletes the accounts of local chains that have stopped. */
  async removeOfChains(isGone: (chain: string) => boolean): Promise<void> {
    await this.#forget(this.#all().filter(({ chain }) => chain !== undefined && isGone(chain)));
  }

  /**
   * Passes a key to `use` and erases it from memory afterwards.
   *
   * @throws {ChainError} `SIGNING_KEY_MISSING`, `SIGNING_KEY_FOREIGN` the stored key belongs to another address,
   * `SECRETS_UNAVAILABLE`
   */
  async withPrivateKey<T>(address: Address, use: (key: PrivateKey) => T | Promise<T>): Promise<T> {
    const { address: owner = address, chain } = this.find(address) ?? {};
    const stored = await this.#secrets.get(kindOf({ chain }), ownerOf({ address: owner, chain }));
    if (stored === undefined) throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(address) });
    return await (await import("./use-private-key.ts")).usePrivateKey(stored, address, use);
  }

  dispose(): void {
    void this.close();
  }

  /** Resolves when pending writes of the list are on disk. */
  async close(): Promise<void> {
    this.#namesFollowed?.dispose();
    this.#changed.dispose();
    await this.#shared.close();
  }

  #notify(): void {
    this.#beside = undefined;
    this.#changed.fire();
  }

  #besides(): NamesBeside {
    this.#beside ??= namesBeside(this.list(), this.#names);
    return this.#beside;
  }

  #all(): readonly SigningAccount[] {
    const isOfSession = new Set(this.#session.map(ownerOf));
    return [...parseAccounts(this.#shared.list).filter((it) => !isOfSession.has(ownerOf(it))), ...this.#session];
  }

  #ownNames(): readonly { readonly address: Address; readonly name: string }[] {
    const own = this.#all().filter(({ chain }) => chain === undefined);
    return own.map(({ address, label }) => ({ address, name: label }));
  }

  #own(address: Address): SigningAccount | undefined {
    return this.#all().find((it) => it.address === address && it.chain === undefined);
  }

  /** Returns the fields that a renamed account keeps. */
  #stays(address: Address): Pick<SigningAccount, "path" | "policy"> {
    const { path, policy } = this.#own(address) ?? {};
    return defined({ path, policy });
  }

  #storeForSession(account: SigningAccount): void {
    this.#session = [...this.#session.filter(({ address }) => address !== account.address), account];
    this.#notify();
  }

  #forgetOfSession(address: Address): void {
    this.#secrets.deleteOfSession("signingKey", address);
    this.#session = this.#session.filter((it) => it.address !== address);
  }

  async #put(accounts: readonly SigningAccount[]): Promise<void> {
    const byOwner = new Map(accounts.map((it) => [ownerOf(it), it]));
    await this.#change((all) => {
      const known = new Set(all.map(ownerOf));
      const added = accounts.filter((it) => !known.has(ownerOf(it)));
      return [...all.map((it) => byOwner.get(ownerOf(it)) ?? it), ...added];
    });
  }

  async #change(change: (all: readonly SigningAccount[]) => readonly SigningAccount[]): Promise<void> {
    await this.#shared.update((all) => {
      const known = new Map(all.flatMap((it) => parseAccounts([it]).map((account) => [ownerOf(account), it] as const)));
      const strange = all.filter((it) => parseAccounts([it]).length === 0);
      const stored = parseAccounts(change(parseAccounts(all)));
      return [...stored.map((it) => ({ ...unknownOf(known.get(ownerOf(it))), ...written(it) })), ...strange];
    });
  }

  async #forget(accounts: readonly SigningAccount[]): Promise<void> {
    if (accounts.length === 0) return;
    const gone = new Set(accounts.map(ownerOf));
    for (const it of accounts) await this.#secrets.delete(kindOf(it), ownerOf(it));
    await this.#change((all) => all.filter((it) => !gone.has(ownerOf(it))));
  }
}

interface KeyOwner {
  readonly address: Address;
  readonly chain?: string | undefined;
}

function kindOf({ chain }: Pick<KeyOwner, "chain">): "signingKey" | "chainKey" {
  return chain === undefined ? "signingKey" : "chainKey";
}

/** Returns the storage key. A local chain may provide an address that is already listed; the two are kept apart. */
function ownerOf({ address, chain }: KeyOwner): string {
  return chain === undefined ? address : `${chain}.${address}`;
}

/** Reads stored accounts and leaves out what cannot be read. */
function parseAccounts(stored: unknown): readonly SigningAccount[] {
  return Array.isArray(stored) ? stored.flatMap((it) => tryRead(readAccount, it) ?? []) : [];
}

/** Returns fields that a newer version wrote and this one does not know: they are preserved. */
function unknownOf(stored: object = {}): object {
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !KNOWN.has(name)));
}

const KNOWN: ReadonlySet<string> = new Set<keyof SigningAccount>([
  ...(["address", "label", "watchOnly", "signer", "path", "policy", "sessionOnly", "chain"] as const),
]);

/** Older versions without external signers see such an account as watch-only, because no key is here. */
function written(account: SigningAccount): SigningAccount {
  return account.signer === "outside" ? { ...account, watchOnly: true } : account;
}

/** Reads an account. Only a damaged address drops it: no other damage loses a key. */
const readAccount: Read<SigningAccount> = (value) => {
  const { address, label, watchOnly, signer, chain, path, policy } = record(value);
  const owner = readAddress(address);
  return {
    address: owner,
    label: tryRead(readText, label) ?? toBase58(owner),
    watchOnly: watchOnly === true && signer !== "outside",
    ...(signer === "outside" ? { signer } : {}),
    ...(typeof chain === "string" ? { chain } : {}),
    ...(typeof path === "string" ? { path } : {}),
    ...defined({ policy }),
  };
};

/** Copy of the list in VS Code's state, used until the files are read. */
const STATE = "finality.accounts";
/** IDs that a version with files wrote to the state. Other entries there were added by an older version. */
const WRITTEN = "finality.accounts.written";

export interface SharedAccountsOptions {
  /** VS Code's state, which other windows receive only when they open. */
  readonly state: Pick<vscode.Memento, "get" | "update">;
  /** Folder of the files; without it nothing is shared. */
  readonly folder: string | undefined;
  readonly changed: () => void;
}

/**
 * The list of accounts that all windows share. A copy is available at once; the files are read on the first wait or
 * write.
 */
export class SharedAccounts {
  readonly #options: SharedAccountsOptions;
  #list: readonly Item[];
  #files: Promise<AccountFiles | undefined> | undefined;
  #disposed = false;
  readonly #queue = new SerialQueue();

  constructor(options: SharedAccountsOptions) {
    this.#options = options;
    const stored = options.state.get<unknown>(STATE);
    this.#list = Array.isArray(stored) ? stored : [];
  }

  get list(): readonly Item[] {
    return this.#list;
  }

  /** Reads the changes of other windows and follows them. */
  async start(): Promise<void> {
    await this.#inTurn((files) => this.#reread(files));
  }

  /** Changes the current list. Concurrent additions of other windows are kept. */
  async update(change: (list: readonly Item[]) => readonly Item[]): Promise<void> {
    await this.#inTurn(async (files) => {
      const before = (await files?.read()) ?? this.#list;
      const after = change(before);
      await files?.apply(before, after, Date.now());
      await this.#take((await files?.read()) ?? after);
    });
  }

  /** Resolves when pending writes are on disk. */
  async close(): Promise<void> {
    this.#disposed = true;
    await this.#queue.idle();
    await this.#files?.then((files) => files?.dispose()).catch(() => undefined);
  }

  /** Opens the files; a failure is not cached. */
  #open(): Promise<AccountFiles | undefined> {
    this.#files ??= this.#load().catch((error: unknown) => {
      this.#files = undefined;
      throw error;
    });
    return this.#files;
  }

  async #load(): Promise<AccountFiles | undefined> {
    const { folder } = this.#options;
    if (folder === undefined) return undefined;
    const files = new (await import("./account-files.ts")).AccountFiles(folder);
    await files.bringIn(this.#list, this.#options.state.get<unknown>(WRITTEN));
    await this.#options.state.update(WRITTEN, this.#list.map(idOf));
    // An unreadable file is read again with the next change.
    await files.follow(() => void this.start().catch(() => undefined));
    if (this.#disposed) files.dispose();
    return files;
  }

  async #reread(files: AccountFiles | undefined): Promise<void> {
    if (files !== undefined) await this.#take((await files.read()) ?? []);
  }

  async #take(list: readonly Item[]): Promise<void> {
    if (this.#disposed || JSON.stringify(list) === JSON.stringify(this.#list)) return;
    this.#list = list;
    const { state, changed } = this.#options;
    const stored = [state.update(STATE, list), state.update(WRITTEN, list.map(idOf))];
    changed();
    await Promise.all(stored);
  }

  #inTurn(work: (files: AccountFiles | undefined) => Promise<void>): Promise<void> {
    return this.#queue.run(async () => work(await this.#open()));
  }
}

function idOf({ address, chain }: Item): string {
  return JSON.stringify([address, chain]);
}
