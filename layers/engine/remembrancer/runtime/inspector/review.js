/** The view of what needs a decision: possible contradictions, memories that wait for review, failed vectors. */

import { button, chip, element, fill, heading } from "./elements.js";
import { ago } from "./figures.js";
import { attempt, tell } from "./messages.js";
import { ServiceError } from "./service.js";

/** @typedef {import("./inspector.js").Inspector} Inspector */
/** @typedef {import("./service.js").Json} Json */

const MOST_WAITING = 100;

/** @param {Inspector} inspector */
export function reviewView(inspector) {
  const [conflicts, waiting, failed] = [0, 1, 2].map(() => element("section", { class: "panel" }));
  const read = async () => {
    await attempt(async () => {
      await Promise.all([
        showConflicts(inspector, conflicts, read),
        showMemories(inspector, waiting, "Waiting for review", { status: "pending_review" }, "No memory waits for review.", read),
        showMemories(inspector, failed, "Without a vector", { embedding_state: "failed" }, "Every memory has its vector, or soon will.", read),
      ]);
    });
  };
  return { root: element("div", { class: "view" }, conflicts, waiting, failed), focus: () => conflicts.querySelector("button")?.focus(), scopeChanged: () => void read() };
}

/**
 * Pairs of memories that may contradict each other; nothing where the service has no such route.
 * @param {Inspector} inspector
 * @param {HTMLElement} place
 * @param {() => Promise<void>} again
 */
async function showConflicts(inspector, place, again) {
  let found;
  try {
    found = await inspector.service.get("/v1/conflicts", { agent_id: inspector.agent, limit: MOST_WAITING });
  } catch (problem) {
    if (!(problem instanceof ServiceError && problem.isAbsent)) throw problem;
    place.hidden = true;
    return;
  }
  place.hidden = false;
  const settle = async (/** @type {Json} */ conflict, /** @type {Json} */ decision, /** @type {string} */ news) => {
    await attempt(async () => {
      await inspector.service.change("POST", `/v1/conflicts/${conflict.conflict_id}/settle`, decision);
      tell(news);
      await again();
    });
  };
  fill(
    place,
    heading("May contradict each other", chip(String(found.conflicts.length))),
    found.conflicts.length === 0 && element("p", { class: "quiet" }, "No two memories seem to contradict each other."),
    element("ul", { class: "conflicts" }, found.conflicts.map((/** @type {Json} */ conflict) => element(
      "li",
      null,
      element("div", { class: "pair" }, conflict.memories.map((/** @type {Json} */ memory) => element("div", { class: "side" }, element("p", { dir: "auto" }, memory.content), element("small", null, `${memory.category} · ${ago(memory.created_at)} · ${memory.user_id ?? "shared"}`), button("Keep this one", () => void settle(conflict, { keep: memory.id }, "Settled: the other memory is superseded.")), button("Open", () => inspector.openMemory(memory.id))))),
      element("div", { class: "actions" }, button("Both are true", () => void settle(conflict, { keep: "both" }, "Settled: both stay."))),
    ))),
  );
}

/**
 * @param {Inspector} inspector
 * @param {HTMLElement} place
 * @param {string} title
 * @param {Json} filter
 * @param {string} none
 * @param {() => Promise<void>} again
 */
async function showMemories(inspector, place, title, filter, none, again) {
  const page = await inspector.service.get("/v1/memories", { agent_id: inspector.agent, ...filter, limit: MOST_WAITING });
  const set = async (/** @type {Json} */ memory, /** @type {string} */ status) => {
    const endUser = inspector.service.endUser;
    await attempt(async () => {
      await inspector.service.change("PATCH", `/v1/memories/${memory.id}`, { status });
      await again();
      tell(status === "active" ? "Accepted." : "Archived.", async () => {
        await inspector.service.change("PATCH", `/v1/memories/${memory.id}`, { status: memory.status }, { endUser });
        await again();
      });
    });
  };
  fill(
    place,
    heading(title, chip(`${page.memories.length}${page.next_cursor ? " and more" : ""}`)),
    page.memories.length === 0 && element("p", { class: "quiet" }, none),
    element("ul", { class: "waiting" }, page.memories.map((/** @type {Json} */ memory) => element(
      "li",
      null,
      element("div", null, element("p", { dir: "auto" }, memory.content ?? "(no text)"), element("small", null, [memory.category, ago(memory.created_at), memory.user_id ?? "shared", memory.embedding_error].filter(Boolean).join(" · "))),
      element("div", { class: "actions" }, filter.status && button("Accept", () => void set(memory, "active"), { class: "main" }), filter.status && button("Archive", () => void set(memory, "archived")), button("Open", () => inspector.openMemory(memory.id))),
    ))),
  );
}
