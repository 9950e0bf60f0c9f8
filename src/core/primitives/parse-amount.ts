import { t } from "@vscode/l10n";
import { ChainError } from "../errors/chain-error.ts";
import { LARGEST_AMOUNT, parseCoins, type Sun, sun } from "./amount.ts";
import { shorten } from "./bytes.ts";

const WITH_UNIT = /^([\d_,.]+)\s*(sun|coins?|trx)?$/i;

/**
 * Reads an amount with its unit, as call files and arguments of contracts have it: a number without a unit is sun.
 *
 * @returns sun
 * @throws {ChainError} `AMOUNT_MALFORMED`
 * @example
 * parseAmount("1.5 coins"); // 1500000n
 * parseAmount("1_500_000"); // 1500000n
 */
export function parseAmount(text: string): Sun {
  const [, number = "", unit = "sun"] = WITH_UNIT.exec(text.trim()) ?? [];
  const digits = withoutGroups(number);
  if (unit.toLowerCase() !== "sun") return parseCoins(digits);
  const reason = t`write sun as a whole number, or coins such as 1.5 coins`;
  if (!/^\d{1,19}$/.test(digits) || BigInt(digits) > LARGEST_AMOUNT)
    throw new ChainError("AMOUNT_MALFORMED", { text: shorten(text), reason });
  return sun(BigInt(digits));
}

const IN_GROUPS = /^\d{1,3}(?:[,_]\d{3})+(?![\d,_])/;

/**
 * A number without the marks between its digits: `_` anywhere, `,` between groups of three alone, for `1,5` is not
 * fifteen.
 *
 * @example
 * withoutGroups("1,500,000.5"); // "1500000.5"
 * withoutGroups("1,5"); // "1,5", which is no number
 */
export function withoutGroups(text: string): string {
  return IN_GROUPS.test(text) ? text.replaceAll(/[,_]/g, "") : text.replaceAll(/(?<=\d)_(?=\d)/g, "");
}
