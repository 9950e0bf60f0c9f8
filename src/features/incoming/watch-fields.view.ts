import type { PaidToken } from "@finality/client/incoming";
import { ChainError, isChainError } from "@finality/tron/errors";
import { type Checked, sunText } from "@finality/tron/format";
import { parseAddress, parseCoins, shorten, sun, wholeNumberIn } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { amountText } from "./incoming.view.ts";

const TRC10 = /^[1-9]\d{0,18}$/;
const MOST = 2n ** 256n - 1n;

/**
 * What a text says is paid in: `coins`, the number of a TRC-10 token, or the address of a TRC-20 contract.
 *
 * @throws {ChainError} `ADDRESS_MALFORMED` and its siblings
 */
export function readToken(text: string): PaidToken {
  const token = text.trim();
  if (token === "" || token.toLowerCase() === "coins") return { kind: "coins" };
  return TRC10.test(token) ? { kind: "trc10", id: token } : { kind: "trc20", contract: parseAddress(token) };
}

/**
 * How much is waited for: coins, or whole smallest units of a token.
 *
 * @throws {ChainError} `AMOUNT_MALFORMED`
 */
export function readExpected(text: string, token: PaidToken): bigint {
  const refuse = (reason: string) => new ChainError("AMOUNT_MALFORMED", { text: shorten(text), reason });
  const amount = token.kind === "coins" ? parseCoins(text) : wholeNumberIn(text);
  if (amount === undefined) throw refuse(t`write a whole number of the smallest units`);
  if (amount === 0n) throw refuse(t`nothing is no payment`);
  if (amount > MOST) throw refuse(t`it is larger than any amount of a token`);
  return amount;
}

/** The same while it is typed; nothing typed is whatever comes. */
export function checkExpected(text: string, token: PaidToken): Checked<bigint | "all"> {
  if (text.trim() === "") return { kind: "good", value: "all", message: t`Every payment counts, until you stop it.` };
  try {
    const value = readExpected(text, token);
    const exact = token.kind === "coins" ? sunText(sun(value)) : amountText(value, token);
    return { kind: "good", value, message: t`${exact} in all, in one payment or several` };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "wrong", message: error.message };
  }
}
