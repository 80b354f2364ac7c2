/** Signs in, keeps the chosen agent and end user, and switches between the views. */

import { assembleView } from "./assemble.js";
import { conversationsView, hasConversations } from "./conversations.js";
import { directiveView } from "./directive.js";
import { button, element, fill } from "./elements.js";
import { faultsView } from "./faults.js";
import { memoriesView } from "./memories.js";
import { calm, complain, part, undoLast } from "./messages.js";
import { reviewView } from "./review.js";
import { Service, ServiceError } from "./service.js";

/** @typedef {import("./service.js").Json} Json */
/** @typedef {{root: HTMLElement, focus: () => void, scopeChanged: () => void, left?: () => void, keys?: Record<string, () => void>, open?: (id: string) => Promise<unknown>}} View */

const SLOW_MS = 600;
const MOST_AGENTS = 500;

/** What the views share: the service, the chosen agent, and the ways to another view. */
export class Inspector {
  /** @param {Service} service */
  constructor(service) {
    this.service = service;
    /** Id or name of the chosen agent. */
    this.agent = "";
    /** @type {Json[]} */
    this.agents = [];
    /** @type {Map<string, {label: string, view: View, isStale: boolean}>} */
    this.views = new Map();
    this.current = "";
    this.openMemory = (/** @type {string} */ id) => this.#openIn("memories", id);
    this.openConversation = (/** @type {string} */ id) => this.#openIn("conversations", id);
  }

