import type { FormSuggestion } from "../../src/webview-messages/arguments.ts";
import { element } from "../shared/dom.ts";

const MOST_OPTIONS = 50;

/**
 * Adds a list of suggestions below a text field, as an ARIA combobox. Arrow keys choose, Enter takes the chosen one,
 * Escape closes the list.
 *
 * @param taken - called with the value of the chosen suggestion
 * @returns the list element
 */
export function suggest(
  input: HTMLInputElement,
  suggestions: readonly FormSuggestion[],
  taken: (value: string) => void,
): HTMLElement {
  const listId = `${input.id}-options`;
  const list = element("ul", { id: listId, role: "listbox", class: "options", hidden: true });
  list.setAttribute("aria-label", input.getAttribute("data-name") ?? "");
  let shown: readonly FormSuggestion[] = [];
  let active = -1;
  for (const [name, value] of [
    ["role", "combobox"],
    ["aria-autocomplete", "list"],
    ["aria-controls", listId],
    ["aria-expanded", "false"],
  ] as const)
    input.setAttribute(name, value);

  const activate = (at: number): void => {
    active = at;
    for (const [index, option] of [...list.children].entries())
      option.setAttribute("aria-selected", String(index === at));
    const option = list.children[at];
    if (option === undefined) input.removeAttribute("aria-activedescendant");
    else {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }
  };
  const close = (): void => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    activate(-1);
  };
  const take = (suggestion: FormSuggestion): void => {
    input.value = suggestion.value;
    close();
    taken(suggestion.value);
  };
  const open = (): void => {
    shown = matching(suggestions, input.value);
    list.replaceChildren(...shown.map((it, at) => optionOf(it, `${listId}-${at}`, () => take(it))));
    list.hidden = shown.length === 0;
    input.setAttribute("aria-expanded", String(shown.length > 0));
    activate(-1);
  };

  input.addEventListener("input", open);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (list.hidden) open();
      if (shown.length === 0) return;
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      activate((active + step + shown.length + (active < 0 && step < 0 ? 1 : 0)) % shown.length);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === "Enter" && !list.hidden) {
      const suggestion = shown[active];
      if (suggestion === undefined) return close();
      event.preventDefault();
      event.stopPropagation();
      take(suggestion);
    }
  });
  return list;
}

function optionOf({ value, label, note }: FormSuggestion, id: string, take: () => void): HTMLElement {
  const option = element(
    "li",
    { id, role: "option", class: "option", "aria-selected": "false" },
    element("span", { class: "option-label" }, label),
    ...(label === value ? [] : [element("span", { class: "quiet exact" }, value)]),
    ...(note === "" ? [] : [element("span", { class: "quiet" }, note)]),
  );
  // The press would take the focus from the field, which closes the list.
  option.addEventListener("pointerdown", (event) => event.preventDefault());
  option.addEventListener("click", take);
  return option;
}

function matching(suggestions: readonly FormSuggestion[], typed: string): readonly FormSuggestion[] {
  const text = typed.trim().toLowerCase();
  const isExact = suggestions.some(({ value }) => value === typed.trim());
  if (isExact) return [];
  return suggestions
    .filter(({ value, label, note }) => [value, label, note].some((it) => it.toLowerCase().includes(text)))
    .slice(0, MOST_OPTIONS);
}
