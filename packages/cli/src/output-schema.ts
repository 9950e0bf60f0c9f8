import type { Json, JsonObject } from "@finality/tron/primitives";
import { RETRIES } from "./cli-error.ts";

const text: JsonObject = { type: "string" };
const count: JsonObject = { type: "integer" };
const flag: JsonObject = { type: "boolean" };
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

/** Progress line with the fields of an object. */
function withEvent(event: string, { properties, required }: JsonObject): JsonObject {
  const names = Array.isArray(required) ? (required as readonly string[]) : [];
  return {
    type: "object",
    properties: { event: { const: event }, ...(properties as JsonObject) },
    required: ["event", ...names],
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

const networkResult = object({
  name: text,
  url: text,
  fallbackUrls: listOf(text),
  jwt: flag,
  realMoney: flag,
  testNetwork: flag,
});

const account = object({ address: text, hex: text, privateKey: text, balance: text });

const check = object(
  { check: text, title: text, status: oneOf("ok", "warning", "failed", "skipped"), message: text },
  { of: text, next: text, ms: count },
);

const stateNames = ["signed", "pending", "included", "solidified", "unknown", "provenAbsent", "rejected", "replaced"];
const outcome = object({ kind: oneOf("success", "failed") }, { result: text, message: text, reason: text });
const stateFields: JsonObject = { txId: ref("txId"), network: text, state: oneOf(...stateNames), final: flag };
const stateDetails: JsonObject = {
  block: object({ number: count, timestamp: count }),
  contract: text,
  outcome,
  why: text,
  replacedBy: ref("txId"),
  blocks: object({ from: count, to: count }),
};

const amount: JsonObject = { type: "string", pattern: "^[0-9]+$" };
const callReport = object(
  {
    name: text,
    verdict: oneOf("fits", "short", "depends", "fails", "unknown", "unbound", "missing"),
    headline: text,
    problems: listOf(text),
    file: text,
    line: count,
  },
  { label: text, energy: amount, energyBefore: amount, suggestedFeeLimit: amount },
);

const testReport = object(
  {
    name: text,
    file: text,
    line: count,
    status: oneOf("passed", "failed", "unusable", "unavailable"),
    differences: listOf(object({ line: count, column: count, message: text }, { expected: text, actual: text })),
  },
  { energy: amount },
);

const traceLine = object(
  {
    kind: oneOf("frame", "event", "write", "transfer"),
    depth: count,
    title: text,
    result: text,
    failed: flag,
  },
  { energy: count, source: text },
);
const failureLine = object({ text }, { file: text, line: count });
const rowStates = ["waiting", ...stateNames.filter((it) => it !== "solidified"), "succeeded", "failed"];
const rowCounts = object(Object.fromEntries(rowStates.map((it) => [it, count])));
const storedRun = object(
  {
    run: text,
    network: text,
    chain: text,
    owner: text,
    title: text,
    fileHash: text,
    createdAt: count,
    control: oneOf("running", "paused", "stopping"),
    rows: count,
    attempted: count,
  },
  { counts: rowCounts },
);

/** Result of signing or verifying a message or typed data. */
const signatureResult: JsonObject = {
  anyOf: [
    object({ address: text, digest: text, signature: text }),
    object({ valid: flag, contractAsked: flag }, { signer: text, by: oneOf("key", "contract"), isFirstForm: flag }),
  ],
};
const messageReview = withEvent("review", object({ title: text, detail: text }));

/** Results by command. */
const results: Readonly<Record<string, JsonObject>> = {
  explain: object({ whole: object(meaning), findings: listOf(ref("part")) }),
  decode: { anyOf: [decodedTransaction, decodedText] },
  estimate: object(
    {
      network: text,
      calls: listOf(callReport),
      changes: listOf(object({ name: text, before: amount, after: amount })),
      overBudget: listOf(text),
    },
    {
      functionChanges: listOf(object({ name: text, before: amount, after: amount })),
      snapshot: text,
      against: text,
      added: listOf(text),
      removed: listOf(text),
      functions: object({ added: listOf(text), removed: listOf(text) }),
      notes: listOf(text),
    },
  ),
  mcp: object({ ended: { const: true } }),
  worker: object({ ended: { const: true } }),
  test: object({ network: text, passed: count, failed: count, tests: listOf(testReport) }, { junit: text }),
  chain: { anyOf: [object({ url: text, ended: { const: true } }), object({ flags: text })] },
  networks: object({ networks: listOf(networkResult) }, { default: text }),
  doctor: object({ network: text, url: text, usable: flag, checks: listOf(check) }),
  send: object(stateFields, stateDetails),
  resend: object(stateFields, stateDetails),
  message: signatureResult,
  "typed-data": signatureResult,
  run: object(
    { run: text, end: oneOf("finished", "stopped", "interrupted", "stored"), rows: count },
    { seconds: { type: "number" }, counts: rowCounts, reason: text },
  ),
  runs: {
    anyOf: [
      object({ runs: listOf(storedRun) }),
      object({ run: text, format: oneOf("csv", "json"), rows: count }, { text, file: text }),
    ],
  },
  completion: object({ script: text }),
  track: object(stateFields, stateDetails),
  coverage: object({
    lcov: text,
    files: listOf(
      object({
        file: text,
        lines: count,
        coveredLines: count,
        branches: count,
        coveredBranches: count,
        missing: listOf(count),
      }),
    ),
    unknownCodes: count,
  }),
  trace: object(
    { network: text, result: text, energy: count, calls: count, failure: listOf(failureLine) },
    { txId: ref("txId") },
  ),
  wait: object({ ...stateFields, timedOut: flag }, stateDetails),
  events: object({ contract: text, network: text, events: count, from: count, to: count, complete: flag }),
  proof: object({ txId: ref("txId"), proof: { type: "object" } }, { file: text }),
  recheck: object(
    { kind: oneOf("confirmed", "alone", "refused"), reasons: listOf(text), blocks: count },
    {
      ...{ txId: ref("txId"), rows: count, open: listOf(text) },
      mismatches: listOf(object({ row: text, column: text, message: text })),
    },
  ),
  schema: { type: "object" },
};

/** Data of progress lines by command. */
const events: Readonly<Record<string, readonly JsonObject[]>> = {
  send: [
    withEvent("review", object({ txId: ref("txId"), title: text, detail: text })),
    withEvent("state", object(stateFields, stateDetails)),
  ],
  run: [
    withEvent(
      "review",
      object({
        ...{ run: text, title: text, detail: text, rows: count },
        paidAgain: listOf(object({ run: text, rows: listOf(count) })),
      }),
    ),
    withEvent("refusal", object({ rows: listOf(count), message: text }, { column: text })),
    withEvent(
      "row",
      object({ row: count, key: text, state: oneOf(...rowStates) }, { txId: ref("txId"), block: count }),
    ),
  ],
  message: [messageReview],
  "typed-data": [messageReview],
  resend: [withEvent("review", object({ txId: ref("txId"), title: text, detail: text }))],
  estimate: [withEvent("call", callReport)],
  test: [withEvent("test", testReport)],
  coverage: [withEvent("test", testReport)],
  chain: [withEvent("ready", object({ url: text, faucet: account, accounts: listOf(account), proof: text }))],
  doctor: [withEvent("check", check)],
  trace: [withEvent("line", traceLine)],
  wait: [withEvent("state", object(stateFields, stateDetails))],
  events: [
    withEvent(
      "event",
      object(
        {
          ...{
            id: text,
            arguments: listOf(ref("field")),
            contract: text,
            block: count,
            blockId: text,
            timestamp: count,
          },
          ...{ txId: ref("txId"), index: count, topics: listOf(text), data: text, removed: flag },
        },
        { name: text },
      ),
    ),
  ],
  worker: [
    withEvent(
      "log",
      object({ time: text, level: oneOf("info", "warning"), message: text, fields: { type: "object" } }),
    ),
  ],
  proof: [withEvent("state", object(stateFields, stateDetails))],
  recheck: [withEvent("scan", object({ blocks: count, total: count }))],
};

const definitions: JsonObject = {
  txId: { type: "string", pattern: "^[0-9a-f]{64}$" },
  verdict: object({ sameBytes: oneOf("yes", "no", "after") }, { when: text }),
  position: object({ offset: count, line: count, column: count }),
  part: object({ ...meaning, text, start: ref("position"), end: ref("position") }),
  field: object({ name: text, value: text, kind: text }, { type: text, children: listOf(ref("field")) }),
  error: object(
    { code: text, title: text, cause: text, next: text, retry: oneOf(...Object.keys(RETRIES)) },
    { txId: text },
  ),
};

const envelope = { schema: { const: "finality/1" }, command: text };

const successes: readonly Json[] = Object.entries(results).map(([command, result]) =>
  object({ ...envelope, command: { const: command }, ok: { const: true }, result }),
);

const progress: readonly Json[] = Object.entries(events).flatMap(([command, lines]) =>
  lines.map(({ properties, required, ...line }) => ({
    ...line,
    properties: { ...envelope, command: { const: command }, ...(properties as JsonObject) },
    required: [...Object.keys(envelope), ...(required as readonly Json[])],
  })),
);

/** JSON schema of every line that `--json` prints. Each version of the program has its own. */
export const outputSchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Output of finality --json, a line",
  anyOf: [
    ...successes,
    ...progress,
    object({ ...envelope, event: { const: "warning" }, message: text }),
    object({ ...envelope, ok: { const: false }, error: ref("error") }),
  ],
  $defs: definitions,
};