  /** The chosen agent; a problem that can be shown when none is chosen. */
  requireAgent() {
    if (!this.agent) throw new ServiceError(0, "no_agent", "Choose an agent first.");
    return this.agent;
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {View} view
   */
  add(name, label, view) {
    this.views.set(name, { label, view, isStale: true });
  }

  /** @param {string} name */
  show(name) {
    const entry = this.views.get(name);
    if (!entry) return;
    if (this.current !== name) this.views.get(this.current)?.view.left?.();
    if (this.current !== name) window.scrollTo(0, 0);
    this.current = name;
    calm();
    fill(part("main"), entry.view.root);
    for (const tab of part("tabs").children) {
      if (/** @type {HTMLElement} */ (tab).dataset.view === name) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    if (entry.isStale) {
      entry.isStale = false;
      entry.view.scopeChanged();
    }
  }

  /** The agent or the end user is another one: every view reads again when it is shown. */
  scopeChanged() {
    for (const entry of this.views.values()) entry.isStale = true;
    this.show(this.current);
  }

  /**
   * @param {string} name
   * @param {string} id
   */
  #openIn(name, id) {
    this.show(name);
    void this.views.get(name)?.view.open?.(id);
  }
}

/** @type {Inspector | null} */
let inspector = null;
let areKeysOn = true;

/** @param {string} key */
async function signIn(key) {
  const service = new Service(key);
  watchWaiting(service);
  const candidate = new Inspector(service);
  const page = await service.get("/v1/agents", { limit: MOST_AGENTS });
  candidate.agents = page.agents;
  candidate.agent = page.agents[0]?.name ?? "";
  candidate.add("assemble", "Assemble", assembleView(candidate));
  candidate.add("memories", "Memories", memoriesView(candidate));
  candidate.add("review", "Review", reviewView(candidate));
  if (candidate.agent && (await hasConversations(candidate))) candidate.add("conversations", "Conversations", conversationsView(candidate));
  candidate.add("agent", "Agent", directiveView(candidate));
  if (document.documentElement.dataset.stage === "local" && (await hasFaults(service))) candidate.add("faults", "Break", faultsView(candidate));
  inspector = candidate;
  showScope(candidate);
  fill(part("tabs"), [...candidate.views].map(([name, { label }], index) => button(label, () => candidate.show(name), { "data-view": name, "data-label": label, "aria-keyshortcuts": String(index + 1) })));
  part("sign-in").hidden = true;
  part("bar").hidden = false;
  part("main").hidden = false;
  candidate.show("assemble");
  candidate.views.get("assemble")?.view.focus();
  void nameEndUsers();
}

/** @param {Service} service */
async function hasFaults(service) {
  return service.get("/inspector/faults", {}, { quiet: true }).then(() => true, () => false);
}

/** @param {Inspector} shown */
function showScope(shown) {
  fill(part("agents"), shown.agents.map((agent) => element("option", { value: agent.name })));
  const [agent, endUser] = [/** @type {HTMLInputElement} */ (part("agent")), /** @type {HTMLInputElement} */ (part("end-user"))];
  agent.value = shown.agent;
  endUser.value = "";
}

/** Offers the end users that the credential may see; silently nothing when it may see none. */
async function nameEndUsers() {
  if (!inspector?.agent) return;
  const path = `/v1/agents/${encodeURIComponent(inspector.agent)}/end-users`;
  const found = await inspector.service.get(path, { limit: 500 }, { quiet: true, endUser: "*" }).catch(() => ({ end_users: [] }));
  fill(part("end-users"), element("option", { value: "*" }), found.end_users.map((/** @type {Json} */ each) => element("option", { value: each.user_id })));
}

/** @param {Service} service */
function watchWaiting(service) {
  let timer = 0;
  service.changed = () => {
    clearTimeout(timer);
    if (service.waiting.size) timer = setTimeout(() => { part("waiting").hidden = false; }, SLOW_MS);
    else part("waiting").hidden = true;
  };
  part("cancel").onclick = () => service.cancel();
}

function signOut() {
  inspector?.views.get(inspector.current)?.view.left?.();
  inspector?.service.cancel();
  inspector = null;
  fill(part("main"));
  fill(part("tabs"));
  for (const name of ["bar", "main", "news", "problem", "waiting"]) part(name).hidden = true;
  part("sign-in").hidden = false;
  part("key").focus();
}

/** @param {Event} event */
async function submitted(event) {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (part("key"));
  const problem = part("sign-in-problem");
  fill(problem);
  const key = input.value.trim();
  try {
    if (!/^[!-~]+$/.test(key)) throw new ServiceError(401, "invalid_credential", "This is neither a key nor a token.");
    await signIn(key);
    input.value = "";
  } catch (refusal) {
    if (!(refusal instanceof ServiceError)) throw refusal;
    fill(problem, refusal.status === 401 ? "The service does not accept this key." : refusal.text);
    input.select();
  }
}

/** @param {Event} event */
function scoped(event) {
  if (!inspector) return;
  const { id, value } = /** @type {HTMLInputElement} */ (event.target);
  if (id === "agent") inspector.agent = value.trim();
  else inspector.service.endUser = value.trim();
  inspector.scopeChanged();
  if (id === "agent") void nameEndUsers();
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!inspector || !areKeysOn || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("input, textarea, select, dialog")) return;
  const entry = inspector.views.get(inspector.current);
  const name = [...inspector.views.keys()][Number(event.key) - 1];
  if (name) inspector.show(name);
  else if (event.key === "/") entry?.view.focus();
  else if (event.key === "u") undoLast();
  else if (event.key === "?") /** @type {HTMLDialogElement} */ (part("help")).showModal();
  else if (entry?.view.keys?.[event.key]) entry.view.keys[event.key]();
  else return;
  event.preventDefault();
}

part("sign-in").addEventListener("submit", (event) => void submitted(event));
part("sign-out").addEventListener("click", signOut);
part("show-help").addEventListener("click", () => /** @type {HTMLDialogElement} */ (part("help")).showModal());
part("keys").addEventListener("change", (event) => { areKeysOn = /** @type {HTMLInputElement} */ (event.target).checked; });
for (const name of ["agent", "end-user"]) part(name).addEventListener("change", scoped);
document.addEventListener("keydown", pressed);
window.addEventListener("unhandledrejection", (event) => { if (event.reason instanceof ServiceError) complain(event.reason); });
part("key").focus();
