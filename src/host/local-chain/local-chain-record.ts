import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { address, listOf, object, type ReadOf, text, tryReadJson, wholeNumber } from "../../core/primitives/read.ts";
import { chainUrl } from "./local-chain-ready.ts";

const chainRecord = object(
  {
    /** Another chain has another one. */
    chain: text,
    baseUrl: chainUrl,
    accounts: listOf(object({ address, label: text })),
  },
  {
    /** The process that the chain lives in; absent for one that the editor's own starter runs. */
    pid: wholeNumber,
  },
);

/**
 * Where the local chain of this computer answers, for all windows. It holds no key and no secret, and it is no proof:
 * whoever may write files here could have written it.
 */
export type LocalChainRecord = ReadOf<typeof chainRecord>;

/** One small file that the windows share: state of the editor reaches other windows only when they open. */
export class LocalChainRecordFile {
  readonly #folder: string;
  readonly #file: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, "local-chain.json");
  }

  /** What was written last; what cannot be read counts as nothing, for a chain is quickly started anew. */
  async read(): Promise<LocalChainRecord | undefined> {
    try {
      return tryReadJson(chainRecord, await readFile(this.#file, "utf8"));
    } catch {
      return undefined;
    }
  }

  async write(record: LocalChainRecord): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await writeFile(this.#file, JSON.stringify(record));
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true });
  }
}
