import * as vscode from "vscode";
import { ChainError } from "../core/errors/chain-error.ts";
import type { NetworkProfile } from "../core/gateway/network-profile.ts";
import { type Address, parseAddress, toBase58 } from "../core/primitives/address.ts";
import { isJsonObject } from "../core/primitives/json.ts";
import type { PrivateKey } from "../core/transaction/signature.ts";
import type { SecretStore } from "./secret-store.ts";

/** An account that a person named here. Its key, if there is one, is in the secret storage alone. */
export interface SigningAccount {
  readonly address: Address;
  readonly label: string;
  readonly watchOnly: boolean;
  /** For accounts that live and die with a local chain: which chain. */
  readonly chain?: string;
}

/** An account that a local chain brought along. */
export interface ChainAccount {
  readonly address: Address;
  readonly label: string;
  readonly privateKey?: string;
}

const STATE = "finality.accounts";

/** The accounts of a person: names and addresses in the global state, keys in the secret storage. */
export class SigningKeys implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #secrets: SecretStore;
  readonly #changed = new vscode.EventEmitter<void>();

  #chain: string | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento, secrets: SecretStore) {
    this.#state = state;
    this.#secrets = secrets;
  }

  /** One's own in the order in which they were added, then those of the local chain that runs. */
  list(): readonly SigningAccount[] {
    const all = this.#all();
    const ofChain = this.#chain === undefined ? [] : all.filter(({ chain }) => chain === this.#chain);
    return [...all.filter(({ chain }) => chain === undefined), ...ofChain];
  }

  /** The accounts that exist on a network: those of a local chain live there alone. */
  listOn(network: NetworkProfile | undefined): readonly SigningAccount[] {
    return this.list().filter(({ chain }) => network?.local === true || chain === undefined);
  }

  /** Says which local chain runs. */
  setChain(chain: string | undefined): void {
    this.#chain = chain;
    this.#changed.fire();
  }

  find(address: Address): SigningAccount | undefined {
    return this.list().find((it) => it.address === address);
  }

  /** The address behind a label or either form of an address, if it is one of these accounts. */
  addressOf(labelOrAddress: string): Address | undefined {
    const text = labelOrAddress.trim();
    return this.list().find(({ label, address }) => label === text || address === text || toBase58(address) === text)
      ?.address;
  }

  nameOf(address: Address): string | undefined {
    return this.find(address)?.label;
  }

  /** Adds an account, or names it anew. Its key is stored before it is listed. */
  async add(account: SigningAccount, privateKeyHex?: string): Promise<void> {
    if (privateKeyHex !== undefined) await this.#secrets.set("signingKey", account.address, privateKeyHex);
    await this.#put([account]);
  }

  /** Adds the accounts of a local chain. A window that finds the chain running has their keys in the storage already. */
  async addOfChain(accounts: readonly ChainAccount[], chain: string): Promise<void> {
    for (const { address, privateKey } of accounts) {
      if (privateKey !== undefined) await this.#secrets.set("signingKey", address, privateKey);
    }
    await this.#put(accounts.map(({ address, label }) => ({ address, label, watchOnly: false, chain })));
  }

  /** Forgets an account and its key. */
  async remove(address: Address): Promise<void> {
    await this.#forget(this.#all().filter((it) => it.address === address));
  }

  /** Forgets the accounts of local chains that are gone. */
  async removeOfChains(isGone: (chain: string) => boolean): Promise<void> {
    await this.#forget(this.#all().filter(({ chain }) => chain !== undefined && isGone(chain)));
  }

  /**
   * Lends a key for one use and erases it from memory afterwards.
   *
   * @throws {ChainError} `SIGNING_KEY_MISSING`, `SECRETS_UNAVAILABLE`
   */
  async withPrivateKey<T>(address: Address, use: (key: PrivateKey) => T | Promise<T>): Promise<T> {
    const stored = await this.#secrets.get("signingKey", address);
    if (stored === undefined) throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(address) });
    const { parsePrivateKey } = await import("./lazy/signing.ts");
    const key = parsePrivateKey(stored);
    try {
      return await use(key);
    } finally {
      key.fill(0);
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #all(): readonly SigningAccount[] {
    return parseAccounts(this.#state.get<unknown>(STATE));
  }

  async #put(accounts: readonly SigningAccount[]): Promise<void> {
    const isNew = new Set(accounts.map(({ address }) => address));
    await this.#save([...this.#all().filter(({ address }) => !isNew.has(address)), ...accounts]);
  }

  async #forget(accounts: readonly SigningAccount[]): Promise<void> {
    if (accounts.length === 0) return;
    const gone = new Set(accounts.map(({ address }) => address));
    for (const address of gone) await this.#secrets.delete("signingKey", address);
    await this.#save(this.#all().filter(({ address }) => !gone.has(address)));
  }

  async #save(accounts: readonly SigningAccount[]): Promise<void> {
    await this.#state.update(STATE, accounts);
    this.#changed.fire();
  }
}

/** What is stored may be of an older version or damaged: what cannot be read is left out. */
function parseAccounts(value: unknown): readonly SigningAccount[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).flatMap(({ address, label, watchOnly, chain }) => {
    if (typeof address !== "string" || !/^41[0-9a-f]{40}$/.test(address)) return [];
    return [
      {
        address: parseAddress(address),
        label: typeof label === "string" ? label : toBase58(parseAddress(address)),
        watchOnly: watchOnly === true,
        ...(typeof chain === "string" ? { chain } : {}),
      },
    ];
  });
}
