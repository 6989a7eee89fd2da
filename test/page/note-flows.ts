import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import type { PageFixture } from "./page-fixture.ts";

export async function noteFlows(t: TestContext, fixture: PageFixture): Promise<void> {
  await t.test("A citation opens its note with exactly these lines highlighted and in view", async (t) => {
    const page = await fixture.open(t, "/notes/memory/on-call.md#L70-L72");
    await page.locator(".rendered .cited").first().waitFor();
    assert.deepEqual(await citedLines(page), ["70", "71-72"]);
    assert.deepEqual(
      await page.locator(".rendered .cited").allInnerTexts(),
      ["First the pager,", "then the duty\nmanager by phone."].map((text) => text.replace("\n", " ")),
    );
    assert.ok(await isInView(page, ".rendered .cited"));
    await page.getByLabel("Source").check();
    await page.locator(".source .cited").first().waitFor();
    assert.deepEqual(await page.locator(".source .cited code").allInnerTexts(), [
      "First the pager,",
      "then the *duty",
      "manager* by phone.",
    ]);
    assert.ok(await isInView(page, ".source .cited"));
    await page.getByLabel("Read", { exact: true }).check();
    await page.goto(`${fixture.url}/notes/memory/on-call.md#L76`);
    await page.locator(".rendered .cited").first().waitFor();
    assert.deepEqual(await citedLines(page), ["76"]);
    assert.match(await page.locator("tr.cited").innerText(), /Wen\s+nights/);
    await page.goto(`${fixture.url}/notes/memory/unshown.md#L5`);
    await page.getByText("These lines are not visible in the rendered note.").waitFor();
  });

  await t.test("Wikilinks, check boxes, callouts and highlights are rendered", async (t) => {
    const page = await fixture.open(t, "/notes/memory/vault.md");
    const note = page.locator(".rendered");
    await note.getByRole("link", { name: "on-call" }).waitFor();
    assert.equal(
      await note.getByRole("link", { name: "Monday" }).getAttribute("href"),
      "/notes/memory/2026-03-02.md",
    );
    assert.equal(await note.locator(".missing-link").innerText(), "nowhere");
    assert.deepEqual(await note.locator(".task-box").allInnerTexts(), ["☐", "☑"]);
    assert.match(await note.locator(".callout-warning").innerText(), /^Wet paint\s+Do not touch the gate\.$/);
    assert.equal(await note.locator("mark").innerText(), "gate");
    assert.doesNotMatch(await note.innerText(), /\[[x[ !]/);
  });

  await t.test(
    "Versions between conflict markers are labelled, and markers are not in snippets",
    async (t) => {
      const page = await fixture.open(t, "/notes/memory/ferry.md#L6");
      const versions = page.locator(".rendered .version");
      await versions.last().waitFor();
      assert.deepEqual(await versions.allInnerTexts(), [
        "This version: HEAD\n\nThe ferry leaves at six.",
        "Other version: main\n\nThe ferry leaves at seven.",
      ]);
      assert.deepEqual(await page.locator(".cited").allInnerTexts(), ["The ferry leaves at seven."]);
      await page.goto(`${fixture.url}/?q=when+does+the+ferry+leave`);
      const hit = page.locator(".hit", { hasText: "memory/ferry.md" }).first();
      await hit.getByText("at seven").waitFor();
      assert.doesNotMatch(await hit.innerText(), /HEAD|main|[<=>]{7}/);
    },
  );

  await t.test("A note shows its tags and the notes that link to it", async (t) => {
    const page = await fixture.open(t, "/notes/memory/on-call.md");
    const links = page.getByRole("complementary", { name: "Links" });
    await links.getByText("memory/vault.md").waitFor();
    await links.getByRole("link", { name: "Vault" }).click();
    await page.waitForURL("**/notes/memory/vault.md#L6");
    await page.getByText("Links to notes that do not exist").waitFor();
    await page.goto(`${fixture.url}/notes/memory/2026-02-20.md`);
    await page.getByRole("link", { name: "#harbour" }).click();
    await page.waitForURL("**/?q=harbour&tag=harbour");
    await page.locator(".hit", { hasText: "We met the harbour master" }).waitFor();
    assert.deepEqual(await page.locator(".hit-path").allInnerTexts(), ["memory/2026-02-20.md"]);
  });

  await t.test("Line numbers select lines, and their citation can be copied", async (t) => {
    const page = await fixture.open(t, "/notes/memory/2026-03-02.md");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const line = page.locator('.rendered [data-line="3"]');
    await line.waitFor();
    const { x, y } = (await page.locator(".rendered").boundingBox())!;
    const box = (await line.boundingBox())!;
    await page.mouse.click(x + 20, box.y + 8);
    await page.waitForURL("**/2026-03-02.md#L3");
    await page.getByLabel("Source").check();
    await page.getByRole("link", { name: "Line 5" }).click({ modifiers: ["Shift"] });
    await page.waitForURL("**/2026-03-02.md#L3-L5");
    await page.getByRole("button", { name: /Copy citation/ }).click();
    await page.getByText("Copied memory/2026-03-02.md#L3-L5").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "memory/2026-03-02.md#L3-L5");
    assert.ok(y > 0);
  });

  await t.test("Days with notes are marked in the calendar, and names can be filtered", async (t) => {
    const page = await fixture.open(t, "/notes");
    const day = page.getByRole("link", { name: "Monday, 2 March 2026, 1 note" });
    await day.waitFor();
    assert.equal(await page.locator(".calendar td a").count(), 2);
    await page.getByRole("button", { name: "Month before" }).click();
    await page.getByRole("link", { name: "Friday, 27 February 2026, 1 note" }).waitFor();
    await page.getByLabel("Filter notes by name").fill("on-call");
    await page.getByText(/^1 note of/).waitFor();
    await page.locator(".row", { hasText: "on-call.md" }).click();
    await page.waitForURL("**/notes/memory/on-call.md");
  });

  await t.test("A note is written to the chosen path, and shown there", async (t) => {
    const page = await fixture.open(t, "/");
    await page.getByRole("button", { name: /Write/ }).click();
    const dialog = page.getByRole("dialog", { name: "Write a note" });
    await dialog.getByLabel("What to remember").fill("The canteen closes at three.");
    await dialog.getByLabel("Another note", { exact: true }).check();
    await dialog.getByLabel("Path of the note").fill("memory/canteen.md");
    await dialog.getByLabel(/Under a heading/).fill("Hours");
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(/\/notes\/memory\/canteen\.md#L\d/);
    await page.locator(".cited", { hasText: "The canteen closes at three." }).waitFor();
    assert.match(fixture.read("memory/canteen.md"), /Hours[\s\S]*The canteen closes at three\./);
  });

  await t.test("A refusal is shown in the dialog, and nothing typed is lost", async (t) => {
    const page = await fixture.open(t, "/");
    await page.keyboard.press("Escape");
    await page.locator("main").focus();
    await page.keyboard.press("n");
    await page.getByLabel("What to remember").fill("out of here");
    await page.getByLabel("Another note", { exact: true }).check();
    await page.getByLabel("Path of the note").fill("../elsewhere.md");
    await page.getByRole("button", { name: "Write it down" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    assert.equal(await page.getByLabel("What to remember").inputValue(), "out of here");
  });

  await t.test("Forgetting previews the lines first, and then reports what was checked", async (t) => {
    const page = await fixture.open(t, "/notes/memory/forgetting.md#L4");
    await page.locator(".cited").waitFor();
    await page.getByRole("button", { name: /Forget lines/ }).click();
    const dialog = page.getByRole("dialog", { name: "Forget these lines?" });
    assert.equal(await dialog.locator(".going code").innerText(), "secret recipe of the canteen");
    assert.match(fixture.read("memory/forgetting.md"), /secret recipe/);
    await dialog.getByRole("button", { name: "Forget 1 line" }).click();
    await page
      .getByRole("dialog", { name: "Forgotten" })
      .getByText(/raw bytes of the index/)
      .waitFor();
    assert.equal(fixture.read("memory/forgetting.md"), "# Forgetting\n\nkeep this\nkeep that\n");
    await page.getByRole("button", { name: "Done" }).click();
    await page.locator(".rendered", { hasText: "keep that" }).waitFor();
    assert.equal(await page.getByText("secret recipe").count(), 0);

    await page.getByRole("button", { name: /Forget/ }).click();
    await page.getByRole("dialog", { name: "Forget this whole note?" }).waitFor();
    await page.getByRole("button", { name: "Forget 4 lines" }).click();
    await page
      .getByRole("dialog", { name: "Forgotten" })
      .getByText(/raw bytes of the index/)
      .waitFor();
    assert.throws(() => fixture.read("memory/forgetting.md"), /ENOENT/);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("alert").getByText("no such note").waitFor();
    assert.equal(await page.getByRole("button", { name: /Forget/ }).count(), 0, "nothing is left to forget");
  });
}

async function citedLines(page: Page): Promise<string[]> {
  return await page
    .locator(".rendered .cited")
    .evaluateAll((all) =>
      all.map(({ dataset }: HTMLElement | SVGElement) =>
        [dataset["line"], dataset["end"]].filter(Boolean).join("-"),
      ),
    );
}

async function isInView(page: Page, selector: string): Promise<boolean> {
  return await page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
}
