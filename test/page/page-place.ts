import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type CliPlace, openCliPlace } from "../support/run-cli.ts";

const executablePath = "/usr/bin/chromium";
const switches = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-background-networking", "--disable-component-update"],
];

/** Why there is nothing to test with; null when there is. */
export const missingBrowser = existsSync(executablePath)
  ? null
  : `Debian's chromium is not installed at ${executablePath}: apt-get install chromium`;

/** A memory that `longhand serve` shows, and a browser that looks at it. */
export interface PagePlace extends CliPlace {
  readonly url: string;
  /** The link that was printed; it works once and was used to get in. */
  readonly link: string;
  readonly browser: Browser;
  /** Opens an address of the page in a window of its own, closed with the test. */
  open(t: TestContext, address: string, options?: WindowOptions): Promise<Page>;
  /** What a page must never do, and did: dialogs, refused content, requests elsewhere, faults of its script. */
  readonly faults: string[];
  read(name: string): string;
}

export interface WindowOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colours?: "light" | "dark";
  readonly isSignedOut?: boolean;
}

export async function openPagePlace(t: TestContext, fill: (place: CliPlace) => void): Promise<PagePlace> {
  const place = openCliPlace(t);
  fill(place);
  const server = place.start({ keepInputOpen: true }, "serve", "--port", "0", "--agent", "main", "--json");
  const [line] = await once(server.stdout!, "data");
  const { url, link } = JSON.parse(String(line)) as { url: string; link: string };
  const browser = await chromium.launch({ executablePath, args: switches });
  t.after(() => browser.close());

  const faults: string[] = [];
  const first = await browser.newContext();
  await (await first.newPage()).goto(link);
  const storageState = await first.storageState();
  await first.close();

  async function open(test: TestContext, address: string, options: WindowOptions = {}): Promise<Page> {
    const { width = 1280, height = 800, colours = "light", isSignedOut = false } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: colours,
      reducedMotion: "reduce",
      ...(isSignedOut ? {} : { storageState }),
    });
    test.after(() => context.close());
    context.setDefaultTimeout(10_000);
    await guard(context, { origin: url, faults });
    const page = await context.newPage();
    await page.goto(url + address);
    return page;
  }
  const read = (name: string): string => readFileSync(path.join(place.project, name), "utf8");
  return { ...place, url, link, browser, open, faults, read };
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
