import { byKind, keyOf, object, type Read, text, tryRead, wholeNumber } from "@finality/tron/read";
import * as vscode from "vscode";
import { showError } from "../../host/commands/show-error.ts";
import { showPage } from "../../host/webview-page.ts";
import type { FieldChange, FormAction, FromArgumentsPage, ToArgumentsPage } from "../../webview-messages/arguments.ts";
import { ArgumentForm, type FormRequest, formKey } from "./argument-form.ts";
import { FormStorage } from "./form-storage.ts";
import { optionsOfDraft, targetOfDraft } from "./form-target.ts";
import { type ContractContext, type ContractServices, contextOn } from "./services.ts";

const ARGUMENTS_VIEW = "finality.arguments";

const ACTIONS: { readonly [A in FormAction]: true } = {
  submit: true,
  estimate: true,
  repeat: true,
  fill: true,
  favourite: true,
  "save-call-file": true,
  "copy-result": true,
  "show-transaction": true,
  again: true,
};
const CHANGES: { readonly [C in FieldChange]: true } = { add: true, remove: true, "as-json": true, "as-fields": true };

const revision = wholeNumber;

const fromPage: Read<FromArgumentsPage> = byKind({
  ready: object({}),
  refresh: object({ revision }),
  edit: object({ revision, id: text, text }),
  unit: object({ revision, id: text, unit: text }),
  change: object({ revision, id: text, change: keyOf(CHANGES) }),
  act: object({ revision, action: keyOf(ACTIONS) }),
} satisfies { readonly [K in FromArgumentsPage["kind"]]: Read<object> });

/** State that the editor stores for a page. */
const remembered = object({ key: text });

interface OpenForm {
  readonly form: ArgumentForm;
  readonly panel: vscode.WebviewPanel;
  /** Number of the last message of the page. */
  revision: number;
}

/** Panels with argument forms, one for each command, network and contract. */
export class ArgumentPanels implements vscode.Disposable {
  readonly #services: ContractServices;
  readonly #storage: FormStorage;
  readonly #open = new Map<string, OpenForm>();

  constructor(services: ContractServices) {
    this.#services = services;
    this.#storage = new FormStorage(services.drafts);
  }

  /** Opens the form of a command, or brings it to the front with the given values. */
  show(context: ContractContext, request: FormRequest): void {
    const open = this.#open.get(formKey(context, request));
    if (open !== undefined) {
      if (request.given !== undefined) open.form.give(request.given);
      open.panel.reveal();
      post(open, "form", "a.0");
      this.#run(open.form.start());
      return;
    }
    const panel = vscode.window.createWebviewPanel(ARGUMENTS_VIEW, "", vscode.ViewColumn.Active);
    this.#run(this.#take(panel, context, request).form.start());
  }

  /** Restores a panel of the previous session from its stored draft. It sends no request for the contract. */
  async revive(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const key = tryRead(remembered, state)?.key ?? "";
    const draft = this.#storage.draftOf(key);
    if (draft === undefined || this.#open.has(key)) {
      panel.dispose();
      return;
    }
    try {
      const options = optionsOfDraft(draft);
      const context = await contextOn(this.#services, options.network);
      const target = await targetOfDraft(context, draft);
      this.#take(panel, context, { command: draft.command, options, target });
    } catch (error) {
      // The draft stays stored, and is there when the form of this contract is opened again.
      this.#services.log.error("A form was not restored.", error);
      panel.dispose();
    }
  }

  dispose(): void {
    for (const { panel } of this.#open.values()) panel.dispose();
  }

  #run(action: Promise<void>): void {
    action.catch((error: unknown) => void showError(error, this.#services.log));
  }

  #take(panel: vscode.WebviewPanel, context: ContractContext, request: FormRequest): OpenForm {
    const form = new ArgumentForm(context, this.#storage, request, (change, focus) => post(open, change, focus));
    const open: OpenForm = { form, panel, revision: 0 };
    this.#open.set(form.key, open);
    panel.title = form.title;
    panel.iconPath = new vscode.ThemeIcon("symbol-method");
    panel.onDidDispose(() => this.#open.delete(form.key));
    panel.webview.onDidReceiveMessage((message: unknown) => this.#received(open, message));
    const { extensionUri, log } = this.#services;
    showPage(panel.webview, { name: "arguments", title: form.title, extensionUri });
    form.load().catch((error: unknown) => log.error("The choices of a form were not loaded.", error));
    return open;
  }

  #received(open: OpenForm, message: unknown): void {
    const read = tryRead(fromPage, message);
    switch (read?.kind) {
      case undefined:
        return;
      case "ready":
        open.revision = 0;
        post(open, "form");
        return;
      case "refresh":
        open.revision = read.revision;
        post(open, "form");
        return;
      case "edit":
        open.revision = read.revision;
        open.form.edit(read.id, read.text);
        return;
      case "unit":
        open.revision = read.revision;
        open.form.setUnit(read.id, read.unit);
        return;
      case "change":
        open.revision = read.revision;
        open.form.change(read.id, read.change);
        return;
      case "act":
        open.revision = read.revision;
        this.#run(open.form.act(read.action));
    }
  }
}

function post({ form, panel, revision }: OpenForm, change: "form" | "messages", focus?: string): void {
  const message: ToArgumentsPage =
    change === "form"
      ? { kind: "show", revision, form: form.content(), focus: focus ?? null }
      : { kind: "checks", ...form.messages() };
  void panel.webview.postMessage(message);
}
