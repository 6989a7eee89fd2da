/**
 * `npm run test:sdks`: every program in README.md and docs/ is checked with `tsc --strict` against the built package and
 * the real SDKs, and those that have a name are run against a scripted model on loopback. `--if-possible` skips it where
 * the SDKs cannot be installed.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { finish } from "../support/child-process.ts";
import { openScriptedModel } from "./scripted-model.ts";

const root = join(import.meta.dirname, "..", "..");
/** The gateway of the AI SDK speaks a protocol of its own; its tools are run in src/tools/ai-sdk.test.ts. */
const needsGateway = new Set(["ai-sdk"]);

const docs = join(root, "docs");
const pages = [
  join(root, "README.md"),
  ...readdirSync(docs)
    .filter((name) => name.endsWith(".md") && name !== "library-reference.md")
    .map((name) => join(docs, name)),
];
const programs = pages.flatMap((page) =>
  [...readFileSync(page, "utf8").matchAll(/^( *)```ts(?: ([\w-]+))?\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = "", name, code = ""], index) => ({
      name: name ?? `${basename(page, ".md")}-${index + 1}`,
      isRun: name !== undefined && !needsGateway.has(name),
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  ),
);

const folder = mkdtempSync(join(tmpdir(), "longhand-sdks-"));
try {
  if (install()) await check();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function install(): boolean {
  for (const name of ["package.json", "package-lock.json"]) {
    copyFileSync(join(import.meta.dirname, name), join(folder, name));
  }
  const npm = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];
  const { status, stderr } = spawnSync("npm", npm, { cwd: folder, encoding: "utf8", timeout: 300_000 });
  if (status !== 0) {
    console.log(`skipped: the SDKs cannot be installed: ${stderr.trim().split("\n")[0]}`);
    if (!process.argv.includes("--if-possible")) process.exitCode = 1;
    return false;
  }
  symlinkSync(root, join(folder, "node_modules", "longhand"), "dir");
  mkdirSync(join(folder, "notes"));
  writeFileSync(join(folder, "notes", "MEMORY.md"), "We ship on Fridays only.\n");
  for (const { name, code } of programs) writeFileSync(join(folder, `${name}.mts`), code);
  return true;
}

async function check(): Promise<void> {
  const tsc = spawnSync(
    process.execPath,
    [
      join(root, "node_modules", "typescript", "lib", "tsc.js"),
      ..."--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --target es2024 --ignoreConfig".split(
        " ",
      ),
      ..."--module nodenext --types node --typeRoots".split(" "),
      join(root, "node_modules", "@types"),
      ...programs.map(({ name }) => `${name}.mts`),
    ],
    { cwd: folder, encoding: "utf8" },
  );
  if (tsc.status !== 0) {
    console.log(tsc.stdout);
    process.exitCode = 1;
    return;
  }
  console.log(`${programs.length} programs in README.md and docs/ satisfy tsc --strict`);

  const model = await openScriptedModel();
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    LONGHAND_STATE_DIR: join(folder, "state"),
    OPENAI_API_KEY: "test",
    OPENAI_BASE_URL: `${model.url}/v1`,
    ANTHROPIC_API_KEY: "test",
    ANTHROPIC_BASE_URL: model.url,
    GEMINI_API_KEY: "test",
    GOOGLE_GEMINI_BASE_URL: model.url,
  };
  for (const { name } of programs.filter(({ isRun }) => isRun)) {
    const child = spawn(process.execPath, [`${name}.mts`], { cwd: folder, env });
    const { code, stdout, stderr } = await finish(child);
    const isRight = code === 0 && /Fridays/.test(stdout);
    console.log(
      `${isRight ? "ok" : "FAILED"}  ${name} recalls the note${isRight ? "" : `\n${stdout}${stderr}`}`,
    );
    if (!isRight) process.exitCode = 1;
  }
  model.close();
}
