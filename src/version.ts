import { readFileSync } from "node:fs";

/** Of the package; the same relative place in the sources and in the built package. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return (manifest as { version: string }).version;
}
