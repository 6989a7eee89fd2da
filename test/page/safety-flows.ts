import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { attacks } from "./memory-fill.ts";
import type { PageFixture } from "./page-fixture.ts";

/** Elements that no text of a memory may become. */
const forbidden =
  "main img, main iframe, main script, main style, main svg[onload], main form[action], main [onclick]";

export async function safetyFlows(t: TestContext, fixture: PageFixture): Promise<void> {
  await t.test(
    "Hostile text in notes, headings, names and transcripts stays text in every view",
    async (t) => {
      const page = await fixture.open(t, "/notes/memory/hostile.md");
      await page.locator(".rendered h1").waitFor();
      await holdsNothingHostile(page);
      const text = await page.locator(".rendered").innerText();
      assert.ok(text.includes(`<img src=x onerror="window.__pwned = 1">`));
      assert.match(text, /U\+202E/);
      assert.match(text, /U\+200B/);
      const links = await page.locator(".rendered a").evaluateAll((all) =>
        all.map((link) => ({
          href: link.getAttribute("href"),
          rel: link.getAttribute("rel"),
          style: link.getAttribute("style"),
        })),
      );
      assert.ok(links.length > 0);
      for (const { href, rel, style } of links) {
        assert.match(href ?? "", /^https:\/\/example\.org/);
        assert.equal(rel, "noreferrer noopener");
        assert.equal(style, null);
      }
      await page.getByLabel("Source").check();
      await page.locator(".source .line").first().waitFor();
      await holdsNothingHostile(page);
      await page.getByLabel("Edit", { exact: true }).check();
      await page.locator(".editing textarea").waitFor();
      await holdsNothingHostile(page);

      await page.goto(`${fixture.url}/notes`);
      await page.locator(".row", { hasText: "onerror" }).click();
      await page.locator(".rendered", { hasText: "A hostile name of a file." }).waitFor();
      await holdsNothingHostile(page);
      await page.goto(`${fixture.url}/sessions/harbour.jsonl`);
      await page.locator(".turn", { hasText: "What did they reply?" }).waitFor();
      await holdsNothingHostile(page);
    },
  );

  await t.test("Hostile questions and hits stay text", async (t) => {
    const page = await fixture.open(t, `/?q=${encodeURIComponent(attacks.join(" "))}&explain=1`);
    await page.locator(".hit").first().waitFor();
    await holdsNothingHostile(page);
    await page.goto(`${fixture.url}/?q=hostile&explain=1`);
    await page.locator(".hit", { hasText: "memory/hostile.md" }).first().waitFor();
    await holdsNothingHostile(page);
    await page.goto(`${fixture.url}/%3Cimg%20src=x%20onerror=window.__pwned=1%3E`);
    await page.getByRole("heading", { name: "Nothing here" }).waitFor();
    await holdsNothingHostile(page);
    await page.goto(`${fixture.url}/notes/${encodeURIComponent(attacks[1])}.md`);
    await page.getByRole("alert").waitFor();
    await holdsNothingHostile(page);
  });
}

async function holdsNothingHostile(page: Page): Promise<void> {
  assert.equal(await page.locator(forbidden).count(), 0, await page.url());
  assert.deepEqual(
    await page.evaluate(() =>
      [...document.querySelectorAll("main *")].flatMap((element) =>
        element.getAttributeNames().filter((name) => name.startsWith("on")),
      ),
    ),
    [],
  );
}
