import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { PageFixture } from "./page-fixture.ts";

export async function searchFlows(t: TestContext, fixture: PageFixture): Promise<void> {
  await t.test(
    "A sign-in link works once, in one browser; another browser sees how to get a new one",
    async (t) => {
      const page = await fixture.open(t, fixture.link.slice(fixture.url.length), { apart: "signed-out" });
      assert.match(await page.locator("body").innerText(), /used/i);
      assert.equal(await page.locator("#query").count(), 0);
    },
  );

  await t.test("Without its cookie, the page says how to get a new link", async (t) => {
    const page = await fixture.open(t, "/", { apart: "let-in" });
    await page.locator(".latest li").first().waitFor();
    await page.context().clearCookies();
    await page.locator("#query").fill("anything");
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    assert.match(await page.locator("main").innerText(), /longhand serve/);
    const { x, y, width } = (await page.locator(".signed-out").boundingBox())!;
    const middle = page.viewportSize()!.width / 2;
    assert.ok(Math.abs(x + width / 2 - middle) < 10, `centred at ${x + width / 2} of ${middle * 2}`);
    assert.ok(y > 80, "clear of the masthead");
  });

  await t.test("Hits appear while typing, with the words marked and the search in the address", async (t) => {
    const page = await fixture.open(t, "/");
    await page.locator("#query").pressSequentially("when do we ship", { delay: 15 });
    const hit = page.locator(".hit").filter({ hasText: "We ship on Fridays only." });
    // Answers to earlier keystrokes arrive first.
    await hit.locator("mark").filter({ hasText: "ship" }).waitFor();
    assert.deepEqual(await hit.locator("mark").allInnerTexts(), ["ship"]);
    assert.match(await hit.innerText(), /^Monday\s.*memory\/2026-03-02\.md\s*L\d.*2 Mar 2026/s);
    assert.doesNotMatch(await hit.innerText(), /^[-#]|builtin/m);
    assert.match(await page.getByRole("status").first().innerText(), /^\d+ hits?$/);
    await page.waitForURL("**/?q=when+do+we+ship");
    // Inflected forms are the same token in the index, so they are marked too.
    const other = page.locator(".hit").filter({ hasText: "went wrong twice" });
    assert.deepEqual(await other.locator("mark").allInnerTexts(), ["Shipping"]);
    await hit.locator(".hit-link").click();
    await page.locator(".rendered .cited").first().waitFor();
    assert.ok(await page.evaluate(() => document.activeElement?.id === "main"));
    await page.goBack();
    await hit.waitFor();
    assert.equal(await page.locator("#query").inputValue(), "when do we ship");
    await page.getByRole("link", { name: "Notes", exact: true }).click();
    await page.locator(".row").first().waitFor();
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await hit.waitFor();
  });

  await t.test("A late answer never replaces that of a later query", async (t) => {
    const page = await fixture.open(t, "/");
    const held = Promise.withResolvers<void>();
    await page.route("**/api/search?query=kingfisher*", async (route) => {
      await held.promise;
      await route.continue().catch(() => {});
    });
    const late = page.waitForRequest("**/api/search?query=kingfisher*");
    await page.locator("#query").fill("kingfisher");
    const cancelled = page.waitForEvent("requestfailed");
    await late;
    await page.locator("#query").fill("rollbacks");
    await page.locator(".hit").filter({ hasText: "Rollbacks need two people" }).waitFor();
    held.resolve();
    assert.match((await cancelled).url(), /kingfisher/);
    assert.equal(await page.locator(".hit").filter({ hasText: "kingfisher" }).count(), 0);
  });

  await t.test("Enter opens the first hit of the current query, never of an earlier one", async (t) => {
    const page = await fixture.open(t, "/");
    const box = page.locator("#query");
    await box.fill("rollbacks need people");
    await page.waitForURL("**/?q=rollbacks+need+people");
    await page.locator(".hit").filter({ hasText: "Rollbacks need two people" }).waitFor();
    await page.locator('.search-box[data-busy="false"]').waitFor();
    // In one task, so that no search can start between the keystroke and the text before it.
    await box.evaluate((input: HTMLInputElement) => {
      input.value = "zzyzx";
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      const enter = { key: "Enter", bubbles: true, cancelable: true };
      input.dispatchEvent(new KeyboardEvent("keydown", { ...enter, isComposing: true }));
      input.dispatchEvent(new KeyboardEvent("keydown", enter));
    });
    await page.getByText("Nothing in this memory answers that.").waitFor();
    assert.equal(page.url(), `${fixture.url}/?q=zzyzx`);
  });

  await t.test("Everything can be done by keyboard", async (t) => {
    const page = await fixture.open(t, "/notes");
    await page.locator(".row").first().waitFor();
    await page.keyboard.press("/");
    await page.locator("#query:focus").waitFor();
    await page.keyboard.type("rollbacks need people");
    // Hits of the previous text would be replaced, and take the focus with them.
    await page.waitForURL("**/?q=rollbacks+need+people");
    await page.locator('.search-box[data-busy="false"]').waitFor();
    const hits = page.locator(".hit-link");
    await hits.nth(1).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.ok(await hits.nth(1).evaluate((link) => link === document.activeElement));
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.locator("#query:focus").waitFor();
    await page.keyboard.press("ArrowDown");
    const href = await hits.first().getAttribute("href");
    await page.keyboard.press("Enter");
    await page.waitForURL(fixture.url + href);
    await page.locator(".cited").first().waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.locator("#query:focus").waitFor();
    await page.keyboard.type("x");
    await page.keyboard.press("Escape");
    await page.waitForURL(`${fixture.url}/`);
    assert.equal(await page.locator("#query").inputValue(), "");
  });

  await t.test(
    "No key is lost while a dialog closes or a view comes, however slow the machine",
    async (t) => {
      const page = await fixture.open(t, "/notes");
      await page.locator(".row").first().waitFor();
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      // Like Escape: the dialog closes immediately, and the page is notified later.
      const focused = await page.evaluate(async () => {
        document.querySelector("dialog")!.close();
        const press = (key: string) =>
          document.activeElement!.dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
          );
        press("g");
        press("s");
        // Until a new task begins, no keystroke can come in between.
        for (let turn = 0; turn < 10; turn++) await Promise.resolve();
        return document.activeElement?.id;
      });
      assert.equal(focused, "query");
      await page.keyboard.type("rollbacks");
      await page.locator(".hit").first().waitFor();
      assert.equal(await page.locator("#query").inputValue(), "rollbacks");
      assert.equal(await page.locator("dialog").count(), 0);
      assert.ok(await page.locator("#query").evaluate((box) => box === document.activeElement));
    },
  );

  await t.test("Explained scores are bars for keyword score, semantic score, floor and total", async (t) => {
    const page = await fixture.open(t, "/?q=when+do+we+ship&explain=1");
    const rows = page.locator(".hit").first().locator(".bar-row");
    await rows.first().waitFor();
    const kinds = await rows.evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset["kind"]));
    for (const kind of ["keyword", "term", "vector", "score"]) assert.ok(kinds.includes(kind), kind);
    const { filled, value } = await rows.first().evaluate((row) => ({
      filled: row.querySelector("i")!.getBoundingClientRect().width / row.querySelector(".bar")!.clientWidth,
      value: Number(row.querySelector(".bar-value")!.textContent),
    }));
    assert.ok(Math.abs(filled - value) < 0.02, `${filled} of the bar for ${value}`);
    assert.equal(await page.locator(".hit").first().locator(".bar b").count(), 2);
    assert.match(await page.locator(".how-found").innerText(), /ship[\s\S]*by keyword[\s\S]*ms/);
    assert.match(
      await page.locator(".answer-line").innerText(),
      /high confidence\s*keyword and semantic\s*[\d.]+ ms/,
    );
    await page.getByLabel("Explain the scores").uncheck();
    await rows.first().waitFor({ state: "detached" });
    await page.waitForURL(({ search }) => !search.includes("explain"));
  });

  await t.test("Filters narrow by source, date and path, and are part of the address", async (t) => {
    const page = await fixture.open(t, "/?q=alarm+calibrated+ship");
    await page.locator(".hit").nth(2).waitFor();
    assert.equal(await page.getByLabel("From", { exact: true }).isVisible(), false);
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    await page.getByLabel("Sessions").check();
    await page.waitForURL(/source=sessions/);
    await page.locator(".hit").filter({ hasText: "2026-03" }).first().waitFor({ state: "detached" });
    assert.match(await page.locator(".hit").first().innerText(), /sessions\/harbour/);
    await page.getByRole("button", { name: "Remove the filter Sessions only" }).click();
    await page.getByLabel("From", { exact: true }).fill("2026-03-03");
    await page.getByRole("button", { name: "Choose a day: Until" }).click();
    await page.getByRole("dialog", { name: "Choose a day: Until" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Until", { exact: true }).fill("2026-03-02");
    await page.getByRole("button", { name: "Choose a day: Until" }).click();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"]) {
      await page.keyboard.press(key);
    }
    await page.locator('.day-picker [aria-label="Tuesday, 31 March 2026"]:focus').waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/since=2026-03-03&until=2026-03-31/);
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll(".hit-path")].map((path) => path.textContent).join() ===
        "memory/2026-03-05.md",
    );
    await page.reload();
    await page.locator(".hit").first().waitFor();
    await page.getByRole("button", { name: "Remove the filter from 3 Mar 2026" }).waitFor();
  });
}
