/** The view that browses and searches the memories of an agent. */

import { button, chip, choices, element, fill } from "./elements.js";
import { ago, whole } from "./figures.js";
import { CATEGORIES, MemoryPanel, pinChip } from "./memory.js";
import { attempt } from "./messages.js";
import { VirtualList } from "./virtual_list.js";

/** @typedef {import("./inspector.js").Inspector} Inspector */
/** @typedef {import("./service.js").Json} Json */

const MEMORIES_PAGE = 200;
const MOST_FOUND = 50;
const ROW_HEIGHT = 74;

/** @param {Inspector} inspector */
export function memoriesView(inspector) {
  const search = element("input", { type: "search", placeholder: "Search by meaning and words", "aria-label": "Search memories", autocomplete: "off", "aria-keyshortcuts": "/" });
  const status = choices([["", "any status"], ["active", "active"], ["superseded", "superseded"], ["archived", "archived"], ["pending_review", "waiting for review"]], { "aria-label": "Status" });
  const category = choices([["", "any category"], ...CATEGORIES.map((name) => /** @type {[string, string]} */ ([name, name]))], { "aria-label": "Category" });
  const vector = choices([["", "any vector"], ["ready", "vector ready"], ["pending", "vector pending"], ["failed", "vector failed"]], { "aria-label": "Vector" });
  const pins = choices([["", "pinned or not"], ["pinned", "pinned"], ["pin_proposed", "proposed as pinned"]], { "aria-label": "Pins" });
  const tag = element("input", { placeholder: "tag", "aria-label": "Tag", size: 8, autocomplete: "off" });
  const counted = element("p", { class: "counted", role: "status", "data-test": "counted" });
  const root = element("div", { class: "view browse" });
  /** @type {string[]} what the last search could not use */
  let missing = [];
  const panel = new MemoryPanel(inspector, (id, memory) => {
    if (memory && memory.id !== id) list.replace(id, memory);
    else list.replace(id, memory);
  });
  const list = new VirtualList("Memories", ROW_HEIGHT, memoryRow, (memory) => void open(memory.id), (each) => {
    const more = each.isComplete ? "" : " loaded, more below";
    fill(counted, search.value.trim() ? [`${each.length} found, best first`, missing.length > 0 && chip(`incomplete: ${missing.join(", ")}`, "weak")] : `${whole(each.length)} memor${each.length === 1 ? "y" : "ies"}${more}`);
    each.root.classList.toggle("none", each.length === 0);
  });
  const browse = async () => {
    const filters = { agent_id: inspector.agent, status: status.value, category: category.value, embedding_state: vector.value, tag: tag.value.trim(), ...(pins.value && { [pins.value]: true }) };
    const text = search.value.trim();
    await attempt(() =>
      list.begin(async (cursor) => {
        if (text) {
          const { memories, degraded } = await found(inspector, text, filters);
          missing = degraded;
          return { entries: memories, next: null };
        }
        const page = await inspector.service.get("/v1/memories", { ...filters, limit: MEMORIES_PAGE, cursor });
        return { entries: page.memories, next: page.next_cursor };
      }),
    );
  };
  const open = async (/** @type {string} */ id) => {
    root.classList.add("chosen");
    if (await panel.open(id)) list.mark(id);
  };
  for (const control of [status, category, vector, pins]) control.addEventListener("change", () => void browse());
  search.addEventListener("search", () => void browse());
  for (const control of [search, tag]) control.addEventListener("keydown", (event) => { if (/** @type {KeyboardEvent} */ (event).key === "Enter") void browse(); });
  const back = button("Back to the list", () => { root.classList.remove("chosen"); list.root.focus(); }, { class: "back" });
  root.append(
    element("div", { class: "toolbar" }, search, status, category, vector, pins, tag, button("Search", () => void browse()), counted),
    element("div", { class: "panes" }, element("div", { class: "side" }, list.root, element("p", { class: "empty" }, "No memory fits. Shared memories show without an end user; private ones with their end user, or with *.")), element("div", { class: "main-pane" }, back, panel.root)),
  );
  /** @type {Record<string, () => void>} */
  const keys = { e: () => panel.edit(), s: () => panel.supersede(), f: () => void panel.forget() };
  return {
    root,
    keys,
    focus: () => search.focus(),
    open,
    scopeChanged: () => {
      root.classList.remove("chosen");
      panel.clear();
      void browse();
    },
  };
}

/**
 * Searches as an agent would; the filters that a query does not know are applied here.
 * @param {Inspector} inspector
 * @param {string} query
 * @param {Json} filters
 */
async function found(inspector, query, filters) {
  const chosen = { ...(filters.category ? { categories: [filters.category] } : {}), ...(filters.tag ? { tags: [filters.tag] } : {}) };
  const body = { query, agent_id: inspector.requireAgent(), k: MOST_FOUND, thoroughness: "all", explain: false, filters: chosen };
  return (await inspector.service.send("POST", "/memory/query", body)).body;
}

/** @param {Json} memory */
export function memoryRow(memory) {
  const chips = [
    pinChip(memory),
    memory.status && memory.status !== "active" && chip(memory.status.replace("_", " "), "weak"),
    memory.embedding_state && memory.embedding_state !== "ready" && memory.embedding_state !== "dropped" && chip(`vector ${memory.embedding_state}`, "weak"),
    memory.score !== undefined && chip(memory.score.toFixed(2), "good"),
  ];
  const about = [memory.category, ago(memory.created_at), memory.user_id ?? "shared", memory.version > 1 && `version ${memory.version}`];
  return [element("div", { class: "text", dir: "auto" }, (memory.content ?? "(no text)").slice(0, 400)), element("div", { class: "about" }, chips, about.filter(Boolean).join(" · "))];
}
