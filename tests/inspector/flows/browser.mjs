/** A browser for the flows: it opens the page, signs in, and notes everything that the page must not do. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after } from "node:test";

import { chromium } from "playwright-core";

export const scene = JSON.parse(readFileSync(process.env.SCENE, "utf-8"));
export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
after(() => browser.close());

/** The page, and what it must not have: problems of the policy, errors, and requests to elsewhere. */
export async function opened({ viewport = DESKTOP, colorScheme = "light", context: more = {} } = {}) {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce", ...more });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults = [];
  const requests = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.stack}`));
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted|violat/i.test(message.text())) faults.push(`policy: ${message.text()}`);
  });
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`${scene.url}/inspector`);
  return { page, context, faults, requests };
}

/** Signs in to an organization of the scene. */
export async function signedIn(place, options) {
  const inspector = await opened(options);
  const { page } = inspector;
  await page.getByLabel("API key").fill(place.key);
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("navigation").waitFor();
  return inspector;
}

/** Ends a flow: the page was as it should be all the time. */
export async function closed({ context, faults, requests }) {
  await context.close();
  assert.deepEqual(faults, []);
  assert.deepEqual(requests.filter((url) => !url.startsWith(`${scene.url}/`) && !url.startsWith("data:")), []);
}

/** The rows of the list of memories. */
export const rows = (page) => page.getByRole("listbox").getByRole("option");

/** Shows a view by its tab. */
export async function shows(page, name) {
  await page.getByRole("navigation").getByRole("button", { name }).click();
}

/** Assembles with a question, and returns the word of the verdict. */
export async function assembled(page, question) {
  const answered = page.waitForResponse((response) => response.url().endsWith("/v1/context/assemble"));
  await page.getByLabel("Message", { exact: true }).fill(question);
  // The answer before this one stays until the next one is there.
  await page.evaluate(() => document.querySelectorAll("[data-test=verdict]").forEach((earlier) => earlier.remove()));
  await page.getByRole("button", { name: "Assemble", exact: true }).last().click();
  await answered;
  const verdict = page.locator("[data-test=verdict]");
  await verdict.waitFor();
  return verdict.innerText();
}
