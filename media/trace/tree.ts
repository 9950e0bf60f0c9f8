import { t } from "@vscode/l10n";
import type { FromTracePage, ToTracePage, TraceRow } from "../../src/webview-messages/trace.ts";
import { element, icon } from "../shared/dom.ts";

type Rows = Extract<ToTracePage, { kind: "rows" }>;

/** Height of a row; the style sheet has the same. */
const ROW_PX = 24;
/** Rows that are drawn above and below the visible part. */
const MARGIN = 30;
/** Height above which browsers place elements inexactly. */
const MOST_PX = 8_000_000;

/**
 * The tree of calls. Only the visible rows exist: the panel sends them when they come into view. One stop for Tab; arrows
 * move within, Enter opens the source.
 */
export class TraceTree {
  readonly list: HTMLElement;
  readonly #send: (message: FromTracePage) => void;
  readonly #space = element("div", { class: "space" });
  #rows: Rows = { kind: "rows", total: 0, from: 0, rows: [], selected: 0, found: null };
  /** Part that was requested last. */
  #requested: { readonly from: number; readonly count: number } | undefined;

  constructor(send: (message: FromTracePage) => void) {
    this.#send = send;
    this.list = element(
      "div",
      { class: "tree", role: "tree", tabindex: "0", "aria-label": t`Calls`, "data-key": "tree" },
      this.#space,
    );
    this.list.addEventListener("scroll", () => this.#request());
    this.list.addEventListener("keydown", (event) => this.#steer(event));
    this.list.addEventListener("click", (event) => this.#click(event));
    this.list.addEventListener("dblclick", (event) => this.#openSource(this.#rowAt(event)));
    new ResizeObserver(() => this.#request()).observe(this.list);
  }

  /** Requests the first rows of another trace. */
  reset(): void {
    this.list.scrollTop = 0;
    this.#requested = undefined;
    this.#request();
  }

  show(rows: Rows): void {
    const isMoved = rows.selected !== this.#rows.selected || rows.total !== this.#rows.total;
    this.#rows = rows;
    this.list.style.height = `${rows.total * ROW_PX + 2}px`;
    this.#space.style.height = `${Math.min(rows.total * ROW_PX, MOST_PX)}px`;
    this.#space.replaceChildren(...rows.rows.map((row, at) => this.#draw(row, rows.from + at)));
    this.list.setAttribute("aria-activedescendant", `row-${rows.selected}`);
    if (isMoved) this.#reveal(rows.selected);
    this.#request();
  }

  #draw(row: TraceRow, index: number): HTMLElement {
    const { level, position, siblings, isOpen, icon: symbol, tone, label, description, energy, share, source } = row;
    const isSelected = index === this.#rows.selected;
    const made = element(
      "div",
      {
        class: "row",
        role: "treeitem",
        id: `row-${index}`,
        "data-index": String(index),
        "data-tone": tone,
        "aria-level": String(level),
        "aria-posinset": String(position),
        "aria-setsize": String(siblings),
        "aria-selected": String(isSelected),
        ...(isOpen === null ? {} : { "aria-expanded": String(isOpen) }),
      },
      element("span", { class: "fold" }, isOpen === null ? undefined : icon(isOpen ? "chevron-down" : "chevron-right")),
      icon(symbol),
      element("span", { class: "label" }, label),
      description === "" ? undefined : element("span", { class: "description" }, description),
      source === null ? undefined : element("span", { class: "source" }, source),
      element("span", { class: "cost" }, energy),
      energy === ""
        ? undefined
        : element("span", { class: "bar", "aria-hidden": "true" }, element("span", { class: "part" })),
    );
    made.style.top = `${this.#topOf(index)}px`;
    made.style.paddingInlineStart = `${Math.min(level, 40) * 14 - 8}px`;
    const part = made.querySelector<HTMLElement>(".part");
    if (part !== null) part.style.width = `${share / 10}%`;
    return made;
  }

  /** Position of a row. A list that is too high for the browser is scaled. */
  #topOf(index: number): number {
    const { total, from } = this.#rows;
    if (total * ROW_PX <= MOST_PX) return index * ROW_PX;
    const start = Math.round((from / total) * MOST_PX);
    return start + (index - from) * ROW_PX;
  }

  #firstVisible(): number {
    const { total } = this.#rows;
    const { scrollTop } = this.list;
    return Math.floor(total * ROW_PX <= MOST_PX ? scrollTop / ROW_PX : (scrollTop / MOST_PX) * total);
  }

  /** Requests the rows around the visible part, if they are not here. */
  #request(): void {
    const visible = Math.ceil(this.list.clientHeight / ROW_PX) + 1;
    const first = this.#firstVisible();
    const { from, rows, total } = this.#rows;
    const last = Math.min(first + visible, total);
    const isHere = this.#requested !== undefined && first >= from && last <= from + rows.length;
    if (isHere) return;
    const part = { from: Math.max(0, first - MARGIN), count: visible + 2 * MARGIN };
    if (this.#requested?.from === part.from && this.#requested.count === part.count) return;
    this.#requested = part;
    this.#send({ kind: "rows", ...part });
  }

  #reveal(index: number): void {
    const top = this.#topOf(index);
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop) this.list.scrollTop = top;
    else if (top + ROW_PX > scrollTop + clientHeight) this.list.scrollTop = top + ROW_PX - clientHeight;
  }

