/**
 * `npm run docs:page-pictures [FOLDER [NAME …]]`: serves the example memory with `longhand serve` and takes a screenshot
 * of every view (or of those named) in light and dark mode and on a phone, as WebP in docs/images/page. Needs Debian's
 * chromium; the page is built first.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { buildPage } from "./page-bundle.ts";

const root = join(import.meta.dirname, "..");
const [outDir = join(root, "docs", "images", "page"), ...names] = process.argv.slice(2);

/** PNG for programs that do not support WebP. */
const format = process.env["PICTURE_FORMAT"] === "png" ? "png" : "webp";

interface Shown {
  readonly name: string;
  readonly address: string;
  /** Selector of an element that shows that the view is loaded. */
  readonly shows: string;
  readonly after?: (page: Page) => Promise<void>;
  readonly place?: "empty" | "signed-out";
}

const asked = "/?q=why+were+the+text+messages+late";
const views: readonly Shown[] = [
  { name: "search", address: asked, shows: ".preview .cited" },
  { name: "explain", address: `${asked}&explain=1`, shows: ".bar-row" },
  { name: "no-answer", address: "/?q=what+is+the+capital+of+mongolia", shows: ".no-answer, .page-note" },
  {
    name: "filters",
    address: `${asked}&since=2026-09-01`,
    shows: ".hit",
    async after(page) {
      await page.getByRole("button", { name: "Filters", exact: true }).click();
      await page.getByRole("button", { name: "Choose a day: From" }).click();
    },
  },
  { name: "home", address: "/", shows: ".latest li" },
  { name: "first-run", address: "/", shows: ".steps", place: "empty" },
  {
    name: "connect",
    address: "/",
    shows: ".steps",
    place: "empty",
    after: (page) => page.getByRole("button", { name: /Connect an agent/ }).click(),
  },
  {
    name: "palette",
    address: asked,
    shows: ".hit",
    async after(page) {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("on");
    },
  },
  { name: "notes", address: "/notes", shows: ".row" },
  { name: "note", address: "/notes/memory/on-call.md#L9-L10", shows: ".rendered .cited" },
  { name: "links", address: "/notes/memory/winter-plan.md", shows: ".rendered .line" },
  {
    name: "edit",
    address: "/notes/memory/deploy-runbook.md",
    shows: ".rendered .line",
    after: (page) => page.getByLabel("Edit", { exact: true }).check(),
  },
  {
    name: "conflict",
    address: "/notes/memory/suppliers.md",
    shows: ".rendered .line",
    async after(page) {
      await page.getByLabel("Edit", { exact: true }).check();
      const area = page.locator(".editing textarea");
      const text = await area.inputValue();
      await area.fill(text.replace("# ", "# My "));
      await page.evaluate(async () => {
        const path = "memory/suppliers.md";
        const response = await fetch(`/api/notes/source?path=${path}`);
        const { text, hash } = (await response.json()) as { text: string; hash: string };
        const body = JSON.stringify({
          path,
          text: `${text}- The SIM cards were renewed.\n`,
          expectedHash: hash,
        });
        await fetch("/api/notes/source", {
          method: "PUT",
          headers: { "Content-Type": "application/json" },
          body,
        });
      });
      await page.getByRole("button", { name: "Compare" }).click();
    },
  },
  {
    name: "forget",
    address: "/notes/memory/suppliers.md#L13",
    shows: ".rendered .cited",
    async after(page) {
      await page.getByRole("button", { name: /Forget/ }).click();
      await page.locator(".going").waitFor();
    },
  },
  {
    name: "write",
    address: "/notes",
    shows: ".row",
    after: (page) => page.getByRole("button", { name: "Write a note" }).click(),
  },
  { name: "review", address: "/review", shows: ".step" },
  { name: "activity", address: "/health", shows: ".heatmap" },
  { name: "sessions", address: "/sessions", shows: ".sessions li" },
  { name: "session", address: "/sessions/7d0f6c1e-9a51-4c1b-8f6f-1b2a3c4d5e6f.jsonl", shows: ".turn" },
  {
    name: "keys",
    address: asked,
    shows: ".hit",
    async after(page) {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("keys");
      await page.keyboard.press("Enter");
    },
  },
  { name: "signed-out", address: "/", shows: "main", place: "signed-out" },
];

/** Notes with tags, links, tasks and a callout, as vaults have them. */
const linkedNotes: Readonly<Record<string, string>> = {
  "winter-plan": `---
tags: [winter, hardware]
---

# Winter plan

- Gauges in [[norra-stenhamn|Norra Stenhamn]] get heated housings before the first ice, usually mid December.
- Spare modems come from the list in [[suppliers]]; order them before the holidays.
- [x] Agree with [[on-call]] who covers the last week of the year
- [ ] Replace the batteries in [[kobe]]

> [!tip] Ice on the sensor
> Readings that stop changing for two hours are ice, not calm water. #runbook
`,
  "ice-watch": "# Ice watch\n\n- The dates of the first ice are in the [[winter-plan]]. #winter\n",
};

