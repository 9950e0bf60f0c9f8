import { isJsonObject, type Json, type JsonObject } from "../../../tron/src/primitives/json.ts";

/** Keywords of JSON Schema that the published schema uses. Any other one is a fault of this check. */
const KNOWN = [
  "$schema $ref $defs title type const enum properties required additionalProperties items anyOf pattern",
].flatMap((it) => it.split(" "));

/** Returns the faults of a value against a schema with `$defs`, by path. */
export function schemaFaults(value: Json | undefined, schema: JsonObject, root = schema, path = "$"): string[] {
  const unknown = Object.keys(schema).find((it) => !KNOWN.includes(it));
  if (unknown !== undefined) return [`${path}: the check has no keyword ${unknown}`];
  const { $ref: reference, anyOf, items, pattern } = schema;
  if (typeof reference === "string") {
    const definition = isJsonObject(root.$defs) ? root.$defs[reference.replace("#/$defs/", "")] : undefined;
    return isJsonObject(definition) ? schemaFaults(value, definition, root, path) : [`${path}: no ${reference}`];
  }
  if (Array.isArray(anyOf)) {
    const attempts = (anyOf as readonly JsonObject[]).map((it) => schemaFaults(value, it, root, path));
    const best = attempts.reduce((left, right) => (right.length < left.length ? right : left));
    return best.length === 0 ? [] : best;
  }
  return [
    ...("const" in schema && value !== schema.const ? [`${path}: is not ${schema.const}`] : []),
    ...(Array.isArray(schema.enum) && !schema.enum.includes(value) ? [`${path}: ${value} is not in the list`] : []),
    ...(typeof schema.type === "string" && !isOfType(value, schema.type) ? [`${path}: is not ${schema.type}`] : []),
    ...(typeof pattern === "string" && !new RegExp(pattern).test(String(value)) ? [`${path}: does not match`] : []),
    ...(Array.isArray(value) && isJsonObject(items)
      ? value.flatMap((it: Json, index) => schemaFaults(it, items, root, `${path}[${index}]`))
      : []),
    ...(isJsonObject(value) && isJsonObject(schema.properties) ? objectFaults(value, schema, root, path) : []),
  ];
}

function objectFaults(value: JsonObject, schema: JsonObject, root: JsonObject, path: string): string[] {
  const properties = schema.properties as JsonObject;
  const required = (schema.required ?? []) as readonly string[];
  return [
    ...required.filter((it) => value[it] === undefined).map((it) => `${path}.${it}: is missing`),
    ...Object.entries(value).flatMap(([name, it]) => {
      const property = properties[name];
      if (isJsonObject(property)) return schemaFaults(it, property, root, `${path}.${name}`);
      return schema.additionalProperties === false ? [`${path}.${name}: is not in the schema`] : [];
    }),
  ];
}

function isOfType(value: Json | undefined, type: string): boolean {
  switch (type) {
    case "object":
      return isJsonObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
