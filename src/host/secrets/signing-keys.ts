import type { NetworkProfile } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { type Address, stripHexPrefix, toBase58 } from "@finality/tron/primitives";
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
import type { AccountFiles, Item } from "./account-files.ts";
import type { SecretStore } from "./secret-store.ts";
import type { StorageTrouble } from "./storage-check.ts";

/** An account that a person named here. Its key, if there is one, is in the secret storage alone. */
export interface SigningAccount {
  readonly address: Address;
  readonly label: string;
  readonly watchOnly: boolean;
  /** Its key is in a wallet that signs when it is asked; there is no key here. */
  readonly signer?: "outside";
  /** Of its key, where it came from words: m/44'/195'/0'/0/0. */
  readonly path?: string;
  /** What its owner decided about its key, as it is kept: `readKeptPolicy` reads it where it counts. */
  readonly policy?: unknown;
  /** Its key is in the memory of this window, and gone with it. */
  readonly sessionOnly?: true;
  /** For accounts that live and die with a local chain: which chain. */
  readonly chain?: string;
}

/** An account, or an address that only has a name here. */
export interface KnownParty extends SigningAccount {
  /** Where its name comes from, when it is no account. */
  readonly note?: string;
}

/** An account that a local chain brought along. */
export interface ChainAccount {
  readonly address: Address;
  readonly label: string;
  readonly privateKey: string;
}

/** The accounts of a person: names and addresses in the global state, keys in the secret storage. */
export class SigningKeys implements vscode.Disposable {
  readonly #shared: SharedAccounts;
  readonly #secrets: SecretStore;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #names: (NameSource & NameMemory) | undefined;
  readonly #namesFollowed: vscode.Disposable | undefined;
  /** They stand in the place of accounts of the same address that are kept. */
  #session: readonly SigningAccount[] = [];

  #chain: string | undefined;
  #beside: NamesBeside | undefined;

  readonly onDidChange = this.#changed.event;

  /**
   * @param folder - where the windows share the list; without it each keeps its own
   * @param names - of addresses that are no accounts
   */
  constructor(state: vscode.Memento, secrets: SecretStore, folder?: string, names?: NameSource & NameMemory) {
    this.#shared = new SharedAccounts({ state, folder, changed: () => this.#tell() });
    this.#secrets = secrets;
    this.#names = names;
    this.#namesFollowed = names?.onDidChange(() => this.#tell());
  }

  /** Reads what other windows added and removed, and follows it. */
  async start(): Promise<void> {
    await this.#shared.start();
    await this.#names?.remember(this.#ownNames());
  }

