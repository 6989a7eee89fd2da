import assert from "node:assert/strict";
import { test } from "node:test";
import { buildPage } from "../../scripts/page-bundle.ts";
import { lookFlows } from "./look-flows.ts";
import { fillMemory } from "./memory-fill.ts";
import { noteFlows } from "./note-flows.ts";
import { missingBrowser, openPagePlace } from "./page-place.ts";
import { safetyFlows } from "./safety-flows.ts";
import { searchFlows } from "./search-flows.ts";
import { stateFlows } from "./state-flows.ts";

/**
 * The page in a real browser, over a real `longhand serve`. One file, because all of it needs the built page at the one
 * place where `serve` looks for it.
 */
const options = missingBrowser === null ? {} : { skip: missingBrowser };

test("The page is built in under 100 KB of script", async () => {
  const { scripts } = await buildPage();
  const gzipBytes = scripts.reduce((sum, script) => sum + script.gzipBytes, 0);
  assert.ok(scripts.length > 0);
  assert.ok(gzipBytes < 100_000, `${gzipBytes} bytes`);
});

test("The page shows a memory and cares for it", options, async (t) => {
  const place = await openPagePlace(t, fillMemory);
  for (const flows of [lookFlows, searchFlows, stateFlows, safetyFlows, noteFlows]) {
    await flows(t, place);
    assert.deepEqual(place.faults, []);
  }
});

test("Of ten thousand notes only some are in the document, and all can be reached", options, async (t) => {
  const place = await openPagePlace(t, (cli) => {
    for (let number = 0; number < 10_000; number++) {
      const month = String((number % 12) + 1).padStart(2, "0");
      const day = String((number % 28) + 1).padStart(2, "0");
      cli.write(
        `memory/${2000 + Math.floor(number / 400)}-${month}-${day}-n${number}.md`,
        `# Note ${number}\n`,
      );
    }
  });
  const page = await place.open(t, "/notes");
  await page.locator(".row").first().waitFor();
  await page.getByText("10,000 notes", { exact: true }).waitFor();
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
  await page.getByText("1 note of 10000", { exact: true }).waitFor();
  await page.locator(".row", { hasText: "n9999" }).click();
  await page.locator(".rendered", { hasText: "Note 9999" }).waitFor();
  assert.deepEqual(place.faults, []);
});
