/**
 * Replaces `vscode` for the whole extension. Commands, settings and dialogs belong to the mounted editor; everything
 * else does nothing.
 */

/** A message that was shown. */
export interface Shown {
  readonly title: string;
  readonly detail: string;
  readonly modal: boolean;
  readonly buttons: readonly string[];
}

/** Returns the button that the user clicks, or undefined for none. */
export type Person = (shown: Shown) => string | undefined;

/** Tool for language models, as the editor calls it. */
interface LanguageTool {
  prepareInvocation(): { readonly confirmationMessages?: { readonly message: string } };
  invoke(options: { readonly input: unknown }): Promise<{ readonly content: readonly { readonly value: string }[] }>;
}

/** One editor window. */
export class Editor {
  readonly commands = new Map<string, (argument?: unknown) => unknown>();
  readonly settings: Map<string, unknown>;
  readonly shown: Shown[] = [];
  /** Tools for language models, by name. */
  readonly tools = new Map<string, LanguageTool>();
  /** Called with the number of tools after one was registered. */
  onTool: (count: number) => void = () => undefined;
  readonly #person: Person;

  constructor(settings: Map<string, unknown>, person: Person) {
    this.settings = settings;
    this.#person = person;
  }

  /** Shows a message from the arguments of `window.show…Message`: text, optional options, buttons. */
  async say([title, ...rest]: readonly unknown[]): Promise<unknown> {
    const [first] = rest;
    const isOptions = typeof first === "object" && first !== null && !("title" in first);
    const options = (isOptions ? first : {}) as { readonly modal?: boolean; readonly detail?: string };
    const items = isOptions ? rest.slice(1) : rest;
    const buttons = items.map((it) => (typeof it === "string" ? it : String((it as { title: string }).title)));
    const { modal = false, detail = "" } = options;
    const shown: Shown = { title: String(title), detail, modal, buttons };
    this.shown.push(shown);
    const chosen = this.#person(shown);
    return chosen === undefined ? undefined : items[buttons.indexOf(chosen)];
  }

  /** Runs a command as a program does. @throws what it throws */
  async run(command: string, argument: unknown): Promise<unknown> {
    const known = this.commands.get(command);
    if (known === undefined) throw new Error(`${command} is not registered.`);
    return await known(argument);
  }
}

let mounted: Editor | undefined;

export function mountEditor(it: Editor): void {
  mounted = it;
}

export function editor(): Editor {
  if (mounted === undefined) throw new Error("No editor is mounted.");
  return mounted;
}

/** Returns the extension context of a window. */
export function contextOf(folder: string, state: Map<string, unknown>, secrets: Map<string, string>) {
  const memento = {
    get: (key: string, fallback?: unknown) => state.get(key) ?? fallback,
    keys: () => [...state.keys()],
    update: async (key: string, value: unknown) => void state.set(key, value),
    setKeysForSync: () => undefined,
  };
  return {
    globalState: memento,
    workspaceState: memento,
    subscriptions: [],
    secrets: {
      get: async (key: string) => secrets.get(key),
      store: async (key: string, value: string) => void secrets.set(key, value),
      delete: async (key: string) => void secrets.delete(key),
      keys: async () => [...secrets.keys()],
      onDidChange: () => ({ dispose: () => undefined }),
    },
    globalStorageUri: { fsPath: folder, path: folder, toString: () => `file://${folder}` },
    storageUri: undefined,
    extensionUri: { fsPath: "/extension", path: "/extension" },
    extensionMode: 1,
    extension: { id: "finality.finality", extensionKind: 2, packageJSON: { version: "0.0.0" } },
    asAbsolutePath: (path: string) => `/extension/${path}`,
  };
}

interface Closing {
  dispose(): void;
}

type Listener<T> = (value: T) => void;

export class Disposable implements Closing {
  readonly #close: () => void;

  constructor(close: () => void) {
    this.#close = close;
  }

  static from(...all: readonly Closing[]): Disposable {
    return new Disposable(() => {
      for (const it of all) it.dispose();
    });
  }

