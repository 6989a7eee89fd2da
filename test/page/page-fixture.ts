import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { hangLimitMs } from "../support/hang-limit.ts";
import { type CliFixture, openCliFixture } from "../support/run-cli.ts";

const executablePath = "/usr/bin/chromium";
const switches = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-background-networking", "--disable-component-update"],
];

/** Why the tests cannot run; null if they can. */
export const missingBrowser = existsSync(executablePath)
  ? null
  : `Debian's chromium is not installed at ${executablePath}: apt-get install chromium`;

/** A memory served by `longhand serve`, and a browser on its page. */
export interface PageFixture extends CliFixture {
  readonly url: string;
  /** The printed link; it works once and was used to sign in. */
  readonly link: string;
  /** Opens an address of the page in a new tab, which is closed with the test. */
  open(t: TestContext, address: string, options?: TabOptions): Promise<Page>;
  /** Forbidden events that occurred: dialogs, refused content, requests elsewhere, script errors. */
  readonly faults: string[];
  read(name: string): string;
  stop(): Promise<void>;
  /** Starts another server at the same address, after stopping the previous one; returns its link. */
  restart(): Promise<string>;
}

export interface TabOptions {
  readonly colours?: "light" | "dark";
  /** With cookies and storage that no other tab shares; signed in or not. */
  readonly apart?: "let-in" | "signed-out";
}

export async function openBrowser(t: TestContext): Promise<Browser> {
  // The browser keeps fonts and settings in the home folder, whatever profile it is given.
  const home = mkdtempSync(path.join(tmpdir(), "longhand-browser-"));
  const env = { ...process.env, HOME: home };
  const browser = await chromium.launch({ executablePath, args: switches, env });
  t.after(async () => {
    await browser.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  return browser;
}

export async function openPageFixture(
  t: TestContext,
  browser: Browser,
  fill: (fixture: CliFixture) => void,
): Promise<PageFixture> {
  const fixture = openCliFixture(t);
  fill(fixture);
  let server = await startServer(fixture, 0);
  const { url, link } = server;

  const faults: string[] = [];
  async function openContext(): Promise<BrowserContext> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(hangLimitMs);
    await guard(context, { origin: url, faults });
    return context;
  }
  const shared = await openContext();
  t.after(() => shared.close());
  const first = await shared.newPage();
  await first.goto(link);
  const { cookies } = await shared.storageState();
  await first.close();

  async function open(test: TestContext, address: string, options: TabOptions = {}): Promise<Page> {
    const { colours = "light", apart } = options;
    const context = apart === undefined ? shared : await openContext();
    if (apart === "let-in") await context.addCookies(cookies);
    const page = await context.newPage();
    test.after(() => (apart === undefined ? page.close() : context.close()));
    await page.emulateMedia({ colorScheme: colours });
    await page.goto(url + address);
    return page;
  }
  const stop = async (): Promise<void> => {
    server.child.kill("SIGTERM");
    await once(server.child, "exit");
  };
  return {
    ...fixture,
    url,
    link,
    open,
    faults,
    stop,
    read: (name) => readFileSync(path.join(fixture.project, name), "utf8"),
    async restart() {
      server = await startServer(fixture, Number(new URL(url).port));
      return server.link;
    },
  };
}

interface StartedServer {
  readonly child: ChildProcess;
  readonly url: string;
  readonly link: string;
}

async function startServer(fixture: CliFixture, port: number): Promise<StartedServer> {
  const given = ["serve", "--port", String(port), "--agent", "main", "--json"];
  const child = fixture.start({ keepInputOpen: true }, ...given);
  const [line] = await once(child.stdout!, "data");
  return { child, ...(JSON.parse(String(line)) as { url: string; link: string }) };
}

async function guard(
  context: BrowserContext,
  { origin, faults }: { origin: string; faults: string[] },
): Promise<void> {
  await context.exposeFunction("__fault", (what: string) => faults.push(what));
  await context.addInitScript(() => {
    const tell = (window as unknown as { __fault: (what: string) => void }).__fault;
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      tell(`refused by the policy: ${violatedDirective} ${blockedURI}`),
    );
    Object.defineProperty(window, "__pwned", { set: () => tell("script of a note was run") });
  });
  context.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) faults.push(`request to ${request.url()}`);
  });
  context.on("page", (page) => {
    page.on("dialog", (dialog) => {
      if (dialog.type() !== "beforeunload") faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss().catch(() => {});
    });
    page.on("pageerror", (error) => faults.push(`fault of the page: ${error.message}`));
    page.on("console", (message) => {
      // Browsers report every refused request there, and some are meant to be refused.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
        faults.push(`console: ${message.text()}`);
      }
    });
  });
}
