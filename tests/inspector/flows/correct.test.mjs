import assert from "node:assert/strict";
import { test } from "node:test";

import { closed, rows, scene, shows, signedIn } from "./browser.mjs";

const undo = (page) => page.locator("#news").getByRole("button", { name: "Undo" }).click();
const says = (page, text) => page.locator("#news").getByText(text).waitFor();
const reads = (page, text) => page.locator("[data-test=content]").filter({ hasText: text }).waitFor();

async function chosen(page, text) {
  await shows(page, "Memories");
  await rows(page).filter({ hasText: text }).first().click();
  await reads(page, text);
}

test("edit a memory, see the versions, and undo", async () => {
  const inspector = await signedIn(scene.correct);
  const { page } = inspector;
  await chosen(page, "The lift is out of order.");

  await page.keyboard.press("e");
  await page.getByLabel("Edit", { exact: true }).fill("The lift works again.");
  await page.getByRole("button", { name: "Save" }).click();
  await says(page, "Saved as a new version.");
  await reads(page, "The lift works again.");
  const versions = page.getByRole("region", { name: "Versions" });
  await versions.getByText(/Version 1/).first().waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll("[aria-label=Versions] del")].map((one) => one.innerText).join("").includes("out of order."));
  await rows(page).filter({ hasText: "The lift works again." }).waitFor();

  await undo(page);
  await says(page, "Undone");
  await page.waitForFunction(() => document.querySelector("[data-test=content]")?.innerText === "The lift is out of order.");
  await page.getByRole("button", { name: "Put back version 2" }).click();
  await reads(page, "The lift works again.");
  await undo(page);
  await reads(page, "The lift is out of order.");
  await closed(inspector);
});

test("supersede a memory, and undo", async () => {
  const inspector = await signedIn(scene.correct);
  const { page } = inspector;
  await chosen(page, "The lift is out of order.");

  await page.keyboard.press("s");
  await page.getByLabel("Supersede with").fill("The lift was replaced by a ramp.");
  await page.keyboard.press("Control+Enter");
  await says(page, "Superseded");
  await reads(page, "The lift was replaced by a ramp.");
  await page.getByRole("region", { name: "Replaced memories" }).waitFor();

  await undo(page);
  await says(page, "Undone");
  await reads(page, "The lift is out of order.");
  await page.getByRole("button", { name: "Supersede" }).waitFor();
  await page.getByRole("region", { name: "Replaced memories" }).getByRole("button").click();
  await reads(page, "The lift was replaced by a ramp.");

  await page.getByRole("button", { name: "Bring back" }).click();
  await says(page, "Active again");
  await page.getByRole("button", { name: "Supersede" }).waitFor();
  await undo(page);
  await says(page, "superseded again");
  await page.getByRole("button", { name: "Bring back" }).waitFor();
  await closed(inspector);
});

test("forget a memory, and undo with a key", async () => {
  const inspector = await signedIn(scene.correct);
  const { page } = inspector;
  await chosen(page, "Ann is allergic.");

  await page.getByRole("button", { name: "Forget" }).click();
  await says(page, "Forgotten");
  await page.getByText("It can be restored until").waitFor();
  await rows(page).filter({ hasText: "Ann is allergic." }).waitFor({ state: "detached" });

  await page.locator(".detail").focus();
  await page.keyboard.press("u");
  await says(page, "Restored");
  await reads(page, "Ann is allergic.");
  await closed(inspector);
});

test("the relations of a memory are a graph, and can be removed and put back", async () => {
  const inspector = await signedIn(scene.correct);
  const { page } = inspector;
  await chosen(page, "Fish comes on Fridays.");

  const relations = page.getByRole("region", { name: "Relations" });
  await relations.locator("svg").waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".graph [role=link]").length === 2);
  await relations.locator(".contradicts line").first().waitFor({ state: "attached" });
  await relations.getByRole("button", { name: "Remove the relation contradicts" }).click();
  await says(page, "The relation was removed.");
  await page.waitForFunction(() => document.querySelectorAll(".graph [role=link]").length === 1);
  await undo(page);
  await says(page, "The relation is back.");
  await page.waitForFunction(() => document.querySelectorAll(".graph [role=link]").length === 2);
  await relations.getByRole("link").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector("[data-test=content]")?.innerText.startsWith("Fish"));
  await closed(inspector);
});

