/** A message that was shown. */
export interface Shown {
  readonly title: string;
  readonly detail: string;
  readonly modal: boolean;
  readonly buttons: readonly string[];
}

/** Returns the button that the user clicks, or undefined for none. */
export type Person = (shown: Shown) => string | undefined;

/** One window of the editor as the extension meets it. */
export class Editor {
  readonly commands = new Map<string, (argument?: unknown) => unknown>();
  readonly settings: Map<string, unknown>;
  readonly shown: Shown[] = [];
  readonly #person: Person;

  constructor(settings: Map<string, unknown>, person: Person) {
    this.settings = settings;
    this.#person = person;
  }

  /** A message as `window.show…Message` is given it: the text, perhaps options, then buttons. */
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
