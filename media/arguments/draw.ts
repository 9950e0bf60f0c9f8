import { t } from "@vscode/l10n";
import type {
  ArgumentForm,
  FieldButton,
  FieldChange,
  FieldMessage,
  FormAction,
  FormButton,
  FormField,
  FormResult,
  FormSection,
  FormStatus,
  FormSuggestion,
} from "../../src/webview-messages/arguments.ts";
import { element, icon } from "../shared/dom.ts";
import { suggest } from "./combobox.ts";

/** Changes that the user can make. */
export interface Handlers {
  edit(id: string, text: string): void;
  setUnit(id: string, unit: string): void;
  change(id: string, change: FieldChange): void;
  act(action: FormAction): void;
}

/** The whole form. */
export function drawForm(form: ArgumentForm, handlers: Handlers): readonly Node[] {
  const fields = { names: form.names, handlers };
  return [
    header(form, handlers),
    ...form.sections.map((it) => section(it, fields)),
    element(
      "div",
      { class: "actions", role: "group", "aria-label": t`Actions` },
      ...form.buttons.map((it) => action(it, handlers)),
    ),
    statusLine(form.status),
    ...(form.results === null ? [] : [resultTable(form.results)]),
  ];
}

interface FieldContext {
  readonly names: readonly FormSuggestion[];
  readonly handlers: Handlers;
}

function header({ title, network, isProduction, facts, fillButtons }: ArgumentForm, handlers: Handlers): HTMLElement {
  return element(
    "header",
    { class: "head" },
    element("p", { class: "quiet" }, isProduction ? t`${network} · real money` : network),
    element("h1", {}, title),
    element(
      "dl",
      { class: "facts" },
      ...facts.flatMap(({ name, value }) => [element("dt", { class: "quiet" }, name), element("dd", {}, value)]),
    ),
    element(
      "div",
      { class: "actions", role: "group", "aria-label": t`Fill in` },
      ...fillButtons.map((it) => action(it, handlers)),
    ),
  );
}

function action(
  { action: name, label, icon: symbol, isPrimary, isDisabled }: FormButton,
  handlers: Handlers,
): HTMLElement {
  const made = element(
    "button",
    {
      type: "button",
      class: isPrimary ? "primary" : "",
      "data-key": `act ${isPrimary ? "main" : name}`,
      "aria-disabled": isDisabled ? "true" : undefined,
    },
    icon(symbol),
    label,
  );
  made.addEventListener("click", () => {
    if (!isDisabled) handlers.act(name);
  });
  return made;
}

/** The state of the form, replaced when it changes. */
export function statusLine(status: FormStatus | null): HTMLElement {
  const content = status === null ? [] : [icon(status.icon), element("span", {}, status.text)];
  return element("p", { class: "status", "data-tone": status?.tone ?? "neutral" }, ...content);
}

function section({ id, title, isFolded, fields }: FormSection, context: FieldContext): HTMLElement {
  const drawn = fields.map((it) => drawField(it, context));
  if (isFolded)
    return element(
      "details",
      { class: "section", "data-key": `section ${id}` },
      element("summary", { "data-key": `fold ${id}` }, title),
      ...drawn,
    );
  if (title === "") return element("section", { class: "section" }, ...drawn);
  const heading = `section-${id}`;
  return element(
    "section",
    { class: "section", "aria-labelledby": heading },
    element("h2", { id: heading }, title),
    ...drawn,
  );
}

function drawField(field: FormField, context: FieldContext): HTMLElement {
  return field.control === "group" ? group(field, context) : single(field, context);
}

function group(field: FormField, context: FieldContext): HTMLElement {
  const { id, label, type, children, buttons, message } = field;
  return element(
    "fieldset",
    { class: "group", "data-field": id },
    element("legend", {}, label, " ", element("code", { class: "quiet" }, type)),
    ...children.map((it) => drawField(it, context)),
    element("div", { class: "rows" }, ...buttons.map((it) => fieldButton(id, it, context.handlers))),
    messageLine(id, message),
  );
}

function fieldButton(id: string, { change, label, icon: symbol }: FieldButton, handlers: Handlers): HTMLElement {
  const isShort = change === "remove";
  const made = element(
    "button",
    {
      type: "button",
      class: isShort ? "bare" : "",
      title: isShort ? label : undefined,
      "aria-label": isShort ? label : undefined,
      "data-key": `${change} ${id}`,
    },
    icon(symbol),
    isShort ? undefined : label,
  );
  made.addEventListener("click", () => handlers.change(id, change));
  return made;
}

