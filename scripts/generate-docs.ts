/** `npm run docs`: writes the pages that are generated from code. `--check` reports stale pages and broken links. */
import fs from "node:fs/promises";
import { createConfigSchema } from "../src/config/json-schema.ts";
import { withAgentCosts } from "./agent-costs.ts";
import { brokenLinks, readPages, unlistedPages } from "./check-links.ts";
import { cliPage } from "./cli-page.ts";
import { configurationPage } from "./configuration-page.ts";
import { decisionsPage } from "./decisions-page.ts";
import { withDependencyPicture } from "./dependency-picture.ts";
import { errorsPage } from "./errors-page.ts";
import { hostPackages } from "./host-packages.ts";
import { withHostTables } from "./hosts-page.ts";
import { httpPage } from "./http-page.ts";
import { libraryPage } from "./library-page.ts";
import { toolsPage } from "./tools-page.ts";

/** The pages and packages that are generated from code, so that they cannot contradict it. */
const pages: Readonly<Record<string, (current: string) => string | Promise<string>>> = {
  "ARCHITECTURE.md": withDependencyPicture,
  "docs/agents.md": withAgentCosts,
  "docs/cli.md": cliPage,
  "docs/configuration.md": configurationPage,
  "docs/configuration.schema.json": () => `${JSON.stringify(createConfigSchema(), null, 2)}\n`,
  "docs/decisions/README.md": decisionsPage,
  "docs/errors.md": errorsPage,
  "docs/hosts.md": withHostTables,
  "docs/http.md": httpPage,
  "docs/library-reference.md": libraryPage,
  "docs/tools.md": toolsPage,
  ...hostPackages(),
};

const check = process.argv.includes("--check");
for (const [name, generate] of Object.entries(pages)) {
  const file = new URL(`../${name}`, import.meta.url);
  const current = await fs.readFile(file, "utf8").catch(() => "");
  const text = await generate(current);
  if (current === text) continue;
  if (check) {
    console.error(`${name} is stale; run: node scripts/generate-docs.ts`);
    process.exitCode = 1;
  } else {
    await fs.mkdir(new URL(".", file), { recursive: true });
    await fs.writeFile(file, text);
    console.log(`wrote ${name}`);
  }
}

if (check) {
  const written = await readPages();
  for (const sentence of [...brokenLinks(written), ...unlistedPages(written)]) {
    console.error(sentence);
    process.exitCode = 1;
  }
}
