import type * as vscode from "vscode";
import type { AccountFiles, Item } from "./account-files.ts";

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