  /**
   * One's own in the order in which they were added, then those of the local chain that runs. Labels that people cannot
   * tell apart, as older versions allowed, end in a part of the address here.
   */
  list(): readonly SigningAccount[] {
    const all = this.#all();
    const own = all.filter(({ chain }) => chain === undefined);
    const ofChain = this.#chain === undefined ? [] : all.filter(({ chain }) => chain === this.#chain);
    const others = ofChain.filter(({ address }) => !own.some((it) => it.address === address));
    const mine = withoutTakenNames(distinguished(own, own), this.#names?.list() ?? [], (it) => this.meaningOf(it));
    return [...mine, ...distinguished(others, [...own, ...others])];
  }

  /** The accounts that exist on a network, then the addresses of the address book: who can be paid by name. */
  knownOn(network: NetworkProfile | undefined): readonly KnownParty[] {
    const accounts = this.listOn(network);
    return [
      ...accounts,
      ...this.#besides().named.filter(({ address }) => !accounts.some((it) => it.address === address)),
    ];
  }

  /** The accounts that exist on a network: those of a local chain live there alone. */
  listOn(network: NetworkProfile | undefined): readonly SigningAccount[] {
    return this.list().filter(({ chain }) => network?.local === true || chain === undefined);
  }

  /** Says which local chain runs. */
  setChain(chain: string | undefined): void {
    this.#chain = chain;
    this.#tell();
  }

  find(address: Address): SigningAccount | undefined {
    return this.list().find((it) => it.address === address);
  }

  /** The address behind a label, a name of the address book, or either form of the address of one of these. */
  addressOf(labelOrAddress: string): Address | undefined {
    const text = labelOrAddress.trim();
    const known = [...this.list(), ...this.#besides().named];
    return known.find(({ label, address }) => label === text || address === text || toBase58(address) === text)
      ?.address;
  }

  /** The label of an account, the name of the address book, or what the workspace calls it, said so. */
  nameOf(address: Address): string | undefined {
    return this.find(address)?.label ?? this.#besides().nameOf(address);
  }

  /** Names that something else has: accounts and the address book. @param named - the address that may keep its own */
  takenNames(named?: Address): readonly string[] {
    const book = (this.#names?.list() ?? []).map(({ address, name }) => ({ address, label: name }));
    return [...this.list(), ...book].filter(({ address }) => address !== named).map(({ label }) => label);
  }

  /** The address that a name meant before, as an account or in the address book. */
  meaningOf(name: string): Address | undefined {
    return this.#names?.meaningOf(name);
  }

  /** Whether the key of this account is in a wallet outside. */
  isOutside(address: Address): boolean {
    return this.find(address)?.signer === "outside";
  }

  /** Whether a key is stored under this address that is not this one. @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async hasAnotherKey(address: Address, privateKeyHex: string): Promise<boolean> {
    const stored = await this.#secrets.get("signingKey", address);
    return stored !== undefined && stripHexPrefix(stored).toLowerCase() !== privateKeyHex;
  }

  /**
   * Adds an account, or gives it another name; its path and policy stay. Its key is stored before it is listed. The
   * person decided about the name.
   */
  async add(account: SigningAccount, privateKeyHex?: string): Promise<void> {
    await this.#store(account, privateKeyHex);
    if (account.chain === undefined) await this.#names?.accept({ address: account.address, name: account.label });
  }

  async #store(account: SigningAccount, privateKeyHex: string | undefined): Promise<void> {
    if (privateKeyHex !== undefined && account.sessionOnly === true) {
      this.#secrets.setForSession("signingKey", account.address, privateKeyHex);
      this.#keepForSession({ ...this.#stays(account.address), ...account });
      return;
    }
    if (privateKeyHex !== undefined) {
      await this.#secrets.set("signingKey", account.address, privateKeyHex);
      this.#forgetOfSession(account.address);
    }
    await this.#put([{ ...this.#stays(account.address), ...account }]);
  }

  /** What stands against storing a key here; undefined when nothing does. */
  async storageTrouble(): Promise<StorageTrouble | undefined> {
    return await this.#secrets.trouble();
  }

  /** Takes words and passwords out of whatever is logged from now on. */
  mask(...texts: readonly string[]): void {
    for (const it of texts) this.#secrets.mask(it);
  }

  /** Decides about the key of one's own account. @param policy - as it is kept */
  async setPolicy(address: Address, policy: object): Promise<void> {
    const account = this.#own(address);
    if (account === undefined) return;
    if (account.sessionOnly === true) this.#keepForSession({ ...account, policy });
    else await this.#put([{ ...account, policy }]);
  }

  /**
   * Stores the keys that a local chain brought along, apart from all others.
   *
   * @throws {ChainError} `SIGNING_KEY_FOREIGN` a key is not that of its address; none is stored then
   */
  async storeKeysOfChain(accounts: readonly ChainAccount[], chain: string): Promise<void> {
    (await import("./use-private-key.ts")).requireKeysOf(accounts);
    for (const it of accounts) await this.#secrets.set("chainKey", ownerOf({ ...it, chain }), it.privateKey);
  }

  /** Lists the accounts of a local chain, whose keys are stored already. Accounts of the person stay as they are. */
  async addOfChain(accounts: readonly Pick<ChainAccount, "address" | "label">[], chain: string): Promise<void> {
    await this.#put(accounts.map(({ address, label }) => ({ address, label, watchOnly: false, chain })));
  }

  /** Whether the local chain that runs brought this account along, and no person has it too. */
  isOfChain(address: Address): boolean {
    return this.#chain !== undefined && this.find(address)?.chain === this.#chain;
  }

  /** Forgets an account and its key. */
  async remove(address: Address): Promise<void> {
    const account = this.find(address);
    if (account?.sessionOnly === true) {
      this.#forgetOfSession(address);
      this.#tell();
    } else if (account !== undefined) await this.#forget([account]);
  }

  /** Forgets the accounts of local chains that are gone. */
  async removeOfChains(isGone: (chain: string) => boolean): Promise<void> {
    await this.#forget(this.#all().filter(({ chain }) => chain !== undefined && isGone(chain)));
  }

  /**
   * Lends a key for one use and erases it from memory afterwards.
   *
   * @throws {ChainError} `SIGNING_KEY_MISSING`, `SIGNING_KEY_FOREIGN` what is stored is the key of another address,
   *   `SECRETS_UNAVAILABLE`
   */
  async withPrivateKey<T>(address: Address, use: (key: PrivateKey) => T | Promise<T>): Promise<T> {
    const { address: owner = address, chain } = this.find(address) ?? {};
    const stored = await this.#secrets.get(kindOf({ chain }), ownerOf({ address: owner, chain }));
    if (stored === undefined) throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(address) });
    return await (await import("./use-private-key.ts")).lendKey(stored, address, use);
  }

  dispose(): void {
    void this.close();
  }

  /** Resolves when what is being written of the list is on disk. */
  async close(): Promise<void> {
    this.#namesFollowed?.dispose();
    this.#changed.dispose();
    await this.#shared.close();
  }

  #tell(): void {
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

