import { createHash } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, replaceFile } from "@finality/node/storage";
import { isJsonObject } from "@finality/tron/primitives";

/** A listed account: an object with an address, and the chain for accounts of a local chain. */
export interface Item {
  readonly address?: unknown;
  readonly chain?: unknown;
}

const FILE = /^[0-9a-z]{1,64}\.[0-9a-f]{16}\.json$/i;

/**
 * Accounts of all windows, one file each, so that concurrent changes of two windows do not overwrite each other.
 * Contains no key.
 */
export class AccountFiles {
  readonly #folder: string;
  #watcher: FSWatcher | undefined;

  constructor(folder: string) {
    this.#folder = join(folder, "accounts");
  }

  /** Reads all accounts in the order of their addition; undefined if no window has written any yet. */
  async read(): Promise<readonly Item[] | undefined> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    });
    if (names === undefined) return undefined;
    const files = await Promise.all(names.filter((name) => FILE.test(name)).map((name) => this.#readFile(name)));
    return files
      .flatMap((it) => it ?? [])
      .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
      .map(({ item }) => item);
  }

  /**
   * Imports the list of a version without files: all of it if there are no files yet, otherwise its additions.
   *
   * @param written - IDs that a version with files had listed there
   */
  async bringIn(listed: readonly Item[], written: unknown): Promise<void> {
    const known = await this.read();
    if (known === undefined) return await this.apply([], listed, 0);
    if (!Array.isArray(written)) return;
    const isKnown = new Set([...written, ...known.map(idOf)]);
    const added = listed.filter((it) => !isKnown.has(idOf(it)));
    await this.apply(known, [...known, ...added], Date.now());
  }

  /** Writes the difference of two lists and leaves all other files alone. */
  async apply(before: readonly Item[], after: readonly Item[], now: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const known = new Map(before.map((it) => [nameOf(it), JSON.stringify(it)]));
    const remaining = new Set(after.map(nameOf));
    for (const [index, item] of after.entries()) {
      const name = nameOf(item);
      if (known.get(name) === JSON.stringify(item)) continue;
      const at = (await this.#readFile(name))?.at ?? now + index;
      await replaceFile(join(this.#folder, name), JSON.stringify({ ...item, at }));
    }
    for (const name of known.keys()) if (!remaining.has(name)) await rm(join(this.#folder, name), { force: true });
  }

  /** Calls when any window writes or removes a file. */
  async follow(changed: () => void): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    this.#watcher = watch(this.#folder, { persistent: false }, changed);
    this.#watcher.on("error", () => undefined);
  }

  dispose(): void {
    this.#watcher?.close();
  }

  /** Reads a file; an unreadable one is left out. */
  async #readFile(name: string): Promise<{ name: string; at: number; item: Item } | undefined> {
    try {
      const value: unknown = JSON.parse(await readFile(join(this.#folder, name), "utf8"));
      if (!isJsonObject(value) || typeof value.at !== "number") return undefined;
      const { at, ...item } = value;
      return { name, at, item };
    } catch {
      return undefined;
    }
  }
}

function nameOf({ address, chain }: Item): string {
  const place = createHash("sha256")
    .update(String(chain ?? ""))
    .digest("hex")
    .slice(0, 16);
  return `${String(address)}.${place}.json`;
}

function idOf({ address, chain }: Item): string {
  return JSON.stringify([address, chain]);
}
