/** What the page tells its user: one line of news with an undo, problems, and that an answer is awaited. */

import { button, element, fill } from "./elements.js";
import { ServiceError } from "./service.js";

const SHOWN_MS = 20_000;

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** @type {(() => Promise<void>) | null} */
let lastUndo = null;
let newsTimer = 0;

/**
 * Announces what happened, with a button that undoes it.
 * @param {string} text
 * @param {() => Promise<void>} [undo]
 */
export function tell(text, undo) {
  clearTimeout(newsTimer);
  lastUndo = undo ?? null;
  fill(part("news"), element("span", null, text), undo && button("Undo", undoLast, { "aria-keyshortcuts": "u" }), closer());
  part("news").hidden = false;
  newsTimer = setTimeout(hush, SHOWN_MS);
}

/** Undoes what was told last, if it can be undone. */
export function undoLast() {
  const undo = lastUndo;
  lastUndo = null;
  if (undo) void attempt(undo);
}

/**
 * Shows a problem; others than the service's are faults of the page and are thrown on.
 * @param {unknown} problem
 */
export function complain(problem) {
  if (!(problem instanceof ServiceError)) throw problem;
  if (problem.code === "cancelled") return;
  fill(part("problem"), element("span", null, problem.text), element("code", null, problem.code), button("Close", calm));
  part("problem").hidden = false;
}

/** Takes the last problem away. */
export function calm() {
  part("problem").hidden = true;
}

/**
 * Runs a step and shows its problem; returns whether it succeeded.
 * @param {() => Promise<unknown>} step
 */
export async function attempt(step) {
  calm();
  try {
    await step();
    return true;
  } catch (problem) {
    complain(problem);
    return false;
  }
}

function hush() {
  part("news").hidden = true;
  lastUndo = null;
}

function closer() {
  return button("Close", hush);
}
