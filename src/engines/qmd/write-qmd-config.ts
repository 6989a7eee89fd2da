import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { QmdPlace } from "./driver.ts";
import { collections } from "./mirror.ts";

/** The list of collections, as qmd reads it: JSON is YAML. qmd adds to it, so it is written anew each time. */
export function writeQmdConfig({ folder, configFile }: QmdPlace, embeddingModel: string): void {
  const listed = collections.map((name) => [
    name,
    { path: join(folder, "documents", name), pattern: "**/*.md" },
  ]);
  const config = { collections: Object.fromEntries(listed), models: { embed: embeddingModel } };
  writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 });
}
