import { t } from "@vscode/l10n";
import type { EnergyRow, FlameBox, FlameBy, FromTracePage, ToTracePage } from "../../src/webview-messages/trace.ts";
import { element } from "../shared/dom.ts";

type Flame = Extract<ToTracePage, { kind: "flame" }>;

/** Height of a box with its gap; the style sheet has the same. */
const BOX_PX = 22;
/** Whole width of the chart. */
const WHOLE = 1_000_000;
/** Number of colours of the style sheet. */
const HUES = 4;

/**
 * Flame chart of energy, with a table of the same data. One stop for Tab: arrows move between boxes, Enter opens the
 * source, Space shows only what is below a box.
 */
export class FlameChart {
  readonly element: HTMLElement;
  by: FlameBy = "function";
  readonly #send: (message: FromTracePage) => void;
  readonly #chart = element("div", { class: "chart", role: "group", "aria-label": t`Flame chart of energy` });
  readonly #note = element("p", { class: "quiet" });
  readonly #table = element("tbody");
  #boxes: readonly FlameBox[] = [];
  #current = 0;

  constructor(send: (message: FromTracePage) => void) {
    this.#send = send;
    const columns = [t`Name`, t`Own energy`, t`Share`, t`Instructions`, t`Source`];
    const head = element("tr", {}, ...columns.map((it) => element("th", { scope: "col" }, it)));
    this.element = element(
      "div",
      { class: "flame" },
      this.#note,
      this.#chart,
      element(
        "details",
        { "data-key": "details energy" },
        element("summary", {}, t`Table of energy`),
        element("table", { "aria-labelledby": "flame-title" }, element("thead", {}, head), this.#table),
      ),
    );
    this.#chart.addEventListener("keydown", (event) => this.#steer(event));
    this.#chart.addEventListener("click", (event) => this.#click(event));
  }

  show({ by, boxes, rows, note }: Flame): void {
    const hadFocus = this.#chart.contains(document.activeElement);
    this.by = by;
    this.#boxes = boxes;
    this.#current = 0;
    this.#note.textContent = note ?? "";
    this.#note.hidden = note === null;
    const depth = Math.max(0, ...boxes.map((it) => it.depth + 1));
    this.#chart.style.height = `${depth * BOX_PX}px`;
    this.#chart.replaceChildren(...boxes.map((it, at) => this.#draw(it, at)));
    this.#table.replaceChildren(...rows.map((it) => this.#drawRow(it)));
    if (hadFocus) this.#focus(0);
  }

  #draw({ depth, left, width, label, energy, own, percent, source }: FlameBox, at: number): HTMLElement {
    const spoken = [label, t`${energy} energy`, percent, t`own ${own}`, ...(source === null ? [] : [source])].join(
      ", ",
    );
    const made = element(
      "button",
      {
        type: "button",
        class: `box hue-${hueOf(label)}`,
        tabindex: at === this.#current ? "0" : "-1",
        "data-at": String(at),
        "aria-label": spoken,
        title: spoken,
      },
      label,
    );
    made.style.top = `${depth * BOX_PX}px`;
    made.style.left = `${(left / WHOLE) * 100}%`;
    made.style.width = `max(2px, calc(${(width / WHOLE) * 100}% - 1px))`;
    return made;
  }

  #drawRow({ id, label, source, own, percent, count }: EnergyRow): HTMLElement {
    const open = (): Node | string => {
      if (source === null) return "";
      const made = element("button", { type: "button", class: "link exact", "data-key": `energy ${id}` }, source);
      made.addEventListener("click", () => this.#send({ kind: "source", of: "box", id }));
      return made;
    };
    const cells: readonly (readonly [string, Node | string])[] = [
      ["", label],
      ["number", own],
      ["number", percent],
      ["number", count],
      ["", open()],
    ];
    return element("tr", {}, ...cells.map(([kind, content]) => element("td", { class: kind }, content)));
  }

  #click({ target }: Event): void {
    const made = target instanceof Element ? target.closest<HTMLElement>(".box") : null;
    if (made === null) return;
    const at = Number(made.dataset.at);
    this.#focus(at);
    this.#openSource(at);
  }

  #focus(at: number): void {
    const boxes = [...this.#chart.querySelectorAll<HTMLElement>(".box")];
    if (boxes[at] === undefined) return;
    this.#current = at;
    for (const [index, it] of boxes.entries()) it.setAttribute("tabindex", index === at ? "0" : "-1");
    boxes[at].focus();
  }

  #openSource(at: number): void {
    const box = this.#boxes[at];
    if (box !== undefined && box.source !== null) this.#send({ kind: "source", of: "box", id: box.id });
  }

  #steer(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const box = this.#boxes[this.#current];
    if (box === undefined) return;
    const row = this.#boxes.filter(({ depth }) => depth === box.depth).sort((a, b) => a.left - b.left);
    const beside = (step: number): FlameBox | undefined => row[row.indexOf(box) + step];
    const moves: { readonly [key: string]: () => FlameBox | undefined } = {
      ArrowRight: () => beside(1),
      ArrowLeft: () => beside(-1),
      ArrowDown: () => this.#boxes.find(({ parent }) => parent === box.id),
      ArrowUp: () => this.#boxes.find(({ id }) => id === box.parent),
      Home: () => this.#boxes[0],
      " ": () => this.#zoom(box.id),
      Escape: () => this.#zoom(null),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const next = move();
    if (next !== undefined) this.#focus(this.#boxes.indexOf(next));
  }

  #zoom(root: number | null): undefined {
    this.#send({ kind: "flame", by: this.by, root });
  }
}

/** Equal names have equal colours. */
function hueOf(label: string): number {
  let sum = 0;
  for (const letter of label) sum = (sum * 31 + letter.charCodeAt(0)) % 997;
  return sum % HUES;
}
