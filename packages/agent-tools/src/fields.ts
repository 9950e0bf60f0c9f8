import {
  type Address,
  type JsonObject,
  parseAddress,
  parseCoins,
  type Sun,
  type TxId,
  wholeNumberIn,
} from "@finality/tron/primitives";
import { listOf, matching, type Read, ReadError, record, text, txId, wholeNumber } from "@finality/tron/read";

/** Argument of a tool: its JSON schema for the model, and its parser. */
export interface Field<T> {
  readonly schema: JsonObject;
  readonly read: Read<T>;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
type ValueOf<F> = F extends Field<infer T> ? T : never;

/** Parsed arguments: all required fields, and the optional ones that are present. */
export type ValuesOf<R extends Fields, O extends Fields> = { readonly [K in keyof R]: ValueOf<R[K]> } & {
  readonly [K in keyof O]?: ValueOf<O[K]>;
};

/** Text of at most `longest` characters. */
export function textField(description: string, longest: number): Field<string> {
  return {
    schema: { type: "string", description, maxLength: longest },
    read: (value) => {
      const read = text(value);
      if (read.length > longest) throw new ReadError(`a text of at most ${longest} characters`);
      return read;
    },
  };
}

/** Whole number in a range. */
export function countField(description: string, least: number, most: number): Field<number> {
  return {
    schema: { type: "integer", description, minimum: least, maximum: most },
    read: (value) => {
      const read = wholeNumber(value);
      if (read < least || read > most) throw new ReadError(`a whole number from ${least} to ${most}`);
      return read;
    },
  };
}

export function choiceField<const T extends string>(description: string, ...choices: readonly T[]): Field<T> {
  return {
    schema: { type: "string", description, enum: choices },
    read: (value) => {
      const choice = choices.find((it) => it === value);
      if (choice === undefined) throw new ReadError(choices.join(" or "));
      return choice;
    },
  };
}

/** List of at most `most` items. */
export function listField<T>(description: string, item: Field<T>, most: number): Field<readonly T[]> {
  const read = listOf(item.read);
  return {
    schema: { type: "array", description, items: item.schema, maxItems: most },
    read: (value) => {
      if (Array.isArray(value) && value.length > most) throw new ReadError(`a list of at most ${most} items`);
      return read(value);
    },
  };
}

/** JSON object whose fields another program checks. */
export function objectField(description: string): Field<JsonObject> {
  return { schema: { type: "object", description }, read: (value) => record(value) as JsonObject };
}

export const txIdField: Field<TxId> = {
  schema: { type: "string", description: "txID: 64 hexadecimal digits", pattern: "^[0-9a-f]{64}$" },
  read: txId,
};

/** Address in base58 (T…) or hex (41…). */
export function addressField(description: string): Field<Address> {
  const read = textField("", 60).read;
  return {
    schema: { type: "string", description: `${description}: an address such as T… or 41…`, maxLength: 60 },
    read: (value) => parsed(() => parseAddress(read(value)), "an address"),
  };
}

/** Amount of coins as decimal text; sun when parsed. */
export function coinsField(description: string): Field<Sun> {
  const read = textField("", 30).read;
  return {
    schema: { type: "string", description: `${description}, in coins as decimal text such as 1.5`, maxLength: 30 },
    read: (value) => parsed(() => parseCoins(read(value)), "an amount of coins such as 1.5"),
  };
}

/** Whole number as decimal text, such as smallest units of a token. */
export function integerField(description: string): Field<bigint> {
  const read = textField("", 78).read;
  return {
    schema: {
      type: "string",
      description: `${description}, a whole number as text`,
      pattern: "^[0-9]+$",
      maxLength: 78,
    },
    read: (value) => wholeNumberIn(read(value)) ?? misfit("a whole number as text"),
  };
}

/** Bytes as hexadecimal digits, without 0x. */
export function hexField(description: string, longest: number) {
  const read = textField("", longest).read;
  return {
    schema: { type: "string", description, pattern: "^(0x)?([0-9a-fA-F]{2})*$", maxLength: longest },
    read: (value: unknown) =>
      matching(/^(?:[0-9a-f]{2})*$/, "hexadecimal digits")(read(value).toLowerCase().replace(/^0x/, "")),
  };
}

function misfit(expected: string): never {
  throw new ReadError(expected);
}

function parsed<T>(parse: () => T, expected: string): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ReadError) throw error;
    throw new ReadError(expected);
  }
}

/** Returns the JSON schema of the arguments. */
export function inputSchema(required: Fields, optional: Fields): JsonObject {
  const properties = Object.entries({ ...required, ...optional }).map(([name, { schema }]) => [name, schema] as const);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: Object.keys(required),
    additionalProperties: false,
  };
}

/** Parses the arguments of a call. Unknown arguments are refused. @throws {ReadError} */
export function readArguments<R extends Fields, O extends Fields>(
  required: R,
  optional: O,
  value: unknown,
): ValuesOf<R, O> {
  const given = record(value);
  const fields: Fields = { ...required, ...optional };
  const unknown = Object.keys(given).find((it) => !Object.hasOwn(fields, it));
  if (unknown !== undefined) throw new ReadError(`an argument of this tool`, `.${unknown.slice(0, 40)}`);
  const values = Object.entries(fields).flatMap(([name, field]) => {
    if (given[name] === undefined && !Object.hasOwn(required, name)) return [];
    return [[name, readField(name, field, given[name])] as const];
  });
  return Object.fromEntries(values) as ValuesOf<R, O>;
}

function readField(name: string, { read }: Field<unknown>, value: unknown): unknown {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof ReadError) throw new ReadError(error.expected, `.${name}${error.path}`);
    throw error;
  }
}
