import type { Address } from "@finality/tron/primitives";
import { addBalance, addTokens, createdAccount, type Ledger, tokenBalance } from "../chain/ledger.ts";
import type { ChainParameters } from "../chain/parameters.ts";
import { invalidContract } from "../chain/refusal.ts";
import type { TokenId } from "../chain/token.ts";

const MIN_TOKEN_ID = 1_000_000n;

/** Value of a call or creation: coins, and one kind of token. */
export interface CallValue {
  /** Sun. */
  readonly value: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
}

/** Returns the value of a message; coins only where tokens are not enabled. @param value - sun */
export function callValueOf(
  value: bigint,
  { callTokenValue, tokenId }: { readonly callTokenValue: bigint; readonly tokenId: bigint },
  { getAllowTvmTransferTrc10 }: ChainParameters,
): CallValue {
  if (getAllowTvmTransferTrc10 !== 1) return { value, tokenValue: 0n, tokenId: 0n };
  return { value, tokenValue: callTokenValue, tokenId };
}

export interface Parties {
  readonly from: Address;
  readonly to: Address;
}

/** @throws {Refusal} these can be no token that is sent along (VMActuator.checkTokenValueAndId) */
export function checkToken({ tokenValue, tokenId }: CallValue): void {
  if (tokenId <= MIN_TOKEN_ID && tokenId !== 0n) throw invalidContract(`tokenId must be > ${MIN_TOKEN_ID}`);
  if (tokenValue > 0n && tokenId === 0n) {
    throw invalidContract(`invalid arguments with tokenValue = ${tokenValue}, tokenId = ${tokenId}`);
  }
}

/** @throws {Refusal} what is sent along is not there (VMUtils.validateForSmartContract) */
export function checkCallValue(ledger: Ledger, parties: Parties, { value, tokenValue, tokenId }: CallValue): void {
  if (value > 0n) checkCoins(ledger, parties, value);
  if (tokenValue > 0n) checkTokens(ledger, parties, String(tokenId), tokenValue);
}

function checkCoins(ledger: Ledger, { from, to }: Parties, value: bigint): void {
  if (from === to) throw invalidContract("Cannot transfer TRX to yourself.");
  const account = ledger.account(from);
  if (account === undefined) throw invalidContract("Validate InternalTransfer error, no OwnerAccount.");
  if (account.balance < value) {
    throw invalidContract("Validate InternalTransfer error, balance is not sufficient.");
  }
}

function checkTokens(ledger: Ledger, { from, to }: Parties, id: TokenId, amount: bigint): void {
  if (from === to) throw invalidContract("Cannot transfer asset to yourself.");
  const account = ledger.account(from);
  if (account === undefined) throw invalidContract("No owner account!");
  if (ledger.tables.tokens.get(id) === undefined) throw invalidContract("No asset !");
  const balance = tokenBalance(account, id);
  if (balance <= 0n) throw invalidContract("assetBalance must greater than 0.");
  if (amount > balance) throw invalidContract("assetBalance is not sufficient.");
}

/** Transfers a checked value. @param now - chain time in ms: accounts that are not there are created */
export function transferCallValue(ledger: Ledger, parties: Parties, endowment: CallValue, now: number): void {
  transferCoins(ledger, parties, endowment.value, now);
  transferTokens(ledger, parties, endowment, now);
}

/** @param value - sun */
export function transferCoins(ledger: Ledger, { from, to }: Parties, value: bigint, now: number): void {
  if (value <= 0n) return;
  const sender = ledger.account(from);
  if (sender !== undefined) addBalance(ledger, sender, -value);
  addBalance(ledger, ledger.account(to) ?? createdAccount(ledger, to, now), value);
}

function transferTokens(ledger: Ledger, { from, to }: Parties, { tokenValue, tokenId }: CallValue, now: number): void {
  if (tokenValue <= 0n) return;
  const id = String(tokenId);
  const sender = ledger.account(from);
  if (sender !== undefined) addTokens(ledger, sender, id, -tokenValue);
  addTokens(ledger, ledger.account(to) ?? createdAccount(ledger, to, now), id, tokenValue);
}
