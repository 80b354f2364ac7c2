/** Takes the pictures of docs/inspector.md and of the README from a running local stack: `make screenshots`. */

import { chromium } from "playwright-core";

const { REMEMBRANCER_URL: url, REMEMBRANCER_API_KEY: key, CHROMIUM: executablePath, SCREENSHOTS: folder } = process.env;
const QUESTION = "Mrs Lindqvist and her sister are coming back on Friday. Which room do they get, and how do we make sure there are no feathers this time?";
const DESKTOP = { width: 1240, height: 1080 };
const LOW = { width: 1240, height: 720 };
const PHONE = { width: 390, height: 844 };
const TRIES = 40;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

/** A page that has signed in and acts for Isla. */
async function opened(viewport, colorScheme) {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce", deviceScaleFactor: viewport === PHONE ? 1.5 : 1 });
  const page = await context.newPage();
  await page.goto(`${url}/inspector`);
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("navigation").waitFor();
  await page.getByLabel("End user").fill("isla");
  await page.keyboard.press("Tab");
  return page;
}

async function assemble(page) {
  await page.getByLabel("Message", { exact: true }).fill(QUESTION);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const answered = page.waitForResponse((response) => response.url().endsWith("/assemble"));
    await page.getByRole("button", { name: "Assemble", exact: true }).last().click();
    await answered;
    await page.waitForTimeout(300);
    if ((await page.locator("[data-test=verdict]").innerText()) === "Complete") return;
  }
}

const show = (page, name) => page.getByRole("navigation").getByRole("button", { name }).click();
const take = async (page, name) => {
  await page.evaluate(() => document.activeElement?.blur());
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `${folder}/inspector-${name}.png` });
};

async function assembled(colorScheme) {
  const page = await opened(DESKTOP, colorScheme);
  await assemble(page);
  await take(page, `assemble-${colorScheme}`);
  return page;
}

async function remembered(page) {
  await page.getByRole("region", { name: "Candidates" }).locator("summary").first().click();
  await page.getByRole("button", { name: "Open this memory" }).first().click();
  await page.locator(".graph").waitFor();
  await page.setViewportSize(LOW);
  await page.waitForTimeout(300);
  await take(page, "memories-light");
}

async function broken() {
  const page = await opened(LOW, "dark");
  const set = async (name, fault, seconds) => {
    await page.locator(`[data-switch=${name}]`).selectOption(fault);
    await page.waitForTimeout(seconds * 1000);
  };
  await show(page, "Break");
  await page.getByRole("button", { name: "Watch answers" }).click();
  await page.waitForTimeout(9000);
  await set("postgres", "hang", 9);
  await set("postgres", "none", 8);
  await set("embedder", "hang", 7);
  await set("embedder", "none", 6);
  await set("redis", "hang", 6);
  await take(page, "break-dark");
  await set("redis", "none", 3);
}

async function phone() {
  const page = await opened(PHONE, "dark");
  await assemble(page);
  const candidates = page.getByRole("region", { name: "Candidates" });
  await candidates.locator("summary").first().click();
  await candidates.evaluate((region) => region.scrollIntoView());
  await page.waitForTimeout(300);
  await take(page, "phone-dark");
}

await remembered(await assembled("light"));
await assembled("dark");
await phone();
await broken();
await browser.close();
