import * as vscode from "vscode";
import { editorOfProduct } from "../../integration/product.ts";

/** An element that the user would see, by its type and text. */
export interface Seen {
  readonly by:
    | "list"
    | "question"
    | "dialog"
    | "notice"
    | "file dialog"
    | "page"
    | "document"
    | "view"
    | "status bar"
    | "debug session"
    | "progress";
  readonly words: string;
}

type EditorCall = (...input: never[]) => unknown;
type Item =
  | string
  | { readonly title?: string; readonly label?: string; readonly detail?: string; readonly kind?: number };

const editor = editorOfProduct();
const window = editor.window as unknown as Record<string, EditorCall>;
const commands = editor.commands as unknown as Record<string, EditorCall>;
const debug = editor.debug as unknown as Record<string, EditorCall>;
const env = editor.env as unknown as Record<string, EditorCall>;

/** Number of rows of a list that are recorded. */
const ROWS = 3;
/** Time after which the user presses Cancel; ms. */
const TIMEOUT_MS = 10_000;

function titleOf(button: Item | undefined): string | undefined {
  return typeof button === "string" ? button : button?.title;
}

/** The user before the editor. */
export interface Person {
  /** Returns everything seen since the last call. */
  take(): readonly Seen[];
  /** Takes the first button of each dialog meanwhile. */
  sayingYes(work: () => PromiseLike<unknown>): Promise<void>;
}

/**
 * Replaces the editor's dialogs: records what would be seen and answers everything with Escape. It must be called
 * before activation, because channels and views are created once.
 */
export function watchEditor(): Person {
  let seen: Seen[] = [];
  let saysYes = false;
  const tell = (by: Seen["by"], ...words: readonly (string | undefined)[]): undefined => {
    seen.push({ by, words: words.filter((it) => it !== undefined && it !== "").join(" · ") });
  };
  for (const name of ["showInformationMessage", "showWarningMessage", "showErrorMessage"])
    window[name] = async (message: string, options: vscode.MessageOptions, ...buttons: readonly Item[]) => {
      tell(options.modal === true ? "dialog" : "notice", message, buttonsOf(buttons));
      // The setup calls commands as a program does.
      const isProgram = titleOf(buttons[0]) === "Do Nothing";
      return options.modal === true && (saysYes || isProgram) ? buttons[isProgram ? 1 : 0] : undefined;
    };
  window.showQuickPick = async (items: readonly Item[], options: vscode.QuickPickOptions = {}) =>
    tell("list", options.title, options.placeHolder, rowsOf(await items));
  window.showInputBox = async ({ title, prompt }: vscode.InputBoxOptions = {}) => tell("question", title, prompt);
  window.showOpenDialog = async ({ title, openLabel }: vscode.OpenDialogOptions = {}) =>
    tell("file dialog", title ?? openLabel);
  window.showSaveDialog = async ({ title, saveLabel }: vscode.SaveDialogOptions = {}) =>
    tell("file dialog", title ?? saveLabel);
  window.createQuickPick = () =>
    input((it) => tell("list", placeOf(it), it.placeholder as string, rowsOf((it.items ?? []) as readonly Item[])));
  window.createInputBox = () => input((it) => tell("question", placeOf(it), it.prompt as string));
  through(window, "setStatusBarMessage", (text: string) => tell("status bar", text));
  const withProgress = window.withProgress as EditorCall;
  window.withProgress = (place: vscode.ProgressOptions, work: (...input: unknown[]) => unknown) => {
    tell("progress", place.title ?? "");
    const cancelled = new vscode.CancellationTokenSource();
    if (place.cancellable === true) setTimeout(() => cancelled.cancel(), TIMEOUT_MS);
    return withProgress(place as never, ((progress: unknown) => work(progress, cancelled.token)) as never);
  };
  through(window, "createWebviewPanel", (_type: string, title: string) => tell("page", title));
  through(window, "showTextDocument", (it: vscode.Uri | vscode.TextDocument) =>
    tell("document", nameOf("uri" in it ? it.uri : it)),
  );
  debug.startDebugging = async (_folder: unknown, { name }: vscode.DebugConfiguration) => {
    tell("debug session", name);
    return true;
  };
  through(env, "openExternal", (uri: vscode.Uri) => tell("page", `${uri.scheme}://${uri.authority}`));
  const execute = commands.executeCommand as EditorCall;
  commands.executeCommand = (id: never, ...input: never[]) => {
    if (/^(workbench|vscode)\./.test(id) && !/closeAll|executeCode|execute\w+Provider/.test(id)) {
      tell("view", id, ...input.filter((it) => typeof it === "string"));
      return Promise.resolve(undefined);
    }
    return execute(id, ...input);
  };
  const createChannel = window.createOutputChannel as EditorCall;
  window.createOutputChannel = (...input: never[]) => {
    const channel = createChannel(...input) as vscode.LogOutputChannel;
    return Object.create(channel, { show: { value: () => tell("view", `output: ${channel.name}`) } });
  };
  return {
    take: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
    sayingYes: async (work) => {
      saysYes = true;
      await work();
      saysYes = false;
    },
  };
}

function through(of: Record<string, EditorCall>, name: string, tell: (...input: never[]) => void): void {
  const original = of[name] as EditorCall;
  of[name] = (...input: never[]) => {
    tell(...input);
    return original.apply(of, input);
  };
}

/** A box or a list that tells what it asks when it is shown, and is left. */
function input(tell: (it: Readonly<Record<string, unknown>>) => void): unknown {
  const hidden = new vscode.EventEmitter<void>();
  const never = new vscode.EventEmitter<void>().event;
  const names = ["onDidAccept", "onDidChangeValue", "onDidTriggerButton", "onDidChangeSelection", "onDidChangeActive"];
  const it: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, never]));
  return Object.assign(it, {
    items: [],
    activeItems: [],
    selectedItems: [],
    value: "",
    onDidTriggerItemButton: never,
    onDidHide: hidden.event,
    show: () => {
      tell(it);
      setImmediate(() => hidden.fire());
    },
    hide: () => hidden.fire(),
    dispose: () => hidden.dispose(),
  });
}

function placeOf({ title, step, totalSteps }: Readonly<Record<string, unknown>>): string {
  return typeof totalSteps === "number" && totalSteps > 0 ? `${title} (${step}/${totalSteps})` : `${title ?? ""}`;
}

function buttonsOf(buttons: readonly Item[]): string {
  return buttons.map((it) => `[${typeof it === "string" ? it : it.title}]`).join(" ");
}

function rowsOf(items: readonly Item[]): string {
  const rows = items
    .filter((it) => typeof it === "string" || it.kind !== vscode.QuickPickItemKind.Separator)
    .map((it) => (typeof it === "string" ? it : rowOf(it)));
  if (rows.length === 0) return "(empty)";
  return `${rows.slice(0, ROWS).join(", ")}${rows.length > ROWS ? ", …" : ""}`;
}

/** Rows that only explain have their text in the second line. */
function rowOf({ label = "", detail = "" }: Exclude<Item, string>): string {
  const words = label.replace(/^\$\([a-z-]+\) /, "");
  return label.startsWith("$(info) ") ? `${words}: ${detail}` : words;
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.split("/").at(-1) ?? "";
}
