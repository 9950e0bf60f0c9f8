import { t } from "@vscode/l10n";
import type { TimelineRow } from "../../src/webview-messages/timeline.ts";
import { element, icon } from "./dom.ts";

type Copy = (text: string) => void;

const SHOWN_FOR_MS = 1_500;

/** Draws rows of a name and a value; exact values can be copied. @param id - distinguishes the lists of a page */
export function rowList(id: string, rows: readonly TimelineRow[], copy: Copy): HTMLElement {
  return element(
    "dl",
    { class: "rows" },
    ...rows.flatMap(({ name, value, exact }) => [
      element("dt", {}, name),
      exact
        ? element("dd", { class: "exact" }, element("span", {}, value), copyButton(id, name, value, copy))
        : element("dd", {}, value),
    ]),
  );
}

/** Draws a button that copies a value, and shows for a moment that it was copied. */
export function copyButton(id: string, name: string, value: string, copy: Copy): HTMLElement {
  const label = t`Copy ${name}`;
  const made = element(
    "button",
    { type: "button", class: "bare", "aria-label": label, title: label, "data-key": `copy ${id} ${name}` },
    icon("copy"),
  );
  made.addEventListener("click", () => {
    copy(value);
    made.replaceChildren(icon("check"));
    setTimeout(() => made.replaceChildren(icon("copy")), SHOWN_FOR_MS);
  });
  return made;
}
