import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as vscode from "vscode";
import { importVariant } from "../random/mutants.ts";
import { EventEmitter } from "../simulated-host/simulated-editor.ts";

/** Text of a dialog, in one line. */
export interface AskedDialog {
  readonly title: string;
  readonly buttons: readonly string[];
}

// The doors need it of `vscode`, too. A test decides about trust and about the answers of the person.
export { EventEmitter, ThemeIcon, TreeItem, TreeItemCollapsibleState } from "../simulated-host/simulated-editor.ts";

interface SettingsChange {
  readonly affectsConfiguration: (id: string) => boolean;
}

const settingListeners = new Set<(change: SettingsChange) => void>();

/** The editor of the tests of one process. */
export const editor = {
  asked: [] as AskedDialog[],
  /** The person answers a dialog with the button of this title; nothing is Escape. */
  answer: undefined as string | undefined,
  trusted: true,
  /** Text that the user types into each box; undefined is Escape. */
  typed: undefined as string | undefined,
  /** Prompts of input boxes. */
  prompts: [] as string[],
  /** By their whole ids. */
  settings: {} as Record<string, unknown>,
  /** Changes a setting and notifies listeners. */
  changeSetting(id: string, value: unknown): void {
    editor.settings[id] = value;
    for (const listener of settingListeners) listener({ affectsConfiguration: (it) => it === id });
  },
  /** Context keys for `when` clauses. */
  contexts: {} as Record<string, unknown>,
  /** Actions of the user in each input box that opens: a text to type, `Enter` or `Back`. None is Escape. */
  boxes: [] as (readonly string[])[],
  /** The initial value of each box that was opened. */
  initialValues: [] as string[],
  /** The count of each box that was opened, such as `1/2`. */
  counts: [] as string[],
  /** Validation messages of the boxes, in their order. */
  validations: [] as string[],
  /** Number of lists that were shown; Escape answers each. */
  lists: 0,
  /** The person presses Enter as soon as a list opens; else Escape. */
  entersLists: false,
  /** The browser of the person; without it no page is opened. */
  browser: undefined as ((url: string) => unknown) | undefined,
  /** Progress messages. */
  reported: [] as string[],
  /** Locations of progress indicators. */
  places: [] as unknown[],
  /** Number of visible progress indicators. */
  running: 0,
  /** The person presses Cancel of what goes on. */
  cancel: (): unknown => undefined,
  reset(): void {
    this.browser = undefined;
    this.reported = [];
    this.places = [];
    this.running = 0;
    this.cancel = () => undefined;
    this.asked = [];
    this.settings = {};
    this.contexts = {};
    this.lists = 0;
    this.entersLists = false;
    this.typed = undefined;
    this.prompts = [];
    this.boxes = [];
    this.initialValues = [];
    this.counts = [];
    this.validations = [];
    this.answer = undefined;
    this.trusted = true;
  },
};

interface Item {
  readonly title: string;
}

async function show(title: string, _options: unknown, ...items: readonly Item[]): Promise<Item | undefined> {
  editor.asked.push({ title, buttons: items.map((it) => it.title) });
  return items.find((it) => it.title === editor.answer);
}

/** A channel of the output panel, with what was written into it. */
export interface FakeChannel {
  readonly options: unknown;
  readonly lines: (readonly [level: string, text: string])[];
}

/** The channels that were made. */
export const channels: FakeChannel[] = [];

