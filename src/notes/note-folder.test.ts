import assert from "node:assert/strict";
import { existsSync, fchmodSync, linkSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { test } from "node:test";
import { skipWithoutHardLinks, skipWithoutModes } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { temporaryPath } from "../files.ts";
import { removeAllLeftovers, removeLeftovers, removeLinksTo, writeTemporary } from "./note-folder.ts";

const name = (digit: string) => `.longhand-${digit.repeat(16)}.tmp`;

test("a temporary file is whole, private, and named like a leftover", (t) => {
  const folder = makeTemporaryFolder(t);
  const bytes = Buffer.alloc(3_000_000, "ab");
  const { file, dev, ino } = writeTemporary({ path: folder.dir }, bytes, () => {});
  assert.deepEqual(readFileSync(file), bytes);
  const stats = statSync(file, { bigint: true });
  assert.deepEqual([dev, ino], [stats.dev, stats.ino]);
  if (!skipWithoutModes) assert.equal(Number(stats.mode) & 0o777, 0o600);
  assert.notEqual(temporaryPath(folder.dir), temporaryPath(folder.dir));
  assert.equal(removeLeftovers({ path: folder.dir }, new Date(), Number.NEGATIVE_INFINITY), 1);
  assert.deepEqual(readdirSync(folder.dir), []);
});

test("a temporary file that cannot be prepared is not left behind", { skip: skipWithoutModes }, (t) => {
  const folder = makeTemporaryFolder(t);
  const prepared = writeTemporary({ path: folder.dir }, Buffer.from("a"), (fd) => fchmodSync(fd, 0o640));
  assert.equal(statSync(prepared.file).mode & 0o777, 0o640);
  const refuse = () => {
    throw new Error("no");
  };
  assert.throws(() => writeTemporary({ path: folder.dir }, Buffer.from("a"), refuse), /no/);
  assert.equal(readdirSync(folder.dir).length, 1);
});

test("files of a dead process are removed after a minute, and nothing else", (t) => {
  const now = new Date("2026-03-01T12:00:00Z");
  const folder = makeTemporaryFolder(t, {
    [name("a")]: "old",
    [name("b")]: "young",
    [`${name("c")}/inner`]: "a folder",
    ".longhand-abc.tmp": "short",
    [`x${name("d")}`]: "another name",
  });
  const setAge = (file: string, ageMs: number) => {
    const at = (now.getTime() - ageMs) / 1000;
    utimesSync(folder.at(file), at, at);
  };
  for (const file of readdirSync(folder.dir)) setAge(file, 60_000);
  setAge(name("b"), 58_000);
  assert.equal(removeLeftovers({ path: folder.dir }, now), 1);
  assert.equal(existsSync(folder.at(name("a"))), false);
  assert.equal(readdirSync(folder.dir).length, 4);
  assert.equal(removeLeftovers({ path: folder.dir }, new Date(now.getTime() + 2000)), 1);
  assert.equal(existsSync(folder.at(name("b"))), false);
});

test("only the second names of the given file are removed", { skip: skipWithoutHardLinks }, (t) => {
  const folder = makeTemporaryFolder(t, { "a.md": "a", "b.md": "b" });
  for (const [file, link] of [
    ["a.md", name("a")],
    ["b.md", name("b")],
    ["a.md", "kept.md"],
  ] as const)
    linkSync(folder.at(file), folder.at(link));
  removeLinksTo({ path: folder.dir }, statSync(folder.at("a.md"), { bigint: true }));
  assert.deepEqual(readdirSync(folder.dir).sort(), [name("b"), "a.md", "b.md", "kept.md"].sort());
});

test("all leftovers of the workspace's notes are removed, whatever their age", (t) => {
  const files = {
    [name("a")]: "",
    [`memory/${name("b")}`]: "",
    [`memory/deep/er/${name("c")}`]: "",
    [`memory/.obsidian/${name("d")}`]: "",
    [`docs/${name("e")}`]: "",
    [`docs/memory/${name("f")}`]: "",
  };
  const left = (root: string) =>
    Object.keys(files).flatMap((file) => (existsSync(`${root}/${file}`) ? [file.at(-5)] : []));
  for (const [include, count, kept] of [
    ["memory", 3, ["d", "e", "f"]],
    ["all", 5, ["d"]],
  ] as const) {
    const { dir } = makeTemporaryFolder(t, files);
    assert.equal(removeAllLeftovers(dir, new Date(0), include), count);
    assert.deepEqual(left(dir), kept);
  }
  assert.equal(removeAllLeftovers(makeTemporaryFolder(t).dir, new Date(0)), 0);
});
