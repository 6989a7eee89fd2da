import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { QmdPlace } from "./driver.ts";
import type { QmdModels } from "./find-model.ts";
import { collections } from "./mirror.ts";

/** The list of collections, as qmd reads it: JSON is YAML. qmd adds to it, so it is written anew each time. */
export function writeQmdConfig({ folder, configFile }: QmdPlace, models: QmdModels): void {
  const listed = collections.map((name) => [
    name,
    { path: join(folder, "documents", name), pattern: "**/*.md" },
  ]);
  const { embed, generate, rerank } = models;
  const addresses = { embed: embed.address, generate: generate.address, rerank: rerank.address };
  const config = { collections: Object.fromEntries(listed), models: addresses };
  writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 });
}
