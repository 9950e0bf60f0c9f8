import { ChainError, isChainError } from "../../core/errors/chain-error.ts";
import { type Address, parseAddress } from "../../core/primitives/address.ts";
import { isJsonObject } from "../../core/primitives/json.ts";

/** An account that the local chain brings along. Its key is worth nothing elsewhere and is treated like any other. */
export interface LocalAccount {
  readonly address: Address;
  readonly privateKey: string;
}

/** What the local chain says when it answers. */
export interface LocalChainReady {
  readonly baseUrl: string;
  readonly faucet: LocalAccount;
  readonly accounts: readonly LocalAccount[];
  /** The secret by which the chain proves that it is the one that printed this line: 32 bytes in hex. */
  readonly proof: string;
}

const SECRET = /^[0-9a-f]{64}$/;
/** The embedded chain listens on this machine alone. */
const BASE_URL = /^http:\/\/127\.0\.0\.1:\d{1,5}$/;

/** Whether a local chain may answer at this URL. */
export function isChainUrl(url: string): boolean {
  return BASE_URL.test(url);
}

/**
 * Reads the one line of JSON that the local chain prints when it is ready.
 *
 * @throws {ChainError} `LOCAL_CHAIN_FAILED`; no part of the line enters the message, for it holds keys
 */
export function parseReadyLine(line: string): LocalChainReady {
  const value = parse(line);
  if (!isJsonObject(value) || value.ready !== true || typeof value.baseUrl !== "string") throw unreadable();
  const { baseUrl, accounts, proof } = value;
  if (!Array.isArray(accounts)) throw unreadable();
  if (!isChainUrl(baseUrl)) throw failed("it says that it answers elsewhere than on this machine");
  if (typeof proof !== "string" || !SECRET.test(proof)) throw failed("it gave nothing by which it can be recognised");
  return { baseUrl, proof, faucet: parseAccount(value.faucet), accounts: accounts.map(parseAccount) };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw unreadable();
  }
}

function parseAccount(value: unknown): LocalAccount {
  if (!isJsonObject(value) || typeof value.address !== "string" || typeof value.privateKey !== "string") {
    throw unreadable();
  }
  try {
    return { address: parseAddress(value.address), privateKey: value.privateKey };
  } catch (error) {
    throw isChainError(error) ? unreadable() : error;
  }
}

function unreadable(): ChainError {
  return failed("it did not say where it answers");
}

function failed(reason: string): ChainError {
  return new ChainError("LOCAL_CHAIN_FAILED", { reason });
}
