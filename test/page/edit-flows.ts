import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import type { PageFixture } from "./page-fixture.ts";

export async function editFlows(t: TestContext, fixture: PageFixture): Promise<void> {
  await t.test("An edit is saved to the file, and the index follows", async (t) => {
    const page = await startEditing(fixture, t, "memory/editing.md");
    await area(page).fill("# Editing\n\none\ntwo and a pelican\nthree\n");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".rendered").getByText("two and a pelican").waitFor();
    assert.equal(fixture.read("memory/editing.md"), "# Editing\n\none\ntwo and a pelican\nthree\n");
    await page.goto(`${fixture.url}/?q=pelican`);
    await page.locator(".hit", { hasText: "two and a pelican" }).waitFor();
  });

  await t.test("Line breaks that were not edited are kept", async (t) => {
    fixture.write("memory/windows.md", "# Windows\r\n\r\none\r\ntwo\r\n");
    const page = await startEditing(fixture, t, "memory/windows.md");
    await area(page).fill("# Windows\n\none\nand a half\ntwo\n");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".rendered").getByText("and a half").waitFor();
    assert.equal(fixture.read("memory/windows.md"), "# Windows\r\n\r\none\r\nand a half\r\ntwo\r\n");
  });

  await t.test("A change made elsewhere is shown and never overwritten", async (t) => {
    const page = await startEditing(fixture, t, "memory/editing.md");
    const before = fixture.read("memory/editing.md");
    await area(page).fill(before.replace("one", "one, mine"));
    fixture.write("memory/editing.md", before.replace("three", "three, theirs"));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "This note was changed elsewhere" }).waitFor();
    assert.equal(fixture.read("memory/editing.md"), before.replace("three", "three, theirs"));
    assert.match(await page.locator(".side-by-side").innerText(), /one, mine[\s\S]*three, theirs/);
    await page.getByRole("button", { name: "Merge and keep editing" }).click();
    const both = before.replace("one", "one, mine").replace("three", "three, theirs");
    assert.equal(await area(page).inputValue(), both);
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".rendered").getByText("three, theirs").waitFor();
    assert.equal(fixture.read("memory/editing.md"), both);

    await page.getByLabel("Edit", { exact: true }).check();
    await area(page).fill("all gone");
    fixture.write("memory/editing.md", "# Editing\n\nonly theirs\n");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: /Take theirs/ }).click();
    await page.locator(".rendered").getByText("only theirs").waitFor();
    assert.equal(fixture.read("memory/editing.md"), "# Editing\n\nonly theirs\n");
  });

  await t.test(
    "What was typed is kept while one looks elsewhere, and the browser asks before leaving",
    async (t) => {
      const page = await startEditing(fixture, t, "memory/on-call.md");
      const text = `${fixture.read("memory/on-call.md")}- A step that is not saved.\n`;
      await area(page).fill(text);
      await page.getByRole("link", { name: "Activity", exact: true }).click();
      await page.getByRole("heading", { name: "Activity" }).waitFor();
      const asked = page.waitForEvent("dialog");
      await page.evaluate(() => void location.reload());
      assert.equal((await asked).type(), "beforeunload");
      await page.getByRole("link", { name: "Notes", exact: true }).click();
      await page.locator(".row", { hasText: "on-call.md" }).getByText("unsaved").waitFor();
      await page.locator(".row", { hasText: "on-call.md" }).click();
      assert.equal(await area(page).inputValue(), text);
      await page.getByRole("button", { name: "Discard changes" }).click();
      assert.doesNotMatch(fixture.read("memory/on-call.md"), /not saved/);
    },
  );

  await t.test("Text typed during a save is not lost, and one save is one request", async (t) => {
    fixture.write("memory/slow.md", "# Slow\n\none\n");
    const page = await startEditing(fixture, t, "memory/slow.md");
    const held = Promise.withResolvers<void>();
    let saves = 0;
    await page.route("**/api/notes/source", async (route) => {
      saves++;
      await held.promise;
      await route.continue();
    });
    await area(page).fill("# Slow\n\none\ntwo\n");
    const sent = page.waitForRequest("**/api/notes/source");
    await area(page).press("Control+s");
    await sent;
    await area(page).press("Control+s");
    await area(page).fill("# Slow\n\none\ntwo\nthree\n");
    held.resolve();
    await page.locator(".toast", { hasText: "Saved" }).waitFor();
    assert.equal(saves, 1);
    assert.equal(fixture.read("memory/slow.md"), "# Slow\n\none\ntwo\n");
    assert.equal(await area(page).inputValue(), "# Slow\n\none\ntwo\nthree\n");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".rendered").getByText("three").waitFor();
    assert.equal(fixture.read("memory/slow.md"), "# Slow\n\none\ntwo\nthree\n");
  });

  await t.test("An untouched editor shows what others write", async (t) => {
    fixture.write("memory/followed.md", "# Followed\n\nfirst\n");
    const page = await startEditing(fixture, t, "memory/followed.md");
    fixture.write("memory/followed.md", "# Followed\n\nfirst\nsecond\n");
    await page.waitForFunction(() =>
      document.querySelector<HTMLTextAreaElement>(".editing textarea")?.value.includes("second"),
    );
    await page.getByLabel("Read", { exact: true }).check();
    fixture.write("memory/followed.md", "# Followed\n\nthird\n");
    await page.locator(".rendered").getByText("third").waitFor();
    await page.getByLabel("Edit", { exact: true }).check();
    assert.equal(await area(page).inputValue(), "# Followed\n\nthird\n");
  });

  await t.test("Long lines wrap, the editor opens at the cited line, and Save stays in reach", async (t) => {
    const page = await fixture.open(t, "/notes/memory/on-call.md#L70-L72");
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator(".rendered .cited").first().waitFor();
    await page.getByLabel("Edit", { exact: true }).check();
    const state = await area(page).evaluate((element: HTMLTextAreaElement) => ({
      line: element.value.slice(0, element.selectionStart).split("\n").length,
      overflow: element.scrollWidth - element.clientWidth,
      hidden: element.scrollHeight - element.clientHeight,
    }));
    assert.deepEqual(state, { line: 70, overflow: 0, hidden: 0 });
    const shown = await page.locator('.editor-mirror [data-number="70"]').evaluate((line) => {
      const { top, bottom } = line.getBoundingClientRect();
      return top > 0 && bottom < innerHeight;
    });
    assert.ok(shown, "the cited line is in view");
    const [save, tabs] = await Promise.all([
      page.getByRole("button", { name: "Save" }).boundingBox(),
      page.locator(".masthead nav").boundingBox(),
    ]);
    assert.ok(save!.y + save!.height <= tabs!.y, "Save is above the tab bar");
  });

  await t.test("A banner says that the file changed on disk, and Ctrl-Enter saves", async (t) => {
    fixture.write("memory/underneath.md", "# Underneath\n\none\ntwo\nthree\n");
    const page = await startEditing(fixture, t, "memory/underneath.md");
    await area(page).fill("# Underneath\n\none, mine\ntwo\nthree\n");
    fixture.write("memory/underneath.md", "# Underneath\n\none\ntwo\nthree, theirs\n");
    await page.getByText("This file changed while you were typing.").waitFor();
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("button", { name: "Merge and keep editing" }).click();
    await area(page).press("Control+Enter");
    await page.locator(".rendered").getByText("one, mine").waitFor();
    assert.equal(fixture.read("memory/underneath.md"), "# Underneath\n\none, mine\ntwo\nthree, theirs\n");
  });

  await t.test("A note of 21,000 lines opens at the cited one", async (t) => {
    const page = await fixture.open(t, "/notes/memory/huge.md#L15000");
    const cited = page.locator(".source .cited");
    await cited.waitFor();
    assert.equal(await cited.locator("code").innerText(), "- line 15000 of many");
    assert.ok(await cited.evaluate((line) => line.getBoundingClientRect().top < innerHeight));
    assert.ok((await page.locator("*").count()) < 10_000);
    await page.getByRole("button", { name: /Lines after/ }).click();
    await page.getByRole("link", { name: "Line 17000" }).waitFor();
  });
}

async function startEditing(fixture: PageFixture, t: TestContext, path: string): Promise<Page> {
  const page = await fixture.open(t, `/notes/${path}`);
  await page.locator(".rendered .line:not(details *)").first().waitFor();
  await page.getByLabel("Edit", { exact: true }).check();
  await area(page).waitFor();
  return page;
}

function area(page: Page) {
  return page.locator(".editing textarea");
}