test("a memory that was changed meanwhile is not overwritten", async () => {
  const inspector = await signedIn(scene.correct);
  const { page } = inspector;
  await chosen(page, "Fish comes on Fridays.");
  await page.keyboard.press("e");
  const id = await page.locator(".facts code").innerText();
  const headers = { "X-API-Key": scene.correct.key, "Content-Type": "application/json" };
  await fetch(`${scene.url}/v1/memories/${id}`, { method: "PATCH", headers, body: JSON.stringify({ content: "Fish comes on Mondays." }) });

  await page.getByLabel("Edit", { exact: true }).fill("Fish never comes.");
  await page.getByRole("button", { name: "Save" }).click();

  await page.locator("#problem").getByText("version_mismatch").waitFor();
  await fetch(`${scene.url}/v1/memories/${id}`, { method: "PATCH", headers, body: JSON.stringify({ content: "Fish comes on Fridays." }) });
  await closed(inspector);
});

test("a directive gets a new version, and the earlier one back", async () => {
  const inspector = await signedIn(scene.correct);
  const { page } = inspector;
  await shows(page, "Agent");
  const text = page.getByLabel("Text that comes with every request");
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "Answer in one sentence.");

  await text.fill("Answer in three sentences.");
  await page.getByRole("button", { name: "Save as a new version" }).click();
  await says(page, "is active");
  await page.waitForFunction(() => [...document.querySelectorAll("[aria-label=Versions] ins")].map((one) => one.innerText).join("").includes("three"));
  await undo(page);
  await says(page, "Undone");
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "Answer in one sentence.");
  await closed(inspector);
});

test("what waits for review is accepted, and that is undone", async () => {
  const inspector = await signedIn(scene.review);
  const { page } = inspector;
  await shows(page, "Review");
  const row = page.getByRole("listitem").filter({ hasText: "early breakfast" });

  await row.getByRole("button", { name: "Accept" }).click();
  await says(page, "Accepted.");
  await page.getByText("No memory waits for review.").waitFor();
  await undo(page);
  await row.waitFor();
  await closed(inspector);
});

test("a proposed instruction is pinned, and that is undone; another one is refused", async () => {
  const inspector = await signedIn(scene.instructed);
  const { page } = inspector;
  await page.getByLabel("End user").fill("ada");
  await page.keyboard.press("Tab");
  await shows(page, "Review");
  const row = (text) => page.getByRole("listitem").filter({ hasText: text });

  await row("Always answer in German.").getByRole("button", { name: "Pin", exact: true }).click();
  await says(page, "Pinned: it stands in every prompt.");
  await undo(page);
  await says(page, "Undone: the memory is not pinned.");
  await row("Always answer in German.").waitFor({ state: "detached" });
  await row("Call me Sam.").getByRole("button", { name: "Do not pin" }).click();
  await says(page, "The memory stays, and is not pinned.");
  await page.getByText("No instruction waits to be pinned.").waitFor();

  await chosen(page, "Always answer in German.");
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await page.getByRole("button", { name: "Unpin" }).waitFor();
  await page.getByLabel("Pins").selectOption("pinned");
  await rows(page).filter({ hasText: "Always answer in German." }).filter({ hasText: "pinned" }).click();
  await page.getByRole("button", { name: "Unpin" }).click();
  await says(page, "Not pinned any more.");
  await page.getByRole("button", { name: "Pin", exact: true }).waitFor();
  await undo(page);
  await says(page, "Undone");
  await page.getByRole("button", { name: "Unpin" }).waitFor();
  await closed(inspector);
});

test("memories are searched and filtered", async () => {
  const inspector = await signedIn(scene.sample);
  const { page } = inspector;
  await shows(page, "Memories");
  await rows(page).first().waitFor();

  await page.keyboard.press("/");
  await page.keyboard.type("feather allergy");
  await page.keyboard.press("Enter");
  await page.getByText("found, best first").waitFor();
  // A busy machine may be late for the bounds of a query; the page says so.
  for (let attempt = 0; attempt < 8 && (await page.getByText("incomplete").isVisible()); attempt++) {
    const answered = page.waitForResponse((response) => response.url().endsWith("/memory/query"));
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await answered;
    await page.waitForTimeout(200);
  }
  assert.match(await rows(page).first().innerText(), /feather|allerg/i);
  await page.getByLabel("Search memories").fill("");
  await page.getByLabel("Status").selectOption("superseded");
  await rows(page).filter({ hasText: "superseded" }).first().waitFor();
  await closed(inspector);
});

