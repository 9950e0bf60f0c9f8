export type Child = Node | string | undefined;

export interface Attributes {
  readonly [name: string]: string | boolean | undefined;
}

/** An element with attributes and children. Texts are texts: nothing is ever read as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (typeof value === "string") made.setAttribute(name, value);
  }
  made.append(...children.filter((it) => it !== undefined));
  return made;
}

/** An icon of the editor's font. It says nothing that the words beside it do not say. */
export function icon(name: string): HTMLElement {
  const [base = "", turning] = name.split("~");
  return element("span", {
    class: `codicon codicon-${base}${turning === undefined ? "" : " codicon-modifier-spin"}`,
    "aria-hidden": "true",
  });
}

/**
 * Puts new content in place and keeps what a person did to the old: the focus, by the attribute `data-key`, and what
 * was opened.
 */
export function redraw(element: HTMLElement, content: readonly Node[]): void {
  const focused = document.activeElement?.getAttribute("data-key");
  const opened = [...element.querySelectorAll("details[open]")].map((it) => it.getAttribute("data-key"));
  element.replaceChildren(...content);
  for (const key of opened) find(element, key)?.setAttribute("open", "");
  const restore = (): void => find(element, focused)?.focus({ preventScroll: true });
  if (focused) whenFocused(restore);
}

/**
 * Moves the focus inside the page once the page has it. A page in the background would take it from a list or a dialog of
 * the editor.
 */
export function whenFocused(moveFocus: () => void): void {
  if (document.hasFocus()) moveFocus();
  else addEventListener("focus", moveFocus, { once: true });
}

function find(element: HTMLElement, key: string | null | undefined): HTMLElement | null {
  return key ? element.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) : null;
}

/** Writes a number with commas between thousands. */
export function grouped(number: number): string {
  return number.toLocaleString("en-US");
}
