import type { Json, JsonObject } from "@finality/tron/primitives";
import { RETRIES } from "./cli-error.ts";

const text: JsonObject = { type: "string" };
const count: JsonObject = { type: "integer" };
const oneOf = (...values: readonly string[]): JsonObject => ({ enum: values });
const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });
const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });

/** Object whose properties are required, and optional ones. */
function object(properties: JsonObject, optional: JsonObject = {}): JsonObject {
  return {
    type: "object",
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const meaning = {
  category: oneOf("http", "validation", "execution", "abi", "none"),
  code: text,
  title: text,
  cause: text,
  fix: text,
  verdict: ref("verdict"),
  sources: listOf(text),
};

const decodedTransaction = object({
  kind: { const: "transaction" },
  txId: ref("txId"),
  intent: { type: "object" },
  expiration: count,
  signatures: count,
  signers: listOf(text),
  fields: listOf(object({ path: text, value: text })),
  call: listOf(ref("field")),
});

const decodedText = object({
  kind: { const: "text" },
  code: text,
  category: meaning.category,
  title: text,
  decoded: listOf(ref("field")),
  candidates: listOf(object({ code: text, title: text, reason: text })),
});

/** Results by command. */
const results: Readonly<Record<string, JsonObject>> = {
  explain: object({ whole: object(meaning), findings: listOf(ref("part")) }),
  decode: { anyOf: [decodedTransaction, decodedText] },
  schema: { type: "object" },
};

/** Data of progress lines by command. */
const events: Readonly<Record<string, JsonObject>> = {};

const definitions: JsonObject = {
  txId: { type: "string", pattern: "^[0-9a-f]{64}$" },
  verdict: object({ sameBytes: oneOf("yes", "no", "after") }, { when: text }),
  position: object({ offset: count, line: count, column: count }),
  part: object({ ...meaning, text, start: ref("position"), end: ref("position") }),
  field: object({ name: text, value: text, kind: text }, { type: text, children: listOf(ref("field")) }),
  error: object({ code: text, title: text, cause: text, next: text, retry: oneOf(...Object.keys(RETRIES)) }),
};

const envelope = { schema: { const: "finality/1" }, command: text };

const successes: readonly Json[] = Object.entries(results).map(([command, result]) =>
  object({ ...envelope, command: { const: command }, ok: { const: true }, result }),
);

const progress: readonly Json[] = Object.entries(events).map(([command, data]) => ({
  ...data,
  properties: { ...envelope, command: { const: command }, ...(data.properties as JsonObject) },
  required: [...Object.keys(envelope), ...(data.required as readonly Json[])],
}));

/** JSON schema of every line that `--json` prints. Each version of the program has its own. */
export const outputSchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Output of finality --json, a line",
  anyOf: [...successes, ...progress, object({ ...envelope, ok: { const: false }, error: ref("error") })],
  $defs: definitions,
};
