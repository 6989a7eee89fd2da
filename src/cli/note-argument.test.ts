import assert from "node:assert/strict";
import { test } from "node:test";
import { globArgument, noteArgument } from "./note-argument.ts";

test("on Windows a note may be named with backslashes", () => {
  assert.equal(noteArgument("memory\\projects\\tea.md:3-5", "win32"), "memory/projects/tea.md:3-5");
  assert.equal(noteArgument(".\\MEMORY.md#L5", "win32"), "MEMORY.md#L5");
  assert.equal(noteArgument("long-term", "win32"), "long-term");
});

test("drives and servers are not notes, and elsewhere a backslash is a backslash", () => {
  for (const path of ["C:\\notes\\a.md", "c:a.md", "\\\\nas\\share\\a.md", "\\\\?\\C:\\a.md"])
    assert.equal(noteArgument(path, "win32"), path);
  for (const path of ["memory\\a.md", ".\\a.md", "./a.md"]) assert.equal(noteArgument(path, "linux"), path);
});

test("on Windows a glob may have backslashes, except before what they take literally", () => {
  assert.equal(globArgument("memory\\", "win32"), "memory/");
  assert.equal(globArgument("memory\\projects\\**", "win32"), "memory/projects/**");
  assert.equal(globArgument("memory\\\\[old\\]*", "win32"), "memory/\\[old\\]*");
  assert.equal(globArgument("a\\*b", "linux"), "a\\*b");
});
