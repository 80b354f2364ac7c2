/** The view that assembles: a question, and the answer with its reasons. */

import { choices, element, fill, labelled } from "./elements.js";
import { budgetBars, candidateList, context, summary, timeline } from "./explanation.js";
import { attempt } from "./messages.js";

/** @typedef {import("./inspector.js").Inspector} Inspector */
/** @typedef {import("./service.js").Json} Json */

/**
 * The body of an assembly with explanation.
 * @param {string} agent
 * @param {string} question
 * @param {Json} [more]
 */
export function assemblyBody(agent, question, more = {}) {
  const { options = {}, ...fields } = more;
  return { agent_id: agent, model: "gpt-4o", request_id: "inspector", messages: [{ role: "user", content: question }], ...fields, options: { explain: true, ...options } };
}

/** @param {Inspector} inspector */
export function assembleView(inspector) {
  const question = element("textarea", { id: "question", rows: 3, required: true, dir: "auto", placeholder: "What a user of the agent would write", "aria-keyshortcuts": "/ Control+Enter" });
  const model = element("input", { value: "gpt-4o", list: "models", autocomplete: "off" });
  const deadline = element("input", { type: "number", min: 6, max: 60000, step: 1, placeholder: "as usual" });
  const tokens = element("input", { type: "number", min: 0, max: 10000000, placeholder: "2000" });
  const most = element("input", { type: "number", min: 0, max: 1000, placeholder: "no limit" });
  const floor = element("input", { type: "number", min: 0, max: 1, step: 0.01, placeholder: "by what helps" });
  const thoroughness = choices([["", "balanced"], ["lean", "lean"], ["thorough", "thorough"]]);
  const asOf = element("input", { type: "datetime-local" });
  const skip = choices([["", "use all sources"], ["hot", "skip the hot set"], ["cold", "skip the search by meaning"], ["lexical", "skip the search by words"]]);
  const [input, cached] = [element("input", { type: "number", min: 0, step: "any", placeholder: "not shown" }), element("input", { type: "number", min: 0, step: "any", placeholder: "as input" })];
  const system = element("textarea", { rows: 2, dir: "auto" });
  const answer = element("div", { class: "answer" }, element("p", { class: "empty" }, "Write a message and assemble: the answer shows what the model would get, and why."));
  const ask = async () => {
    if (!question.value.trim()) return question.focus();
    await attempt(async () => {
      const messages = [...(system.value.trim() ? [{ role: "system", content: system.value }] : []), { role: "user", content: question.value }];
      const options = Object.fromEntries(
        [["memory_tokens", tokens.value], ["max_memories", most.value], ["relevance_floor", floor.value]].filter(([, value]) => value !== "").map(([name, value]) => [name, Number(value)]),
      );
      const body = assemblyBody(inspector.requireAgent(), question.value, { messages, model: model.value.trim() || "gpt-4o", options: { ...options, ...(thoroughness.value ? { thoroughness: thoroughness.value } : {}), ...(asOf.value ? { as_of: new Date(asOf.value).toISOString() } : {}), ...(skip.value ? { skip: [skip.value] } : {}) } });
      const headers = deadline.value ? { "X-Deadline-Ms": deadline.value } : {};
      const got = await inspector.service.send("POST", "/v1/context/assemble", body, { headers });
      const prices = input.value === "" ? null : { input: Number(input.value), cached: Number(cached.value === "" ? input.value : cached.value) };
      show(answer, got, prices, inspector.openMemory);
    });
  };
  const form = element(
    "form",
    { class: "ask", on: { submit: (/** @type {Event} */ event) => { event.preventDefault(); void ask(); }, keydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void ask(); } } },
    labelled("Message", question),
    element("div", { class: "actions" }, element("button", { class: "main" }, "Assemble"), element("small", null, "Ctrl + Enter")),
    element(
      "details",
      { class: "more" },
      element("summary", null, "Options"),
      element("div", { class: "fields" }, labelled("Model", model), labelled("Deadline, ms", deadline), labelled("Memory tokens", tokens), labelled("Most memories", most), labelled("Thoroughness", thoroughness), labelled("Relevance floor", floor), labelled("Sources", skip), labelled("As of", asOf), labelled("Price, $ a million tokens", input), labelled("Price if cached, $", cached)),
      labelled("System message of the client", system),
    ),
    element("datalist", { id: "models" }, ["gpt-4o", "gpt-4o-mini", "gpt-4.1", "claude-sonnet-4-5", "gemini-2.5-pro"].map((value) => element("option", { value }))),
  );
  return { root: element("div", { class: "view" }, form, answer), focus: () => question.focus(), scopeChanged: () => {} };
}

/**
 * @param {Element} root
 * @param {{body: Json, elapsed_ms: number}} got
 * @param {{input: number, cached: number} | null} prices
 * @param {(id: string) => void} open
 */
function show(root, { body, elapsed_ms }, prices, open) {
  const { metadata } = body;
  fill(root, summary(metadata, elapsed_ms), element("div", { class: "columns" }, element("div", null, context(body.messages)), element("div", null, timeline(metadata), budgetBars(metadata, prices))), candidateList(metadata, open));
}