test("conflicts are settled: the newer, the older, or both stay", async () => {
  const inspector = await signedIn(scene.review);
  const { page } = inspector;
  await shows(page, "Review");
  const conflict = (text) => page.locator(".conflicts > li").filter({ hasText: text });
  const memories = async () => {
    const headers = { "X-API-Key": scene.review.key };
    const listed = await (await fetch(`${scene.url}/v1/memories?limit=50`, { headers })).json();
    return Object.fromEntries(listed.memories.map((memory) => [memory.content, memory.status]));
  };

  await conflict("Deliveries").getByText("differ in day").waitFor();
  await conflict("Deliveries").getByRole("button", { name: "Keep the newer memory" }).click();
  await says(page, "no answer uses the other memory");
  await conflict("Deliveries").waitFor({ state: "detached" });
  await undo(page);
  await says(page, "Undone");
  await conflict("Deliveries").getByRole("button", { name: "Keep the newer memory" }).click();
  await says(page, "no answer uses the other memory");
  await conflict("Deliveries").waitFor({ state: "detached" });
  await conflict("boathouse").getByRole("button", { name: "Keep the older memory" }).click();
  await conflict("boathouse").waitFor({ state: "detached" });
  await conflict("Ben").getByRole("button", { name: "Both are true" }).click();
  await says(page, "both memories stay");
  await page.getByText("No two memories seem to contradict each other.").waitFor();

  const found = await memories();
  assert.deepEqual([found["Deliveries come on Tuesdays."], found["Deliveries come on Thursdays now."]], ["superseded", "active"]);
  assert.deepEqual([found["The rent of the boathouse is 950 euros."], found["The rent of the boathouse is 1,050 euros."]], ["active", "superseded"]);
  assert.deepEqual([found["Ben eats meat."], found["Ben no longer eats meat."]], ["active", "active"]);
  await closed(inspector);
});

test("a conversation shows what each turn left behind, and leads to its memory and back", async () => {
  const inspector = await signedIn(scene.review);
  const { page } = inspector;
  await shows(page, "Conversations");

  await page.getByRole("button", { name: /Hi! .*chat/ }).click();
  await page.getByText("1 of 2 turns kept").waitFor();
  await page.getByText("no statement").waitFor();
  await page.getByRole("button", { name: "Open the memory" }).click();
  await reads(page, "I moved to Oban");
  await page.getByRole("button", { name: "Open the conversation" }).click();
  await page.getByText("1 of 2 turns kept").waitFor();
  await closed(inspector);
});

test("a conversation shows what a turn corrected, and the correction can be undone and made again", async () => {
  const inspector = await signedIn(scene.corrected);
  const { page } = inspector;
  await page.getByLabel("End user").fill("ada");
  await page.keyboard.press("Tab");
  await shows(page, "Conversations");

  await page.getByRole("button", { name: /My rear wheel is 26 inches/ }).click();
  await page.getByRole("button", { name: "What it corrected" }).click();
  await page.getByText("replaced", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo the correction" }).click();
  await says(page, "the earlier memory is active again");
  await page.locator(".detail").getByText("superseded", { exact: true }).first().waitFor();
  await undo(page);
  await says(page, "The correction holds again");
  await page.locator(".detail").getByText("active", { exact: true }).first().waitFor();
  await closed(inspector);
});

test("what an end user wished forgotten is forgotten, and that is undone; another memory is kept", async () => {
  const inspector = await signedIn(scene.wished);
  const { page } = inspector;
  await page.getByLabel("End user").fill("ada");
  await page.keyboard.press("Tab");
  await shows(page, "Review");
  const row = (text) => page.getByRole("listitem").filter({ hasText: text });

  await row("Mirecourt").getByRole("button", { name: "Keep" }).click();
  await says(page, "The memory stays.");
  await row("Mirecourt").waitFor({ state: "detached" });
  await row("Leith").getByRole("button", { name: "Forget" }).click();
  await says(page, "Forgotten: no search finds it any more.");
  await page.getByText("No end user waits for something to be forgotten.").waitFor();

  await undo(page);
  await says(page, "Undone: the memory is back.");
  await shows(page, "Memories");
  await rows(page).filter({ hasText: "Leith" }).waitFor();
  await rows(page).filter({ hasText: "Mirecourt" }).waitFor();
  await closed(inspector);
});

test("a conversation shows what was forgotten at once for it, and the memory can be restored", async () => {
  const inspector = await signedIn(scene.forgotten);
  const { page } = inspector;
  await page.getByLabel("End user").fill("ada");
  await page.keyboard.press("Tab");
  await shows(page, "Memories");
  await page.getByText("No memory fits.").waitFor();

  await shows(page, "Conversations");
  await page.getByRole("button", { name: /forget everything about my cello/ }).click();
  await page.getByText("forgotten", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Restore the memory" }).first().click();
  await says(page, "The memory is back.");
  await reads(page, "cello");
  await closed(inspector);
});
