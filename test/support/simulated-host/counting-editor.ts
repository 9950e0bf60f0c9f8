import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import * as simulated from "./simulated-editor.ts";

/**
 * Replaces `vscode` as the simulated editor does, and counts registrations that are not disposed: listeners,
 * commands, channels and views.
 */
export * from "./simulated-editor.ts";

const open = new Map<object, string>();

/** Returns the names of open registrations. */
export function leftOpen(): readonly string[] {
  return [...open.values()].sort();
}

class Counted {
  readonly #close: () => void;
  readonly #parts: Counted[] = [];

  constructor(what: string, close: () => void = () => undefined) {
    this.#close = close;
    open.set(this, what);
  }

  /** Adds a part that is disposed of with this object. */
  with(part: Counted): Counted {
    this.#parts.push(part);
    return part;
  }

  dispose = (): void => {
    open.delete(this);
    this.#close();
    for (const part of this.#parts) part.dispose();
  };
}

/** Event emitter of the editor. Listeners of a disposed emitter are not called. */
export class EventEmitter<T> {
  readonly #listeners = new Map<(value: T) => void, Counted>();

  readonly event = (listener: (value: T) => void): { dispose(): void } => {
    const own = (value: T): void => listener(value);
    const counted = new Counted(`listener ${whoAsks()}`, () => this.#listeners.delete(own));
    this.#listeners.set(own, counted);
    return counted;
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners.keys()]) listener(value);
  }

  dispose(): void {
    for (const counted of [...this.#listeners.values()]) counted.dispose();
  }
}

/** Returns the source line that created the registration. */
function whoAsks(): string {
  const lines = new Error("here").stack?.split("\n") ?? [];
  return /src\/[^?:]+/.exec(lines.find((it) => it.includes("/src/")) ?? "")?.[0] ?? "";
}

const TAKES = /^(on[A-Z]|register[A-Z]|create[A-Z])/;

/** Counts each disposable that a function of the namespace returns. */
function counting<T extends object>(name: string, room: T): T {
  return new Proxy(room, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof key !== "string" || typeof value !== "function" || !TAKES.test(key)) return value;
      return (...input: readonly unknown[]): unknown => {
        const taken: unknown = value.apply(target, input);
        const counted = new Counted(`${name}.${key} ${whoAsks()}`);
        if (key.startsWith("on") || key.startsWith("register")) return counted;
        return new Proxy(taken as object, {
          get: (thing, part) => (part === "dispose" ? counted.dispose : listening(thing, part, counted)),
        });
      };
    },
  });
}

/** Counts the listeners of a view. */
function listening(thing: object, part: string | symbol, view: Counted): unknown {
  if (typeof part !== "string" || !part.startsWith("onDid")) return Reflect.get(thing, part);
  return () => view.with(new Counted(`view.${part} ${whoAsks()}`));
}

/** A panel with a page that is not shown. */
const createWebviewPanel = () => ({
  reveal: () => undefined,
  visible: true,
  webview: {
    asWebviewUri: (uri: simulated.Uri): simulated.Uri => uri,
    cspSource: "",
    onDidReceiveMessage: () => ({ dispose: () => undefined }),
    postMessage: async () => true,
  },
});

let folder: string | undefined;

/** Opens a folder of the disk with files that are searched for. */
export function openFolder(path: string): void {
  folder = path;
}

const workspaceFolder = () => ({ name: "folder", index: 0, uri: simulated.Uri.file(folder ?? "") });

const disk = {
  getWorkspaceFolder: workspaceFolder,
  asRelativePath: ({ path }: simulated.Uri): string => relative(folder ?? "", path),
  findFiles: async (): Promise<readonly simulated.Uri[]> =>
    (await readdir(folder ?? "")).map((name) => simulated.Uri.file(join(folder ?? "", name))),
  fs: {
    stat: async ({ path }: simulated.Uri) => {
      const { size, mtimeMs } = await stat(path);
      return { type: 1, size, mtime: mtimeMs };
    },
  },
  get workspaceFolders(): readonly object[] | undefined {
    return folder === undefined ? undefined : [workspaceFolder()];
  },
};

/** Returns a namespace of the simulated editor with some members replaced. */
function over<T extends object>(room: T, own: object): T {
  return new Proxy(room, { get: (target, key) => Reflect.get(Object.hasOwn(own, key) ? own : target, key) });
}

export const l10n = { bundle: undefined };
export const FileType = { Unknown: 0, File: 1, Directory: 2 };
export const ViewColumn = { Active: -1, Beside: -2 };
export const window = counting("window", over(simulated.window, { createWebviewPanel }));
export const workspace = counting("workspace", over(simulated.workspace, disk));
export const languages = counting("languages", simulated.languages);
export const debug = counting("debug", simulated.debug);
export const tasks = counting("tasks", simulated.tasks);
export const notebooks = counting("notebooks", simulated.notebooks);
export const extensions = counting("extensions", simulated.extensions);
export const env = counting("env", simulated.env);
export const commands = {
  ...simulated.commands,
  registerCommand: (...input: Parameters<typeof simulated.commands.registerCommand>): { dispose(): void } => {
    simulated.commands.registerCommand(...input);
    return new Counted(`command ${input[0]}`);
  },
};
