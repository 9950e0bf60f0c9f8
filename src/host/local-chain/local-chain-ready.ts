import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "@finality/node/storage";
import { ChainError } from "@finality/tron/errors";
import { type Address, addressIn } from "@finality/tron/primitives";
import {
  address,
  flag,
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
} from "@finality/tron/read";
import { t } from "@vscode/l10n";

/** Reads an address in either form. */
const anyAddress: Read<Address> = (value) => {
  const found = addressIn(text(value));
  if (found === undefined) throw new ReadError(t`an address`);
  return found;
};

const localAccount = object({ address: anyAddress, privateKey: text });

/** An account of the local chain. Its key has no value elsewhere but is treated like any other key. */
type LocalAccount = ReadOf<typeof localAccount>;

/** Content of the local chain's ready line. */
export interface LocalChainReady {
  readonly baseUrl: string;
  readonly faucet: LocalAccount;
  readonly accounts: readonly LocalAccount[];
  /** Secret that proves the chain's identity: 32 bytes in hex. */
  readonly proof: string;
}

const secret = matching(/^[0-9a-f]{64}$/, t`a secret`);
/** URL of a local chain: the embedded one listens on this machine only. */
export const chainUrl = matching(/^http:\/\/127\.0\.0\.1:\d{1,5}$/, t`a URL of this machine`);

const accountsOfStatus = object({ faucet: localAccount, accounts: listOf(localAccount) });

/**
 * Reads the accounts with their keys from the status of a chain that has proved its identity.
 *
 * @throws {ChainError} `LOCAL_CHAIN_FAILED`
 */
export function parseAccounts(status: unknown): Pick<LocalChainReady, "faucet" | "accounts"> {
  const found = tryRead(accountsOfStatus, status);
  if (found === undefined) throw failed(t`it did not report its accounts`);
  return found;
}

const anything: Read<unknown> = (value) => value;
const readyLine = object({
  ready: mark,
  baseUrl: text,
  faucet: localAccount,
  accounts: listOf(localAccount),
  proof: anything,
});

/**
 * Reads the JSON line that the local chain prints when it is ready.
 *
 * @throws {ChainError} `LOCAL_CHAIN_FAILED`; the message contains no part of the line, which holds keys
 */
export function parseReadyLine(line: string): LocalChainReady {
  const ready = tryReadJson(readyLine, line);
  if (ready === undefined) throw failed(t`it did not report its URL`);
  const baseUrl = tryRead(chainUrl, ready.baseUrl);
  if (baseUrl === undefined) throw failed(t`it reported a URL on another computer`);
  const proof = tryRead(secret, ready.proof);
  if (proof === undefined) throw failed(t`it sent no proof of its identity`);
  return { baseUrl, proof, faucet: ready.faucet, accounts: ready.accounts };
}

function failed(reason: string): ChainError {
  return new ChainError("LOCAL_CHAIN_FAILED", { reason });
}

const chainRecord = object({
  /** Identity of the chain. */
  chain: text,
  /** URL of the last process. */
  baseUrl: chainUrl,
  /** True for the chain in the extension's storage; false for a chain that was started beside the editor. */
  isStored: flag,
  accounts: listOf(object({ address, label: text })),
});

/**
 * The chain that windows used last. It holds no secret and proves nothing: any program that can write files here can
 * write it.
 */
export type LocalChainRecord = ReadOf<typeof chainRecord>;

/** The file that windows share: VS Code's state reaches other windows only when they open. */
export class LocalChainRecordFile {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, "local-chain.json");
  }

  /** Reads the record. One that is damaged or of an older version counts as none. */
  async read(): Promise<LocalChainRecord | undefined> {
    try {
      return tryReadJson(chainRecord, await readFile(this.#file, "utf8"));
    } catch {
      return undefined;
    }
  }

  async write(record: LocalChainRecord): Promise<void> {
    await replaceFile(this.#file, JSON.stringify(record));
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true });
  }
}
