/** The view that breaks stores and the embedder of the local stack, and watches the answers meanwhile. */

import { assemblyBody } from "./assemble.js";
import { button, choices, element, fill, heading, labelled } from "./elements.js";
import { sentences, state } from "./explanation.js";
import { milliseconds } from "./figures.js";
import { attempt, complain } from "./messages.js";

/** @typedef {import("./inspector.js").Inspector} Inspector */
/** @typedef {import("./service.js").Json} Json */

const EVERY_MS = 700;
const KEPT = 120;
const KEPT_CHANGES = 12;
/** @type {Record<string, string>} */
const FAULTS = { none: "works", delay: "slow", hang: "frozen", refuse: "down", dead: "fails" };

/** @param {Inspector} inspector */
export function faultsView(inspector) {
  const place = element("div", { class: "switches" });
  const question = element("input", { value: "What should I know before the guests arrive?", "aria-label": "Question that is asked again and again", dir: "auto" });
  const strip = element("ol", { class: "strip", "aria-label": "Latest answers, newest last" });
  const verdict = element("div", { class: "verdict", role: "status", "data-test": "watched" });
  const log = element("ol", { class: "log", "aria-label": "When the answers changed, newest first" });
  let asked = 0;
  let timer = 0;
  let isWatching = false;
  const ask = async () => {
    // The number keeps the answer from coming out of a cache.
    const body = assemblyBody(inspector.requireAgent(), `${question.value} (${++asked})`, { options: { explain: false } });
    try {
      const got = await inspector.service.send("POST", "/v1/context/assemble", body, { quiet: true });
      seen(strip, verdict, log, got.body.metadata, got.elapsed_ms);
    } catch (problem) {
      stop();
      complain(problem);
    }
    if (isWatching) timer = setTimeout(() => void ask(), EVERY_MS);
  };
  const stop = () => {
    isWatching = false;
    clearTimeout(timer);
    fill(toggle, "Watch answers");
  };
  const start = () => {
    if (isWatching) return stop();
    isWatching = true;
    fill(toggle, "Stop");
    void attempt(ask);
  };
  const toggle = button("Watch answers", start, { class: "main" });
  const read = async () => attempt(async () => showSwitches(inspector, place, await inspector.service.get("/inspector/faults")));
  return {
    root: element(
      "div",
      { class: "view" },
      element("section", { class: "panel" }, heading("Break it"), element("p", { class: "caption" }, "What the functions of this local stack reach. An answer never waits for what is broken: it says what is missing."), place),
      element("section", { class: "panel" }, heading("Watch the answers"), element("div", { class: "actions" }, question, toggle), verdict, strip, log),
    ),
    focus: () => place.querySelector("select")?.focus(),
    left: stop,
    scopeChanged: () => void read(),
  };
}

/**
 * @param {Inspector} inspector
 * @param {HTMLElement} place
 * @param {Json} faults
 */
function showSwitches(inspector, place, faults) {
  fill(place, faults.switches.map((/** @type {Json} */ each) => {
    const chosen = choices(each.faults.map((/** @type {string} */ fault) => [fault, FAULTS[fault] ?? fault]), { "data-switch": each.name });
    chosen.value = each.fault;
    const delay = element("input", { type: "number", min: 1, max: 5000, value: each.delay_ms || 30, "aria-label": `${each.label}: later by, ms` });
    const late = labelled("later by, ms", delay);
    late.hidden = each.fault !== "delay";
    const set = () => attempt(async () => {
      const body = { name: each.name, fault: chosen.value, delay_ms: Number(delay.value) };
      showSwitches(inspector, place, await inspector.service.change("POST", "/inspector/faults", body, { headers: { "X-Inspector-Token": faults.token } }));
      /** @type {HTMLElement | null} */ (place.querySelector(`[data-switch="${each.name}"]`))?.focus();
    });
    for (const control of [chosen, delay]) control.addEventListener("change", () => void set());
    return element("div", { class: `fault ${each.fault}` }, labelled(each.label, chosen), late);
  }));
}

/**
 * @param {HTMLElement} strip
 * @param {HTMLElement} verdict
 * @param {HTMLElement} log
 * @param {Json} metadata
 * @param {number} elapsed_ms
 */
function seen(strip, verdict, log, metadata, elapsed_ms) {
  const [word, kind] = state(metadata);
  const reasons = sentences(metadata.fallback_reason);
  const made = metadata.timings_ms.total ?? elapsed_ms;
  const text = `${word}, ${metadata.memories_injected} memories, ${milliseconds(made)}${reasons.length ? `: ${reasons.join(" ")}` : ""}`;
  const height = Math.min(made / metadata.deadline_ms, 1.2) * 80;
  strip.append(element("li", { class: kind, title: text }, element("i", { style: { height: `${Math.max(height, 2)}px` } }), element("span", { class: "unseen" }, text)));
  while (strip.children.length > KEPT) strip.firstElementChild?.remove();
  if (log.dataset.last !== metadata.fallback_reason) {
    log.dataset.last = metadata.fallback_reason;
    log.prepend(element("li", { class: kind }, element("time", null, new Date().toLocaleTimeString("en-GB")), element("b", null, word), element("span", null, reasons.join(" "))));
    while (log.children.length > KEPT_CHANGES) log.lastElementChild?.remove();
  }
  verdict.className = `verdict ${kind}`;
  fill(verdict, element("strong", null, word), element("span", null, `${metadata.memories_injected} memories · ${milliseconds(made)} of ${milliseconds(metadata.deadline_ms)}`), reasons.length > 0 && element("ul", null, reasons.map((reason) => element("li", null, reason))));
}
