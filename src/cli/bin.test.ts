import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";

const skip = process.getuid === undefined && "needs user ids";
const root = mkdtempSync(path.join(tmpdir(), "longhand-cache-"));
after(() => rmSync(root, { recursive: true }));

/** Runs the program with a temporary folder of its own, and returns the folder of the compile cache. */
function startIn(name: string, prepare: (dir: string) => void = () => {}): string {
  const temporary = path.join(root, name);
  const dir = path.join(temporary, `longhand-compile-cache-${process.getuid?.()}`);
  mkdirSync(temporary);
  prepare(dir);
  const entry = path.join(import.meta.dirname, "bin.ts");
  execFileSync(process.execPath, [entry, "--version"], { env: { TMPDIR: temporary } });
  return dir;
}

test("compiled code is kept in a folder that only its user can open", { skip }, () => {
  const dir = startIn("fresh");
  assert.equal(statSync(dir).mode & 0o777, 0o700);
  assert.ok(readdirSync(dir).length > 0);
});

test("a folder that others can write to is not used", { skip }, () => {
  const dir = startIn("open", (found) => {
    mkdirSync(found);
    chmodSync(found, 0o777);
  });
  assert.deepEqual(readdirSync(dir), []);
});

test("without a folder for temporary files, the program still runs", { skip }, () => {
  const entry = path.join(import.meta.dirname, "bin.ts");
  const env = { TMPDIR: path.join(root, "missing") };
  assert.match(execFileSync(process.execPath, [entry, "--version"], { env, encoding: "utf8" }), /^\d/);
});
