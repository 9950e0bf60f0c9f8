import type { TrackedTransaction } from "@finality/client/tracking";
import * as vscode from "vscode";
import { describeStatusBar, type ShownNetwork, type StatusBarLook } from "./status-bar.view.ts";

/** What the status bar item tells about. */
export interface StatusBarFacts {
  readonly network: ShownNetwork | "none" | "not chosen";
  readonly transactions: readonly TrackedTransaction[];
  readonly sessionStart: number;
}

/** The one item of Finality in the status bar. */
export class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  constructor(command: string) {
    this.#item = vscode.window.createStatusBarItem("finality.status", vscode.StatusBarAlignment.Left, 10);
    this.#item.name = "Finality";
    this.#item.command = command;
    this.#item.show();
  }

  draw({ network, transactions, sessionStart }: StatusBarFacts): StatusBarLook {
    const look = describeStatusBar(network, transactions, sessionStart);
    const { text, tooltip, spoken, background } = look;
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label: spoken, role: "button" };
    this.#item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    return look;
  }

  dispose(): void {
    this.#item.dispose();
  }
}
