/** The view of what needs a decision: possible contradictions, memories that wait for review, proposed pins, wishes to forget, failed vectors. */

import { button, chip, element, fill, heading } from "./elements.js";
import { ago } from "./figures.js";
import { bringBack } from "./memory.js";
import { attempt, tell } from "./messages.js";
import { ServiceError } from "./service.js";

/** @typedef {import("./inspector.js").Inspector} Inspector */
/** @typedef {import("./service.js").Json} Json */

const MOST_WAITING = 100;

/** @param {Inspector} inspector */
export function reviewView(inspector) {
  const [conflicts, waiting, proposed, unwanted, failed] = [0, 1, 2, 3, 4].map(() => element("section", { class: "panel" }));
  const read = async () => {
    await attempt(async () => {
      await Promise.all([
        showConflicts(inspector, conflicts, read),
        showMemories(inspector, waiting, "Waiting for review", { status: "pending_review" }, "No memory waits for review.", read),
        showProposedPins(inspector, proposed, read),
        showWishedForgotten(inspector, unwanted, read),
        showMemories(inspector, failed, "Without a vector", { embedding_state: "failed" }, "Every memory has its vector, or soon will.", read),
      ]);
    });
  };
  return { root: element("div", { class: "view" }, conflicts, waiting, proposed, unwanted, failed), focus: () => conflicts.querySelector("button")?.focus(), scopeChanged: () => void read() };
}

/**
 * Pairs of memories that may contradict each other; nothing where the service has no such route.
 * @param {Inspector} inspector
 * @param {HTMLElement} place
 * @param {() => Promise<void>} again
 */
