import assert from "node:assert/strict";
import { test } from "node:test";

import { assembled, closed, opened, rows, scene, shows, signedIn } from "./browser.mjs";

const QUESTION = "Which room does Mrs Lindqvist get, and how do we avoid feathers?";

test("the page comes in one request, without the key", async () => {
  const inspector = await opened();

  const { page, requests } = inspector;
  assert.deepEqual(requests.filter((url) => !url.startsWith("data:")), [`${scene.url}/inspector`]);
  await page.getByLabel("API key").fill(scene.sample.key);
  await page.keyboard.press("Enter");
  await page.getByRole("navigation").waitFor();
  await assembled(page, QUESTION);
  assert.ok(requests.every((url) => !url.includes(scene.sample.key)));
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]));
  assert.ok(!kept.includes(scene.sample.key));
  await page.reload();
  await page.getByLabel("API key").waitFor();
  await closed(inspector);
});

test("an assembly shows the text for the model, and why", async () => {
  const inspector = await signedIn(scene.sample);
  const { page } = inspector;

  let word = "";
  // The first requests of an instance may be late on a busy machine.
  for (let attempt = 0; attempt < 5 && word !== "Complete"; attempt++) word = await assembled(page, QUESTION);
  assert.equal(word, "Complete");
  assert.match(await page.locator("[data-test=probably]").innerText(), /^(Probably none|About \d+) of the \d+ memories helps? with this message\.$/);
  assert.equal(await page.locator("[data-test=costs]").count(), 0);
  await page.getByText("Options", { exact: true }).click();
  await page.getByLabel("Price, $ a million tokens").fill("2.5");
  await assembled(page, QUESTION);
  assert.match(await page.locator("[data-test=costs]").innerText(), /^\$\d+\.\d\d for the input of a thousand such prompts, \$\d+\.\d\d of it/);

  const context = page.getByRole("region", { name: "What the model sees" });
  assert.match(await context.innerText(), /<memories-\d{9}>[\s\S]*feathers[\s\S]*<\/memories-\d{9}>/);
  assert.ok((await context.innerText()).includes(QUESTION));
  const time = page.getByRole("region", { name: "Where the time went" });
  for (const source of ["Directive", "Hot set", "Question to vector", "Search by meaning", "Search by words"]) {
    assert.match(await time.getByRole("row", { name: source }).innerText(), /ms\s+[\d,.]+ ms/, source);
  }
  assert.match(await page.getByRole("region", { name: "Budget" }).innerText(), /of 2,000 tokens/);
  const candidates = page.getByRole("region", { name: "Candidates" });
  await candidates.getByRole("button", { name: /^All/ }).click();
  const first = candidates.getByRole("listitem").filter({ hasText: "feathers" }).first();
  await first.locator("summary").click();
  assert.match(await first.innerText(), /relevance(\s+0\.\d+){3}[\s\S]*Found by/);
  await candidates.getByRole("button", { name: /^Off topic/ }).click();
  assert.match(await candidates.innerText(), /Off topic/);
  await candidates.getByRole("button", { name: /^Included/ }).click();
  await candidates.locator("summary").first().click();
  await candidates.getByRole("button", { name: "Open this memory" }).first().click();
  await page.locator("[data-test=content]").waitFor();
  await closed(inspector);
});

test("a private memory needs its end user", async () => {
  const inspector = await signedIn(scene.sample);
  const { page } = inspector;
  const users = await page.evaluate(() => [...document.querySelectorAll("#end-users option")].map((option) => option.value));

  await page.getByLabel("End user").fill("*");
  await page.keyboard.press("Tab");
  await shows(page, "Memories");
  await rows(page).first().waitFor();
  const everything = await page.locator("[data-test=counted]").innerText();
  await page.getByLabel("End user").fill("");
  await page.keyboard.press("Tab");
  await page.waitForFunction((before) => ![before, ""].includes(document.querySelector("[data-test=counted]").innerText), everything);

  assert.ok(users === undefined || Array.isArray(users));
  await closed(inspector);
});

test("an agent without memories says so", async () => {
  const inspector = await signedIn(scene.empty);
  const { page } = inspector;

  await assembled(page, "Is anybody there?");

  assert.match(await page.getByRole("main").innerText(), /nothing added/);
  await shows(page, "Memories");
  await page.getByText("No memory fits").waitFor();
  await shows(page, "Agent");
  await page.getByText("This agent has no directive yet").waitFor();
  await closed(inspector);
});