  dispose(): void {
    this.#close();
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<Listener<T>>();

  readonly event = (listener: Listener<T>): Disposable => {
    this.#listeners.add(listener);
    return new Disposable(() => this.#listeners.delete(listener));
  };

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

/** An element of a view that is not shown. */
class Drawn {
  readonly input: readonly unknown[];

  constructor(...input: readonly unknown[]) {
    this.input = input;
  }
}

export class TreeItem extends Drawn {}
export class ThemeIcon extends Drawn {}
export class ThemeColor extends Drawn {}
export class Range extends Drawn {}
export class Position extends Drawn {}
export class Diagnostic extends Drawn {}
export class RelativePattern extends Drawn {}
export class CancellationError extends Error {}
export class FileSystemError extends Error {}

export class MarkdownString extends Drawn {
  appendMarkdown = (): this => this;
  appendText = (): this => this;
  appendCodeblock = (): this => this;
}

export class Uri {
  readonly path: string;
  readonly scheme = "file";

  constructor(path: string) {
    this.path = path;
  }

  static file = (path: string): Uri => new Uri(path);
  static parse = (text: string): Uri => new Uri(text);
  static joinPath = (base: Uri, ...parts: readonly string[]): Uri => new Uri([base.path, ...parts].join("/"));

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `file://${this.path}`;
  }
}

export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const QuickInputButtons = { Back: {} };
export const ExtensionMode = { Production: 1, Development: 2, Test: 3 };
export const ExtensionKind = { UI: 1, Workspace: 2 };
export const UIKind = { Desktop: 1, Web: 2 };

const nothing = new Disposable(() => undefined);
const silent = (): Disposable => nothing;
const resolved = async (): Promise<undefined> => undefined;

/** Returns an editor object whose unknown methods do nothing. */
function mute<T extends object>(known: T): T {
  return new Proxy(known, {
    get: (target, name) => (name in target ? Reflect.get(target, name) : name === "then" ? undefined : silent),
  });
}

const view = () => mute({ visible: false, message: "", badge: undefined, reveal: resolved, dispose: () => undefined });

export const window = mute({
  showInformationMessage: (...input: readonly unknown[]) => editor().say(input),
  showWarningMessage: (...input: readonly unknown[]) => editor().say(input),
  showErrorMessage: (...input: readonly unknown[]) => editor().say(input),
  showQuickPick: resolved,
  showInputBox: resolved,
  withProgress: (_place: unknown, work: (progress: unknown, token: unknown) => unknown) =>
    work({ report: () => undefined }, { isCancellationRequested: false, onCancellationRequested: silent }),
  createOutputChannel: () => mute({ trace: () => undefined, logLevel: 2 }),
  createTreeView: view,
  createStatusBarItem: () => mute({ text: "" }),
  activeTextEditor: undefined,
  visibleTextEditors: [],
  terminals: [],
  state: { focused: true },
  tabGroups: mute({ all: [] }),
});

export const workspace = mute({
  createFileSystemWatcher: () => mute({}),
  isTrusted: true,
  textDocuments: [],
  workspaceFolders: undefined,
  findFiles: async (): Promise<readonly unknown[]> => [],
  getConfiguration: (section = "") => configuration(section === "" ? "" : `${section}.`),
  onDidChangeConfiguration: silent,
});

function configuration(prefix: string) {
  return {
    get: (name: string, fallback?: unknown) => editor().settings.get(prefix + name) ?? fallback,
    inspect: (name: string) => ({ globalValue: editor().settings.get(prefix + name) }),
    update: async (name: string, value: unknown): Promise<void> => {
      editor().settings.set(prefix + name, value);
    },
  };
}

export const commands = {
  registerCommand: (id: string, run: Editor["commands"] extends Map<string, infer R> ? R : never): Disposable => {
    editor().commands.set(id, run);
    return nothing;
  },
  executeCommand: resolved,
};

export const lm = mute({
  registerTool: (name: string, tool: LanguageTool): Disposable => {
    editor().tools.set(name, tool);
    editor().onTool(editor().tools.size);
    return new Disposable(() => editor().tools.delete(name));
  },
});

export class LanguageModelToolResult {
  readonly content: readonly unknown[];

  constructor(content: readonly unknown[]) {
    this.content = content;
  }
}

export class LanguageModelTextPart {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

/** There are no debug sessions, no notebooks and no tasks. */
export const l10n = { bundle: undefined };
export const debug = mute({});
export const DebugConfigurationProviderTriggerKind = { Initial: 1, Dynamic: 2 };
export const tasks = mute({});
export const notebooks = mute({});
export const languages = mute({ createDiagnosticCollection: () => mute({}), match: () => 0 });
export const env = mute({
  remoteName: undefined,
  uiKind: 1,
  clipboard: { writeText: resolved, readText: async () => "" },
});
export const extensions = mute({ getExtension: () => undefined });
