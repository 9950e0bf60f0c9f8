import { parseBody, parseValue } from "./fastjson.ts";
import { JavaError } from "./java-error.ts";
import { Decimal, isMembers, type Members, type Value } from "./java-values.ts";

/** An object, also one in a text (JSONObject.getJSONObject). @throws {JavaError} another value */
export function objectOf(value: Value | undefined): Members | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return parseBody(value);
  if (isMembers(value)) return value;
  throw classCast(value, "com.alibaba.fastjson.JSONObject");
}

/** A list, also one in a text (JSONObject.getJSONArray). @throws {JavaError} another value */
export function listOf(value: Value | undefined): readonly Value[] | undefined {
  if (value === undefined || value === null) return undefined;
  const list = typeof value === "string" ? parseValue(value) : value;
  if (Array.isArray(list)) return list as readonly Value[];
  throw classCast(list, "com.alibaba.fastjson.JSONArray");
}

function classCast(value: Value, target: string): JavaError {
  const type = javaClassOf(value);
  const places = type.startsWith("java.")
    ? `(${type} is in module java.base of loader 'bootstrap'; ${target} is in unnamed module of loader 'app')`
    : `(${type} and ${target} are in unnamed module of loader 'app')`;
  return new JavaError("java.lang.ClassCastException", `class ${type} cannot be cast to class ${target} ${places}`);
}

function javaClassOf(value: Value): string {
  switch (typeof value) {
    case "boolean":
      return "java.lang.Boolean";
    case "string":
      return "java.lang.String";
    case "object":
      if (value instanceof Decimal) return "java.math.BigDecimal";
      return `com.alibaba.fastjson.${Array.isArray(value) ? "JSONArray" : "JSONObject"}`;
    default:
      return value === (Number(value) | 0) ? "java.lang.Integer" : "java.lang.Long";
  }
}
