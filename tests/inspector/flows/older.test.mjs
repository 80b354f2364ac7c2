/** A service that does not have every route yet, as during an upgrade. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { closed, opened, scene, shows } from "./browser.mjs";

test("without pins there is no section of them", async () => {
  const inspector = await opened();
  const { page } = inspector;
  const json = { error: { code: "invalid_request", message: "The request has invalid fields: pin_proposed.", fields: { pin_proposed: "is unknown" } }, request_id: "r" };
  await page.route(/pin_proposed/, (route) => route.fulfill({ status: 400, json }));
  await page.getByLabel("API key").fill(scene.empty.key);
  await page.keyboard.press("Enter");
  await page.getByRole("navigation").waitFor();

  await shows(page, "Review");
  await page.getByText("No memory waits for review.").waitFor();

  assert.equal(await page.getByText("Proposed as pinned").isVisible(), false);
  assert.equal(await page.locator("#problem").isVisible(), false);
  await closed(inspector);
});

test("without conflicts and conversations there is neither view nor section", async () => {
  const inspector = await opened();
  const { page } = inspector;
  const json = { error: { code: "no_such_route", message: "There is no such route." }, request_id: "r" };
  await page.route(/\/v1\/(conflicts|conversations)/, (route) => route.fulfill({ status: 404, json }));
  await page.getByLabel("API key").fill(scene.empty.key);
  await page.keyboard.press("Enter");
  await page.getByRole("navigation").waitFor();

  await shows(page, "Review");
  await page.getByText("No memory waits for review.").waitFor();

  assert.equal(await page.getByText("May contradict each other").isVisible(), false);
  assert.equal(await page.getByRole("navigation").getByRole("button", { name: "Conversations" }).count(), 0);
  assert.equal(await page.locator("#problem").isVisible(), false);
  await closed(inspector);
});
