/** Draws the answer of one assembly: the text for the model, the time line, the budget, and every candidate. */

import { button, chip, element, fill, heading } from "./elements.js";
import { ago, milliseconds, whole } from "./figures.js";

/** @typedef {import("./service.js").Json} Json */

const FACTORS = ["relevance", "recency", "usefulness", "confidence", "frequency"];
/** @type {Record<string, string>} */
const SOURCES = { credential: "Credential", directive: "Directive", pinned: "Pinned memories", hot: "Hot set", embed: "Question to vector", cold: "Search by meaning", lexical: "Search by words" };
/** @type {Record<string, string>} */
const STAGES = { budget: "Budget", score: "Score", pack: "Pack", open: "Decrypt", format: "Format" };
/** @type {Record<string, [string, string]>} */
const DISPOSITIONS = {
  included: ["Included", "in the text for the model"],
  budget: ["No room", "did not fit into the budget"],
  duplicate: ["Said already", "a better memory says the same"],
  floor: ["Off topic", "not likely enough to help"],
  filtered: ["Filtered", "not visible, expired, or of another category"],
  redacted: ["Unreadable", "could not be decrypted in time"],
  pinned: ["Pinned", "stands with the directive"],
};
/** @type {Record<string, string>} */
const TIERS = { map: "the instance's memory map", postgres: "Postgres", turn_cache: "the turn cache", none: "no source" };
/** @type {Record<string, string>} */
const BREAKS = {
  model: "another model was asked",
  tools: "the tools are others",
  history: "the client's own messages are not what they were",
  directive: "the directive changed, moved or was late",
  pinned: "the pinned memories changed",
  placement: "memories stand with the directive, or stood there",
  memory: "a memory that was told has changed, or is no longer visible",
  bound: "blocks of earlier messages became too many, and the older half was left out",
  earlier_missing: "what earlier messages had was late or lost",
};
const TAGS = /(<\/?(?:directive|pinned|memories)-\d{9}>)/;

/**
 * Each reason of an incomplete answer as a sentence.
 * @param {string} reasons `fallback_reason` of the answer
 * @returns {string[]}
 */
export function sentences(reasons) {
  return reasons.split(",").filter(Boolean).map((reason) => {
    const [kind, cause] = reason.split(":");
    const found = /^(\w+?)_(timeout|error)$/.exec(kind);
    const why = cause ? ` (${cause})` : "";
    if (kind === "unconfirmed") return `Postgres did not confirm the cached memories${why}.`;
    if (kind === "assembly_timeout") return "The whole assembly was late.";
    if (kind === "overload") return "The service had more requests than it can answer in time; memories were left out.";
    if (kind === "unavailable") return `A store that the answer needs is not available${why}; nothing was added.`;
    if (kind === "internal_error") return "The service failed with an unexpected error; nothing was added.";
    if (!found) return reason;
    if (found[1] === "credential") return `The credential could not be checked${found[2] === "timeout" ? " in time" : ""}${why}; nothing was added.`;
    if (cause === "Unconfirmed") return `${SOURCES[found[1]] ?? found[1]}: cached memories were left out, since no store confirmed them.`;
    return `${SOURCES[found[1]] ?? found[1]} ${found[2] === "timeout" ? "did not answer in time" : `failed${why}`}.`;
  });
}

/**
 * The state of an answer in one word, and the colour that goes with it.
 * @param {Json} metadata
 * @returns {[string, string]}
 */
export function state(metadata) {
  if (!metadata.fallback_reason) return ["Complete", "good"];
  return metadata.directive_injected || metadata.memories_injected ? ["Incomplete", "weak"] : ["Unchanged", "bad"];
}

/**
 * @param {Json} metadata
 * @param {number} elapsed_ms as the browser measured it
 */
export function summary(metadata, elapsed_ms) {
  const [word, kind] = state(metadata);
  const figures = [
    ["memories", `${metadata.memories_injected} of ${metadata.memories_available}`, "injected, of those that help"],
    ["tokens added", whole(metadata.total_tokens_injected), `${metadata.context_window_used} % of the window is used`],
    ["made in", milliseconds(metadata.timings_ms.total ?? 0), `of ${milliseconds(metadata.deadline_ms)}; here after ${milliseconds(elapsed_ms)}`],
    ["answered by", metadata.tier.replace("_", " "), TIERS[metadata.tier] ?? ""],
  ];
  const reasons = sentences(metadata.fallback_reason);
  const promise = probablyHelp(metadata.candidates ?? []);
  return element(
    "section",
    { class: `summary ${kind}`, "aria-label": "Result" },
    element("div", { class: "verdict" }, element("strong", { "data-test": "verdict" }, word), reasons.length ? element("ul", null, reasons.map((text) => element("li", null, text))) : element("span", null, "No source was missing."), promise && element("span", { "data-test": "probably" }, promise)),
    element("dl", { class: "figures" }, figures.map(([name, value, more]) => element("div", { title: more }, element("dt", null, name), element("dd", null, value), element("small", null, more)))),
  );
}

