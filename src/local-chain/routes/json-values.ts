import { hexToBytes, isHexPairs } from "../../core/primitives/bytes.ts";
import { type JsonObject, printJson } from "../../core/primitives/json.ts";
import { hexException, numberFormatException } from "../http/java-error.ts";

/** A value as fastjson's `getString` gives it: what is no text is printed. */
export function textValue(json: JsonObject, key: string): string | undefined {
  const value = json[key];
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : printJson(value);
}

/**
 * An integer, or 0 when there is none (Util.getJsonLongValue).
 *
 * @throws {JavaError} not a number
 */
export function longValue(json: JsonObject, key: string): bigint {
  const text = textValue(json, key);
  if (text === undefined || text === "") return 0n;
  if (!/^[+-]?\d+$/.test(text)) throw numberFormatException(`For input string: "${text}"`);
  return BigInt(text);
}

/**
 * Hex as the node reads it where JSON is not checked by fields: with or without 0x, and an odd digit gets a 0 in front.
 *
 * @throws {JavaError} not hex
 */
export function looseHex(text: string): Uint8Array {
  const digits = text.startsWith("0x") ? text.slice(2) : text;
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  if (even !== "" && !isHexPairs(even)) throw hexException();
  return hexToBytes(even);
}
