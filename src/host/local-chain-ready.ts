import { ChainError, isChainError } from "../core/errors/chain-error.ts";
import { type Address, parseAddress } from "../core/primitives/address.ts";
import { isJsonObject } from "../core/primitives/json.ts";

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
}

/**
 * Reads the one line of JSON that the local chain prints when it is ready.
 *
 * @throws {ChainError} `LOCAL_CHAIN_FAILED`; no part of the line enters the message, for it holds keys
 */
export function parseReadyLine(line: string): LocalChainReady {
  const value = parse(line);
  if (!isJsonObject(value) || value.ready !== true || typeof value.baseUrl !== "string") throw unreadable();
  if (!Array.isArray(value.accounts)) throw unreadable();
  return { baseUrl: value.baseUrl, faucet: parseAccount(value.faucet), accounts: value.accounts.map(parseAccount) };
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
  return new ChainError("LOCAL_CHAIN_FAILED", { reason: "it did not say where it answers" });
}
