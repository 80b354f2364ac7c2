import assert from "node:assert/strict";
import { test } from "node:test";

import { assembled, closed, opened, rows, scene, shows, signedIn } from "./browser.mjs";

test("a wrong key is refused, and a right one accepted after it", async () => {
  const inspector = await opened();
  const { page } = inspector;

  await page.getByLabel("API key").fill("rk_wrong");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("The service does not accept this key.").waitFor();
  await page.getByLabel("API key").fill("no key at all, with blanks ✗");
  await page.keyboard.press("Enter");
  await page.getByText("The service does not accept this key.").waitFor();
  await page.getByLabel("API key").fill(scene.empty.key);
  await page.keyboard.press("Enter");
  await page.getByRole("navigation").waitFor();

  assert.equal(await page.getByLabel("API key").inputValue(), "");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("API key").waitFor();
  assert.equal(await page.getByRole("main").count(), 0);
  await closed(inspector);
});

test("a key that may not write is told so, and nothing changes", async () => {
  const inspector = await signedIn(scene.readonly);
  const { page } = inspector;
  await shows(page, "Agent");

  await page.getByLabel("Text that comes with every request").fill("Mine now.");
  await page.getByRole("button", { name: "Save as a new version" }).click();

  await page.locator("#problem").getByText("missing_scope").waitFor();
  await page.locator("#problem").getByRole("button", { name: "Close" }).click();
  await page.locator("#problem").waitFor({ state: "hidden" });
  await closed(inspector);
});

test("an unknown agent is named as the problem", async () => {
  const inspector = await signedIn(scene.empty);
  const { page } = inspector;

  await page.getByLabel("Agent").fill("nobody");
  await page.keyboard.press("Tab");
  await page.getByLabel("Message", { exact: true }).fill("Hello");
  await page.keyboard.press("Control+Enter");

  await page.locator("#problem").getByText("agent_not_found").waitFor();
  await closed(inspector);
});

test("a slow service is waited for, and the request can be cancelled", async () => {
  const inspector = await signedIn(scene.empty);
  const { page } = inspector;
  let release = () => {};
  await page.route("**/v1/context/assemble", async (route) => {
    await new Promise((resolve) => { release = resolve; });
    await route.continue().catch(() => {});
  });

  await page.getByLabel("Message", { exact: true }).fill("Hello");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Waiting for the service").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Waiting for the service").waitFor({ state: "hidden" });
  release();
  await page.unroute("**/v1/context/assemble");
  await page.route("**/v1/context/assemble", (route) => route.abort());
  await page.getByLabel("Message", { exact: true }).press("Control+Enter");
  await page.locator("#problem").getByText("cannot be reached").waitFor();
  await page.unroute("**/v1/context/assemble");
  await assembled(page, "And now?");
  assert.equal(await page.locator("#problem").isVisible(), false);
  await closed(inspector);
});

test("everything can be reached with the keyboard", async () => {
  const inspector = await signedIn(scene.sample);
  const { page } = inspector;
  await page.getByRole("button", { name: "Sign out" }).focus();

  await page.keyboard.press("2");
  await rows(page).first().waitFor();
  await page.getByRole("listbox").focus();
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  const active = await page.getByRole("listbox").getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`#${active}`).getAttribute("aria-posinset"), "2");
  await page.keyboard.press("Enter");
  await page.locator("[data-test=content]").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await page.getByLabel("Keys of one letter").uncheck();
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").focus();
  await page.keyboard.press("1");
  assert.equal(await page.getByRole("listbox").count(), 1);
  await closed(inspector);
});
