import assert from "node:assert/strict";
import { test } from "node:test";

import { closed, scene, shows, signedIn } from "./browser.mjs";

const watched = (page) => page.locator("[data-test=watched]");
const says = (page, text) => page.waitForFunction((wanted) => new RegExp(wanted).test(document.querySelector("[data-test=watched]").innerText), text, { timeout: 30_000 });

async function watching(place) {
  const inspector = await signedIn(place);
  await shows(inspector.page, "Break");
  await inspector.page.getByRole("button", { name: "Watch answers" }).click();
  await says(inspector.page, "^Complete");
  return inspector;
}

for (const [store, fault, reason] of [["Postgres", "hang", "Postgres did not confirm"], ["Redis", "refuse", "Hot set failed"], ["Embedder", "hang", "Question to vector did not answer in time"], ["Embedder", "dead", "Question to vector failed"]]) {
  test(`${store} with the fault ${fault}: the answer says so, and recovers`, async () => {
    const inspector = await watching(scene.sample);
    const { page } = inspector;

    await page.locator(`[data-switch=${store.toLowerCase()}]`).selectOption(fault);
    await says(page, `^Incomplete[\\s\\S]*${reason}`);
    if (store === "Postgres") assert.match(await watched(page).innerText(), /[1-9]\d* memories/);
    await page.locator(`[data-switch=${store.toLowerCase()}]`).selectOption("none");
    await says(page, "^Complete");

    assert.ok(await page.locator(".log li").count() >= 3);
    assert.ok(await page.locator(".strip li").count() >= 3);
    await closed(inspector);
  });
}

test("a slow store makes answers later", async () => {
  const inspector = await watching(scene.sample);
  const { page } = inspector;

  await page.locator("[data-switch=redis]").selectOption("delay");
  await page.getByLabel("Redis: later by, ms").fill("1200");
  await page.keyboard.press("Tab");
  await says(page, "^Incomplete[\\s\\S]*Hot set did not answer in time");
  await page.locator("[data-switch=redis]").selectOption("none");
  await says(page, "^Complete");
  await closed(inspector);
});

test("another site cannot reach the switches", async () => {
  const own = `${scene.url}/inspector/faults`;
  const { token } = await (await fetch(own)).json();
  const body = JSON.stringify({ name: "redis", fault: "hang", delay_ms: 0 });
  const post = (headers) => fetch(own, { method: "POST", body, headers });

  assert.equal((await post({})).status, 404);
  assert.equal((await post({ "X-Inspector-Token": "guess" })).status, 404);
  assert.equal((await post({ "X-Inspector-Token": token, Origin: "http://evil.example" })).status, 404);
  assert.equal((await post({ "X-Inspector-Token": token, "Sec-Fetch-Site": "cross-site" })).status, 404);
  const state = await (await fetch(own)).json();
  assert.ok(state.switches.every((each) => each.fault === "none"));
});
