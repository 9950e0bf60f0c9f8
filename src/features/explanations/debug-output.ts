import { isJsonObject } from "@finality/tron/primitives";
import * as vscode from "vscode";

/** What debugged programs printed last is kept, in characters. */
const LONGEST = 131_072;

/** What the programs printed that are debugged: the debug console has no links, and a tracker sees what goes into it. */
export class DebugOutput implements vscode.Disposable {
  readonly #subscription = vscode.debug.registerDebugAdapterTrackerFactory("*", {
    createDebugAdapterTracker: () => ({
      onDidSendMessage: (message: unknown) => {
        this.#printed = (this.#printed + printedIn(message)).slice(-LONGEST);
      },
    }),
  });
  #printed = "";

  get printed(): string {
    return this.#printed;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

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
