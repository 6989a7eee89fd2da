import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { auditPage, auditTabs } from "./audit.ts";
import type { PageFixture } from "./page-fixture.ts";

const screenshots = path.join(import.meta.dirname, "screenshots");
/** For people to look at. Tests do not need them, and they take a third of the time. */
const keepsScreenshots = process.env["LONGHAND_SCREENSHOTS"] === "1";

/** Every view, with an element that shows that it is loaded. */
const views: readonly {
  name: string;
  address: string;
  shows: string;
  after?: (page: Page) => Promise<void>;
}[] = [
  { name: "home", address: "/", shows: ".latest li" },
  { name: "search", address: "/?q=when+do+we+ship", shows: ".hit" },
  { name: "explain", address: "/?q=when+do+we+ship&explain=1", shows: ".bar-row" },
  { name: "no-hits", address: "/?q=zzqqxx", shows: ".page-note" },
  { name: "notes", address: "/notes", shows: ".row" },
  { name: "note", address: "/notes/memory/on-call.md#L70-L72", shows: ".rendered .cited" },
  {
    name: "source",
    address: "/notes/memory/on-call.md#L70-L72",
    shows: ".rendered .cited",
    after: (page) => page.getByLabel("Source").check(),
  },
  {
    name: "edit",
    address: "/notes/memory/on-call.md",
    shows: ".rendered h1",
    after: (page) => page.getByLabel("Edit", { exact: true }).check(),
  },
  {
    name: "add",
    address: "/notes",
    shows: ".row",
    after: (page) => page.getByRole("button", { name: /Write/ }).click(),
  },
  { name: "hostile", address: "/notes/memory/hostile.md", shows: ".rendered h1" },
  { name: "versions", address: "/notes/memory/ferry.md", shows: ".rendered .version" },
  { name: "health", address: "/health", shows: ".heatmap" },
  {
    name: "filters",
    address: "/?q=when+do+we+ship",
    shows: ".hit",
    async after(page) {
      await page.getByRole("button", { name: "Filters", exact: true }).click();
      await page.getByRole("button", { name: "Choose a day: From" }).click();
    },
  },
  {
    name: "palette",
    address: "/",
    shows: ".latest li",
    after: (page) => page.keyboard.press("Control+k"),
  },
  {
    name: "keys",
    address: "/notes",
    shows: ".row",
    after: (page) => page.keyboard.press("?"),
  },
  { name: "sessions", address: "/sessions", shows: ".sessions li" },
  { name: "session", address: "/sessions/harbour.jsonl#L3", shows: ".turn.cited" },
];

export async function lookFlows(t: TestContext, fixture: PageFixture): Promise<void> {
  if (keepsScreenshots) mkdirSync(screenshots, { recursive: true });
  await t.test("Every view is accessible in light colours, in dark colours and on a phone", async (t) => {
    const page = await fixture.open(t, "/");
    for (const { name, address, shows, after } of views) {
      const keep = async (kind: string): Promise<void> => {
        if (keepsScreenshots) await page.screenshot({ path: path.join(screenshots, `${name}-${kind}.png`) });
      };
      await page.goto("about:blank");
      await page.goto(fixture.url + address);
      await page.locator(shows).first().waitFor();
      await after?.(page);
      assert.deepEqual(await auditPage(page), [], name);
      await keep("light");
      if (after === undefined) assert.deepEqual(await auditTabs(page), [], name);

      await page.emulateMedia({ colorScheme: "dark" });
      assert.deepEqual(await auditPage(page), [], `${name} in the dark`);
      await keep("dark");

      await page.setViewportSize({ width: 360, height: 740 });
      assert.deepEqual(await findOverflow(page), { overflow: 0, beyond: [] }, `${name} on a phone`);
      assert.deepEqual(await auditPage(page), [], `${name} on a phone`);
      await keep("phone");
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: "light" });
    }
  });

  await t.test("Colours follow the system, and an explicit choice is kept", async (t) => {
    const page = await fixture.open(t, "/", { colours: "dark", apart: "let-in" });
    await page.locator("#query").waitFor();
    const lightness = () =>
      page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.documentElement).backgroundColor)![0]));
    assert.ok((await lightness()) < 60);
    await page.getByRole("button", { name: "Use light colours" }).click();
    assert.ok((await lightness()) > 200);
    await page.reload();
    await page.getByRole("button", { name: "Use dark colours" }).waitFor();
    assert.ok((await lightness()) > 200);
  });
}

/** Elements wider than the screen, except those that scroll by themselves. */
export async function findOverflow(page: Page): Promise<{ overflow: number; beyond: string[] }> {
  return await page.evaluate(() => ({
    overflow: document.documentElement.scrollWidth - innerWidth,
    beyond: [...document.querySelectorAll("main *")]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .filter((element) => element.closest("pre, .scrolls, table, .heat") === null)
      .map((element) => element.className || element.tagName),
  }));
}