function createOutputChannel(_name: string, options: unknown) {
  const channel: FakeChannel = { options, lines: [] };
  channels.push(channel);
  const at = (level: string) => (text: string) => void channel.lines.push([level, text]);
  return { trace: at("trace"), debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** A list that is answered before it is drawn. */
function createQuickPick() {
  const listeners = { accept: [] as (() => void)[], hide: [] as (() => void)[] };
  return {
    items: [],
    selectedItems: [],
    onDidAccept: (listener: () => void) => listeners.accept.push(listener),
    onDidHide: (listener: () => void) => listeners.hide.push(listener),
    show: () => {
      for (const tell of editor.entersLists ? listeners.accept : listeners.hide) tell();
    },
    dispose: () => undefined,
  };
}

/** An input box in which the user acts as soon as it is open. */
function createInputBox() {
  const listeners = {
    change: [] as ((text: string) => void)[],
    accept: [] as (() => void)[],
    button: [] as (() => void)[],
    hide: [] as (() => void)[],
  };
  return {
    value: "",
    step: undefined as number | undefined,
    totalSteps: undefined as number | undefined,
    onDidChangeValue: (listener: (text: string) => void) => listeners.change.push(listener),
    onDidAccept: (listener: () => void) => listeners.accept.push(listener),
    onDidTriggerButton: (listener: () => void) => listeners.button.push(listener),
    onDidHide: (listener: () => void) => listeners.hide.push(listener),
    set validationMessage(shown: { readonly message: string } | undefined) {
      if (shown !== undefined) editor.validations.push(shown.message);
    },
    show() {
      editor.initialValues.push(this.value);
      editor.counts.push([this.step ?? [], this.totalSteps ?? []].flat().join("/"));
      for (const action of editor.boxes.shift() ?? []) {
        if (action === "Enter") for (const tell of listeners.accept) tell();
        else if (action === "Back") for (const tell of listeners.button) tell();
        else {
          this.value = action;
          for (const tell of listeners.change) tell(action);
        }
      }
      for (const tell of listeners.hide) tell();
    },
    dispose: () => undefined,
  };
}

export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };
export const QuickInputButtons = { Back: {} };

/** A webview panel with the messages that its page received. */
export class FakePanel {
  readonly messages: unknown[] = [];
  readonly #received = new EventEmitter<unknown>();
  readonly #disposed = new EventEmitter<void>();
  readonly onDidDispose = this.#disposed.event;
  title: string;
  visible = true;
  /** Number of times that it took the focus. */
  focused = 0;
  readonly webview = {
    html: "",
    cspSource: "",
    asWebviewUri: (uri: unknown): unknown => uri,
    postMessage: async (message: unknown): Promise<boolean> => this.messages.push(message) > 0,
    onDidReceiveMessage: this.#received.event,
  };

  constructor(title: string) {
    this.title = title;
  }

  /** Sends a message of the page. */
  send(message: unknown): void {
    this.#received.fire(message);
  }

  reveal(_column: unknown, preserveFocus = false): void {
    if (!preserveFocus) this.focused++;
  }

  dispose(): void {
    this.#disposed.fire();
  }
}

/** Panels that were created. */
export const panels: FakePanel[] = [];

function createWebviewPanel(_type: string, title: string, column: { readonly preserveFocus?: boolean }): FakePanel {
  const panel = new FakePanel(title);
  panel.reveal(undefined, column.preserveFocus);
  panels.push(panel);
  return panel;
}

export const ViewColumn = { Active: -1 };

export const window = {
  createWebviewPanel,
  createInputBox,
  createQuickPick,
  createOutputChannel,
  showInformationMessage: show,
  showWarningMessage: show,
  showErrorMessage: show,
  showInputBox: async ({ prompt = "" }: { readonly prompt?: string }): Promise<string | undefined> => {
    editor.prompts.push(prompt);
    return editor.typed;
  },
  setStatusBarMessage: (text: string): void => void editor.reported.push(text),
  showQuickPick: async (): Promise<undefined> => void editor.lists++,
  withProgress: (
    { location }: { readonly location: unknown },
    work: (progress: unknown, cancellation: unknown) => Promise<unknown>,
  ) => {
    editor.places.push(location);
    editor.running++;
    return work(
      { report: ({ message = "" }) => void editor.reported.push(message) },
      {
        onCancellationRequested: (listener: () => unknown) => {
          editor.cancel = listener;
        },
      },
    ).finally(() => editor.running--);
  },
};

export const ConfigurationTarget = { Global: 1 };

export const ProgressLocation = { Notification: 15, Window: 10 };

/** The address of a page, as far as anybody asks. */
class FakePage {
  readonly #url: URL;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  get scheme(): string {
    return this.#url.protocol.slice(0, -1);
  }

  get authority(): string {
    return this.#url.host;
  }

  with({ fragment }: { readonly fragment: string }): FakePage {
    return new FakePage(new URL(`#${fragment}`, this.#url).href);
  }

  toString(): string {
    return this.#url.href;
  }
}

export class FileSystemError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

interface FakeUri {
  readonly path: string;
  readonly fsPath: string;
  toString(): string;
}

export const Uri = {
  file: (path: string): FakeUri => ({ path, fsPath: path, toString: () => `file://${path}` }),
  parse: (url: string): FakePage => new FakePage(url),
  joinPath: ({ path }: FakeUri, ...parts: readonly string[]): FakeUri => Uri.file(join(path, ...parts)),
};

export const FileType = { Unknown: 0, File: 1, Directory: 2 };

/** The disk of the test. */
const fs = {
  stat: async ({ fsPath }: FakeUri): Promise<unknown> => {
    try {
      const found = await stat(fsPath);
      return Object.assign(found, { type: found.isDirectory() ? FileType.Directory : FileType.File });
    } catch {
      throw new FileSystemError("FileNotFound");
    }
  },
  writeFile: ({ fsPath }: FakeUri, bytes: Uint8Array): Promise<void> => writeFile(fsPath, bytes),
  readFile: async ({ path }: FakeUri): Promise<Uint8Array> => Buffer.from(workspaceFiles.get(path) ?? ""),
};

/** Listener of documents that the user saves, opens or changes. */
const documentEvents = {
  saved: new EventEmitter<{ readonly uri: FakeUri }>(),
  none: new EventEmitter<never>(),
};

/** Saves a document of the editor. */
export function saveDocument(uri: FakeUri): void {
  documentEvents.saved.fire({ uri });
}

/** Files of the workspace by their paths, in memory. */
export const workspaceFiles = new Map<string, string>();

/** Files and folders that appear and disappear, for watchers of all files. */
const fileEvents = { created: new EventEmitter<FakeUri>(), deleted: new EventEmitter<FakeUri>() };

/** Reports a new file or folder. */
export function reportCreated(uri: FakeUri): void {
  fileEvents.created.fire(uri);
}

/** Reports a deleted file or folder. */
export function reportDeleted(uri: FakeUri): void {
  fileEvents.deleted.fire(uri);
}

function createFileSystemWatcher(pattern: unknown) {
  const { none } = documentEvents;
  const { created, deleted } = pattern === "**" ? fileEvents : { created: none, deleted: none };
  return {
    onDidCreate: created.event,
    onDidChange: none.event,
    onDidDelete: deleted.event,
    dispose: () => undefined,
  };
}

export const workspace = {
  fs,
  textDocuments: [],
  onDidSaveTextDocument: documentEvents.saved.event,
  onDidOpenTextDocument: documentEvents.none.event,
  onDidChangeTextDocument: documentEvents.none.event,
  createFileSystemWatcher,
  findFiles: async (pattern: unknown): Promise<readonly FakeUri[]> =>
    pattern === "**/*.finality.jsonc" ? [...workspaceFiles.keys()].map((path) => Uri.file(path)) : [],
  asRelativePath: ({ path }: FakeUri): string => path,
  get isTrusted(): boolean {
    return editor.trusted;
  },
  getConfiguration: () => ({
    get: (id: string) => editor.settings[id],
    update: async (id: string, value: unknown): Promise<void> => {
      editor.settings[id] = value;
    },
  }),
  onDidChangeConfiguration: (listener: (change: SettingsChange) => void) => {
    settingListeners.add(listener);
    return { dispose: () => settingListeners.delete(listener) };
  },
};

export const Disposable = {
  from: (...parts: readonly { dispose(): unknown }[]) => ({
    dispose: () => {
      for (const part of parts) part.dispose();
    },
  }),
};

export const NotebookCellStatusBarAlignment = { Left: 1 };

export class NotebookCellStatusBarItem {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Trackers of debug adapter messages. */
export const trackers: { onDidSendMessage(message: unknown): void }[] = [];

export const DebugConfigurationProviderTriggerKind = { Initial: 1, Dynamic: 2 };

export const debug = {
  registerDebugAdapterDescriptorFactory: () => ({ dispose: () => undefined }),
  registerDebugConfigurationProvider: () => ({ dispose: () => undefined }),
  registerDebugAdapterTrackerFactory: (
    _type: string,
    factory: { createDebugAdapterTracker(): (typeof trackers)[number] },
  ) => {
    trackers.push(factory.createDebugAdapterTracker());
    return { dispose: () => trackers.splice(0) };
  },
};

/** Text on the clipboard. */
export const clipboard = {
  content: "",
  readText: async (): Promise<string> => clipboard.content,
  writeText: async (text: string): Promise<void> => {
    clipboard.content = text;
  },
};
export const UIKind = { Desktop: 1, Web: 2 };
export const env = {
  clipboard,
  uiKind: UIKind.Desktop,
  asExternalUri: async (page: FakePage): Promise<FakePage> => page,
  openExternal: async (page: FakePage): Promise<boolean> => {
    editor.browser?.(page.toString());
    return editor.browser !== undefined;
  },
};

export const commands = {
  /** Commands that ran, with their arguments. */
  ran: [] as (readonly [id: string, argument: unknown])[],
  /** Results of commands. */
  results: {} as Record<string, unknown>,
  executeCommand: async (id: string, argument?: unknown, value?: unknown): Promise<unknown> => {
    if (id === "setContext") editor.contexts[String(argument)] = value;
    else commands.ran.push([id, argument]);
    return commands.results[id];
  },
};

export class CancellationError extends Error {}

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(start: Position, end: Position) {
    this.start = start;
    this.end = end;
  }
}

export class Location {
  readonly uri: unknown;
  readonly range: unknown;

  constructor(uri: unknown, range: unknown) {
    this.uri = uri;
    this.range = range;
  }
}

export { FakeMessage as TestMessage, FakeRequest as TestRunRequest, tests } from "./fake-tests.ts";
export const TestRunProfileKind = { Run: 1, Coverage: 3 };
export const l10n = {
  t: (text: string, ...values: readonly unknown[]): string =>
    text.replace(/\{(\d)\}/g, (place, index: string) => String(values[Number(index)] ?? place)),
};

/**
 * Loads a module of the sources with this editor in the place of `vscode`.
 * @param path - from the root of the repository
 */
export async function loadWithEditor<M>(path: string): Promise<M> {
  const here = pathToFileURL(import.meta.filename).href;
  const root = join(import.meta.dirname, "..", "..", "..");
  // A test says for whom a command runs.
  const caller = pathToFileURL(join(root, "src/host/caller.ts")).href;
  return await importVariant<M>(join(root, path), [], (specifier) => {
    if (specifier.endsWith("/caller.ts")) return caller;
    return specifier === "vscode" ? here : undefined;
  });
}

/** A memento of one window. */
export function memento(): { get<T>(key: string): T | undefined; update(key: string, value: unknown): Promise<void> } {
  const kept = new Map<string, unknown>();
  return {
    get: <T>(key: string) => kept.get(key) as T | undefined,
    update: async (key, value) => void kept.set(key, value),
  };
}

/** Secrets as `SecretStore` keeps them, for all windows of a test. */
export class FakeSecrets {
  readonly kept = new Map<string, string>();
  /** Of one window. */
  readonly ofSession = new Map<string, string>();

  async get(kind: string, owner: string): Promise<string | undefined> {
    return this.ofSession.get(`${kind} ${owner}`) ?? this.kept.get(`${kind} ${owner}`);
  }

  setForSession(kind: string, owner: string, secret: string): void {
    this.ofSession.set(`${kind} ${owner}`, secret);
  }

  deleteOfSession(kind: string, owner: string): void {
    this.ofSession.delete(`${kind} ${owner}`);
  }

  async set(kind: string, owner: string, secret: string): Promise<void> {
    this.kept.set(`${kind} ${owner}`, secret);
  }

  async delete(kind: string, owner: string): Promise<void> {
    this.kept.delete(`${kind} ${owner}`);
  }

  async owners(kind: string): Promise<readonly string[]> {
    return [...this.kept.keys()].filter((it) => it.startsWith(`${kind} `)).map((it) => it.slice(kind.length + 1));
  }

  onDidChange(): { dispose(): void } {
    return { dispose: () => undefined };
  }
}

/** The storage of secrets of an editor, which a test can break. All its windows hear of a change. */
export class FakeStorage implements vscode.SecretStorage {
  readonly stored = new Map<string, string>();
  broken = false;
  /** Number of changes before it fails, as for a process that ends in the middle of them. */
  changesLeft = Number.POSITIVE_INFINITY;
  readonly #changed = new EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;

  async keys(): Promise<string[]> {
    return this.#tell([...this.stored.keys()]);
  }
  async get(key: string): Promise<string | undefined> {
    return this.#tell(this.stored.get(key));
  }
  async store(key: string, value: string): Promise<void> {
    this.#change();
    this.stored.set(key, value);
    this.#changed.fire({ key });
  }
  async delete(key: string): Promise<void> {
    this.#change();
    this.stored.delete(key);
    this.#changed.fire({ key });
  }

  #change(): void {
    this.broken ||= this.changesLeft <= 0;
    this.#tell(undefined);
    this.changesLeft -= 1;
  }

  #tell<T>(value: T): T {
    if (this.broken) throw new Error("the keyring is locked");
    return value;
  }
}
