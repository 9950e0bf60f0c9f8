import { t } from "@vscode/l10n";
import { ChainError } from "../errors/chain-error.ts";
import { COIN_DECIMALS, LARGEST_AMOUNT, type Sun, sun } from "./amount.ts";
import { shorten } from "./bytes.ts";

/** Unit in which an amount is written, and the reasons why a text is refused. */
export interface AmountUnit {
  readonly decimals: number;
  /** In the smallest unit. */
  readonly largest: bigint;
  readonly malformed: string;
  readonly tooFine: string;
  readonly tooLarge: string;
}

/**
 * Digits with `_` between two of them, or with a comma before every group of three; decimals after a point. `1,5` and
 * `0,001` do not match: a decimal comma must never be taken for a separator of thousands.
 */
const NUMBER = /^(?:(\d+(?:_\d+)*)|([1-9]\d{0,2}(?:[,_]\d{3})+))(?:\.(\d+(?:_\d+)*))?$/;

/** Maximum length: a number of 256 bits with separators. */
const LONGEST_NUMBER = 160;

/**
 * Parses an amount exactly, without floats. All amounts of users, files and programs are parsed here.
 *
 * @returns the amount in the smallest unit
 * @throws {ChainError} `AMOUNT_MALFORMED`
 */
export function parseUnits(text: string, unit: AmountUnit): bigint {
  const refuse = (reason: string) => new ChainError("AMOUNT_MALFORMED", { text: shorten(text), reason });
  const number = numberIn(text);
  if (number === undefined) throw refuse(unit.malformed);
  const { whole, fraction } = number;
  if (fraction.length > unit.decimals) throw refuse(unit.tooFine);
  const amount = BigInt(whole + fraction.padEnd(unit.decimals, "0"));
  if (amount > unit.largest) throw refuse(unit.tooLarge);
  return amount;
}

/**
 * Parses a whole number, with separators as in amounts; undefined for any other text.
 *
 * @example
 * wholeNumberIn("1,500"); // 1500n
 */
export function wholeNumberIn(text: string): bigint | undefined {
  const number = numberIn(text);
  return number === undefined || number.fraction !== "" ? undefined : BigInt(number.whole);
}

/** Describes the accepted number format, for any unit with decimals. */
export function numberForm(): string {
  return t`write a plain number such as 1.5 or 1,234.5, with a point before the decimals`;
}

/**
 * Parses an amount in coins.
 *
 * @throws {ChainError} `AMOUNT_MALFORMED` if it is no decimal number, finer than 1 sun, or above int64
 * @example
 * parseCoins("1.5"); // 1500000n
 */
export function parseCoins(text: string): Sun {
  const unit = {
    decimals: COIN_DECIMALS,
    largest: LARGEST_AMOUNT,
    malformed: numberForm(),
    tooFine: t`a coin has six decimals, the smallest part is 0.000001 (1 sun)`,
    tooLarge: t`it is larger than any amount on the chain`,
  };
  return sun(parseUnits(text, unit));
}

const WITH_UNIT = /^([\d_,.]+)\s*(sun|coins?|trx)?$/i;

/**
 * Parses an amount with its unit, as in command arguments and answers: a number without a unit is sun.
 *
 * @throws {ChainError} `AMOUNT_MALFORMED`
 * @example
 * parseAmount("1.5 coins"); // 1500000n
 * parseAmount("1_500_000"); // 1500000n
 */
export function parseAmount(text: string): Sun {
  const [, number = text, unit = "sun"] = WITH_UNIT.exec(text.trim()) ?? [];
  if (unit.toLowerCase() !== "sun") return parseCoins(number);
  const reason = t`write sun as a whole number, or coins such as 1.5 coins`;
  return sun(
    parseUnits(number, { decimals: 0, largest: LARGEST_AMOUNT, malformed: reason, tooFine: reason, tooLarge: reason }),
  );
}

interface WrittenNumber {
  /** Digits only. */
  readonly whole: string;
  readonly fraction: string;
}

function numberIn(text: string): WrittenNumber | undefined {
  const trimmed = text.trim();
  const match = trimmed.length > LONGEST_NUMBER ? null : NUMBER.exec(trimmed);
  if (match === null) return undefined;
  const [, plain = "", groups = "", fraction = ""] = match;
  return { whole: (plain + groups).replaceAll(/[_,]/g, ""), fraction: fraction.replaceAll("_", "") };
}
