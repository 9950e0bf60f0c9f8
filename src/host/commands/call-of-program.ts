import { isJsonObject } from "../../core/primitives/json.ts";

/**
 * Whether a program called, which wants an answer or a rejection, and not a person, who wants to read what went wrong.
 * Palette and view title pass nothing that counts; rows of trees have a `kind`.
 */
export function isCallOfProgram(value: unknown): boolean {
  return isJsonObject(value) && !("kind" in value);
}
