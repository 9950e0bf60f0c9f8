import { isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import { visibleFormat } from "@finality/tron/transaction";
import { parseBody } from "./fastjson.ts";

/**
 * Texts of bytes as a reader of the node's JSON finds them: the node prints them between quotes as they are, with
 * nothing but their quotes escaped, and hex where that would be no JSON (JsonFormat.escapeBytesSelfType).
 */
export function namesAsPrinted(json: JsonObject): JsonObject {
  const entries = Object.entries(json).map(([name, value]) => [name, value && valueAsPrinted(name, value)] as const);
  return Object.fromEntries(entries);
}

function valueAsPrinted(name: string, value: Json): Json {
  if (typeof value === "string")
    return visibleFormat(name) === "text" && /["\\]/.test(value) ? nameAsPrinted(value) : value;
  if (Array.isArray(value)) return value.map((it: Json) => (isJsonObject(it) ? namesAsPrinted(it) : it));
  return isJsonObject(value) ? namesAsPrinted(value) : value;
}

function nameAsPrinted(name: string): string {
  try {
    return String(parseBody(`{"key":"${name.replaceAll('"', '\\"')}"}`)?.key);
  } catch {
    return Buffer.from(name, "utf8").toString("hex");
  }
}
