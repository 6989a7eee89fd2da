import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Licences that only require their text to be kept. A package under another one needs a decision. */
const permissive: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
]);

/** With a choice of licences, one permissive licence is enough. */
export function isPermissive(expression: string): boolean {
  return expression
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((each) => permissive.has(each));
}

const ruler = `\n${"=".repeat(80)}\n\n`;

/** The licence texts of bundled packages, which must accompany the copies. */
export function licenceTexts(names: readonly string[]): string {
  return names.toSorted().map(licenceText).join(ruler);
}

/** `name@version` of each package that such a text lists. */
export function packagesListed(licences: string): string[] {
  return licences.split(ruler).map((text) => text.slice(0, text.indexOf("\n")));
}

/** The packages among modules, by their path in node_modules. */
export function packagesOf(modules: readonly string[]): string[] {
  const names = modules.map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

function licenceText(name: string): string {
  const folder = join(root, "node_modules", name);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no licence file.`);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `${name}@${version}\n\n${readFileSync(join(folder, file), "utf8")}`;
}
