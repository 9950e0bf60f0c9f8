import { isJsonObject } from "@finality/tron/primitives";

/**
 * What a debugged program printed, as a message of its debug adapter tells it; empty for every other message.
 *
 * @param message - as it came: a debug adapter is somebody else's program
 */
export function printedIn(message: unknown): string {
  if (!isJsonObject(message) || message.event !== "output" || !isJsonObject(message.body)) return "";
  const { output, category } = message.body;
  return typeof output === "string" && category !== "telemetry" ? output : "";
}
