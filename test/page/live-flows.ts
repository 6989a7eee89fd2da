import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { PageFixture } from "./page-fixture.ts";

export async function liveFlows(t: TestContext, fixture: PageFixture): Promise<void> {
  await t.test("The scroll position is kept when another program writes to the note", async (t) => {
    const page = await fixture.open(t, "/notes/memory/on-call.md#L70-L72");
    await page.locator(".rendered .cited").first().waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    fixture.write("memory/on-call.md", `${fixture.read("memory/on-call.md")}\nOne line more.\n`);
    await page.locator(".rendered").getByText("One line more.").waitFor();
    assert.equal(await page.evaluate(() => scrollY), 0);
  });

  await t.test("A hidden tab releases its connection, and catches up later", async (t) => {
    const page = await fixture.open(t, "/notes/memory/2026-03-05.md", { apart: "let-in" });
    await page.locator(".rendered .line:not(details *)").first().waitFor();
    await page.waitForFunction(() => document.querySelector(".pulse") !== null);
    const ended = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/api/events"));
    const show = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
        document.dispatchEvent(new Event("visibilitychange"));
      }, isHidden);
    await show(true);
    await ended;
    fixture.write("memory/2026-03-05.md", "# Thursday\n\nWritten while nobody looked.\n");
    await show(false);
    await page.locator(".rendered").getByText("Written while nobody looked.").waitFor();
  });

  await t.test(
    "When the server ends, the page says so; with a new link it goes on, drafts included",
    async (t) => {
      const page = await fixture.open(t, "/notes/memory/2026-03-02.md", { apart: "let-in" });
      await page.locator(".rendered .line:not(details *)").first().waitFor();
      await page.getByLabel("Edit", { exact: true }).check();
      const typed = "# Monday\n\ntyped before the server ended\n";
      await page.locator(".editing textarea").fill(typed);
      await page.locator(".pulse", { hasText: /up to date|stale/ }).waitFor();
      await fixture.stop();
      await page.locator(".pulse", { hasText: "not connected" }).waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("alert").getByText("does not answer").waitFor();
      const link = await fixture.restart();
      await page.getByRole("heading", { name: "You are signed out" }).waitFor();
      assert.equal(await page.locator(".pulse").count(), 0, "nothing is said that may not be true any more");
      const other = await page.context().newPage();
      await other.goto(link);
      await other.locator("#query").waitFor();
      await other.close();
      await page.getByRole("button", { name: "Continue" }).click();
      assert.equal(await page.locator(".editing textarea").inputValue(), typed);
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator(".rendered").getByText("typed before the server ended").waitFor();
      assert.equal(fixture.read("memory/2026-03-02.md"), typed);
      fixture.write("memory/2026-03-02.md", "# Monday\n\nheard again\n");
      await page.locator(".rendered").getByText("heard again").waitFor();
    },
  );
}
