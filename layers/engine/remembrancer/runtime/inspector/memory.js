/** One memory: its text and fields, its versions and relations, and the ways to correct it. */

import { button, chip, choices, element, fill, heading, labelled } from "./elements.js";
import { ago, difference, moment, shortened } from "./figures.js";
import { graph } from "./graph.js";
import { attempt, tell } from "./messages.js";

/** @typedef {import("./inspector.js").Inspector} Inspector */
/** @typedef {import("./service.js").Json} Json */

export const CATEGORIES = ["factual", "preference", "procedural", "behavioral", "episodic"];
const MOST_NEIGHBOURS = 12;
const COPIED = ["agent_id", "category", "source", "confidence", "importance", "tags", "metadata", "user_id", "session_id", "summary", "context", "valid_from", "expires_at"];

/** A panel that shows one memory after the other; `changed` is called with the id and the memory, null once deleted. */
export class MemoryPanel {
  /**
   * @param {Inspector} inspector
   * @param {(id: string, memory: Json | null) => void} changed
   */
  constructor(inspector, changed) {
    this.inspector = inspector;
    this.changed = changed;
    /** @type {Json | null} */
    this.memory = null;
    this.opened = 0;
    this.root = element("div", { class: "detail", tabindex: -1 });
    this.clear();
  }

  clear() {
    this.memory = null;
    fill(this.root, element("p", { class: "empty" }, "Choose a memory to see where it comes from, and to correct it."));
  }

  /** @param {string} id */
  async open(id) {
    const turn = ++this.opened;
    const before = this.memory;
    // Until the answer is there, no key changes the memory that was open before.
    this.memory = null;
    return attempt(async () => {
      try {
        const memory = await this.inspector.service.get(`/v1/memories/${id}`);
        if (turn === this.opened) this.#show(memory);
      } catch (problem) {
        if (turn === this.opened) this.memory = before;
        throw problem;
      }
    });
  }

  /** Opens the form for a new text. */
  edit() {
    if (this.memory) this.#form("Edit", "Save", this.memory, (fields) => this.#save(fields));
  }

  /** Opens the form for a memory that replaces this one. */
  supersede() {
    if (this.memory?.status === "active") this.#form("Supersede with", "Supersede", this.memory, (fields) => this.#replace(fields));
  }

  /** Deletes the memory; it can be restored. */
  async forget() {
    const memory = this.memory;
    if (!memory) return;
    const endUser = this.inspector.service.endUser;
    await attempt(async () => {
      const gone = await this.inspector.service.change("DELETE", `/v1/memories/${memory.id}`);
      this.clear();
      fill(this.root, element("p", { class: "empty" }, `Forgotten. It can be restored until ${moment(gone.restorable_until)}.`));
      this.changed(memory.id, null);
      tell("Forgotten.", async () => {
        const restored = await this.inspector.service.change("POST", `/v1/memories/${memory.id}/restore`, undefined, { endUser });
        this.#show(restored);
        this.changed(memory.id, restored);
        tell("Restored.");
      });
    });
  }