  #at(index: number): TraceRow | undefined {
    return this.#rows.rows[index - this.#rows.from];
  }

  #rowAt({ target }: Event): number | undefined {
    const found = target instanceof Element ? target.closest<HTMLElement>("[role=treeitem]") : null;
    return found === null ? undefined : Number(found.dataset.index);
  }

  #click(event: Event): void {
    const index = this.#rowAt(event);
    if (index === undefined) return;
    this.#select(index);
    const { target } = event;
    if (!(target instanceof Element)) return;
    if (target.closest(".source") !== null) this.#openSource(index);
    else if (target.closest(".fold") !== null) this.#open(index, this.#at(index)?.isOpen === false);
  }

  #select(index: number): void {
    const { total } = this.#rows;
    if (total > 0) this.#send({ kind: "select", index: Math.max(0, Math.min(index, total - 1)) });
  }

  #open(index: number, isOpen: boolean): void {
    const row = this.#at(index);
    if (row !== undefined && row.isOpen !== null) this.#send({ kind: "open", id: row.id, isOpen });
  }

  #openSource(index: number | undefined): void {
    const row = index === undefined ? undefined : this.#at(index);
    if (row !== undefined && row.source !== null) this.#send({ kind: "source", of: "row", id: row.id });
  }

  #steer(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { selected, total } = this.#rows;
    const page = Math.max(1, Math.floor(this.list.clientHeight / ROW_PX) - 1);
    const row = this.#at(selected);
    const moves: { readonly [key: string]: () => void } = {
      ArrowDown: () => this.#select(selected + 1),
      ArrowUp: () => this.#select(selected - 1),
      PageDown: () => this.#select(selected + page),
      PageUp: () => this.#select(selected - page),
      Home: () => this.#select(0),
      End: () => this.#select(total - 1),
      ArrowRight: () => (row?.isOpen === false ? this.#open(selected, true) : this.#select(selected + 1)),
      ArrowLeft: () => (row?.isOpen === true ? this.#open(selected, false) : this.#toParent(selected)),
      Enter: () => this.#openSource(selected),
      " ": () => this.#open(selected, row?.isOpen === false),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  }

  #toParent(index: number): void {
    const level = this.#at(index)?.level ?? 1;
    for (let at = index - 1; at >= this.#rows.from; at -= 1) {
      if ((this.#at(at)?.level ?? level) < level) {
        this.#select(at);
        return;
      }
    }
  }
}
