import { t } from "@vscode/l10n";
import { element } from "../shared/dom.ts";
import type { TabName } from "./message.ts";

export interface Tab {
  readonly name: TabName;
  readonly label: string;
  /** How many there are, beside the label. */
  readonly count?: number;
  readonly panel: readonly Node[];
}

/** Tabs with their panels: arrows go from one to the next, only the chosen one is a stop for Tab. */
export function drawTabs(tabs: readonly Tab[], chosen: TabName, choose: (name: TabName) => void): readonly Node[] {
  const list = element("div", { class: "tabs", role: "tablist", "aria-label": t`Explanation` });
  list.append(...tabs.map((tab) => head(tab, tab.name === chosen, choose)));
  list.addEventListener("keydown", (event) => {
    const index = tabs.findIndex(({ name }) => name === chosen);
    const next = NEXT[event.key]?.(index, tabs.length);
    const tab = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length];
    if (tab === undefined) return;
    event.preventDefault();
    choose(tab.name);
    document.getElementById(`tab-${tab.name}`)?.focus();
  });
  return [list, ...tabs.map((tab) => panelOf(tab, tab.name === chosen))];
}

const NEXT: { readonly [key: string]: (index: number, length: number) => number } = {
  ArrowRight: (index) => index + 1,
  ArrowLeft: (index) => index - 1,
  Home: () => 0,
  End: (_, length) => length - 1,
};

function head({ name, label, count }: Tab, isChosen: boolean, choose: (name: TabName) => void): HTMLElement {
  const made = element(
    "button",
    {
      type: "button",
      role: "tab",
      id: `tab-${name}`,
      class: "tab",
      "data-key": `tab ${name}`,
      "aria-selected": String(isChosen),
      "aria-controls": `panel-${name}`,
      tabindex: isChosen ? "0" : "-1",
    },
    label,
    count === undefined ? undefined : element("span", { class: "count" }, String(count)),
  );
  made.addEventListener("click", () => choose(name));
  return made;
}

function panelOf({ name, panel }: Tab, isChosen: boolean): HTMLElement {
  return element(
    "div",
    { role: "tabpanel", id: `panel-${name}`, class: "panel", "aria-labelledby": `tab-${name}`, hidden: !isChosen },
    ...(isChosen ? panel : []),
  );
}
