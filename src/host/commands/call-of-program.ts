import { isJsonObject } from "@finality/tron/primitives";
import { isOwnClick } from "../caller.ts";

/**
 * Returns whether a program called, which gets an answer or a rejection, and not a person, who is shown what went
 * wrong. Palette and view title pass no object, rows of trees have a `kind`, and buttons of ours mark their argument.
 */
export function isCallOfProgram(value: unknown): boolean {
  return isJsonObject(value) && !("kind" in value) && !isOwnClick(value);
}