/**
 * How many of the injected memories can be expected to help, by the probability that each was judged with.
 * @param {Json[]} candidates
 */
function probablyHelp(candidates) {
  const included = candidates.filter((each) => each.disposition === "included");
  const judged = included.map((each) => each.evidence.probability).filter((probability) => typeof probability === "number");
  if (!judged.length) return "";
  const expected = judged.reduce((sum, probability) => sum + probability, 0);
  return `${expected < 0.5 ? "Probably none" : `About ${Math.round(expected)}`} of the ${judged.length === included.length ? included.length : `${judged.length} judged`} memories ${Math.round(expected) === 1 ? "helps" : "help"} with this message.`;
}

/**
 * The messages exactly as the model gets them.
 * @param {Json[]} messages
 */
export function context(messages) {
  const text = messages.map((message) => `${message.role}: ${contentOf(message)}`).join("\n\n");
  const copy = button("Copy", () => void navigator.clipboard?.writeText(text).then(() => fill(copy, "Copied")));
  return element(
    "section",
    { class: "panel", "aria-label": "What the model sees" },
    heading("What the model sees", chip(TAGS.test(text) ? "text added" : "nothing added"), copy),
    messages.map((message) => element("article", { class: `message ${message.role === "system" ? "system" : ""}` }, element("h3", null, message.role), element("pre", { dir: "auto", tabindex: 0 }, coloured(contentOf(message))))),
  );
}

/** @param {Json} message */
function contentOf(message) {
  return typeof message.content === "string" ? message.content : JSON.stringify(message.content, null, 1);
}

/** @param {string} text */
function coloured(text) {
  let inside = "";
  return text.split(TAGS).filter(Boolean).map((piece) => {
    if (!TAGS.test(piece)) return inside ? element("span", { class: `injected ${inside}` }, piece) : piece;
    inside = piece.startsWith("</") ? "" : piece.slice(1).split("-")[0];
    return element("span", { class: "tag" }, piece);
  });
}

/**
 * When each source and stage ran, against its bound.
 * @param {Json} metadata
 */
export function timeline(metadata) {
  const { sources = {}, timings_ms = {}, explanation = {} } = metadata;
  const { bounds_ms = {}, started_ms = {} } = explanation;
  const total = timings_ms.total ?? 0;
  const end = Math.max(metadata.deadline_ms, total, 1) * 1.04;
  /** @type {Array<{name: string, kind: string, start: number, length: number, bound?: number, text: string}>} */
  const rows = [];
  if (timings_ms.credential !== undefined) rows.push({ name: SOURCES.credential, kind: "ok", start: 0, length: timings_ms.credential, text: "" });
  for (const [name, report] of Object.entries(sources)) {
    const more = [report.status === "ok" ? (name === "embed" || name === "directive" ? report.origin ?? "" : `${report.count} found`) : report.status, report.cause, report.short_result && "may miss some"];
    rows.push({ name: SOURCES[name] ?? name, kind: report.status, start: report.started_ms, length: report.latency_ms, bound: bounds_ms[name], text: more.filter(Boolean).join(" · ") });
  }
  for (const [stage, label] of Object.entries(STAGES)) {
    if (timings_ms[stage] !== undefined && started_ms[stage] !== undefined) rows.push({ name: label, kind: "stage", start: started_ms[stage], length: timings_ms[stage], text: "" });
  }
  const percent = (/** @type {number} */ value) => `${(100 * value) / end}%`;
  return element(
    "section",
    { class: "panel", "aria-label": "Where the time went" },
    heading("Where the time went", element("span", { class: "key" }, element("i", { class: "bound" }), "bound of the source"), element("span", { class: "key" }, element("i", { class: "deadline" }), "deadline")),
    rows.length === 0 && element("p", { class: "quiet" }, "The answer was made before any source could be used."),
    element(
      "table",
      { class: "timeline" },
      element("thead", null, element("tr", null, ["Step", "Time line", "Took", "Bound", "Result"].map((title) => element("th", { scope: "col" }, title)))),
      element("tbody", null, rows.map((row) => element(
        "tr",
        { class: row.kind },
        element("th", { scope: "row" }, row.name),
        element(
          "td",
          { class: "track", "aria-hidden": "true" },
          row.kind !== "skipped" && element("span", { class: "run", style: { left: percent(row.start), width: percent(Math.max(row.length, end / 300)) } }),
          row.bound !== undefined && element("span", { class: "bound", style: { left: percent(row.bound) } }),
          element("span", { class: "deadline", style: { left: percent(metadata.deadline_ms) } }),
        ),
        element("td", { class: "number" }, row.kind === "skipped" ? "–" : milliseconds(row.length)),
        element("td", { class: "number" }, row.bound === undefined ? "" : milliseconds(row.bound)),
        element("td", { class: "result" }, row.text),
      ))),
    ),
  );
}