const kinds = [
  { kind: "light", colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { kind: "dark", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  { kind: "phone", colorScheme: "light", viewport: { width: 360, height: 740 } },
] as const;

const folder = mkdtempSync(join(tmpdir(), "longhand-pictures-"));
await buildPage();
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
  env: { ...process.env, HOME: folder },
});
try {
  mkdirSync(outDir, { recursive: true });
  await using full = await serve("full", fill);
  await using empty = await serve("empty", () => {});
  for (const each of kinds) {
    const pages = {
      full: await openPage(each, full.cookies),
      empty: await openPage(each, empty.cookies),
      "signed-out": await openPage(each, []),
    };
    for (const view of views) {
      if (names.length > 0 && !names.includes(view.name)) continue;
      const page = pages[view.place ?? "full"];
      await page.goto("about:blank");
      await page.goto((view.place === "empty" ? empty : full).url + view.address);
      await page.locator(view.shows).first().waitFor({ state: "attached" });
      await view.after?.(page);
      await keep(page, `${view.name}-${each.kind}.${format}`);
    }
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function keep(page: Page, name: string): Promise<void> {
  // Waits for what is drawn a moment later (a preview, a scroll).
  await page.waitForTimeout(400);
  await nameUsualFolders(page);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format, quality: 72 });
  await session.detach();
  writeFileSync(join(outDir, name), Buffer.from(data, "base64"));
  console.log(name);
}

/** Replaces temporary paths with typical ones. */
async function nameUsualFolders(page: Page): Promise<void> {
  const places = page.getByText(`${folder}/`);
  while ((await places.count()) > 0) {
    const place = places.first();
    const path = (await place.innerText()).replaceAll(/\s/g, "").replace(folder, "");
    const usual = path.replace(/^\/\w+\//, "/home/you/").replace("/state/", "/.longhand/");
    await place.evaluate((element, text) => {
      const parts = text.split(/(?<=\/)/);
      element.replaceChildren(...parts.flatMap((part) => [part, element.ownerDocument.createElement("wbr")]));
    }, usual);
  }
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

async function openPage(kind: (typeof kinds)[number], cookies: Cookies): Promise<Page> {
  const { colorScheme, viewport } = kind;
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: "reduce" });
  await context.addCookies(cookies);
  return await context.newPage();
}

/** The example memory, with two conversations. */
function fill(project: string, stateDir: string): void {
  cpSync(join(root, "examples", "workspace"), project, { recursive: true });
  for (const [name, text] of Object.entries(linkedNotes)) {
    writeFileSync(join(project, "memory", `${name}.md`), text);
  }
  // Spread over time, as if they had been written one after the other.
  const written = Date.now() / 1000;
  for (const [index, path] of readdirSync(join(project, "memory"), { recursive: true }).entries()) {
    const at = written - 5400 * (((index * 7) % 31) + 1) ** 1.6;
    utimesSync(join(project, "memory", String(path)), at, at);
  }
  const sessions = join(stateDir, "agents", "main", "sessions");
  mkdirSync(sessions, { recursive: true });
  const settings = `sources: ["memory", "sessions"], experimental: { sessionMemory: true }`;
  writeFileSync(
    join(stateDir, "longhand.json5"),
    `{ agents: { defaults: { memorySearch: { ${settings} } } } }`,
  );
  const talks: Readonly<Record<string, readonly string[]>> = {
    "7d0f6c1e-9a51-4c1b-8f6f-1b2a3c4d5e6f": [
      "Why do the gauges in Kobe report twice after a gale?",
      "The buffer on the gauge is sent again when the modem reconnects. The server drops the second copy by its sequence number.",
      "Write that down, please, with the ticket.",
      "Done: it is in memory/gauge-hardware.md.",
    ],
    "b41c0a7f-2d7e-4f0c-9a13-6c5b4a3f2e1d": [
      "Draft the reply to the harbour master of Sandhagen about the trial period",
      "Here is a draft. It names the last day of the trial and what happens to the readings afterwards.",
    ],
  };
  for (const [id, said] of Object.entries(talks)) {
    const at = id.startsWith("7") ? "2026-11-12T09:30:00.000Z" : "2026-11-09T14:05:00.000Z";
    const lines = [
      { type: "session", version: 3, id, timestamp: at, cwd: "/w" },
      ...said.map((text, index) => ({
        type: "message",
        id: `m${index}`,
        parentId: null,
        timestamp: at,
        message: { role: index % 2 === 0 ? "user" : "assistant", content: text },
      })),
    ];
    writeFileSync(join(sessions, `${id}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
}

interface Served extends AsyncDisposable {
  readonly url: string;
  /** The cookies of a signed-in browser. */
  readonly cookies: Cookies;
}

async function serve(name: string, prepare: (project: string, stateDir: string) => void): Promise<Served> {
  const [project, stateDir] = [join(folder, name, "skerrywatch"), join(folder, name, "state")];
  mkdirSync(project, { recursive: true });
  mkdirSync(stateDir, { recursive: true });
  prepare(project, stateDir);
  const child = spawn(
    process.execPath,
    [join(root, "src", "cli", "bin.ts"), "serve", "--port", "0", "--agent", "main", "--json"],
    {
      cwd: project,
      env: { PATH: process.env["PATH"], HOME: folder, LONGHAND_STATE_DIR: stateDir, TZ: "UTC" },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const [line] = await once(child.stdout!, "data");
  const { url, link } = JSON.parse(String(line)) as { url: string; link: string };
  const context = await browser.newContext();
  await (await context.newPage()).goto(link);
  const cookies = await context.cookies();
  await context.close();
  return {
    url,
    cookies,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
