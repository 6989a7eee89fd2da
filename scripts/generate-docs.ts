import fs from "node:fs/promises";
import { createConfigSchema } from "../src/config/json-schema.ts";
import { cliPage } from "./cli-page.ts";
import { configurationPage } from "./configuration-page.ts";
import { errorsPage } from "./errors-page.ts";
import { httpPage } from "./http-page.ts";

/** The pages that are made from code, so that they cannot say something else than it does. */
const pages: Readonly<Record<string, () => string>> = {
  "docs/cli.md": cliPage,
  "docs/configuration.md": configurationPage,
  "docs/configuration.schema.json": () => `${JSON.stringify(createConfigSchema(), null, 2)}\n`,
  "docs/errors.md": errorsPage,
  "docs/http.md": httpPage,
};

const check = process.argv.includes("--check");
for (const [name, generate] of Object.entries(pages)) {
  const file = new URL(`../${name}`, import.meta.url);
  const text = generate();
  const current = await fs.readFile(file, "utf8").catch(() => null);
  if (current === text) continue;
  if (check) {
    console.error(`${name} is stale; run: node scripts/generate-docs.ts`);
    process.exitCode = 1;
  } else {
    await fs.writeFile(file, text);
    console.log(`wrote ${name}`);
  }
}
