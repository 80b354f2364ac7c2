/** The view of an agent: its directive with every version, and its switches. */

import { button, chip, choices, element, fill, heading, labelled } from "./elements.js";
import { moment } from "./figures.js";
import { changes } from "./memory.js";
import { attempt, tell } from "./messages.js";

/** @typedef {import("./inspector.js").Inspector} Inspector */
/** @typedef {import("./service.js").Json} Json */

const PLACES = /** @type {Array<[string, string]>} */ ([["system_first", "first in the system message"], ["system_append", "at the end of the system message"], ["user_prepend", "in the user's last message, before its text"]]);
const MEMORIES = /** @type {Array<[string, string]>} */ ([["", "as the organization has it"], ["system", "with the directive"], ["turn", "before the message that they were found for"]]);
const VERSIONS_PAGE = 20;

/** @param {Inspector} inspector */
export function directiveView(inspector) {
  const root = element("div", { class: "view" });
  const read = async () => {
    fill(root);
    if (!inspector.agent) {
      fill(root, element("p", { class: "empty" }, "Choose an agent."));
      return;
    }
    await attempt(async () => {
      const path = `/v1/agents/${encodeURIComponent(inspector.agent)}`;
      const page = await inspector.service.get(`${path}/directive/versions`, { limit: VERSIONS_PAGE });
      fill(root, switches(inspector, path), editor(inspector, path, page.versions[0], read), versions(inspector, path, page, read));
    });
  };
  return { root, focus: () => root.querySelector("textarea")?.focus(), scopeChanged: () => void read() };
}

/**
 * @param {Inspector} inspector
 * @param {string} path
 */
function switches(inspector, path) {
  const known = inspector.agents.find((agent) => agent.name === inspector.agent || agent.agent_id === inspector.agent);
  if (!known) return null;
  /** @type {Array<[string, string, string]>} */
  const all = [["enabled", "Memories are injected", "Off: assembly injects the directive alone."], ["capture", "Conversations are captured", "Off: assembled conversations leave no memories."]];
  return element("section", { class: "panel" }, heading(known.name), all.filter(([name]) => name in known).map(([name, label, hint]) => {
    const box = element("input", { type: "checkbox", role: "switch", checked: known[name] });
    box.addEventListener("change", () => void attempt(async () => {
      Object.assign(known, await inspector.service.change("PATCH", path, { [name]: box.checked }));
      tell(`${label}: ${box.checked ? "on" : "off"}.`);
    }).then(() => { box.checked = known[name]; }));
    return element("label", { class: "switch" }, box, element("span", null, label), element("small", null, hint));
  }), "placement" in known && placement(inspector, path, known));
}

/**
 * @param {Inspector} inspector
 * @param {string} path
 * @param {Json} agent
 */
function placement(inspector, path, agent) {
  const places = choices(MEMORIES);
  places.value = agent.placement ?? "";
  places.addEventListener("change", () => void attempt(async () => {
    Object.assign(agent, await inspector.service.change("PATCH", path, { placement: places.value || null }));
    tell(`Memories stand ${places.selectedOptions[0].label}.`);
  }).then(() => { places.value = agent.placement ?? ""; }));
  return labelled("Memories stand", places, "Where a request does not say it.");
}

/**
 * @param {Inspector} inspector
 * @param {string} path
 * @param {Json | undefined} active
 * @param {() => Promise<void>} again
 */
function editor(inspector, path, active, again) {
  const text = element("textarea", { rows: 8, maxlength: 32768, dir: "auto" });
  text.value = active?.text ?? "";
  const place = choices(PLACES);
  place.value = active?.injection_mode ?? "system_first";
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    void put(inspector, path, { text: text.value, injection_mode: place.value }, active, again);
  };
  return element("form", { class: "panel", on: { submit: save } }, heading("Directive", chip(active ? `version ${active.version}` : "none yet")), labelled("Text that comes with every request of this agent; may be empty", text), labelled("Place", place), element("div", { class: "actions" }, element("button", { class: "main" }, "Save as a new version")));
}

/**
 * @param {Inspector} inspector
 * @param {string} path
 * @param {Json} fields
 * @param {Json | undefined} before
 * @param {() => Promise<void>} again
 */
async function put(inspector, path, fields, before, again) {
  await attempt(async () => {
    const saved = await inspector.service.change("PUT", `${path}/directive`, fields);
    await again();
    tell(`Version ${saved.version} is active.`, before && (async () => {
      await inspector.service.change("PUT", `${path}/directive`, { text: before.text, injection_mode: before.injection_mode });
      await again();
      tell("Undone: the earlier text is active, as a new version.");
    }));
  });
}

/**
 * @param {Inspector} inspector
 * @param {string} path
 * @param {Json} page
 * @param {() => Promise<void>} again
 */
function versions(inspector, path, page, again) {
  const rows = page.versions.map((/** @type {Json} */ version, /** @type {number} */ index) => {
    const before = page.versions[index + 1];
    return element(
      "li",
      null,
      element("div", { class: "heading" }, element("b", null, `Version ${version.version}`), element("small", null, moment(version.created_at)), version.active ? chip("active", "good") : button("Put back", () => void put(inspector, path, { text: version.text, injection_mode: version.injection_mode }, page.versions[0], again), { "aria-label": `Put back version ${version.version}` })),
      element("p", { class: "diff", dir: "auto" }, before ? changes(before.text, version.text) : version.text),
    );
  });
  return element("section", { class: "panel", "aria-label": "Versions" }, heading("Versions"), rows.length ? element("ol", { class: "versions" }, rows) : element("p", { class: "quiet" }, "This agent has no directive yet."), page.next_before && element("p", { class: "quiet" }, "Older versions exist."));
}
