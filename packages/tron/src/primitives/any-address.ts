import { ChainError, isChainError } from "../errors/chain-error.ts";
import { type Address, parseAddress } from "./address.ts";
import { hasRightCase } from "./address-case.ts";
import { isHexPairs, shorten, stripHexPrefix } from "./bytes.ts";

const DIGITS = 40;

/**
 * Reads an address in any form: also as the 20 bytes that tools of other chains write, with or without 0x.
 *
 * @throws {ChainError} as `parseAddress`
 */
export function parseAnyAddress(text: string): Address {
  const trimmed = text.trim();
  const digits = stripHexPrefix(trimmed);
  if (digits.length !== DIGITS || !isHexPairs(digits)) return parseAddress(trimmed);
  if (hasRightCase(digits)) return parseAddress(`41${digits}`);
  throw new ChainError("ADDRESS_CHECKSUM_MISMATCH", { text: shorten(trimmed) });
}

/** The address that a text is, in any form; undefined for any other text. */
export function anyAddressIn(text: string): Address | undefined {
  try {
    return parseAnyAddress(text);
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}
