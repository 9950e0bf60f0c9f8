import type { JsonObject } from "../../primitives/json.ts";
import { textOf } from "../decode/json-values.ts";
import { verdictOf } from "../result/retry-verdict.ts";
import { clip, type Finding, plainFinding } from "../words/finding.ts";
import { fieldsOfJson } from "../words/json-fields.ts";

/** An object with more names than this is data that has a message among others. */
const MAX_NAMES_OF_REPORT = 4;

/**
 * Explains JSON that reports something which no entry knows: a text where failures stand, or a result that is false. Undefined for
 * data that report nothing.
 */
export function explainReport(json: JsonObject): Finding | undefined {
  const isShort = Object.keys(json).length <= MAX_NAMES_OF_REPORT;
  const code = textIn(json, ["code"]);
  const said =
    textIn(json, FAILURES) ??
    (isShort ? textIn(json, MESSAGES) : undefined) ??
    (code !== undefined && NAME_OF_FAILURE.test(code) ? code : undefined);
  const isRefusal = [json.result, json.success, json.Success, json.ok].includes(false);
  if (said === undefined && !isRefusal) return undefined;
  const words = {
    title: "An answer that reports something which no entry knows",
    cause: said === undefined ? "It says no, and not why." : `It says: ${clip(said)}`,
    fix: "Read it, and look up at its source what it means.",
  };
  return plainFinding("UNKNOWN_ANSWER", words, {
    ...{ entry: "generic-report", retry: verdictOf("not-known"), decoded: fieldsOfJson(json) },
  });
}

const FAILURES = ["Error", "error", "error_message", "errorMessage", "errors"];
const MESSAGES = ["message", "msg", "reason", "detail"];
const NAME_OF_FAILURE = /ERR|NOT_|FAIL|EXCEPTION|^E[A-Z]{4,16}$/;

function textIn(json: JsonObject, names: readonly string[]): string | undefined {
  return names.map((name) => textOf(json[name])).find((text) => text !== undefined && text.trim() !== "");
}
