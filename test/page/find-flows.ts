import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { PageFixture } from "./page-fixture.ts";

/** Ways to find things without knowing where they are: the palette, recent searches, the preview. */
export async function findFlows(t: TestContext, fixture: PageFixture): Promise<void> {
  await t.test("The palette goes to notes and views, and searches, by keyboard alone", async (t) => {
    const page = await fixture.open(t, "/");
    await page.locator(".latest li").first().waitFor();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Command palette" });
    await palette
      .getByRole("option", { name: "On call memory/on-call.md" })
      .or(palette.getByRole("option").first())
      .first()
      .waitFor();
    await page.keyboard.type("on-call");
    await palette.getByRole("option", { name: "On call memory/on-call.md", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/notes/memory/on-call.md");
    await palette.waitFor({ state: "hidden" });
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").waitFor();
    await page.keyboard.type("activity");
    await palette.getByRole("option", { name: "Activity", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Activity" }).waitFor();
    await palette.waitFor({ state: "hidden" });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("kingfisher");
    await page.keyboard.press("Enter");
    await page.locator(".hit", { hasText: "launch code word" }).waitFor();
  });

  await t.test("Before anything is typed, the palette offers recent searches and notes first", async (t) => {
    const page = await fixture.open(t, "/?q=kingfisher", { apart: "let-in" });
    await page.locator(".hit-link").first().click();
    await page.waitForURL("**/notes/MEMORY.md#L*");
    fixture.write("memory/newest.md", "# The newest note\n");
    await page.locator(".row", { hasText: "newest.md" }).waitFor();
    await page.keyboard.press("Control+k");
    const options = page.getByRole("dialog", { name: "Command palette" }).getByRole("option");
    await options.filter({ hasText: "The newest note" }).waitFor();
    const kinds = await options.evaluateAll((all) => all.map(({ dataset }) => dataset["kind"]));
    assert.deepEqual([...new Set(kinds)], ["Recent search", "Note", "Action"]);
    assert.match(await options.first().innerText(), /^kingfisher/);
    assert.match(await options.nth(1).innerText(), /^The newest note/);
    assert.equal(kinds.filter((kind) => kind === "Action").length, 3);
    assert.equal(await options.filter({ hasText: "MEMORY.md" }).count(), 0, "one is there already");
    await page.keyboard.type("sync");
    await options.filter({ hasText: "Sync now" }).waitFor();
  });

  await t.test("Successful searches are offered again, and can be cleared", async (t) => {
    const page = await fixture.open(t, "/", { apart: "let-in" });
    // Hits can be opened before the page knows which memory this is, and are remembered nevertheless.
    const { promise: isOpened, resolve: opened } = Promise.withResolvers<void>();
    await page.route("**/api/status", async (route) => {
      await isOpened;
      await route.continue();
    });
    await page.goto(`${fixture.url}/?q=kingfisher`);
    await page.locator(".hit-link").first().click();
    await page.locator(".cited").first().waitFor();
    opened();
    await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.includes("recent")));
    await page.goto(`${fixture.url}/`);
    const recents = page.locator(".recents");
    await recents.getByRole("button", { name: "kingfisher" }).click();
    await page.locator(".hit").first().waitFor();
    await page.locator("#query").fill("");
    await recents.getByRole("button", { name: "Clear" }).click();
    await recents.waitFor({ state: "detached" });
    assert.deepEqual(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("recent"))),
      [],
    );
  });

  await t.test("The preview shows the note of the hit in focus, at its lines", async (t) => {
    const page = await fixture.open(t, "/?q=rollbacks+need+people");
    const preview = page.locator(".preview");
    await preview.locator(".cited", { hasText: "Rollbacks need two people" }).waitFor();
    const links = page.locator(".hit-link");
    const other = (await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")!))).findIndex(
      (href) => href.includes("MEMORY.md"),
    );
    await links.nth(other).focus();
    await preview.locator(".cited", { hasText: "Releases need two people" }).waitFor();
    assert.equal(await page.evaluate(() => scrollY), 0);
  });

  await t.test("The preview marks the words of the question, and does not colour whole lines", async (t) => {
    const page = await fixture.open(t, "/?q=ship+on+Fridays");
    const cited = page.locator(".preview .cited", { hasText: "We ship on Fridays only." });
    await cited.locator("mark").first().waitFor();
    assert.deepEqual(await cited.locator("mark").allInnerTexts(), ["ship", "Fridays"]);
    assert.equal(await cited.evaluate((line) => getComputedStyle(line).backgroundColor), "rgba(0, 0, 0, 0)");
  });

  await t.test("Snippets render Markdown, without front matter and comments", async (t) => {
    const page = await fixture.open(t, "/?q=feed+the+pelican");
    const hit = page.locator(".hit", { hasText: "Feed the pelican" }).first();
    await hit.locator(".snippet strong").waitFor();
    assert.equal(await hit.locator(".snippet strong mark").innerText(), "pelican");
    assert.equal(await hit.locator(".hit-title").innerText(), "Vault");
    assert.doesNotMatch(await hit.innerText(), /---|title:|\[x\]|\*\*|\[\[|%%|bread/);
  });

  await t.test("A question that the notes do not answer is reported as such", async (t) => {
    const page = await fixture.open(t, "/?q=what+is+the+airspeed+velocity+of+an+unladen+swallow");
    await page
      .getByText("No good answer in this memory.")
      .or(page.getByText("Nothing in this memory answers that."))
      .waitFor();
  });
}
