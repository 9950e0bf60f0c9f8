import * as programs from "./program-editor.ts";
import * as simulated from "./simulated-editor.ts";

/** Replaces `vscode` as the program editor does. Tests act on the pages of runs. */
export * from "./program-editor.ts";

/** A message of a panel to its page, as far as tests read it. */
export interface PageMessage {
  readonly kind: string;
  readonly page?: {
    readonly title: string;
    readonly run: string | null;
    readonly causes: readonly { readonly text: string }[];
    readonly actions: readonly { readonly action: string }[];
  };
  readonly rows?: readonly { readonly row: number; readonly state: string; readonly detail: string }[];
}

/** A webview panel whose page is the test. */
export class TestPanel {
  readonly messages: PageMessage[] = [];
  readonly #closed = new simulated.EventEmitter<void>();
  readonly #received = new simulated.EventEmitter<unknown>();
  readonly onDidDispose = this.#closed.event;
  readonly visible = true;
  readonly active = true;
  title = "";
  iconPath: unknown;
  readonly webview = {
    html: "",
    cspSource: "",
    options: {},
    asWebviewUri: (uri: simulated.Uri): simulated.Uri => uri,
    onDidReceiveMessage: this.#received.event,
    postMessage: async (message: PageMessage): Promise<boolean> => this.messages.push(message) > 0,
  };

  reveal(): void {
    // It is visible.
  }

  dispose(): void {
    this.#closed.fire();
  }

  /** Sends a message of the page to the panel. */
  send(message: object): void {
    this.#received.fire(message);
  }

  act(action: string): void {
    this.send({ kind: "act", action });
  }

  /** Returns the newest state of the page besides its rows. */
  get page(): NonNullable<PageMessage["page"]> | undefined {
    return this.messages.findLast((it) => it.page !== undefined)?.page;
  }

  /** Returns the newest rows, by their numbers. */
  get rows(): ReadonlyMap<number, { readonly state: string; readonly detail: string }> {
    return new Map(this.messages.flatMap(({ rows = [] }) => rows.map((it) => [it.row, it] as const)));
  }
}

interface Serializer {
  deserializeWebviewPanel(panel: TestPanel, state: unknown): Promise<void>;
}

/** All panels that were created, in order. */
export const panels: TestPanel[] = [];
/** The newest serializer of each view, which restores panels after a restart. */
export const serializers = new Map<string, Serializer>();
/** Paths that the user chooses in save dialogs, first to last. */
export const savedAs: string[] = [];

const replaced: { readonly [name: string]: unknown } = {
  createWebviewPanel: (): TestPanel => {
    const panel = new TestPanel();
    panels.push(panel);
    return panel;
  },
  registerWebviewPanelSerializer: (view: string, serializer: Serializer): simulated.Disposable => {
    serializers.set(view, serializer);
    return new simulated.Disposable(() => undefined);
  },
  showSaveDialog: async (): Promise<simulated.Uri | undefined> => {
    const path = savedAs.shift();
    return path === undefined ? undefined : simulated.Uri.file(path);
  },
};

export const window = new Proxy(programs.window, {
  get: (target, key): unknown =>
    typeof key === "string" && key in replaced ? replaced[key] : Reflect.get(target, key),
});

export const workspace = new Proxy(programs.workspace, {
  get: (target, key): unknown => (key === "openTextDocument" ? noDocument : Reflect.get(target, key)),
});

async function noDocument(): Promise<never> {
  throw new Error("There are no documents.");
}
