import { ChainError } from "../../core/errors/chain-error.ts";
import { isJsonObject, type Json } from "../../core/primitives/json.ts";
import type { ArgumentShape, ArgumentsOf, FieldKind } from "./command-shapes.ts";

/**
 * Reads the argument of a command: an object of a keybinding, a task or another extension, or a row of a tree. Fields that the
 * command does not know are left out, for rows carry more.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function parseArguments<S extends ArgumentShape>(value: unknown, shape: S): ArgumentsOf<S> {
  if (!isJsonObject(value)) return {};
  const fields = Object.entries(shape).flatMap(([field, kind]) => {
    const given = value[field];
    return given === undefined || given === null ? [] : [[field, parseField(field, kind, given)]];
  });
  return Object.fromEntries(fields) as ArgumentsOf<S>;
}

function parseField(argument: string, kind: FieldKind, value: unknown): Json {
  switch (kind) {
    case "text":
      if (typeof value === "number" || typeof value === "bigint") return String(value);
      if (typeof value === "string") return value;
      throw malformed(argument, "it has to be text");
    case "secret":
      if (typeof value === "string") return value;
      throw malformed(argument, "it has to be text");
    case "flag":
      if (typeof value === "boolean") return value;
      throw malformed(argument, "it has to be true or false");
    case "texts":
      if (typeof value === "string") return [value];
      if (Array.isArray(value) && value.every((it) => typeof it === "string")) return value;
      throw malformed(argument, "it has to be a list of texts");
    case "json":
      return value as Json;
  }
}

function malformed(argument: string, reason: string): ChainError {
  return new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument, reason });
}
