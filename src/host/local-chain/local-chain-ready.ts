import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ChainError } from "@finality/tron/errors";
import { type Address, addressIn } from "@finality/tron/primitives";
import {
  address,
  listOf,
  mark,
  matching,
  object,
  type Read,
  ReadError,
  type ReadOf,
  text,
  tryRead,
  tryReadJson,
  wholeNumber,
} from "@finality/tron/read";
import { t } from "@vscode/l10n";

/** Either form of an address. */
const anyAddress: Read<Address> = (value) => {
  const found = addressIn(text(value));
  if (found === undefined) throw new ReadError(t`an address`);
  return found;
};

const localAccount = object({ address: anyAddress, privateKey: text });

/** An account that the local chain brings along. Its key is worth nothing elsewhere and is treated like any other. */
export type LocalAccount = ReadOf<typeof localAccount>;

/** What the local chain says when it answers. */
export interface LocalChainReady {
  readonly baseUrl: string;
  readonly faucet: LocalAccount;
  readonly accounts: readonly LocalAccount[];
  /** The secret by which the chain proves that it is the one that printed this line: 32 bytes in hex. */
  readonly proof: string;
}

const secret = matching(/^[0-9a-f]{64}$/, t`a secret`);
/** Where a local chain may answer: the embedded one listens on this machine alone. */
const chainUrl = matching(/^http:\/\/127\.0\.0\.1:\d{1,5}$/, t`a URL of this machine`);

const anything: Read<unknown> = (value) => value;
const readyLine = object({
  ready: mark,
  baseUrl: text,
  faucet: localAccount,
  accounts: listOf(localAccount),
  proof: anything,
});

/**
 * Reads the one line of JSON that the local chain prints when it is ready.
 *
 * @throws {ChainError} `LOCAL_CHAIN_FAILED`; no part of the line enters the message, for it holds keys
 */
export function parseReadyLine(line: string): LocalChainReady {
  const ready = tryReadJson(readyLine, line);
  if (ready === undefined) throw failed(t`it did not say where it answers`);
  const baseUrl = tryRead(chainUrl, ready.baseUrl);
  if (baseUrl === undefined) throw failed(t`it says that it answers elsewhere than on this machine`);
  const proof = tryRead(secret, ready.proof);
  if (proof === undefined) throw failed(t`it gave nothing by which it can be recognised`);
  return { baseUrl, proof, faucet: ready.faucet, accounts: ready.accounts };
}

function failed(reason: string): ChainError {
  return new ChainError("LOCAL_CHAIN_FAILED", { reason });
}

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