  /** What is known of an address and is true of its key whatever it is called. */
  #stays(address: Address): Pick<SigningAccount, "path" | "policy"> {
    const { path, policy } = this.#own(address) ?? {};
    return { ...(path === undefined ? {} : { path }), ...(policy === undefined ? {} : { policy }) };
  }

  #keepForSession(account: SigningAccount): void {
    this.#session = [...this.#session.filter(({ address }) => address !== account.address), account];
    this.#tell();
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
      const kept = parseAccounts(change(parseAccounts(all)));
      return [...kept.map((it) => ({ ...unknownOf(known.get(ownerOf(it))), ...written(it) })), ...strange];
    });
  }

  async #forget(accounts: readonly SigningAccount[]): Promise<void> {
    if (accounts.length === 0) return;
    const gone = new Set(accounts.map(ownerOf));
    for (const it of accounts) await this.#secrets.delete(kindOf(it), ownerOf(it));
    await this.#change((all) => all.filter((it) => !gone.has(ownerOf(it))));
  }
}

interface Place {
  readonly address: Address;
  readonly chain?: string | undefined;
}

function kindOf({ chain }: Pick<Place, "chain">): "signingKey" | "chainKey" {
  return chain === undefined ? "signingKey" : "chainKey";
}

/** A chain may bring an address that is there already: the two are told apart, in the list and in the storage. */
function ownerOf({ address, chain }: Place): string {
  return chain === undefined ? address : `${chain}.${address}`;
}

/** What is stored may be of an older version or damaged: what cannot be read is left out. */
function parseAccounts(stored: unknown): readonly SigningAccount[] {
  return Array.isArray(stored) ? stored.flatMap((it) => tryRead(readAccount, it) ?? []) : [];
}

/** What a newer version wrote of an account, and this one does not know: it stays. */
function unknownOf(kept: object = {}): object {
  return Object.fromEntries(Object.entries(kept).filter(([name]) => !KNOWN.has(name)));
}

const KNOWN: ReadonlySet<string> = new Set<keyof SigningAccount>([
  ...(["address", "label", "watchOnly", "signer", "path", "policy", "sessionOnly", "chain"] as const),
]);

/** Versions that know no signers outside see an account that is watched only: its key is nowhere here. */
function written(account: SigningAccount): SigningAccount {
  return account.signer === "outside" ? { ...account, watchOnly: true } : account;
}

/** An account counts by its address: whatever else is damaged takes no key from anybody. */
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
    ...(policy === undefined ? {} : { policy }),
  };
};

/** As the state of the editor has them, for the moment before files are read. */
const STATE = "finality.accounts";
/** Which of them a version that knows files wrote there. What else stands there, a version that knows none has added. */
const WRITTEN = "finality.accounts.written";

export interface SharedAccountsOptions {
  /** The state of the editor: other windows get it only when they open. */
  readonly state: Pick<vscode.Memento, "get" | "update">;
  /** Where the files are; without it nothing is shared. */
  readonly folder: string | undefined;
  readonly changed: () => void;
}

/**
 * The list of accounts that all windows share: known at once, and read from files as soon as somebody waits or writes.
 */
export class SharedAccounts {
  readonly #options: SharedAccountsOptions;
  #list: readonly Item[];
  #files: Promise<AccountFiles | undefined> | undefined;
  #disposed = false;
  /** One after the other. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: SharedAccountsOptions) {
    this.#options = options;
    const kept = options.state.get<unknown>(STATE);
    this.#list = Array.isArray(kept) ? kept : [];
  }

  get list(): readonly Item[] {
    return this.#list;
  }

  /** Reads what other windows wrote, and follows it. */
  async start(): Promise<void> {
    await this.#inTurn((files) => this.#reread(files));
  }

  /** Changes the list as it is by then; what other windows add meanwhile stays. */
  async update(change: (list: readonly Item[]) => readonly Item[]): Promise<void> {
    await this.#inTurn(async (files) => {
      const before = (await files?.read()) ?? this.#list;
      const after = change(before);
      await files?.apply(before, after, Date.now());
      await this.#take((await files?.read()) ?? after);
    });
  }

  /** Resolves when what is being written is on disk. */
  async close(): Promise<void> {
    this.#disposed = true;
    await this.#queue;
    await this.#files?.then((files) => files?.dispose()).catch(() => undefined);
  }

  /** Tried again after a failure. */
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
    // A file that cannot be read or followed at this moment is read with the next change.
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
    const kept = [state.update(STATE, list), state.update(WRITTEN, list.map(idOf))];
    changed();
    await Promise.all(kept);
  }

  #inTurn(work: (files: AccountFiles | undefined) => Promise<void>): Promise<void> {
    const turn = this.#queue.then(async () => work(await this.#open()));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

function idOf({ address, chain }: Item): string {
  return JSON.stringify([address, chain]);
}
