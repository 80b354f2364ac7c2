/** Takes the pictures of docs/inspector.md from a running local stack: `make screenshots`. */

import { mkdirSync } from "node:fs";

import { chromium } from "playwright-core";

const { REMEMBRANCER_URL: url, REMEMBRANCER_API_KEY: key, CHROMIUM: executablePath, SCREENSHOTS: folder } = process.env;
const QUESTION = "Mrs Lindqvist and her sister are coming back on Friday. Which room do they get, and how do we make sure there are no feathers this time?";
const DESKTOP = { width: 1360, height: 900 };
const PHONE = { width: 390, height: 800 };
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

for (const [colorScheme, viewport, size] of [["light", DESKTOP, "desktop"], ["dark", DESKTOP, "desktop"], ["light", PHONE, "phone"], ["dark", PHONE, "phone"]]) {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  const take = async (name, options = {}) => page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.png`, ...options });
  const show = (name) => page.getByRole("navigation").getByRole("button", { name }).click();
  await page.goto(`${url}/inspector`);
  await take("sign-in");
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByLabel("End user").fill("isla");
  await page.keyboard.press("Tab");
  await page.getByLabel("Message", { exact: true }).fill(QUESTION);
  for (let attempt = 0; attempt < 6; attempt++) {
    await page.getByRole("button", { name: "Assemble", exact: true }).last().click();
    await page.waitForTimeout(900);
    if ((await page.locator("[data-test=verdict]").innerText()) === "Complete") break;
  }
  await take("assemble", { fullPage: size === "desktop" });
  await page.getByRole("region", { name: "Candidates" }).locator("summary").first().click();
  await page.getByRole("region", { name: "Candidates" }).scrollIntoViewIfNeeded();
  await page.waitForTimeout(200);
  await take("candidates");
  await page.getByRole("button", { name: "Open this memory" }).first().click();
  await page.locator("[data-test=content]").waitFor();
  await page.waitForTimeout(900);
  await take("memories");
  await show("Agent");
  await page.waitForTimeout(500);
  await take("agent");
  await show("Review");
  await page.waitForTimeout(500);
  await take("review");
  if (await page.getByRole("navigation").getByRole("button", { name: "Break" }).count()) {
    await show("Break");
    await page.getByRole("button", { name: "Watch answers" }).click();
    await page.waitForTimeout(5000);
    await page.getByLabel("Postgres").selectOption("hang");
    await page.waitForTimeout(5000);
    await page.getByLabel("Postgres").selectOption("none");
    await page.waitForTimeout(3500);
    await page.getByLabel("Redis").selectOption("hang");
    await page.waitForTimeout(3000);
    await take("break");
    await page.getByLabel("Redis").selectOption("none");
  }
  await context.close();
}
await browser.close();
