import * as vscode from "vscode";
import { WINDOW_BLOCKS } from "../../core/estimates/estimate-cache.ts";
import { BLOCK_INTERVAL_MS } from "../../core/primitives/block.ts";
import { rangeIn } from "../../host/text-ranges.ts";
import { callsIn, SELECTOR } from "./documents.ts";
import type { Hints } from "./hints.ts";

/** A pause in typing and scrolling after which is asked. */
const QUIET_MS = 1_500;

/** Figures are old then, at the pace of a chain. */
const WINDOW_MS = WINDOW_BLOCKS * BLOCK_INTERVAL_MS + QUIET_MS;

/**
 * Asks for the calls that are seen, without being told each time. Off unless a setting says so, and in Restricted Mode.
 */
export class AutoRefresh implements vscode.Disposable {
  readonly #hints: Hints;
  readonly #isOn: () => boolean;
  readonly #subscriptions: vscode.Disposable;
  /** Until it is quiet. */
  #quiet: NodeJS.Timeout | undefined;
  /** Until what is seen grows old. */
  #window: NodeJS.Timeout | undefined;
  #asking = new AbortController();

  constructor(hints: Hints, isOn: () => boolean) {
    this.#hints = hints;
    this.#isOn = isOn;
    const later = (): void => this.#later();
    const { window, workspace } = vscode;
    // Logs are documents too, and never quiet.
    const typed = ({ document }: vscode.TextDocumentChangeEvent): void => {
      if (mayHoldCalls(document)) this.#later();
    };
    // Another network, account or contract: this may come with every block, and waits for no quiet.
    const renewed = (): void => {
      if (this.#quiet === undefined) this.#later();
    };
    this.#subscriptions = vscode.Disposable.from(
      ...[window.onDidChangeVisibleTextEditors(later), window.onDidChangeTextEditorVisibleRanges(later)],
      ...[workspace.onDidChangeTextDocument(typed), workspace.onDidChangeConfiguration(later)],
      workspace.onDidGrantWorkspaceTrust(later),
      hints.onDidRenew(renewed),
    );
    later();
  }

  dispose(): void {
    this.#stop();
    this.#asking.abort();
    this.#subscriptions.dispose();
  }

  #later(): void {
    this.#stop();
    if (this.#isOn() && vscode.workspace.isTrusted) this.#quiet = setTimeout(() => this.#askSeen(), QUIET_MS);
    else this.#asking.abort();
  }

  #stop(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#window);
    this.#quiet = undefined;
  }

  #askSeen(): void {
    this.#stop();
    const before = this.#asking;
    this.#asking = new AbortController();
    // What is asked again waits for the same answer: only what nobody sees any more ends.
    setImmediate(() => before.abort());
    // Figures that grow old while nothing moves are asked for again.
    this.#window = setTimeout(() => this.#askSeen(), WINDOW_MS);
    const { signal } = this.#asking;
    for (const { document, visibleRanges } of vscode.window.visibleTextEditors) {
      if (!mayHoldCalls(document)) continue;
      const seen = callsIn(document).filter((wanted) => {
        const range = rangeIn(document, wanted.range);
        return visibleRanges.some((one) => one.intersection(range) !== undefined);
      });
      // What cannot be asked is said where it stands.
      for (const wanted of seen) this.#hints.estimate(wanted, { signal }).catch(() => undefined);
    }
  }
}

function mayHoldCalls(document: vscode.TextDocument): boolean {
  return vscode.languages.match(SELECTOR, document) > 0;
}