/**
 * The window, and the room for memories in it.
 * @param {Json} metadata
 * @param {{input: number, cached: number} | null} [prices] of the model, dollars a million tokens
 */
export function budgetBars(metadata, prices) {
  const { budget, candidates = [] } = metadata;
  if (!budget) return element("section", { class: "panel" }, heading("Budget"), element("p", { class: "quiet" }, "The answer came before the budget was computed."));
  const included = candidates.filter((/** @type {Json} */ each) => each.disposition === "included");
  const used = included.reduce((/** @type {number} */ sum, /** @type {Json} */ each) => sum + each.tokens, 0);
  const pinned = budget.pinned ?? 0;
  const rest = Math.max(budget.window - budget.reserve - budget.safety - budget.messages - budget.tools - budget.directive - pinned - budget.formatter - used, 0);
  /** @type {Array<[string, number]>} */
  const parts = [["messages", budget.messages], ["tools", budget.tools], ["directive", budget.directive], ["pinned", pinned], ["wrapping", budget.formatter], ["memories", used], ["answer", budget.reserve], ["safety", budget.safety], ["free", rest]];
  const shown = parts.filter(([, tokens]) => tokens > 0);
  return element(
    "section",
    { class: "panel", "aria-label": "Budget" },
    heading("Budget", chip(`${budget.tokenizer}${budget.exact ? "" : ", estimated"}`), !budget.model_known && chip("unknown model", "weak"), budget.constrained && chip("little room", "weak")),
    element("p", { class: "caption" }, element("b", null, `${whole(used)} of ${whole(budget.available)} tokens`), ` for memories · packing: ${metadata.packing || "none"}`),
    element(
      "div",
      { class: "bar", role: "img", "aria-label": `${used} of ${budget.available} tokens for memories are used` },
      included.map((/** @type {Json} */ each) => element("span", { class: "part memories", title: `${each.tokens} tokens: ${each.content}`, style: { "flex-grow": each.tokens } })),
      element("span", { class: "part free", style: { "flex-grow": Math.max(budget.available - used, 0) } }),
    ),
    reused(metadata.prefix),
    prices && costs(metadata, prices, budget.messages + budget.tools, budget.directive + pinned + budget.formatter + used),
    element("p", { class: "caption" }, element("b", null, `${whole(budget.window)} tokens`), " in the model's window"),
    element("div", { class: "bar", "aria-hidden": "true" }, shown.map(([name, tokens]) => element("span", { class: `part ${name}`, style: { "flex-grow": tokens } }))),
    element("ul", { class: "legend" }, shown.map(([name, tokens]) => element("li", null, element("i", { class: `part ${name}` }), name, " ", element("b", null, whole(tokens))))),
  );
}

/**
 * What the provider's prompt cache can keep of the session's last prompt, and what broke it.
 * @param {Json | null | undefined} prefix
 */
function reused(prefix) {
  if (!prefix) return null;
  const why = prefix.broken_by ? `: ${BREAKS[prefix.broken_by] ?? prefix.broken_by}` : ": nothing broke it";
  return element("p", { class: "caption", "data-test": "prefix" }, element("b", null, `${whole(prefix.tokens)} of ${whole(prefix.of)} tokens`), ` of the session's last prompt begin this one${why}`);
}

/**
 * What a thousand such prompts cost, and the part of what was added. What is cached of them is the client's part first.
 * @param {Json} metadata
 * @param {{input: number, cached: number}} prices dollars a million tokens
 * @param {number} own tokens of the client
 * @param {number} added tokens of directive and memories
 */
function costs(metadata, prices, own, added) {
  const cached = Math.min(metadata.prefix?.tokens ?? 0, own + added);
  const dollars = (/** @type {number} */ tokens, /** @type {number} */ kept) => ((tokens - kept) * prices.input + kept * prices.cached) / 1000;
  const [all, without] = [dollars(own + added, cached), dollars(own, Math.min(cached, own))];
  return element("p", { class: "caption", "data-test": "costs" }, element("b", null, `$${all.toFixed(2)}`), ` for the input of a thousand such prompts, $${Math.max(all - without, 0).toFixed(2)} of it for directive and memories`);
}