  /** @param {Json} memory */
  #show(memory) {
    this.memory = memory;
    const status = memory.status === "active" ? "good" : "weak";
    const actions = [
      button("Edit", () => this.edit(), { "aria-keyshortcuts": "e" }),
      memory.status === "active" && button("Supersede", () => this.supersede(), { "aria-keyshortcuts": "s" }),
      memory.status === "superseded" && button("Bring back", () => void this.#bringBack()),
      memory.status === "pending_review" && button("Accept", () => void this.#setStatus("active"), { class: "main" }),
      memory.status === "active" && button("Archive", () => void this.#setStatus("archived")),
      memory.status === "archived" && button("Activate", () => void this.#setStatus("active")),
      ...this.#pinActions(memory),
      button("Useful", () => void this.#rate("positive"), { title: "Positive feedback" }),
      button("Not useful", () => void this.#rate("negative"), { title: "Negative feedback" }),
      button("Forget", () => void this.forget(), { class: "danger", "aria-keyshortcuts": "f" }),
    ];
    fill(
      this.root,
      element("div", { class: "chips" }, chip(memory.status.replace("_", " "), status), chip(memory.category), pinChip(memory), chip(memory.user_id ?? "shared", memory.user_id ? "private" : ""), chip(`version ${memory.version}`), memory.embedding_state !== "ready" && chip(`vector ${memory.embedding_state}`, "weak"), memory.conflicts?.length > 0 && chip("may contradict another memory", "bad")),
      element("p", { class: "content", dir: "auto", "data-test": "content" }, memory.content ?? "(no text)"),
      memory.embedding_error && element("p", { class: "quiet" }, memory.embedding_error),
      element("div", { class: "actions" }, actions),
      element("div", { class: "form-place" }),
      this.#facts(memory),
      this.#versions(memory),
      this.#chain(memory),
      this.#relations(memory),
    );
    this.root.scrollTop = 0;
  }

  /** @param {Json} memory */
  #facts(memory) {
    const { provenance } = memory;
    /** @type {Array<[string, import("./elements.js").Child]>} */
    const facts = [
      ["Created", `${moment(memory.created_at)} (${ago(memory.created_at)})`],
      ["Changed", ago(memory.updated_at)],
      ["Source", memory.source.replace("_", " ")],
      ["Confidence", memory.confidence.toFixed(2)],
      ["Importance", memory.importance.toFixed(2)],
      ["Quality", memory.quality.toFixed(2)],
      ["Retrieved", `${memory.retrieval_count} times, last ${ago(memory.last_accessed_at)}`],
      ["Feedback", `${memory.positive_count} positive, ${memory.negative_count} negative`],
      ["Context", memory.context],
      ["Summary", memory.summary],
      ["Tags", memory.tags.join(", ")],
      ["Metadata", Object.keys(memory.metadata).length ? JSON.stringify(memory.metadata) : ""],
      ["Redacted", Object.entries(memory.redacted).map(([kind, count]) => `${count} × ${kind}`).join(", ")],
      ["Valid from", memory.valid_from && moment(memory.valid_from)],
      ["Expires", memory.expires_at && moment(memory.expires_at)],
      ["Occurred", memory.occurred_from && [moment(memory.occurred_from), memory.occurred_to && ` – ${moment(memory.occurred_to)}`]],
      ["Pinned", memory.pinned_at && moment(memory.pinned_at)],
      ["Session", memory.session_id],
      ["Reference", memory.client_ref],
      ["Captured", provenance?.conversation_id && [`turn ${(provenance.turns ?? []).join(", ")} · ${typeof provenance.captured_by === "string" ? provenance.captured_by : provenance.captured_by?.model ?? ""} `, button("Open the conversation", () => this.inspector.openConversation(provenance.conversation_id))]],
      ["Quote", provenance?.quote],
      ["Id", element("code", null, memory.id)],
    ];
    return element("dl", { class: "facts" }, facts.filter(([, value]) => value).map(([name, value]) => element("div", null, element("dt", null, name), element("dd", { dir: "auto" }, value))));
  }

  /** @param {Json} memory */
  #versions(memory) {
    if (memory.version === 1) return null;
    const texts = [...memory.versions].reverse();
    let after = memory.content;
    const rows = texts.map((/** @type {Json} */ version) => {
      const row = element(
        "li",
        null,
        element("div", { class: "heading" }, element("b", null, `Version ${version.version}`), element("small", null, `until ${moment(version.replaced_at)}`), button("Put back", () => void this.#save({ content: version.content, summary: version.summary, context: version.context }), { "aria-label": `Put back version ${version.version}` })),
        element("p", { class: "diff", dir: "auto" }, changes(version.content, after)),
      );
      after = version.content;
      return row;
    });
    return element("section", { "aria-label": "Versions" }, heading("Earlier texts"), element("ol", { class: "versions" }, rows), memory.next_before && element("p", { class: "quiet" }, "Older versions exist."));
  }

  /** @param {Json} memory */
  #chain(memory) {
    if (memory.version_chain.length < 2) return null;
    return element(
      "section",
      { "aria-label": "Replaced memories" },
      heading("Replaced each other"),
      element("ol", { class: "chain" }, memory.version_chain.map((/** @type {string} */ id, /** @type {number} */ index) => element("li", null, id === memory.id ? element("b", { "aria-current": "true" }, "this memory") : button(`${index + 1} · ${id.slice(0, 8)}`, () => void this.open(id))))),
    );
  }

  /** @param {Json} memory */
  #relations(memory) {
    if (!memory.relations.length) return null;
    const place = element("section", { "aria-label": "Relations" }, heading("Relations", chip(String(memory.relations.length))), element("p", { class: "quiet" }, "Reading the related memories…"));
    void this.#neighbours(memory).then((neighbours) => {
      if (this.memory !== memory) return;
      fill(
        place,
        heading("Relations", chip(`${memory.relations.length}${memory.has_more_relations ? " and more" : ""}`)),
        graph(memory.content ?? "", neighbours, (id) => void this.open(id)),
        element("ul", { class: "relations" }, neighbours.map((each) => element("li", null, chip(`${each.isOutgoing ? "" : "← "}${each.type.replaceAll("_", " ")}${each.isOutgoing ? " →" : ""}`, each.type.includes("contradict") ? "bad" : ""), element("span", { dir: "auto" }, shortened(each.text, 120)), element("small", null, each.confidence.toFixed(2)), button("Remove", () => void this.#unrelate(each), { "aria-label": `Remove the relation ${each.type}` })))),
      );
    });
    return place;
  }

  /** @param {Json} memory */
  async #neighbours(memory) {
    return Promise.all(memory.relations.slice(0, MOST_NEIGHBOURS).map(async (/** @type {Json} */ relation) => {
      const isOutgoing = relation.from === memory.id;
      const id = isOutgoing ? relation.to : relation.from;
      const text = await this.inspector.service.get(`/v1/memories/${id}`).then((other) => other.content, () => "(a memory that cannot be read)");
      return { id, text: text ?? "(no text)", type: relation.type, isOutgoing, confidence: relation.confidence, relation_id: relation.relation_id };
    }));
  }

  /**
   * @param {string} title
   * @param {string} label
   * @param {Json} memory
   * @param {(fields: Json) => Promise<boolean>} done
   */
  #form(title, label, memory, done) {
    const place = /** @type {Element} */ (this.root.querySelector(".form-place"));
    const content = element("textarea", { rows: 4, required: true, maxlength: 8192, dir: "auto" });
    content.value = memory.content ?? "";
    const category = choices(CATEGORIES.map((name) => [name, name]));
    category.value = memory.category;
    const confidence = element("input", { type: "number", min: 0, max: 1, step: 0.01, value: memory.confidence });
    const importance = element("input", { type: "number", min: 0, max: 1, step: 0.01, value: memory.importance });
    const tags = element("input", { value: memory.tags.join(", "), autocomplete: "off" });
    const close = () => {
      fill(place);
      this.root.focus();
    };
    const save = async () => {
      const fields = { content: content.value, category: category.value, confidence: Number(confidence.value), importance: Number(importance.value), tags: tags.value.split(",").map((tag) => tag.trim()).filter(Boolean) };
      if (await done(fields)) this.root.focus();
    };
    fill(
      place,
      element(
        "form",
        { class: "edit", "aria-label": `${label} the memory`, on: { submit: (/** @type {Event} */ event) => { event.preventDefault(); void save(); }, keydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") close(); if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save(); } } },
        labelled(title, content),
        element("div", { class: "fields" }, labelled("Category", category), labelled("Confidence", confidence), labelled("Importance", importance), labelled("Tags, by commas", tags)),
        element("div", { class: "actions" }, element("button", { class: "main" }, label), button("Cancel", close)),
      ),
    );
    content.focus();
  }

  /** @param {Json} fields */
  async #save(fields) {
    const before = /** @type {Json} */ (this.memory);
    const changed = Object.fromEntries(Object.entries(fields).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
    const earlier = Object.fromEntries(Object.keys(changed).map((name) => [name, before[name]]));
    if (!Object.keys(changed).length) {
      this.#show(before);
      return true;
    }
    return this.#patch(changed, earlier, "content" in changed ? "Saved as a new version." : "Saved.");
  }

  /** @param {string} status */
  async #setStatus(status) {
    const before = /** @type {Json} */ (this.memory);
    await this.#patch({ status }, { status: before.status }, `The memory is ${status} now.`);
  }

  /**
   * What a service that knows no pins does not show.
   * @param {Json} memory
   */
  #pinActions(memory) {
    if (memory.pinned) return [button("Unpin", () => void this.#setPinned(false))];
    if (memory.pinned === undefined || memory.status !== "active") return [];
    const pin = button("Pin", () => void this.#setPinned(true), { title: "It stands in every prompt" });
    return memory.pin_proposed ? [pin, button("Do not pin", () => void this.#refusePin())] : [pin];
  }

  /** @param {boolean} pinned */
  async #setPinned(pinned) {
    await this.#patch({ pinned }, { pinned: !pinned }, pinned ? "Pinned: it stands in every prompt." : "Not pinned any more.");
  }

  /** Nothing proposes it again, so that there is nothing to undo. */
  async #refusePin() {
    const { id } = /** @type {Json} */ (this.memory);
    await attempt(async () => {
      const saved = await this.inspector.service.change("PATCH", `/v1/memories/${id}`, { pinned: false });
      this.#show(saved);
      this.changed(id, saved);
      tell("The memory stays, and is not pinned.");
    });
  }

  /**
   * @param {Json} fields
   * @param {Json} earlier
   * @param {string} news
   */
  async #patch(fields, earlier, news) {
    const { id, version, supersedes } = /** @type {Json} */ (this.memory);
    const { service } = this.inspector;
    const endUser = service.endUser;
    return attempt(async () => {
      const saved = await service.change("PATCH", `/v1/memories/${id}`, fields, { headers: { "If-Match": `"${version}"` } });
      this.#show(saved);
      this.changed(id, saved);
      tell(news, async () => {
        if ("status" in earlier && saved.supersedes && saved.supersedes !== supersedes) {
          await bringBack(this.inspector, saved.supersedes, endUser);
          await this.open(id);
          return;
        }
        const restored = await service.change("PATCH", `/v1/memories/${id}`, earlier, { endUser, headers: { "If-Match": `"${saved.version}"` } });
        this.#show(restored);
        this.changed(id, restored);
        tell("content" in earlier ? "Undone: the earlier text is back." : "Undone.");
      });
    });
  }

  /** @param {Json} fields */
  async #replace(fields) {
    const before = /** @type {Json} */ (this.memory);
    const { service } = this.inspector;
    const endUser = service.endUser;
    const copied = Object.fromEntries(COPIED.filter((name) => before[name] !== null && name in before).map((name) => [name, before[name]]));
    return attempt(async () => {
      const written = await service.change("POST", "/v1/memories", { ...copied, summary: null, source: "user_provided", ...fields, supersedes: before.id });
      if (written.status === "duplicate") {
        tell("An active memory with this text exists already; nothing was written.");
        return;
      }
      const now = await service.get(`/v1/memories/${written.id}`);
      this.#show(now);
      this.changed(before.id, now);
      tell("Superseded: no answer uses the earlier memory any more.", async () => {
        const back = await service.change("POST", `/v1/memories/${before.id}/unsupersede`, {}, { endUser });
        this.#show(back);
        this.changed(now.id, back);
        tell("Undone: the earlier memory is active again.");
      });
    });
  }

  /** Makes a superseded memory active again, in place of the one that superseded it. */
  async #bringBack() {
    const { id, superseded_by: by } = /** @type {Json} */ (this.memory);
    const { service } = this.inspector;
    const endUser = service.endUser;
    await attempt(async () => {
      const back = await service.change("POST", `/v1/memories/${id}/unsupersede`, {});
      this.#show(back);
      this.changed(id, back);
      tell("Active again, in place of the memory that had superseded it.", by && (async () => {
        const again = await service.change("POST", `/v1/memories/${by}/unsupersede`, {}, { endUser });
        await this.open(id);
        this.changed(by, again);
        tell("Undone: the memory is superseded again.");
      }));
    });
  }

  /** @param {string} feedback */
  async #rate(feedback) {
    const { id } = /** @type {Json} */ (this.memory);
    await attempt(async () => {
      await this.inspector.service.change("POST", `/v1/memories/${id}/feedback`, { feedback });
      await this.open(id);
      tell(feedback === "positive" ? "Counted as useful." : "Counted as not useful.");
    });
  }

  /** @param {Json} relation */
  async #unrelate(relation) {
    const { id } = /** @type {Json} */ (this.memory);
    const { service } = this.inspector;
    const endUser = service.endUser;
    const [from, to] = relation.isOutgoing ? [id, relation.id] : [relation.id, id];
    await attempt(async () => {
      await service.change("DELETE", `/v1/memories/${id}/relations/${relation.relation_id}`);
      await this.open(id);
      tell("The relation was removed.", async () => {
        await service.change("POST", `/v1/memories/${from}/relations`, { to, type: relation.type, confidence: relation.confidence }, { endUser });
        await this.open(id);
        tell("The relation is back.");
      });
    });
  }
}

/**
 * Undoes an approval that has superseded a memory.
 * @param {Inspector} inspector
 * @param {string} id the superseded memory
 * @param {string} endUser
 */
export async function bringBack(inspector, id, endUser) {
  await inspector.service.change("POST", `/v1/memories/${id}/unsupersede`, {}, { endUser });
  tell("Undone: the earlier memory is active again, and this one is superseded.");
}

/**
 * The words that an earlier text and a later text do not share.
 * @param {string} before
 * @param {string} after
 */
export function changes(before, after) {
  return difference(before ?? "", after ?? "").map(([kind, text]) => (kind === "kept" ? text : element(kind === "removed" ? "del" : "ins", null, text)));
}

/**
 * Whether it stands in every prompt, or capture proposes that.
 * @param {Json} memory
 */
export function pinChip(memory) {
  return memory.pinned ? chip("pinned", "good") : memory.pin_proposed && chip("proposed as pinned", "weak");
}
