/** A list of any length: only the rows in sight exist. Rows have one height; further pages are loaded on the way. */

import { element, fill } from "./elements.js";

const SPARE_ROWS = 6;
let lists = 0;

/** @typedef {{entries: any[], next: string | null}} ListPage */

export class VirtualList {
  #id = `list${lists++}`;
  /** @type {any[]} */
  #entries = [];
  /** @type {string | null} */
  #next = null;
  /** @type {Map<number, HTMLElement>} */
  #rows = new Map();
  #active = -1;
  #generation = 0;
  #loading = false;
  #drawing = false;

  /**
   * @param {string} label
   * @param {number} rowHeight px
   * @param {(entry: any) => import("./elements.js").Child} content what a row shows
   * @param {(entry: any) => void} choose
   * @param {(list: VirtualList) => void} changed after each page
   */
  constructor(label, rowHeight, content, choose, changed) {
    this.rowHeight = rowHeight;
    this.content = content;
    this.choose = choose;
    this.changed = changed;
    /** @type {(cursor: string | null) => Promise<ListPage>} */
    this.load = async () => ({ entries: [], next: null });
    this.space = element("div", { class: "space" });
    this.root = element(
      "div",
      { class: "list", role: "listbox", tabindex: 0, "aria-label": label, on: { scroll: () => this.#draw(), keydown: (/** @type {KeyboardEvent} */ event) => this.#press(event), click: (/** @type {MouseEvent} */ event) => this.#click(event) } },
      this.space,
    );
    new ResizeObserver(() => this.#draw()).observe(this.root);
  }

  get length() {
    return this.#entries.length;
  }

  /** Whether every page was loaded. */
  get isComplete() {
    return this.#next === null && !this.#loading;
  }

  get active() {
    return this.#entries[this.#active] ?? null;
  }

  /**
   * Starts again with the first page of `load`.
   * @param {(cursor: string | null) => Promise<ListPage>} load
   */
  async begin(load) {
    this.load = load;
    this.#generation++;
    this.#entries = [];
    this.#next = null;
    this.#active = -1;
    this.#loading = false;
    this.root.scrollTop = 0;
    this.#clear();
    await this.#more();
  }

  /**
   * Replaces an entry, or takes it out of the list.
   * @param {string} id
   * @param {any | null} entry
   */
  replace(id, entry) {
    const index = this.#entries.findIndex((each) => each.id === id);
    if (index < 0) return;
    if (entry) this.#entries[index] = entry;
    else this.#entries.splice(index, 1);
    this.#clear();
    this.#draw();
    this.changed(this);
  }

  /**
   * Marks the entry with this id without choosing it.
   * @param {string} id
   */
  mark(id) {
    this.#active = this.#entries.findIndex((each) => each.id === id);
    this.#clear();
    this.#draw();
  }

  async #more() {
    if (this.#loading || (this.length && this.#next === null)) return;
    const generation = this.#generation;
    this.#loading = true;
    try {
      const page = await this.load(this.#next);
      if (generation !== this.#generation) return;
      this.#entries.push(...page.entries);
      this.#next = page.next;
    } finally {
      if (generation === this.#generation) this.#loading = false;
    }
    this.#draw();
    this.changed(this);
  }

  #clear() {
    this.#rows.clear();
    fill(this.space);
  }

  #draw() {
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      this.#show();
    });
  }

  #show() {
    const { scrollTop, clientHeight } = this.root;
    const first = Math.max(Math.floor(scrollTop / this.rowHeight) - SPARE_ROWS, 0);
    const last = Math.min(Math.ceil((scrollTop + clientHeight) / this.rowHeight) + SPARE_ROWS, this.length);
    this.space.style.height = `${this.length * this.rowHeight}px`;
    for (const [index, row] of this.#rows) {
      if (index >= first && index < last) continue;
      row.remove();
      this.#rows.delete(index);
    }
    for (let index = first; index < last; index++) {
      if (this.#rows.has(index)) continue;
      const row = this.#row(index);
      this.#rows.set(index, row);
      this.space.append(row);
    }
    if (last > this.length - 60 && this.#next !== null) void this.#more().catch(() => {});
  }

  /** @param {number} index */
  #row(index) {
    return element(
      "div",
      { class: "row", role: "option", id: `${this.#id}-${index}`, "data-index": index, "aria-posinset": index + 1, "aria-setsize": this.isComplete ? this.length : -1, "aria-selected": index === this.#active ? "true" : "false", style: { transform: `translateY(${index * this.rowHeight}px)`, height: `${this.rowHeight}px` } },
      this.content(this.#entries[index]),
    );
  }

  /** @param {number} index */
  #select(index) {
    if (index < 0 || index >= this.length) return;
    this.#rows.get(this.#active)?.setAttribute("aria-selected", "false");
    this.#active = index;
    const [top, bottom] = [index * this.rowHeight, (index + 1) * this.rowHeight];
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (bottom > this.root.scrollTop + this.root.clientHeight) this.root.scrollTop = bottom - this.root.clientHeight;
    this.#show();
    this.#rows.get(index)?.setAttribute("aria-selected", "true");
    this.root.setAttribute("aria-activedescendant", `${this.#id}-${index}`);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const page = Math.max(Math.floor(this.root.clientHeight / this.rowHeight) - 1, 1);
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: this.#active + 1, j: this.#active + 1, ArrowUp: this.#active - 1, k: this.#active - 1, PageDown: Math.min(this.#active + page, this.length - 1), PageUp: Math.max(this.#active - page, 0), Home: 0, End: this.length - 1 };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) {
      event.preventDefault();
      this.#select(moves[event.key]);
    } else if ((event.key === "Enter" || event.key === " ") && this.active) {
      event.preventDefault();
      this.choose(this.active);
    }
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const row = /** @type {Element} */ (event.target).closest(".row");
    if (!row) return;
    this.#select(Number(/** @type {HTMLElement} */ (row).dataset.index));
    this.choose(this.active);
  }
}
