import { EventEmitter, Uri as FakeUri, window as fakeWindow } from "../fakes/fake-editor.ts";

/** Replaces `vscode` for argument forms: it adds webview panels to the fake editor. */
export * from "../fakes/fake-editor.ts";

/** A panel of the editor. A test takes the part of its page. */
export class FormPanel {
  title = "";
  iconPath: unknown;
  readonly #closed = new EventEmitter<void>();
  readonly #received = new EventEmitter<unknown>();
  /** Messages to the page. */
  readonly posted: unknown[] = [];
  /** Called with each message to the page. */
  onPosted: (message: unknown) => void = () => undefined;
  readonly onDidDispose = this.#closed.event;
  readonly webview = {
    options: {},
    html: "",
    cspSource: "",
    asWebviewUri: (uri: unknown): unknown => uri,
    onDidReceiveMessage: this.#received.event,
    postMessage: async (message: unknown): Promise<boolean> => {
      this.posted.push(message);
      this.onPosted(message);
      return true;
    },
  };

  reveal(): void {
    // The only panel of the test is in front.
  }

  /** Passes a message of the page to the panel. */
  receive(message: unknown): void {
    this.#received.fire(message);
  }

  dispose(): void {
    this.#closed.fire();
  }
}

/** The panels that were opened. */
export const panels: FormPanel[] = [];

export const window = {
  ...fakeWindow,
  createWebviewPanel: (): FormPanel => {
    const panel = new FormPanel();
    panels.push(panel);
    return panel;
  },
};

export const ViewColumn = { Active: -1 };
export class ThemeIcon {}
export class CancellationError extends Error {}
export const Uri = { ...FakeUri, joinPath: (_: unknown, ...names: readonly string[]): string => names.join("/") };
