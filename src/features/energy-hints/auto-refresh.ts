import * as vscode from "vscode";
import { WINDOW_BLOCKS } from "../../core/estimates/estimate-book.ts";
import { callsIn, SELECTOR } from "./documents.ts";
import type { Hints } from "./hints.ts";
import { rangeIn } from "./lenses.ts";

/** A pause in typing and scrolling after which is asked. */
const QUIET_MS = 1_500;

/** Figures are old then, at the pace of a chain. */
const WINDOW_MS = WINDOW_BLOCKS * 3_000 + QUIET_MS;

/** Asks for the calls that are seen, without being told each time. Off unless a setting says so. */
export class AutoRefresh implements vscode.Disposable {
  readonly #hints: Hints;
  readonly #isOn: () => boolean;
  readonly #subscriptions: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #asking = new AbortController();

  constructor(hints: Hints, isOn: () => boolean) {
    this.#hints = hints;
    this.#isOn = isOn;
    const later = (): void => this.#later();
    const { window, workspace } = vscode;
    this.#subscriptions = vscode.Disposable.from(
      ...[window.onDidChangeVisibleTextEditors(later), window.onDidChangeTextEditorVisibleRanges(later)],
      ...[workspace.onDidChangeTextDocument(later), workspace.onDidChangeConfiguration(later)],
    );
    later();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#subscriptions.dispose();
  }

  #later(): void {
    clearTimeout(this.#timer);
    if (this.#isOn()) this.#timer = setTimeout(() => this.#askSeen(), QUIET_MS);
  }

  #askSeen(): void {
    const before = this.#asking;
    this.#asking = new AbortController();
    // What is asked again waits for the same answer: only what nobody sees any more ends.
    setImmediate(() => before.abort());
    // Figures that grow old while nothing moves are asked for again.
    this.#timer = setTimeout(() => this.#askSeen(), WINDOW_MS);
    const { signal } = this.#asking;
    for (const { document, visibleRanges } of vscode.window.visibleTextEditors) {
      if (vscode.languages.match(SELECTOR, document) === 0) continue;
      const seen = callsIn(document).filter((wanted) => {
        const range = rangeIn(document, wanted.range);
        return visibleRanges.some((one) => one.intersection(range) !== undefined);
      });
      // What cannot be asked is said where it stands.
      for (const wanted of seen) this.#hints.estimate(wanted, { signal }).catch(() => undefined);
    }
  }
}
