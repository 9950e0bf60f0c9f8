import { isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";

/** Fields of 32 bits in all messages. */
const SHORT = new Set(["trx_num", "precision", "vote_score", "version", "Permission_id", "parent_id", "brokerage"]);

/** Prints integers of 64 bits as text, as 4.8.2 does for a GET with `int64_as_string=true`. */
export function longsAsText(json: Json): Json {
  if (Array.isArray(json)) return json.map((it: Json) => longsAsText(it));
  if (!isJsonObject(json)) return isNumber(json) ? String(json) : json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value = null]) => [
      name,
      isNumber(value) && isShort(name, json) ? value : longsAsText(value),
    ]),
  );
}

function isNumber(json: Json): json is number | bigint {
  return typeof json === "number" || typeof json === "bigint";
}

/** A token has a `num` of 32 bits, and a permission an `id`. */
function isShort(name: string, object: JsonObject): boolean {
  if (name === "num") return "trx_num" in object;
  return name === "id" ? "permission_name" in object || "keys" in object : SHORT.has(name);
}
