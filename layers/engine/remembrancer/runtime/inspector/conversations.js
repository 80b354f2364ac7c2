/** The view of captured conversations, and of what each turn left behind. */

import { button, chip, element, fill, heading } from "./elements.js";
import { ago, moment } from "./figures.js";
import { attempt, tell } from "./messages.js";
import { ServiceError } from "./service.js";

/** @typedef {import("./inspector.js").Inspector} Inspector */
/** @typedef {import("./service.js").Json} Json */

const CONVERSATIONS_PAGE = 50;
/** @type {Record<string, string>} */
const TURN_STATES = { kept: "good", dropped: "", pending: "weak" };

/** @param {Inspector} inspector */
export function conversationsView(inspector) {
  const rows = element("ul", { class: "conversations" });
  const detail = element("div", { class: "detail" });
  const more = element("div", { class: "actions" });
  const root = element("div", { class: "view browse" });
  const open = async (/** @type {string} */ id) => {
    root.classList.add("chosen");
    await attempt(async () => showConversation(inspector, detail, await inspector.service.get(`/v1/conversations/${id}`)));
  };
  const read = async (/** @type {string | null} */ cursor) => {
    const page = await inspector.service.get("/v1/conversations", { agent_id: inspector.requireAgent(), limit: CONVERSATIONS_PAGE, cursor });
    if (!cursor) fill(rows);
    rows.append(...page.conversations.map((/** @type {Json} */ each) => conversationRow(each, open)));
    if (!rows.children.length) rows.append(element("li", { class: "empty" }, "No conversation of this agent and end user was captured."));
    fill(more, page.next_cursor && button("Older conversations", () => void attempt(() => read(page.next_cursor))));
  };
  const back = button("Back to the list", () => root.classList.remove("chosen"), { class: "back" });
  root.append(element("div", { class: "panes" }, element("div", { class: "side scrolled" }, rows, more), element("div", { class: "main-pane" }, back, detail)));
  return {
    root,
    open,
    focus: () => rows.querySelector("button")?.focus(),
    scopeChanged: () => {
      root.classList.remove("chosen");
      fill(detail, element("p", { class: "empty" }, "Choose a conversation to see what each turn left behind."));
      void attempt(() => read(null));
    },
  };
}

/**
 * Whether the service captures conversations; an older one answers 404.
 * @param {Inspector} inspector
 */
export async function hasConversations(inspector) {
  try {
    await inspector.service.get("/v1/conversations", { agent_id: inspector.agent, limit: 1 }, { quiet: true });
    return true;
  } catch (problem) {
    return problem instanceof ServiceError && problem.code === "agent_not_found";
  }
}

/**
 * @param {Json} conversation
 * @param {(id: string) => void} open
 */
function conversationRow(conversation, open) {
  return element(
    "li",
    null,
    element(
      "button",
      { type: "button", on: { click: () => open(conversation.conversation_id) } },
      element("span", { class: "text", dir: "auto" }, conversation.first_words ?? "(no text)"),
      element("span", { class: "about" }, [conversation.user_id ?? "shared", ago(conversation.updated_at), conversation.session_id].filter(Boolean).join(" · ")),
      conversation.pending ? chip("in progress", "weak") : null,
    ),
  );
}

/**
 * @param {Inspector} inspector
 * @param {HTMLElement} place
 * @param {Json} conversation
 */
function showConversation(inspector, place, conversation) {
  const turns = element("ol", { class: "turns" });
  const more = element("div", { class: "actions" });
  const kept = conversation.turns.filter((/** @type {Json} */ turn) => turn.state === "kept").length;
  const show = (/** @type {Json} */ part) => {
    turns.prepend(...part.turns.map((/** @type {Json} */ turn) => turnRow(inspector, turn)));
    const earlier = async () => show(await inspector.service.get(`/v1/conversations/${conversation.conversation_id}`, { before: part.next_before }));
    fill(more, part.next_before && button("Earlier turns", () => void attempt(earlier)));
  };
  fill(place, heading(conversation.user_id ?? "Shared", chip(`${kept} of ${conversation.turns.length} turns kept`), element("small", null, moment(conversation.created_at))), more, turns);
  show(conversation);
}

/**
 * @param {Inspector} inspector
 * @param {Json} turn
 */
function turnRow(inspector, turn) {
  return element(
    "li",
    { class: turn.state },
    element("div", { class: "heading" }, element("b", null, turn.speaker ?? turn.role), element("small", null, moment(turn.observed_at)), chip(turn.state, TURN_STATES[turn.state] ?? ""), turn.reason && element("small", null, turn.reason.replaceAll("_", " ")), turn.memory_id && button("Open the memory", () => inspector.openMemory(turn.memory_id))),
    element("p", { dir: "auto" }, turn.text ?? "(no text)"),
    turn.forget && wishRow(inspector, turn.forget),
    turn.reason === "correction" && turn.memory_id && correctionRow(inspector, turn.memory_id),
  );
}

/**
 * What was done about a wish to forget: what was forgotten can be restored, what is proposed waits in Review.
 * @param {Inspector} inspector
 * @param {Json} forget
 */
function wishRow(inspector, forget) {
  const restore = (/** @type {string} */ id) => attempt(async () => {
    await inspector.service.change("POST", `/v1/memories/${id}/restore`);
    tell("The memory is back.");
    inspector.openMemory(id);
  });
  return element(
    "div",
    { class: "actions" },
    chip(forget.outcome.replaceAll("_", " "), forget.outcome === "forgotten" ? "good" : "weak"),
    forget.forgotten.map((/** @type {string} */ id) => button("Restore the memory", () => void restore(id))),
    forget.proposed.map((/** @type {string} */ id) => button("Open the memory", () => inspector.openMemory(id))),
  );
}

/**
 * The memories that a turn corrects. What it replaced can be brought back; what it may contradict waits in Review.
 * @param {Inspector} inspector
 * @param {string} id the memory of the turn
 */
function correctionRow(inspector, id) {
  const { service } = inspector;
  const change = async (/** @type {string} */ earlier, /** @type {string} */ text, /** @type {(() => Promise<void>) | undefined} */ undo = undefined) => {
    await service.change("POST", `/v1/memories/${earlier}/unsupersede`, {});
    tell(text, undo);
    inspector.openMemory(id);
  };
  const undo = (/** @type {string} */ earlier) => change(earlier, "Undone: the earlier memory is active again, and this one is superseded.", () => change(id, "The correction holds again."));
  const shown = element("div", { class: "corrected" });
  const show = () => attempt(async () => {
    const { provenance } = await service.get(`/v1/memories/${id}`);
    const corrected = await Promise.all((provenance?.corrects ?? []).map(async (/** @type {Json} */ each) => [each, await service.get(`/v1/memories/${each.memory_id}`)]));
    fill(shown, corrected.map(([{ outcome }, memory]) => element(
      "div",
      { class: "actions" },
      chip(outcome === "superseded" ? "replaced" : "may contradict", outcome === "superseded" ? "good" : "weak"),
      element("span", { dir: "auto" }, memory.content),
      button("Open the earlier memory", () => inspector.openMemory(memory.id)),
      memory.superseded_by === id && button("Undo the correction", () => void attempt(() => undo(memory.id))),
    )));
  });
  fill(shown, button("What it corrected", () => void show()));
  return shown;
}
