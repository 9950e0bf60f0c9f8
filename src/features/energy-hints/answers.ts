import * as vscode from "vscode";
import { isJsonObject } from "../../core/primitives/json.ts";

const STATE = "finality.energy.answers";

/** What a person said about the calls of this workspace, kept with the workspace. There is never a secret in it. */
export class Answers implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get(key: string): string | undefined {
    const answer = this.#all()[key];
    return typeof answer === "string" ? answer : undefined;
  }

  async set(key: string, answer: string): Promise<void> {
    await this.#state.update(STATE, { ...this.#all(), [key]: answer });
    this.#changed.fire();
  }

  async forgetAll(): Promise<void> {
    await this.#state.update(STATE, undefined);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #all(): { readonly [key: string]: unknown } {
    const kept = this.#state.get<unknown>(STATE);
    return isJsonObject(kept) ? kept : {};
  }
}
