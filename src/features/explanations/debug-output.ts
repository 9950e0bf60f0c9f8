import { isJsonObject } from "@finality/tron/primitives";
import * as vscode from "vscode";

/** Maximum length of the stored output, characters. */
const LONGEST = 131_072;

/** Output of debugged programs. The debug console has no links, so a tracker reads the messages of debug adapters. */
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
 * Returns the output in a message of a debug adapter, or an empty text for other messages.
 *
 * @param message - Untrusted message of a debug adapter.
 */
export function printedIn(message: unknown): string {
  if (!isJsonObject(message) || message.event !== "output" || !isJsonObject(message.body)) return "";
  const { output, category } = message.body;
  return typeof output === "string" && category !== "telemetry" ? output : "";
}
