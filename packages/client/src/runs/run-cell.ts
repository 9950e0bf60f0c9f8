import { isChainError } from "@finality/tron/errors";
import { type Address, addressIn, labelFault, parseCoins, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { type CellRefusalCode, type Delimiter, shown } from "./run-table.ts";

/** Rule that a cell breaks, and a sentence without row and column. */
export interface CellProblem {
  readonly code: CellRefusalCode;
  readonly reason: string;
}

/** A value, or the rule that its cell breaks. */
export type CellResult<T> = { readonly value: T } | { readonly problem: CellProblem };

function problem(code: CellRefusalCode, reason: string): { readonly problem: CellProblem } {
  return { problem: { code, reason } };
}

/** Invisible characters, and spaces that are no plain space. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
/** Spreadsheets run cells that begin with one of these, in full-width characters too. */
const FORMULA = /^[=@＝＠]|^[+＋](?!$)/u;

/** Refuses what no cell may have, whatever its column means. */
export function cellProblem(text: string): CellProblem | undefined {
  const [unseen] = UNSEEN.exec(text) ?? [];
  if (unseen !== undefined) {
    const code = `U+${(unseen.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
    return { code: "invisible", reason: t`${shown(text)} has the invisible character ${code}. Type the cell again` };
  }
  if (text !== text.trim())
    return { code: "outer-space", reason: t`${shown(text)} begins or ends with a space. Remove it` };
  if (/^['’]/.test(text))
    return { code: "apostrophe", reason: t`${shown(text)} begins with the apostrophe of a spreadsheet. Remove it` };
  if (FORMULA.test(text))
    return {
      code: "formula",
      reason: t`${shown(text)} begins like a formula. Write its value, without = + or @ in front`,
    };
  return undefined;
}

const PLAIN = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
const SCIENTIFIC = /^\d+(?:[.,]\d+)?[eE][+-]?\d+$/;
/** Two groups or more with one separator, or groups before decimals with another separator. */
const THOUSANDS =
  /^\d{1,3}(?:([,. '’_])\d{3})(?:\1\d{3})+(?:[.,]\d+)?$|^\d{1,3}(?:,\d{3})+\.\d+$|^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:[ '’_]\d{3})+(?:[.,]\d+)?$/;
const DATE =
  /^\d{1,4}([/-])\d{1,2}(?:\1\d{1,4})?$|^\d{1,2}\.\s?\d{1,2}\.(?:\s?\d{2,4})?$|^\d{4}\.\d{1,2}\.\d{1,2}$|\d\s*[年月日]|^(?:\d{1,4}[\s./-]*)?(?:jan|feb|m[aä]r|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]*[\s./-]*\d{0,4}$/iu;
const CURRENCY = /\p{Sc}|^(?:[a-z]{2,6}\s*[\d.,]+|[\d.,]+\s*[a-z]{2,6})$/iu;
const HEX_NUMBER = /^0x/i;
/** Digits that a spreadsheet stores exactly; it replaces those after them by zeros. */
const SPREADSHEET_DIGITS = 15;

/**
 * Parses the text of an amount: digits with a point before decimals, and nothing else. Everything that could mean two
 * numbers is refused.
 *
 * @returns the same text
 */
export function amountIn(text: string, delimiter: Delimiter): CellResult<string> {
  if (text === "") return problem("empty", t`the amount is missing`);
  const number = shown(text);
  if (/["“”„]/.test(text)) return problem("quotes", t`${number} has quotes. Write the number without them`);
  if (/^[-−–(]/.test(text)) return problem("negative", t`${number} is negative. An amount is above zero`);
  if (HEX_NUMBER.test(text))
    return problem("malformed", t`${number} is a hexadecimal number. Write it in decimal digits`);
  if (SCIENTIFIC.test(text))
    return problem("scientific", t`${number} is in scientific notation, which may have lost digits. Write all digits`);
  if (DATE.test(text)) return problem("date", t`${number} is a date. A spreadsheet may have changed a number into it`);
  if (THOUSANDS.test(text))
    return problem("thousands", t`${number} has separators of thousands. Write the digits without them`);
  if (CURRENCY.test(text))
    return problem("currency", t`${number} has a currency. Write the number alone; the column token has the token`);
  if (text.includes(","))
    return problem(
      "decimal-comma",
      t`${number} has a comma, which can mean decimals or thousands. Write a point before decimals, and no separator of thousands`,
    );
  return plainAmountIn(text, delimiter);
}

function plainAmountIn(text: string, delimiter: Delimiter): CellResult<string> {
  const number = shown(text);
  if (/^0\d/.test(text)) return problem("leading-zero", t`${number} begins with a zero that has no meaning. Remove it`);
  if (!PLAIN.test(text))
    return problem(
      "malformed",
      t`${number} is not a plain number. Write digits with a point before decimals, such as 1234.5`,
    );
  if (!/[1-9]/.test(text)) return problem("zero", t`${number} is zero. An amount is above zero`);
  if (delimiter === ";" && /^[1-9]\d{0,2}\.\d{3}$/.test(text)) {
    const whole = text.replace(".", "");
    return problem(
      "ambiguous-point",
      t`${number} in a file with semicolons can mean ${whole}. Write ${`${text}0`} or ${whole}`,
    );
  }
  const [whole = ""] = text.split(".");
  if (whole.length > SPREADSHEET_DIGITS && /^0+$/.test(whole.slice(SPREADSHEET_DIGITS)))
    return problem(
      "fifteen-digits",
      t`${number} has zeros after 15 digits, where a spreadsheet drops the real ones. Split the amount into rows of at most 15 digits, or use a call file`,
    );
  return { value: text };
}

/** Checks that a plain amount is an amount of coins. */
export function coinAmountIn(text: string): CellResult<bigint> {
  try {
    return { value: parseCoins(text) };
  } catch (error) {
    return amountProblem(error, text);
  }
}

/** Returns the problem of a parser of amounts; `text` is plain already. @throws other errors */
function amountProblem(error: unknown, text: string): { readonly problem: CellProblem } {
  if (!isChainError(error) || error.code !== "AMOUNT_MALFORMED") throw error;
  const [whole = ""] = text.split(".");
  return problem(
    whole.length > SPREADSHEET_DIGITS - 3 ? "too-large" : "decimals",
    t`${shown(text)}: ${error.details.reason}`,
  );
}

/** Number of characters of an address. */
const ADDRESS_LENGTH = 34;

/** Valid addresses of a file by their text. */
export type AddressTexts = ReadonlyMap<string, Address>;

/**
 * Parses an address of the chain in its base58 form, character by character.
 *
 * @param valid - Addresses of the same file, to recognize one with a different case.
 */
export function addressCellIn(text: string, valid: AddressTexts): CellResult<Address> {
  const known = valid.get(text) ?? addressIn(text);
  if (known !== undefined && text.length === ADDRESS_LENGTH && (valid.has(text) || toBase58(known) === text))
    return { value: known };
  if (text === "") return problem("empty", t`the address is missing`);
  const address = shown(text);
  if (/^0x[0-9a-f]{40}$/i.test(text))
    return problem(
      "hex-address",
      t`${address} is an address of Ethereum. Write the address of this chain, which begins with T`,
    );
  if (/^(?:0x)?(?:41)?[0-9a-f]{40}$/i.test(text))
    return problem("hex-address", t`${address} is an address in hex. Write its form that begins with T`);
  if (/…|\.\.|\*/.test(text))
    return problem("shortened-address", t`${address} is a shortened address. Write all ${ADDRESS_LENGTH} characters`);
  const lower = text.toLowerCase();
  const similar = [...valid.keys()].find((it) => it.toLowerCase() === lower);
  if (similar !== undefined)
    return problem(
      "address-case",
      t`${address} differs from ${similar} in upper and lower case only. Copy the address again`,
    );
  return noAddress(text);
}

function noAddress(text: string): { readonly problem: CellProblem } {
  const address = shown(text);
  if (/^(?:t[0-9a-z]{33}|T[0-9A-Z]{33})$/.test(text))
    return problem("address-case", t`${address} has lost its upper-case or lower-case letters. Copy the address again`);
  if (!/^T[1-9A-HJ-NP-Za-km-z]+$/.test(text))
    return problem(
      "address",
      t`${address} is not an address. An address begins with T and has ${ADDRESS_LENGTH} letters and digits, without 0, O, I and l`,
    );
  if (text.length !== ADDRESS_LENGTH)
    return problem("address-length", t`${address} has ${text.length} characters, and an address has ${ADDRESS_LENGTH}`);
  return problem("checksum", t`${address} has a wrong checksum: a character is wrong. Copy the address again`);
}

/** Token of a payment. */
export type RunToken =
  | { readonly kind: "coin" }
  | { readonly kind: "trc10"; readonly id: string }
  | { readonly kind: "trc20"; readonly contract: Address };

/**
 * Parses the token of a payment: empty or the symbol of the network's coin, the number of a TRC-10 token, or the
 * contract of a TRC-20 token. Symbols of tokens are not unique, so they are refused.
 *
 * @param coinSymbol - Symbol of the network's coin, if known.
 */
export function tokenCellIn(text: string, coinSymbol: string | undefined, valid: AddressTexts): CellResult<RunToken> {
  if (text === "" || text === coinSymbol) return { value: { kind: "coin" } };
  if (/^[1-9]\d{6,9}$/.test(text)) return { value: { kind: "trc10", id: text } };
  if (text.length < ADDRESS_LENGTH - 4 && !text.includes("…"))
    return problem(
      "token",
      t`${shown(text)} does not identify a token. Write the address of its contract, the number of a TRC-10 token, or nothing for coins`,
    );
  const contract = addressCellIn(text, valid);
  return "problem" in contract ? contract : { value: { kind: "trc20", contract: contract.value } };
}

/** Longest key, and longest memo in bytes. */
const LONGEST_KEY = 128;
const LONGEST_MEMO = 1_024;

/** Parses an idempotency key: visible ASCII, so that equal keys are equal in each program. */
export function keyIn(text: string): CellResult<string> {
  if (/^-/.test(text))
    return problem("formula", t`${shown(text)} begins like a formula. Begin the key with a letter or a digit`);
  if (!/^[\x20-\x7e]+$/.test(text) || text.length > LONGEST_KEY)
    return problem(
      "key",
      t`${shown(text)} is not a valid key. A key has at most ${LONGEST_KEY} letters, digits and signs of ASCII`,
    );
  if (SCIENTIFIC.test(text))
    return problem(
      "scientific",
      t`${shown(text)} is in scientific notation, so a spreadsheet changed the key. Format the column as text`,
    );
  if (/^\d{16,}$/.test(text) && /^0+$/.test(text.slice(SPREADSHEET_DIGITS)))
    return problem(
      "fifteen-digits",
      t`${shown(text)} has zeros after 15 digits, so a spreadsheet may have changed the key. Format the column as text`,
    );
  if (/^[0-9a-f]{64}:\d+$/.test(text))
    return problem(
      "key",
      t`${shown(text)} has the form of keys that Finality makes for rows without one. Write another key`,
    );
  return { value: text };
}

/** Parses a memo: UTF-8 of at most 1,024 bytes. */
export function memoIn(text: string): CellResult<string> {
  const { length } = Buffer.from(text, "utf8");
  if (length > LONGEST_MEMO)
    return problem("memo", t`the memo has ${length} bytes, more than the limit of ${LONGEST_MEMO}`);
  if (!text.isWellFormed() || text.includes("\uFFFD"))
    return problem("memo", t`the memo has characters that were lost in a conversion`);
  return { value: text };
}

/** Parses a label, which stays on this computer. */
export function labelIn(text: string): CellResult<string> {
  if (labelFault(text, []) === "unseen")
    return problem("label", t`${shown(text)} has an invisible character. Type the label again`);
  return { value: text };
}
