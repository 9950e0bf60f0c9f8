import { t } from "@vscode/l10n";
import type { DecoderField, DecoderSpan } from "../../src/webview-messages/decoder.ts";
import { element, icon } from "../shared/dom.ts";

/** Actions of the user on a tree of fields. */
export interface TreeHandlers {
  copy(field: DecoderField): void;
  /** Marks the position of a field in the text; null removes the mark. */
  look(at: DecoderSpan | null): void;
}

const ICONS: { readonly [K in DecoderField["kind"]]: string } = {
  text: "symbol-string",
  number: "symbol-numeric",
  hex: "file-binary",
  address: "account",
  "tx-id": "key",
  time: "watch",
  list: "symbol-structure",
};

/** Many children are closed at first. */
const OPEN_UP_TO = 24;

/**
 * The decoded values as a tree for keyboards and screen readers: one stop for Tab, arrows within, Enter copies the
 * value.
 *
 * @param opened - which nodes a person opened or closed, by id; kept here between two drawings
 */
export function drawTree(
  fields: readonly DecoderField[],
  opened: Map<string, boolean>,
  handlers: TreeHandlers,
): HTMLElement {
  const root = element("ul", { class: "tree", role: "tree", "aria-label": t`Decoded fields` });
  const nodeOf = (field: DecoderField, level: number): HTMLElement => {
    const item = rowOf(field, level);
    const node = element("li", { role: "none" }, item);
    if (field.children.length > 0) fold(item, field, () => field.children.map((child) => nodeOf(child, level + 1)));
    item.addEventListener("focus", () => {
      choose(root, item);
      handlers.look(field.at);
    });
    item.addEventListener("mouseenter", () => handlers.look(field.at));
    item.addEventListener("copy-value", () => handlers.copy(field));
    return node;
  };
  const fold = (item: HTMLElement, field: DecoderField, children: () => readonly HTMLElement[]): void => {
    const id = `group-${field.id}`;
    const set = (open: boolean): void => {
      opened.set(field.id, open);
      item.setAttribute("aria-expanded", String(open));
      item.nextElementSibling?.remove();
      if (open) item.after(element("ul", { role: "group", id }, ...children()));
      if (open) item.setAttribute("aria-owns", id);
      else item.removeAttribute("aria-owns");
    };
    item.addEventListener("fold", (event) => set((event as CustomEvent<boolean>).detail));
    set(opened.get(field.id) ?? field.children.length <= OPEN_UP_TO);
  };
  root.append(...fields.map((field) => nodeOf(field, 1)));
  root.querySelector<HTMLElement>("[role=treeitem]")?.setAttribute("tabindex", "0");
  root.addEventListener("keydown", (event) => steer(root, event));
  root.addEventListener("click", (event) => pressed(event));
  root.addEventListener("mouseleave", () => handlers.look(null));
  root.addEventListener("focusout", () => handlers.look(null));
  return root;
}

function rowOf({ id, name, value, type, note, kind, children, at }: DecoderField, level: number): HTMLElement {
  return element(
    "div",
    {
      role: "treeitem",
      tabindex: "-1",
      "data-key": `field ${id}`,
      "aria-level": String(level),
      class: `row ${kind}${at === null ? "" : " found"}`,
    },
    element("span", { class: "fold", "aria-hidden": "true" }, children.length > 0 ? icon("chevron-right") : undefined),
    element("span", { class: "field-name" }, icon(ICONS[kind]), name),
    element("span", { class: "field-value" }, value, note === null ? undefined : element("em", {}, note)),
    type === null ? undefined : element("span", { class: "field-type" }, type),
    element("span", { class: "copy", title: t`Copy ${name}`, "aria-hidden": "true" }, icon("copy")),
  );
}

function pressed({ target }: Event): void {
  if (!(target instanceof Element)) return;
  const item = target.closest<HTMLElement>("[role=treeitem]");
  if (item === null) return;
  item.focus({ preventScroll: true });
  if (target.closest(".copy") !== null) message(item);
  else if (item.hasAttribute("aria-expanded") && target.closest(".fold, .field-name") !== null) {
    setOpen(item, !isOpen(item));
  }
}

const SHOWN_FOR_MS = 1_500;

/** Copies the value of a node, and shows that it did. */
function message(item: HTMLElement): void {
  item.dispatchEvent(new CustomEvent("copy-value"));
  const element = item.querySelector(".copy");
  element?.replaceChildren(icon("check"));
  setTimeout(() => element?.replaceChildren(icon("copy")), SHOWN_FOR_MS);
}

function steer(root: HTMLElement, event: KeyboardEvent): void {
  const all = [...root.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const item = event.target instanceof HTMLElement ? event.target : undefined;
  if (item === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const index = all.indexOf(item);
  const moves: { readonly [key: string]: () => void } = {
    ArrowDown: () => all[index + 1]?.focus(),
    ArrowUp: () => all[index - 1]?.focus(),
    Home: () => all[0]?.focus(),
    End: () => all.at(-1)?.focus(),
    ArrowRight: () =>
      isOpen(item) || !item.hasAttribute("aria-expanded") ? childOf(item)?.focus() : setOpen(item, true),
    ArrowLeft: () => (isOpen(item) ? setOpen(item, false) : parentOf(item)?.focus()),
    Enter: () => message(item),
    " ": () => setOpen(item, !isOpen(item)),
  };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
}

function choose(root: HTMLElement, item: HTMLElement): void {
  for (const other of root.querySelectorAll("[tabindex='0']")) other.setAttribute("tabindex", "-1");
  item.setAttribute("tabindex", "0");
}

function isOpen(item: HTMLElement): boolean {
  return item.getAttribute("aria-expanded") === "true";
}

function setOpen(item: HTMLElement, open: boolean): void {
  if (item.hasAttribute("aria-expanded")) item.dispatchEvent(new CustomEvent("fold", { detail: open }));
}

function childOf(item: HTMLElement): HTMLElement | null | undefined {
  return item.nextElementSibling?.querySelector<HTMLElement>("[role=treeitem]");
}

function parentOf(item: HTMLElement): HTMLElement | null | undefined {
  return item.closest("[role=group]")?.previousElementSibling as HTMLElement | null | undefined;
}
