/** Conflicts and conversations against the contract of their routes, which answer here from this file. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { closed, opened, scene, shows } from "./browser.mjs";

const NOW = "2026-11-20T10:00:00+00:00";
const [NEWER, OLDER] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
const memory = (id, content) => ({ id, content, category: "factual", created_at: NOW, user_id: null });
const CONFLICT = { conflict_id: "33333333-3333-4333-8333-333333333333", differs_in: "day", confidence: 0.83, found_at: NOW, newer: memory(NEWER, "Fish comes on Fridays."), older: memory(OLDER, "Fish comes on Thursdays.") };
const CONVERSATION = { conversation_id: "44444444-4444-4444-8444-444444444444", agent_id: scene.empty.agent, user_id: "ann", session_id: "s-1", created_at: NOW, updated_at: NOW, pending: 1 };
const TURNS = [
  { number: 1, role: "user", speaker: "Ann", text: "I moved to Oban <b>in May</b>.", observed_at: NOW, state: "kept", reason: "", memory_id: NEWER },
  { number: 2, role: "assistant", speaker: null, text: "Noted.", observed_at: NOW, state: "dropped", reason: "assistant" },
  { number: 3, role: "user", speaker: "Ann", text: null, observed_at: NOW, state: "pending", reason: null },
];

async function contracted(routes) {
  const inspector = await opened();
  for (const [path, answer] of Object.entries(routes)) {
    await inspector.page.route((url) => url.pathname === path, async (route) => {
      const { status = 200, json } = answer(route.request());
      await route.fulfill({ status, json });
    });
  }
  await inspector.page.getByLabel("API key").fill(scene.empty.key);
  await inspector.page.keyboard.press("Enter");
  await inspector.page.getByRole("navigation").waitFor();
  return inspector;
}

const settled = [];
const CONFLICTS = {
  "/v1/conflicts": () => ({ json: { conflicts: settled.length ? [] : [CONFLICT], next_cursor: null } }),
  [`/v1/conflicts/${CONFLICT.conflict_id}/settle`]: (request) => {
    settled.push(request.postDataJSON());
    const keep = settled.at(-1).keep;
    return { json: { conflict_id: CONFLICT.conflict_id, action: settled.at(-1).action, kept: keep ? [keep] : [NEWER, OLDER], superseded: keep === OLDER ? NEWER : keep ? OLDER : null } };
  },
};

for (const [button, decision, news] of [["Keep the newer memory", { action: "supersede", keep: NEWER }, "the other memory"], ["Keep the older memory", { action: "supersede", keep: OLDER }, "the other memory"], ["Both are true", { action: "keep_both" }, "both memories stay"]]) {
  test(`a conflict is settled: ${button}`, async () => {
    settled.length = 0;
    const inspector = await contracted(CONFLICTS);
    const { page } = inspector;
    await shows(page, "Review");
    await page.getByText("differ in day").waitFor();
    await page.getByText("Fish comes on Thursdays.").waitFor();

    await page.getByRole("button", { name: button }).click();

    await page.locator("#news").getByText(news).waitFor();
    await page.getByText("No two memories seem to contradict each other.").waitFor();
    assert.deepEqual(settled, [decision]);
    await closed(inspector);
  });
}

test("a conversation shows what each turn left behind", async () => {
  const inspector = await contracted({
    "/v1/conversations": () => ({ json: { conversations: [CONVERSATION], next_cursor: null } }),
    [`/v1/conversations/${CONVERSATION.conversation_id}`]: () => ({ json: { ...CONVERSATION, turns: TURNS } }),
  });
  const { page } = inspector;
  await shows(page, "Conversations");

  await page.getByRole("button", { name: /ann/ }).click();

  await page.getByText("1 of 3 turns kept").waitFor();
  await page.getByText("I moved to Oban <b>in May</b>.").waitFor();
  await page.getByText("(no text)").waitFor();
  assert.equal(await page.getByRole("button", { name: "Open the memory" }).count(), 1);
  await closed(inspector);
});

test("without these routes there is neither view nor section", async () => {
  const absent = () => ({ status: 404, json: { error: { code: "no_such_route", message: "There is no such route." }, request_id: "r" } });
  const inspector = await contracted({ "/v1/conflicts": absent, "/v1/conversations": absent });
  const { page } = inspector;
  await shows(page, "Review");
  await page.getByText("No memory waits for review.").waitFor();

  assert.equal(await page.getByText("May contradict each other").isVisible(), false);
  assert.equal(await page.getByRole("navigation").getByRole("button", { name: "Conversations" }).count(), 0);
  assert.equal(await page.locator("#problem").isVisible(), false);
  await closed(inspector);
});
