import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { auditPage } from "./audit.ts";
import { findOverflow } from "./look-flows.ts";
import type { PageFixture } from "./page-fixture.ts";

const path = "memory/2026-02-20.md";

/** In a small memory, because a plan reads all notes. */
export async function reviewFlows(t: TestContext, fixture: PageFixture): Promise<void> {
  await t.test(
    "A step is shown with its reason and lines, accepted, undone, and rejected for good",
    async (t) => {
      const before = "# Friday\n\n- We met the harbour master yesterday.\n";
      fixture.write(path, before);
      const page = await fixture.open(t, "/review");
      const step = page.locator(".step", { hasText: "Write out a date" });
      await step.getByRole("heading", { name: "Write out a date" }).waitFor();
      assert.match(await step.locator("del").innerText(), /the harbour master yesterday\./);
      assert.match(await step.locator("ins").innerText(), /yesterday \(2026-02-19\)\./);
      assert.equal(fixture.read(path), before);

      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        assert.deepEqual(await auditPage(page), [], `${width} pixels wide`);
        assert.deepEqual(await findOverflow(page), { overflow: 0, beyond: [] });
      }

      await step.getByRole("button", { name: "Accept" }).click();
      await step.waitFor({ state: "detached" });
      assert.match(fixture.read(path), /yesterday \(2026-02-19\)/);
      const toast = page.locator(".toast", { hasText: "1 step applied." });
      await toast.getByRole("button", { name: "Undo" }).waitFor();
      assert.deepEqual(await auditPage(page), [], "with a message");
      await toast.getByRole("button", { name: "Undo" }).click();
      await step.waitFor();
      assert.equal(fixture.read(path), before);
      assert.equal(await toast.count(), 0);

      await step.getByRole("button", { name: "Accept" }).click();
      await step.waitFor({ state: "detached" });
      await page.locator(".receipts").getByRole("button", { name: "Undo" }).first().click();
      await step.waitFor();
      assert.equal(fixture.read(path), before);

      await step.getByRole("button", { name: "Reject" }).click();
      await step.waitFor({ state: "detached" });
      await page.reload();
      await page.getByText("1 step rejected earlier").waitFor();
      assert.equal(await step.count(), 0);
      assert.equal(fixture.read(path), before);
    },
  );

  await t.test("A note that moves is shown unchanged, not as removed", async (t) => {
    fixture.write("memory/2020-01-03.md", "# Old\n\n- The crane was painted.\n");
    fixture.write("memory/2026-02-21.md", "# Saturday\n\n- The crane was moved yesterday.\n");
    const page = await fixture.open(t, "/review");
    const step = page.locator(".step", { hasText: "memory/2020-01-03.md moves to" });
    await step.getByText("3 lines, unchanged").click();
    assert.match(await step.locator("pre").innerText(), /The crane was painted\./);
    assert.equal(await step.locator("del").count(), 0);
    await page.getByText("Write out a date: 1 · Archive an old note: 1").waitFor();
  });
}
