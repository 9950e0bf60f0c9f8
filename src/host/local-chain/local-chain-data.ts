import { readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { object, type ReadOf, text, tryReadJson, wholeNumber } from "@finality/tron/read";
import { isProcessRunning } from "./local-chain-process.ts";
import { chainUrl } from "./local-chain-ready.ts";

const POLL_MS = 100;

const chainSetup = object({}, { forkPoint: object({ url: text }) });

const lock = object({ pid: wholeNumber }, { baseUrl: chainUrl, chain: text, program: text });

/**
 * Process that uses the data, as its lock file names it. Any program that can write files can write it, so it proves
 * nothing. The URL is absent until the chain accepts requests.
 */
export type ChainOwner = ReadOf<typeof lock>;

/** Folder with the data of the embedded chain, which outlives its process (docs/local-chain.md, "Kept in a folder"). */
export class LocalChainData {
  readonly path: string;

  /** @param folder - storage of the extension, which all windows share */
  constructor(folder: string) {
    this.path = join(folder, "local-chain");
  }

  /** Returns whether a chain is stored. */
  async exists(): Promise<boolean> {
    return await isThere(join(this.path, "chain.json"));
  }

  /** Returns the URL of the network that the stored chain is a fork of; undefined for other chains, and without one. */
  async forkedFrom(): Promise<string | undefined> {
    try {
      return tryReadJson(chainSetup, await readFile(join(this.path, "chain.json"), "utf8"))?.forkPoint?.url;
    } catch {
      return undefined;
    }
  }

  /** Makes room for a fork: deletes a former fork, and sets any other chain aside. No process may use it. */
  async setAside(): Promise<void> {
    if ((await this.forkedFrom()) !== undefined) return await this.remove();
    if (!(await this.exists())) return;
    await rm(this.#aside, { recursive: true, force: true });
    await rename(this.path, this.#aside);
  }

  /** Deletes the fork, and brings back the chain that was set aside. No process may use it. */
  async bringBack(): Promise<void> {
    await this.remove();
    if (await isThere(this.#aside)) await rename(this.#aside, this.path);
  }

  get #aside(): string {
    return `${this.path}-set-aside`;
  }

  /** Returns the process that uses the data; undefined if none is running. */
  async owner(): Promise<ChainOwner | undefined> {
    const owner = await this.#lock();
    return owner !== undefined && isProcessRunning(owner.pid) ? owner : undefined;
  }

  /** Returns whether a process left its lock behind, because it was killed. */
  async isAbandoned(): Promise<boolean> {
    const owner = await this.#lock();
    return owner !== undefined && !isProcessRunning(owner.pid);
  }

  /** Polls the owner until the predicate holds. Resolves to false after the time limit; ms. */
  async until(predicate: (owner: ChainOwner | undefined) => boolean, limitMs: number): Promise<boolean> {
    for (let waited = 0; waited < limitMs; waited += POLL_MS) {
      if (predicate(await this.owner())) return true;
      await sleep(POLL_MS);
    }
    return false;
  }

  /** Deletes the chain. No process may use it. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  async #lock(): Promise<ChainOwner | undefined> {
    try {
      return tryReadJson(lock, await readFile(join(this.path, "lock"), "utf8"));
    } catch {
      return undefined;
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
