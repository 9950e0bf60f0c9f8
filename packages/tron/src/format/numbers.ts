import { t } from "@vscode/l10n";

/** A whole number with its digits in groups of three. @example grouped(1_234_567n); // "1,234,567" */
export function grouped(number: number | bigint): string {
  return number.toLocaleString("en-US");
}

/**
 * So many things.
 *
 * @param one - the word for one of them, in the language of the reader
 * @param many - the word for none and for more than one; a language without plurals says both the same way
 * @example
 * counted(1, t`block`, t`blocks`); // "1 block"
 * counted(2_000, t`try`, t`tries`); // "2,000 tries"
 */
export function counted(count: number | bigint, one: string, many: string): string {
  return t`${grouped(count)} ${Number(count) === 1 ? one : many}`;
}

/** So many votes. @example votesText(2_000); // "2,000 votes" */
export function votesText(count: number | bigint): string {
  return Number(count) === 1 ? t`${grouped(count)} vote` : t`${grouped(count)} votes`;
}

/** A part in the hundred. @example percent(20n); // "20 %" */
export function percent(number: number | bigint): string {
  return t`${String(number)} %`;
}

/** The part in the hundred that is nearest; nothing of nothing is none. */
export function percentOf(part: bigint, whole: bigint): string {
  return percent(whole === 0n ? 0n : (part * 100n + whole / 2n) / whole);
}

/**
 * A number that is counted in its smallest parts, exactly; no nought that says nothing.
 *
 * @param places - how many digits stand behind the point
 * @example
 * decimal(1_234_500_000n, 6); // "1,234.5"
 */
export function decimal(parts: bigint, places: number): string {
  const digits = (parts < 0n ? -parts : parts).toString().padStart(places + 1, "0");
  const whole = grouped(BigInt(digits.slice(0, digits.length - places)));
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  return `${parts < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
