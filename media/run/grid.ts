import { t } from "@vscode/l10n";
import type { RunRowView, RunStateView } from "../../src/webview-messages/run.ts";
import { element, icon } from "../shared/dom.ts";

/** Height of a row, as in `run.css`; px. */
const ROW_PX = 24;
/** Rows that are drawn above and below the visible ones. */
const SPARE_ROWS = 12;

/** The list of rows: only the visible ones are elements. */
export interface RunGrid {
  readonly root: HTMLElement;
  /** Shows these rows. Keeps the selected one if it is among them. */
  show(rows: readonly RunRowView[], states: ReadonlyMap<string, RunStateView>): void;
}

const COLUMNS: readonly (readonly [name: keyof RunRowView, title: string])[] = [
  ["row", t`Row`],
  ["state", t`State`],
  ["recipient", t`Recipient`],
  ["amount", t`Amount`],
  ["label", t`Label`],
  ["key", t`Key`],
  ["detail", t`Details`],
];

function headerRow(): HTMLElement {
  const titles = COLUMNS.map(([name, title]) =>
    element("span", { role: "columnheader", class: `cell of-${name}` }, title),
  );
  return element("div", { role: "row", class: "row header", "aria-rowindex": "1" }, ...titles);
}

/** Creates the list. @param open - called for the row on which the user presses Enter or double-clicks */
export function createGrid(open: (row: number) => void): RunGrid {
  const body = element("div", { role: "rowgroup", class: "body" });
  const root = element(
    "div",
    { role: "grid", class: "grid", tabindex: "0", "aria-label": t`Rows of the run`, "aria-readonly": "true" },
    element("div", { role: "rowgroup", class: "head" }, headerRow()),
    body,
  );
  let rows: readonly RunRowView[] = [];
  let states: ReadonlyMap<string, RunStateView> = new Map();
  let selected = 0;

  const draw = (): void => {
    const first = Math.max(0, Math.floor(root.scrollTop / ROW_PX) - SPARE_ROWS);
    const count = Math.ceil(root.clientHeight / ROW_PX) + 2 * SPARE_ROWS;
    body.replaceChildren(
      ...rows.slice(first, first + count).map((row, at) => drawRow(row, first + at, first + at === selected, states)),
    );
    const current = body.querySelector("[aria-selected=true]");
    if (current === null) root.removeAttribute("aria-activedescendant");
    else root.setAttribute("aria-activedescendant", current.id);
  };
  const select = (index: number): void => {
    selected = Math.min(Math.max(0, index), rows.length - 1);
    const top = selected * ROW_PX;
    const height = root.clientHeight - ROW_PX;
    if (top < root.scrollTop) root.scrollTop = top;
    else if (top + ROW_PX > root.scrollTop + height) root.scrollTop = top + ROW_PX - height;
    draw();
  };
  const openSelected = (): void => {
    const row = rows[selected];
    if (row !== undefined) open(row.row);
  };
  root.addEventListener("scroll", () => requestAnimationFrame(draw));
  addEventListener("resize", () => requestAnimationFrame(draw));
  root.addEventListener("keydown", (event) => {
    const target = targetOf(event.key, { selected, count: rows.length, height: root.clientHeight });
    if (target !== undefined) select(target);
    else if (event.key === "Enter") openSelected();
    else return;
    event.preventDefault();
  });
  body.addEventListener("mousedown", (event) => {
    const index = indexOf(event.target);
    if (index !== undefined) select(index);
  });
  body.addEventListener("dblclick", openSelected);
  return {
    root,
    show: (next, names) => {
      const row = rows[selected]?.row;
      rows = next;
      states = names;
      selected = Math.max(
        0,
        rows.findIndex((it) => it.row === row),
      );
      body.style.height = `${rows.length * ROW_PX}px`;
      root.setAttribute("aria-rowcount", String(rows.length + 1));
      draw();
    },
  };
}

interface ListPosition {
  readonly selected: number;
  readonly count: number;
  /** Height of the list, px. */
  readonly height: number;
}

/** Returns the index that a key moves to; undefined for other keys. */
function targetOf(key: string, { selected, count, height }: ListPosition): number | undefined {
  const page = Math.max(1, Math.floor(height / ROW_PX) - 2);
  switch (key) {
    case "ArrowDown":
      return selected + 1;
    case "ArrowUp":
      return selected - 1;
    case "PageDown":
      return selected + page;
    case "PageUp":
      return selected - page;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}

function indexOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest("[data-index]") : null;
  return row === null ? undefined : Number(row.getAttribute("data-index"));
}

function drawRow(
  row: RunRowView,
  index: number,
  isSelected: boolean,
  states: ReadonlyMap<string, RunStateView>,
): HTMLElement {
  const state = states.get(row.state);
  const cells = COLUMNS.map(([name]) => {
    const attributes = { role: "gridcell", class: `cell of-${name}`, title: String(row[name]) };
    if (name !== "state") return element("span", attributes, String(row[name]));
    const named = { ...attributes, title: state?.label ?? "", "data-tone": state?.tone ?? "neutral" };
    return element("span", named, icon(state?.icon ?? "circle"), state?.label ?? "");
  });
  const line = element(
    "div",
    {
      role: "row",
      class: "row",
      id: `row-${row.row}`,
      "data-index": String(index),
      "aria-rowindex": String(index + 2),
      "aria-selected": String(isSelected),
    },
    ...cells,
  );
  line.style.top = `${index * ROW_PX}px`;
  return line;
}
