import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Address, parseAddress } from "../../core/primitives/address.ts";
import { isJsonObject } from "../../core/primitives/json.ts";
import { isChainUrl } from "./local-chain-ready.ts";

/**
 * Where the local chain of this computer answers, for all windows. It holds no key and no secret, and it is no proof: whoever
 * may write files here could have written it.
 */
export interface LocalChainRecord {
  /** Another chain has another one. */
  readonly chain: string;
  readonly baseUrl: string;
  /** The process that the chain lives in; absent for one that the editor's own starter runs. */
  readonly pid?: number;
  readonly accounts: readonly { readonly address: Address; readonly label: string }[];
}

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
      return parseRecord(JSON.parse(await readFile(this.#file, "utf8")));
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

function parseRecord(value: unknown): LocalChainRecord | undefined {
  if (!isJsonObject(value) || typeof value.chain !== "string" || typeof value.baseUrl !== "string") return undefined;
  const { chain, baseUrl, pid, accounts } = value;
  if (!isChainUrl(baseUrl)) return undefined;
  return {
    chain,
    baseUrl,
    ...(typeof pid === "number" ? { pid } : {}),
    accounts: (Array.isArray(accounts) ? accounts : []).filter(isJsonObject).map(({ address, label }) => ({
      address: parseAddress(String(address)),
      label: String(label),
    })),
  };
}