async function showConflicts(inspector, place, again) {
  let found;
  place.hidden = true;
  if (!inspector.agent) return;
  try {
    found = await inspector.service.get("/v1/conflicts", { agent_id: inspector.agent, limit: MOST_WAITING });
  } catch (problem) {
    if (problem instanceof ServiceError && problem.isAbsent) return;
    throw problem;
  }
  place.hidden = false;
  const settle = async (/** @type {Json} */ conflict, /** @type {Json} */ decision) => {
    const { service } = inspector;
    const endUser = service.endUser;
    await attempt(async () => {
      const settled = await service.change("POST", `/v1/conflicts/${conflict.conflict_id}/settle`, decision);
      await again();
      if (!settled.superseded) {
        tell("Settled: both memories stay.");
        return;
      }
      tell("Settled: no answer uses the other memory any more.", async () => {
        await service.change("POST", `/v1/memories/${settled.superseded}/unsupersede`, { keep_both: true }, { endUser });
        await service.change("POST", `/v1/memories/${conflict.newer.id}/relations`, { to: conflict.older.id, type: "may_contradict", confidence: conflict.confidence }, { endUser });
        await again();
        tell("Undone: both memories are active, and may contradict each other.");
      });
    });
  };
  const side = (/** @type {Json} */ conflict, /** @type {string} */ age) => {
    const memory = conflict[age];
    return element(
      "div",
      { class: "side" },
      element("div", { class: "chips" }, chip(age), chip(memory.user_id ?? "shared", memory.user_id ? "private" : ""), chip(memory.category)),
      element("p", { dir: "auto" }, memory.content ?? "(no text)"),
      element("small", null, ago(memory.created_at)),
      element("div", { class: "actions" }, button("Keep this one", () => void settle(conflict, { action: "supersede", keep: memory.id }), { "aria-label": `Keep the ${age} memory` }), button("Open", () => inspector.openMemory(memory.id), { "aria-label": `Open the ${age} memory` })),
    );
  };
  fill(
    place,
    heading("May contradict each other", chip(`${found.conflicts.length}${found.next_cursor ? " and more" : ""}`)),
    found.conflicts.length === 0 && element("p", { class: "quiet" }, "No two memories seem to contradict each other."),
    element("ul", { class: "conflicts" }, found.conflicts.map((/** @type {Json} */ conflict) => element(
      "li",
      null,
      element("div", { class: "heading" }, conflict.differs_in && chip(`differ in ${conflict.differs_in}`, "bad"), element("small", null, `confidence ${conflict.confidence.toFixed(2)} · found ${ago(conflict.found_at)}`), button("Both are true", () => void settle(conflict, { action: "keep_both" }))),
      element("div", { class: "pair" }, side(conflict, "newer"), side(conflict, "older")),
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
      const saved = await inspector.service.change("PATCH", `/v1/memories/${memory.id}`, { status });
      await again();
      tell(status === "active" ? "Accepted." : "Archived.", async () => {
        if (saved.supersedes && saved.supersedes !== memory.supersedes) {
          await bringBack(inspector, saved.supersedes, endUser);
          return;
        }
        await inspector.service.change("PATCH", `/v1/memories/${memory.id}`, { status: memory.status }, { endUser });
        await again();
      });
    });
  };
  fill(
    place,
    heading(title, counted(page)),
    page.memories.length === 0 && element("p", { class: "quiet" }, none),
    waitingList(inspector, page, (memory) => [filter.status && button("Accept", () => void set(memory, "active"), { class: "main" }), filter.status && button("Archive", () => void set(memory, "archived"))]),
  );
}

/**
 * Captured instructions that nobody has pinned or refused; nothing where the service does not know pins.
 * @param {Inspector} inspector
 * @param {HTMLElement} place
 * @param {() => Promise<void>} again
 */
async function showProposedPins(inspector, place, again) {
  let page;
  place.hidden = true;
  try {
    page = await inspector.service.get("/v1/memories", { agent_id: inspector.agent, pin_proposed: true, status: "active", limit: MOST_WAITING });
  } catch (problem) {
    if (problem instanceof ServiceError && "pin_proposed" in problem.fields) return;
    throw problem;
  }
  place.hidden = false;
  const decide = async (/** @type {Json} */ memory, /** @type {boolean} */ pinned) => {
    const { service } = inspector;
    const endUser = service.endUser;
    await attempt(async () => {
      await service.change("PATCH", `/v1/memories/${memory.id}`, { pinned });
      await again();
      if (!pinned) {
        tell("The memory stays, and is not pinned.");
        return;
      }
      tell("Pinned: it stands in every prompt.", async () => {
        await service.change("PATCH", `/v1/memories/${memory.id}`, { pinned: false }, { endUser });
        await again();
        tell("Undone: the memory is not pinned.");
      });
    });
  };
  fill(
    place,
    heading("Proposed as pinned", counted(page)),
    page.memories.length === 0 && element("p", { class: "quiet" }, "No instruction waits to be pinned."),
    waitingList(inspector, page, (memory) => [button("Pin", () => void decide(memory, true), { class: "main" }), button("Do not pin", () => void decide(memory, false))]),
  );
}

/**
 * Memories that their end users wished forgotten; nothing where the service does not know such wishes.
 * @param {Inspector} inspector
 * @param {HTMLElement} place
 * @param {() => Promise<void>} again
 */
async function showWishedForgotten(inspector, place, again) {
  let page;
  place.hidden = true;
  try {
    page = await inspector.service.get("/v1/memories", { agent_id: inspector.agent, forget_proposed: true, status: "active", limit: MOST_WAITING });
  } catch (problem) {
    if (problem instanceof ServiceError && "forget_proposed" in problem.fields) return;
    throw problem;
  }
  place.hidden = false;
  const forget = async (/** @type {Json} */ memory) => {
    const { service } = inspector;
    const endUser = service.endUser;
    await attempt(async () => {
      await service.change("DELETE", `/v1/memories/${memory.id}`);
      await again();
      tell("Forgotten: no search finds it any more.", async () => {
        await service.change("POST", `/v1/memories/${memory.id}/restore`, undefined, { endUser });
        await again();
        tell("Undone: the memory is back.");
      });
    });
  };
  const keep = async (/** @type {Json} */ memory) => {
    await attempt(async () => {
      await inspector.service.change("PATCH", `/v1/memories/${memory.id}`, { forget_proposed: false });
      await again();
      tell("The memory stays.");
    });
  };
  fill(
    place,
    heading("Wished forgotten", counted(page)),
    page.memories.length === 0 && element("p", { class: "quiet" }, "No end user waits for something to be forgotten."),
    waitingList(inspector, page, (memory) => [button("Forget", () => void forget(memory), { class: "main" }), button("Keep", () => void keep(memory))]),
  );
}

/** @param {Json} page */
function counted(page) {
  return chip(`${page.memories.length}${page.next_cursor ? " and more" : ""}`);
}

/**
 * @param {Inspector} inspector
 * @param {Json} page
 * @param {(memory: Json) => import("./elements.js").Child[]} decisions
 */
function waitingList(inspector, page, decisions) {
  return element("ul", { class: "waiting" }, page.memories.map((/** @type {Json} */ memory) => element(
    "li",
    null,
    element("div", null, element("p", { dir: "auto" }, memory.content ?? "(no text)"), element("small", null, [memory.category, ago(memory.created_at), memory.user_id ?? "shared", memory.embedding_error].filter(Boolean).join(" · "))),
    element("div", { class: "actions" }, ...decisions(memory), button("Open", () => inspector.openMemory(memory.id))),
  )));
}
