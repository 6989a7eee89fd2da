/**
 * `npm run release -- minor` (or `patch`, `major`, a version) prepares a release: it sets the version in package.json and
 * the host packages, and moves the changes under "Unreleased" below a heading for the version. It commits and publishes
 * nothing. `--check TAG` fails unless the tag names the prepared version; `--notes` prints its changes; `--sbom` lists,
 * after a build, the bundled packages.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundledPackages, sbomOfBundled } from "./bundled-packages.ts";
import { changesOf, nextVersion, releaseChanges } from "./release-notes.ts";

const root = join(import.meta.dirname, "..");
const read = (name: string): string => readFileSync(join(root, name), "utf8");
const manifest = JSON.parse(read("package.json")) as { version: string };
const [what, tag] = process.argv.slice(2);

if (what === undefined)
  fail("Usage: npm run release -- patch | minor | major | VERSION | --check TAG | --notes | --sbom");
else if (what === "--notes") process.stdout.write(`${requireChanges()}\n`);
else if (what === "--sbom") printSbom();
else if (what === "--check") check();
else
  prepare(nextVersion(manifest.version, what) ?? fail(`"${what}" is no version after ${manifest.version}.`));

function check(): void {
  if (tag !== `v${manifest.version}`)
    fail(`The tag is ${tag ?? "missing"}, package.json has ${manifest.version}.`);
  requireChanges();
}

function requireChanges(): string {
  return (
    changesOf(read("CHANGELOG.md"), manifest.version) ??
    fail(`CHANGELOG.md has no section ${manifest.version}.`)
  );
}

function printSbom(): void {
  const all = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx"], {
    cwd: root,
    maxBuffer: 1e8,
    encoding: "utf8",
  });
  const sbom = sbomOfBundled(JSON.parse(all), bundledPackages(join(root, "dist")));
  process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);
}

function prepare(version: string): void {
  const day = new Date().toISOString().slice(0, 10);
  const changelog = releaseChanges(read("CHANGELOG.md"), version, day);
  writeFileSync(
    join(root, "CHANGELOG.md"),
    changelog ?? fail("CHANGELOG.md has nothing under Unreleased: what would be released?"),
  );
  run("npm", "version", version, "--no-git-tag-version", "--allow-same-version");
  for (const name of ["plugins/openclaw/package.json", "plugins/openclaw/openclaw.plugin.json"]) {
    writeFileSync(join(root, name), read(name).replace(/("version": )"[^"]*"/, `$1"${version}"`));
  }
  // The other host packages, and pages that name the version.
  run("npm", "run", "--silent", "docs");
  console.log(`Prepared ${version}. Look at it, then:
  git commit -am "release: ${version}" && git tag -a v${version} -m "longhand ${version}" && git push --follow-tags`);
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}

function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}
