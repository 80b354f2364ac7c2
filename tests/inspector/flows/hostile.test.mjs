import assert from "node:assert/strict";
import { test } from "node:test";

import { assembled, closed, PHONE, rows, scene, shows, signedIn } from "./browser.mjs";

/** Every element that markup in a memory could have made. */
const MARKUP = "main img, main script, main a[href], main iframe, main svg[onload], main b b";

/** Presses the key until it counts: two memories may begin alike, and a key means nothing while one is being read. */
const edits = async (page) => {
  const form = page.getByLabel("Edit", { exact: true });
  for (let tries = 0; tries < 50 && !(await form.isVisible()); tries++) {
    await page.keyboard.press("e");
    await page.waitForTimeout(100);
  }
  await form.waitFor();
};

test("memories with markup, in any direction and of any length are only text", async () => {
  const inspector = await signedIn(scene.hostile);
  const { page } = inspector;

  await assembled(page, "script broken window href long svg entities <script>window.broken = 1</script>");
  await page.getByRole("button", { name: /^All/ }).click();
  await page.getByText("<script>window.broken = 1</script><img").first().waitFor();
  assert.equal(await page.locator(MARKUP).count(), 0);
  await shows(page, "Memories");
  await rows(page).first().waitFor();
  const count = await rows(page).count();
  for (let index = 0; index < count; index++) {
    const beginning = (await rows(page).nth(index).locator(".text").textContent()).slice(0, 20);
    await rows(page).nth(index).click();
    await page.locator("[data-test=content]").filter({ hasText: beginning }).waitFor();
    await edits(page);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(MARKUP).count(), 0);
  }
  const directions = await rows(page).evaluateAll((options) => options.map((option) => getComputedStyle(option.querySelector(".text")).direction));
  assert.ok(directions.includes("rtl") && directions.includes("ltr"));
  await shows(page, "Agent");
  await page.getByRole("region", { name: "Versions" }).getByText("<script>").waitFor();
  assert.equal(await page.evaluate(() => window.broken), undefined);
  await closed(inspector);
});

test("no text makes the page wider than a phone", async () => {
  const inspector = await signedIn(scene.hostile, { viewport: PHONE });
  const { page } = inspector;
  const fits = async (view) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), view);

  await assembled(page, "script broken window href long svg entities");
  await fits("Assemble");
  await shows(page, "Memories");
  await rows(page).first().click();
  await page.locator("[data-test=content]").waitFor();
  await fits("a memory");
  await page.getByRole("button", { name: "Back to the list" }).click();
  await rows(page).first().waitFor();
  await fits("Memories");
  for (const view of ["Review", "Agent", "Break"]) {
    await shows(page, view);
    await page.waitForTimeout(300);
    await fits(view);
  }
  await closed(inspector);
});
