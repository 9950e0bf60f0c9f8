import * as vscode from "vscode";

/** Who draws is told of what comes in at most this often; ms. */
const PACE_MS = 100;

/** Tells of a change at once, of those that follow together, and once more when the newest figures grow old. */
export class PacedChange implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #agesIn: () => number | undefined;
  #age: NodeJS.Timeout | undefined;
  #rest: NodeJS.Timeout | undefined;
  #isMissed = false;

  readonly onDidChange = this.#changed.event;

  /** @param agesIn - ms until what is known now is old; undefined when nothing is known */
  constructor(agesIn: () => number | undefined) {
    this.#agesIn = agesIn;
  }

  tell(): void {
    this.#isMissed = this.#rest !== undefined;
    if (this.#isMissed) return;
    this.#changed.fire();
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      if (this.#isMissed) this.tell();
    }, PACE_MS);
    clearTimeout(this.#age);
    const ms = this.#agesIn();
    if (ms !== undefined) this.#age = setTimeout(() => this.#changed.fire(), ms);
  }

  dispose(): void {
    clearTimeout(this.#age);
    clearTimeout(this.#rest);
    this.#changed.dispose();
  }
}
