import * as vscode from "vscode";
import { printedIn } from "./debug-event.ts";

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
