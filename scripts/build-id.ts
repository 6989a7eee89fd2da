import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const placeholder = "unbuilt-unbuilt-";

/** Writes a checksum of the package into its code; see src/cli/resident/build-id.ts. */
export function writeBuildId(dist: string, manifest: string): void {
  const hash = createHash("sha256").update(readFileSync(manifest));
  const holders: string[] = [];
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" }).sort()) {
    if (!/\.(?:js|bin)$/.test(name)) continue;
    const content = readFileSync(join(dist, name));
    hash.update(name).update(content);
    if (content.includes(placeholder)) holders.push(join(dist, name));
  }
  const [holder, ...others] = holders;
  if (holder === undefined || others.length > 0)
    throw new Error(`The build id belongs into one file, not into ${holders.length}.`);
  const code = readFileSync(holder, "utf8");
  writeFileSync(
    holder,
    code.replace(placeholder, () => hash.digest("hex").slice(0, placeholder.length)),
  );
}
