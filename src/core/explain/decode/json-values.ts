import { hexToBytes, isHexPairs } from "../../primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../primitives/json.ts";

/** The value if it is text. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value if it is an object, or an empty one. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value if it is a list, or an empty one. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** Hex with or without 0x as bytes; undefined when it is none. */
export function bytesOf(value: Json | undefined): Uint8Array | undefined {
  if (typeof value !== "string") return undefined;
  const digits = value.replace(/^0x/i, "");
  return digits === "" || isHexPairs(digits) ? hexToBytes(digits) : undefined;
}
