import { isChainError } from "@finality/tron/errors";
import { foreignText } from "@finality/tron/primitives";
import { byKind, keyOf, object, type Read, text, tryRead, wholeNumber } from "@finality/tron/read";
import * as vscode from "vscode";
import { showError } from "../../host/commands/show-error.ts";
import { showPage } from "../../host/webview-page.ts";
import type { FieldChange, FormAction, FromArgumentsPage, ToArgumentsPage } from "../../webview-messages/arguments.ts";
import { ArgumentForm, type FormRequest, formKey } from "./argument-form.ts";
import { formTitle, unavailableForm } from "./argument-form.view.ts";
import { FormStorage } from "./form-storage.ts";
import { optionsOfDraft, targetName, targetOfDraft } from "./form-target.ts";
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
  readonly key: string;
  readonly panel: vscode.WebviewPanel;
  /** Undefined while the form of the previous session cannot be restored: then the page shows the reason. */
  form: ArgumentForm | undefined;
  unavailable: string;
  /** Number of the last message of the page. */
  revision: number;
}

/** Panels with argument forms, one for each command, network and contract. */
export class ArgumentPanels implements vscode.Disposable {
  readonly #services: ContractServices;
  readonly #storage: FormStorage;
  readonly #open = new Map<string, OpenForm>();
  readonly #networks: vscode.Disposable;

  constructor(services: ContractServices) {
    this.#services = services;
    this.#storage = new FormStorage(services.drafts);
    this.#networks = services.networks.onDidChange(() => {
      for (const open of this.#open.values()) if (open.form === undefined) this.#run(this.#restore(open));
    });
  }

  /** Opens the form of a command, or brings it to the front with the given values. */
  show(context: ContractContext, request: FormRequest): void {
    const key = formKey(context, request);
    const open = this.#open.get(key);
    if (open === undefined) {
      const panel = vscode.window.createWebviewPanel(ARGUMENTS_VIEW, "", vscode.ViewColumn.Active);
      const connected = this.#connect(key, panel, formTitle(request.command, targetName(request.target)));
      this.#run(this.#fill(connected, context, request).start());
      return;
    }
    open.form?.open(context, request);
    const form = open.form ?? this.#fill(open, context, request);
    open.panel.reveal();
    post(open, "form", "a.0");
    this.#load(form);
    this.#run(form.start());
  }

  /** Restores a panel of the previous session from its stored draft. It sends no request for the contract. */
  async revive(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const key = tryRead(remembered, state)?.key ?? "";
    const draft = this.#storage.draftOf(key);
    if (draft === undefined || this.#open.has(key)) {
      panel.dispose();
      return;
    }
    await this.#restore(this.#connect(key, panel, formTitle(draft.command, foreignText(draft.name))));
  }

  dispose(): void {
    this.#networks.dispose();
    for (const { panel } of this.#open.values()) panel.dispose();
  }

  #run(action: Promise<void>): void {
    action.catch((error: unknown) => void showError(error, this.#services.log));
  }

  #connect(key: string, panel: vscode.WebviewPanel, title: string): OpenForm {
    const open: OpenForm = { key, panel, form: undefined, unavailable: "", revision: 0 };
    this.#open.set(key, open);
    panel.title = title;
    panel.iconPath = new vscode.ThemeIcon("symbol-method");
    panel.onDidDispose(() => this.#open.delete(key));
    panel.webview.onDidReceiveMessage((message: unknown) => this.#received(open, message));
    showPage(panel.webview, { name: "arguments", title, extensionUri: this.#services.extensionUri });
    return open;
  }

  #fill(open: OpenForm, context: ContractContext, request: FormRequest): ArgumentForm {
    const form = new ArgumentForm(context, this.#storage, request, (change, focus) => post(open, change, focus));
    open.form = form;
    this.#load(form);
    return form;
  }

  #load(form: ArgumentForm): void {
    form.load().catch((error: unknown) => this.#services.log.error("The choices of a form were not loaded.", error));
  }

  /** Restores a form, or shows why it cannot be restored yet: its network may start later than this window. */
  async #restore(open: OpenForm): Promise<void> {
    const draft = this.#storage.draftOf(open.key);
    if (draft === undefined) return;
    try {
      const options = optionsOfDraft(draft);
      const context = await contextOn(this.#services, options.network);
      const target = await targetOfDraft(context, draft);
      if (open.form === undefined) this.#fill(open, context, { command: draft.command, options, target });
    } catch (error) {
      if (!isChainError(error)) throw error;
      open.unavailable = error.message;
    }
    post(open, "form");
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
        open.form?.edit(read.id, read.text);
        return;
      case "unit":
        open.revision = read.revision;
        open.form?.setUnit(read.id, read.unit);
        return;
      case "change":
        open.revision = read.revision;
        open.form?.change(read.id, read.change);
        return;
      case "act":
        open.revision = read.revision;
        this.#run(open.form?.act(read.action) ?? this.#restore(open));
    }
  }
}

function post(
  { key, form, panel, revision, unavailable }: OpenForm,
  change: "form" | "messages",
  focus?: string,
): void {
  const message: ToArgumentsPage =
    change === "messages" && form !== undefined
      ? { kind: "checks", ...form.messages() }
      : {
          kind: "show",
          revision,
          form: form?.content() ?? unavailableForm(key, panel.title, unavailable),
          focus: focus ?? null,
        };
  void panel.webview.postMessage(message);
}
