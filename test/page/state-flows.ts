import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { PageFixture } from "./page-fixture.ts";

export async function stateFlows(t: TestContext, fixture: PageFixture): Promise<void> {
  await t.test("Activity shows busy days, the index, sizes and skipped files", async (t) => {
    const page = await fixture.open(t, "/health");
    await page.getByText("Last syncs").waitFor();
    const text = await page.locator("main").innerText();
    assert.match(text, /provider\s+builtin/);
    assert.match(text, /memory\/linked\.md\s+symlink/);
    assert.match(text, /memory\/binary\.md\s+binary/);
    await page.getByRole("button", { name: /^Monday, 2 March 2026: 1 note/ }).click();
    await page.locator(".heat-chosen").getByRole("link", { name: "memory/2026-03-02.md" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.locator('.heat [aria-label^="Monday, 23 February 2026: nothing"]:focus').waitFor();
    const heights = await page
      .locator(".scrolls th")
      .evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().height));
    assert.ok(Math.max(...heights) < 40, "a word of the table's head is broken");
    await page.getByRole("button", { name: "Sync now" }).click();
    await page.locator(".toast", { hasText: "added" }).waitFor();
  });

  await t.test("A file that another program writes appears automatically", async (t) => {
    const page = await fixture.open(t, "/notes");
    await page.locator(".row", { hasText: "on-call.md" }).waitFor();
    fixture.write("memory/from-elsewhere.md", "# Elsewhere\n\nWritten by another program.\n");
    await page.locator(".row", { hasText: "from-elsewhere.md" }).waitFor();
  });

  await t.test("A hit in a conversation links to its turn, and secrets in it are masked", async (t) => {
    const page = await fixture.open(t, "/?q=who+calibrates+the+albatross+sensor&source=sessions");
    const hit = page.locator(".hit-link").first();
    await hit.waitFor();
    await hit.click();
    await page.waitForURL("**/sessions/harbour.jsonl#L*");
    await page.locator(".turn.cited", { hasText: "Linnea calibrates the albatross sensor" }).waitFor();
    assert.doesNotMatch(await page.locator("main").innerText(), /abcd1234efgh/);
    assert.match(await page.locator("main").innerText(), /\[redacted:/);
    await page.getByRole("link", { name: "All sessions" }).click();
    await page.getByRole("link", { name: "Which harbour raised the alarm?" }).waitFor();
    await page.goto(`${fixture.url}/sessions/harbour.jsonl#L3`);
    await page.locator(".turn.cited").waitFor();
    assert.deepEqual(await page.locator(".turn.cited .number").allInnerTexts(), ["3"]);
    await page.goto(`${fixture.url}/sessions/none.jsonl`);
    await page.getByRole("alert").getByText("No transcript").waitFor();
    assert.equal(await page.getByText("Loading …").count(), 0);
  });
}
