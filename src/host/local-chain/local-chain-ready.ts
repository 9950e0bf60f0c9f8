import { ChainError } from "../../core/errors/chain-error.ts";
import { type Address, addressIn } from "../../core/primitives/address.ts";
import {
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
} from "../../core/primitives/read.ts";

/** Either form of an address. */
const anyAddress: Read<Address> = (value) => {
  const found = addressIn(text(value));
  if (found === undefined) throw new ReadError("an address");
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

const secret = matching(/^[0-9a-f]{64}$/, "a secret");
/** Where a local chain may answer: the embedded one listens on this machine alone. */
export const chainUrl = matching(/^http:\/\/127\.0\.0\.1:\d{1,5}$/, "a URL of this machine");

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
  if (ready === undefined) throw failed("it did not say where it answers");
  const baseUrl = tryRead(chainUrl, ready.baseUrl);
  if (baseUrl === undefined) throw failed("it says that it answers elsewhere than on this machine");
  const proof = tryRead(secret, ready.proof);
  if (proof === undefined) throw failed("it gave nothing by which it can be recognised");
  return { baseUrl, proof, faucet: ready.faucet, accounts: ready.accounts };
}

function failed(reason: string): ChainError {
  return new ChainError("LOCAL_CHAIN_FAILED", { reason });
}
