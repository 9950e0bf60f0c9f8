import { element } from "./dom.ts";
import "./grid.css";

/** Height of a row, as in `grid.css`; px. */
const ROW_PX = 24;
/** Rows that are drawn above and below the visible ones. */
const SPARE_ROWS = 12;

/** A column of a list. `name` is the class of its cells, after `of-`. */
export interface GridColumn<Row> {
  readonly name: string;
  readonly title: string;
  /** Text of the cell and of its tooltip. */
  readonly text: (row: Row) => string;
  /** Draws a cell that is more than text. The grid adds the role of the cell. */
  readonly draw?: (row: Row) => HTMLElement;
}

export interface GridOptions<Row> {
  /** Name of the list for screen readers. */
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  /** Returns the number that identifies a row while the content changes. */
  readonly idOf: (row: Row) => number;
  /** Called for the row on which the user presses Enter or double-clicks. */
  readonly open: (row: Row) => void;
  /** Called after another row is selected; undefined if there is none. */
  readonly selected?: (row: Row | undefined) => void;
}

/** List for many rows: only the visible ones are elements. The keyboard moves the selected row; Enter opens it. */
export class Grid<Row> {
  readonly root: HTMLElement;
  readonly #options: GridOptions<Row>;
  readonly #body = element("div", { role: "rowgroup", class: "body" });
  #rows: readonly Row[] = [];
  #selected = 0;

  constructor(options: GridOptions<Row>) {
    const { label, columns } = options;
    this.#options = options;
    const titles = columns.map(({ name, title }) =>
      element("span", { role: "columnheader", class: `cell of-${name}` }, title),
    );
    const header = element("div", { role: "row", class: "row header", "aria-rowindex": "1" }, ...titles);
    this.root = element(
      "div",
      { role: "grid", class: "grid", tabindex: "0", "aria-label": label, "aria-readonly": "true" },
      element("div", { role: "rowgroup", class: "head" }, header),
      this.#body,
    );
    this.root.addEventListener("scroll", () => requestAnimationFrame(() => this.#draw()));
    addEventListener("resize", () => requestAnimationFrame(() => this.#draw()));
    this.root.addEventListener("keydown", (event) => {
      if (this.#pressed(event.key)) event.preventDefault();
    });
    this.#body.addEventListener("mousedown", (event) => {
      const index = indexOf(event.target);
      // Selecting draws the rows again, and a button that is replaced gets no click.
      const isButton = event.target instanceof Element && event.target.closest("button") !== null;
      if (index !== undefined && !isButton) this.#select(index);
    });
    this.#body.addEventListener("dblclick", () => this.#open());
  }

  /** Shows these rows. The selected one and the first visible one stay where they are if they are among them. */
  show(rows: readonly Row[]): void {
    const { idOf } = this.#options;
    const scrolled = this.#positionIn(rows);
    const current = this.#rows[this.#selected];
    const id = current === undefined ? undefined : idOf(current);
    const found = rows.findIndex((it) => idOf(it) === id);
    this.#selected = found < 0 ? Math.max(0, Math.min(this.#selected, rows.length - 1)) : found;
    this.#rows = rows;
    this.#body.style.height = `${rows.length * ROW_PX}px`;
    if (this.root.scrollTop !== scrolled) this.root.scrollTop = scrolled;
    this.root.setAttribute("aria-rowcount", String(rows.length + 1));
    this.#draw();
    this.#options.selected?.(rows[this.#selected]);
  }

  /** Returns the scroll position at which the first visible row that is still listed stays where it is; px. */
  #positionIn(rows: readonly Row[]): number {
    const { scrollTop } = this.root;
    if (scrollTop === 0) return 0;
    const { idOf } = this.#options;
    const indexes = new Map(rows.map((row, index) => [idOf(row), index]));
    const first = Math.floor(scrollTop / ROW_PX);
    for (const [distance, row] of this.#rows.slice(first).entries()) {
      const index = indexes.get(idOf(row));
      if (index !== undefined) return scrollTop + (index - first - distance) * ROW_PX;
    }
    return scrollTop;
  }

  /** @returns whether the list uses the key */
  #pressed(key: string): boolean {
    const position = { selected: this.#selected, count: this.#rows.length, height: this.root.clientHeight };
    const target = targetOf(key, position);
    if (target !== undefined) this.#select(target);
    else if (key === "Enter") this.#open();
    return target !== undefined || key === "Enter";
  }

  #select(index: number): void {
    this.#selected = Math.min(Math.max(0, index), this.#rows.length - 1);
    const top = this.#selected * ROW_PX;
    const height = this.root.clientHeight - ROW_PX;
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (top + ROW_PX > this.root.scrollTop + height) this.root.scrollTop = top + ROW_PX - height;
    this.#draw();
    this.#options.selected?.(this.#rows[this.#selected]);
  }

  #open(): void {
    const row = this.#rows[this.#selected];
    if (row !== undefined) this.#options.open(row);
  }

  #draw(): void {
    const first = Math.max(0, Math.floor(this.root.scrollTop / ROW_PX) - SPARE_ROWS);
    const count = Math.ceil(this.root.clientHeight / ROW_PX) + 2 * SPARE_ROWS;
    const visible = this.#rows.slice(first, first + count);
    this.#body.replaceChildren(...visible.map((row, at) => this.#drawRow(row, first + at)));
    const current = this.#body.querySelector("[aria-selected=true]");
    if (current === null) this.root.removeAttribute("aria-activedescendant");
    else this.root.setAttribute("aria-activedescendant", current.id);
  }

  #drawRow(row: Row, index: number): HTMLElement {
    const { columns, idOf } = this.#options;
    const cells = columns.map((column) => drawCell(column, row));
    const position = { "data-index": String(index), "aria-rowindex": String(index + 2) };
    const attributes = { role: "row", class: "row", id: `row-${idOf(row)}`, ...position };
    const line = element("div", { ...attributes, "aria-selected": String(index === this.#selected) }, ...cells);
    line.style.top = `${index * ROW_PX}px`;
    return line;
  }
}

function drawCell<Row>({ name, text, draw }: GridColumn<Row>, row: Row): HTMLElement {
  const content = text(row);
  const attributes = { role: "gridcell", class: `cell of-${name}`, title: content };
  return element("span", attributes, draw === undefined ? content : draw(row));
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