function single(field: FormField, context: FieldContext): HTMLElement {
  const { id, label, type, buttons, units, message } = field;
  const control = controlOf(field, context);
  const unit = units.length === 0 ? undefined : unitChoice(field, context.handlers);
  return element(
    "div",
    { class: "field", "data-field": id },
    element(
      "label",
      { for: control.input.id },
      label,
      ...(type === "" ? [] : [" ", element("code", { class: "quiet" }, type)]),
    ),
    element(
      "div",
      { class: "input" },
      element("div", { class: "control" }, control.input, control.list),
      unit,
      ...buttons.map((it) => fieldButton(id, it, context.handlers)),
    ),
    messageLine(id, message),
  );
}

interface Control {
  readonly input: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
  readonly list?: HTMLElement;
}

function controlOf(field: FormField, { names, handlers }: FieldContext): Control {
  const { id, control, value, example, isRequired, message, label } = field;
  const common = {
    id: `field-${id}`,
    "data-key": `field ${id}`,
    "data-name": label,
    "aria-required": isRequired ? "true" : undefined,
    "aria-invalid": message?.tone === "bad" ? "true" : undefined,
    "aria-describedby": `message-${id}`,
    spellcheck: "false",
  };
  if (control === "choice") return { input: choice(field, common, handlers) };
  if (control === "text") {
    const rows = String(Math.min(12, Math.max(1, value.split("\n").length)));
    const input = element("textarea", { ...common, placeholder: example, rows }, value);
    input.addEventListener("input", () => handlers.edit(id, input.value));
    return { input };
  }
  const input = element("input", { ...common, type: "text", placeholder: example, autocomplete: "off" });
  input.value = value;
  input.addEventListener("input", () => handlers.edit(id, input.value));
  const suggestions = [...field.recent, ...(field.isAddress ? names : [])];
  if (suggestions.length === 0) return { input };
  return { input, list: suggest(input, suggestions, (text) => handlers.edit(id, text)) };
}

function choice(
  field: FormField,
  attributes: Record<string, string | undefined>,
  handlers: Handlers,
): HTMLSelectElement {
  const { id, value, choices } = field;
  const none = choices.some((it) => it.value === "") ? [] : [{ value: "", label: t`Choose…` }];
  const options = [...none, ...choices].map((it) => {
    return element("option", { value: it.value, selected: it.value === value }, it.label);
  });
  const select = element("select", attributes, ...options);
  select.addEventListener("change", () => handlers.edit(id, select.value));
  return select;
}

function unitChoice({ id, label, units, unit }: FormField, handlers: Handlers): HTMLSelectElement {
  const options = units.map((it) => element("option", { value: it.value, selected: it.value === unit }, it.label));
  const attributes = { class: "unit", "aria-label": t`Unit of ${label}`, "data-key": `unit ${id}` };
  const select = element("select", attributes, ...options);
  select.addEventListener("change", () => handlers.setUnit(id, select.value));
  return select;
}

function messageLine(id: string, message: FieldMessage | null): HTMLElement {
  return element(
    "p",
    { id: `message-${id}`, class: "message", "data-tone": message?.tone ?? "neutral" },
    message?.text ?? "",
  );
}

/** Updates the message of a field that is already there. */
export function updateMessage(id: string, message: FieldMessage | null): void {
  const line = document.getElementById(`message-${id}`);
  if (line !== null) {
    if (line.textContent !== (message?.text ?? "")) line.textContent = message?.text ?? "";
    line.setAttribute("data-tone", message?.tone ?? "neutral");
  }
  const control = document.getElementById(`field-${id}`);
  if (message?.tone === "bad") control?.setAttribute("aria-invalid", "true");
  else control?.removeAttribute("aria-invalid");
}

function resultTable(results: readonly FormResult[]): HTMLElement {
  const rows = results.map(({ name, type, value }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      element("td", {}, element("code", { class: "quiet" }, type)),
      element("td", { class: "exact value" }, value),
    ),
  );
  const head = element("tr", {}, ...[t`Name`, t`Type`, t`Value`].map((it) => element("th", { scope: "col" }, it)));
  return element(
    "section",
    { class: "section", "aria-labelledby": "section-result" },
    element("h2", { id: "section-result" }, t`Result`),
    results.length === 0
      ? element("p", {}, t`The function returned nothing.`)
      : element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)),
  );
}
