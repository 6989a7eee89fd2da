import { readFileSync } from "node:fs";
import { packageFile } from "./package-files.ts";

/** Of the package. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(packageFile("package.json"), "utf8"));
  return (manifest as { version: string }).version;
}
