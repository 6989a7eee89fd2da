import assert from "node:assert/strict";
import { test } from "node:test";
import { buildPage } from "../../scripts/page-bundle.ts";
import { isBuilt } from "../support/programs.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { auditPage } from "./audit.ts";
import { editFlows } from "./edit-flows.ts";
import { findFlows } from "./find-flows.ts";
import { liveFlows } from "./live-flows.ts";
import { lookFlows } from "./look-flows.ts";
import { fillManyNotes, fillMemory } from "./memory-fill.ts";
import { noteFlows } from "./note-flows.ts";
import { missingBrowser, openBrowser, openPageFixture } from "./page-fixture.ts";
import { reviewFlows } from "./review-flows.ts";
import { safetyFlows } from "./safety-flows.ts";
import { searchFlows } from "./search-flows.ts";
import { stateFlows } from "./state-flows.ts";

/**
 * The page in a real browser, with a real `longhand serve`. One file, because all tests need the built page in the one
 * place where `serve` looks for it.
 */
const options = missingBrowser === null ? { concurrency: 2 } : { skip: missingBrowser };

test("The page is built in under 100 KB of script", async (t) => {
  // An existing build may be in use elsewhere.
  const { scripts } = await buildPage(isBuilt ? { outDir: makeTemporaryFolder(t).at("page") } : {});
  const gzipBytes = scripts.reduce((sum, script) => sum + script.gzipBytes, 0);
  assert.ok(scripts.length > 0);
  assert.ok(gzipBytes < 100_000, `${gzipBytes} bytes`);
});

test("The page shows and maintains a memory", options, async (t) => {
  const browser = await openBrowser(t);

  // Each has its own memory and server, and spends most of its time waiting for them.
  const small = t.test("A small memory", async (t) => {
    const fixture = await openPageFixture(t, browser, fillMemory);
    // Restarting ends the sessions of the others, so it comes last.
    for (const flows of [
      lookFlows,
      searchFlows,
      findFlows,
      stateFlows,
      safetyFlows,
      noteFlows,
      editFlows,
      liveFlows,
    ]) {
      await flows(t, fixture);
      assert.deepEqual(fixture.faults, []);
    }
  });

  const empty = t.test("An empty memory invites to write", async (t) => {
    const fixture = await openPageFixture(t, browser, () => {});
    const page = await fixture.open(t, "/review");
    const empty = page.getByRole("region", { name: "Nothing here yet" });
    const nextSteps = {
      "/review": "Write a note",
      "/health": "Write a note",
      "/sessions": "Copy the command",
    };
    for (const [address, button] of Object.entries(nextSteps)) {
      await page.goto(fixture.url + address);
      await empty.getByRole("button", { name: button }).waitFor();
      assert.deepEqual(await auditPage(page), [], address);
    }
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await empty.getByRole("button").click();
    await page.getByText("Copied longhand sessions import").waitFor();
    await page.goto(`${fixture.url}/`);
    await page.getByRole("button", { name: /Write your first note/ }).click();
    // The very next keystroke goes into the dialog.
    await page.keyboard.type("The very first fact.");
    assert.deepEqual(await auditPage(page), []);
    await page.keyboard.press("Control+Enter");
    await page.locator(".cited", { hasText: "The very first fact." }).waitFor();
    assert.deepEqual(fixture.faults, []);
  });

  const reviewed = t.test("A plan is reviewed", async (t) => {
    const fixture = await openPageFixture(t, browser, ({ write }) => {
      write("MEMORY.md", "# Facts\n\n- The harbour master is called Wen.\n");
    });
    await reviewFlows(t, fixture);
    assert.deepEqual(fixture.faults, []);
  });

  const large = t.test(
    "Of ten thousand notes only some are in the document, and all can be reached",
    async (t) => {
      const fixture = await openPageFixture(t, browser, fillManyNotes);
      const page = await fixture.open(t, "/notes");
      await page.locator(".list-count", { hasText: "10,000 notes" }).waitFor();
      const countRows = () => page.locator(".virtual-list li").count();
      assert.ok((await countRows()) < 200);
      const list = page.locator(".virtual-list");
      const total = await list.evaluate((element) => {
        element.scrollTop = element.scrollHeight / 2;
        return element.scrollHeight;
      });
      assert.ok(total > 10_000 * 30);
      await page.waitForFunction(
        () => Number(document.querySelector(".virtual-list li")?.getAttribute("aria-posinset")) > 4000,
      );
      assert.ok((await countRows()) < 200);
      await page.getByLabel("Filter notes by name").fill("n9999");
      await page.getByText("1 note of 10,000", { exact: true }).waitFor();
      await page.locator(".row", { hasText: "n9999" }).click();
      await page.locator(".rendered", { hasText: "Note 9999" }).waitFor();
      assert.deepEqual(fixture.faults, []);
    },
  );

  await Promise.all([small, empty, reviewed, large]);
});