/**
 * Every candidate with the reasons of its score.
 * @param {Json} metadata
 * @param {(id: string) => void} open
 */
export function candidateList(metadata, open) {
  const { candidates, explanation = {} } = metadata;
  if (!candidates) return element("section", { class: "panel" }, heading("Candidates"), element("p", { class: "quiet" }, "No candidates: the answer was made without memories."));
  const weights = explanation.weights ?? {};
  const kinds = Object.keys(DISPOSITIONS).filter((kind) => candidates.some((/** @type {Json} */ each) => each.disposition === kind));
  const rows = element("ol", { class: "candidates" });
  const show = (/** @type {string} */ kind) => {
    const shown = candidates.filter((/** @type {Json} */ each) => kind === "all" || each.disposition === kind);
    fill(rows, shown.map((/** @type {Json} */ each) => candidateRow(each, weights, open)));
    for (const tab of filters.children) tab.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (tab).dataset.kind === kind));
  };
  const filters = element("div", { class: "filters", role: "group", "aria-label": "Which candidates" }, ["all", ...kinds].map((kind) => {
    const count = kind === "all" ? candidates.length : candidates.filter((/** @type {Json} */ each) => each.disposition === kind).length;
    return button(`${kind === "all" ? "All" : DISPOSITIONS[kind][0]} ${count}`, () => show(kind), { "data-kind": kind, title: kind === "all" ? "" : DISPOSITIONS[kind][1] });
  }));
  show(kinds[0] ?? "all");
  return element(
    "section",
    { class: "panel wide", "aria-label": "Candidates" },
    heading("Candidates", filters),
    element("ul", { class: "legend" }, FACTORS.map((factor) => element("li", null, element("i", { class: factor }), factor, weights[factor] !== undefined && ` × ${weights[factor].toFixed(2)}`))),
    candidates.length ? rows : element("p", { class: "quiet" }, "This agent has no memory that this request may see."),
  );
}

/**
 * @param {Json} candidate
 * @param {Json} weights
 * @param {(id: string) => void} open
 */
function candidateRow(candidate, weights, open) {
  const { factors, evidence } = candidate;
  const contributions = FACTORS.map((factor) => ({ factor, value: factors[factor], weight: weights[factor] ?? 0, part: factors[factor] * (weights[factor] ?? 0) }));
  const found = [evidence.hot && "hot set", evidence.dense !== null && `meaning ${evidence.dense.toFixed(2)}`, evidence.lexical !== null && `words ${evidence.lexical.toFixed(2)}`, evidence.subject > 0 && "names its person"];
  return element(
    "li",
    { class: candidate.disposition },
    element(
      "details",
      null,
      element(
        "summary",
        null,
        element("span", { class: "score" }, candidate.score.toFixed(2)),
        element(
          "span",
          { class: "said" },
          element("span", { class: "text", dir: "auto" }, candidate.content ?? "(no text)"),
          element("span", { class: "about" }, element("span", { class: "stack", "aria-hidden": "true" }, contributions.map(({ factor, part }) => element("i", { class: factor, style: { width: `${100 * part}%` } }))), [candidate.category, ago(candidate.created_at), candidate.user_id ?? "shared", candidate.replaced && "revised"].filter(Boolean).join(" · ")),
        ),
        element("span", { class: "cost" }, element("span", null, element("b", null, whole(candidate.tokens)), " tokens"), chip(DISPOSITIONS[candidate.disposition]?.[0] ?? candidate.disposition, candidate.disposition)),
      ),
      element(
        "div",
        { class: "reasons" },
        element("table", null, element("thead", null, element("tr", null, ["Factor", "Value", "Weight", "Part of the score"].map((title) => element("th", { scope: "col" }, title)))), element("tbody", null, contributions.map(({ factor, value, weight, part }) => element("tr", null, element("th", { scope: "row" }, element("i", { class: factor }), factor), element("td", null, value.toFixed(3)), element("td", null, weight.toFixed(2)), element("td", null, part.toFixed(3)))))),
        element("p", null, "Found by: ", found.filter(Boolean).join(", ") || "no search", ". ", (DISPOSITIONS[candidate.disposition] ?? [candidate.disposition, ""]).join(": "), "."),
        button("Open this memory", () => open(candidate.id)),
      ),
    ),
  );
}
