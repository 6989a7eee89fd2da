import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { test } from "node:test";
import { skipWithoutLinks } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { globArgument, noteArgument, pathArgument } from "./path-arguments.ts";

test("on Windows a note may be named with backslashes", () => {
  assert.equal(noteArgument("memory\\projects\\tea.md:3-5", "D:\\ws", "win32"), "memory/projects/tea.md:3-5");
  assert.equal(noteArgument(".\\MEMORY.md#L5", "D:\\ws", "win32"), "MEMORY.md#L5");
  assert.equal(noteArgument(".\\.\\memory\\tea.md", "D:\\ws", "win32"), "memory/tea.md");
  assert.equal(noteArgument("long-term", "D:\\ws", "win32"), "long-term");
});

test("drives and servers are not notes, and elsewhere a backslash is a backslash", () => {
  for (const path of ["C:\\notes\\a.md", "c:a.md", "\\\\nas\\share\\a.md", "\\\\?\\C:\\a.md"])
    assert.equal(noteArgument(path, "D:\\ws", "win32"), path);
  for (const path of ["memory\\a.md", ".\\a.md"]) assert.equal(noteArgument(path, "/ws", "linux"), path);
});

test("a path may begin with a dot, as file managers and shells write it", () => {
  assert.equal(noteArgument("./memory/tea.md:3", "/ws", "linux"), "memory/tea.md:3");
  assert.equal(noteArgument(".//./MEMORY.md", "/ws", "linux"), "MEMORY.md");
  for (const path of [".hidden.md", "../a.md", "memory/./a.md"])
    assert.equal(noteArgument(path, "/ws", "linux"), path);
});

test("an absolute path inside the workspace names the note there, with its lines", () => {
  assert.equal(noteArgument("/ws/memory/tea.md:3-5", "/ws", "linux"), "memory/tea.md:3-5");
  assert.equal(noteArgument("d:\\WS\\memory\\tea.md:3", "D:\\ws", "win32"), "memory/tea.md:3");
  assert.equal(noteArgument("D:/ws/MEMORY.md", "D:\\ws", "win32"), "MEMORY.md");
});

test("an absolute path outside the workspace stays absolute, and so does one with two dots", () => {
  for (const path of ["/wsx/a.md", "/etc/passwd", "/ws/../etc/a.md", "/ws/memory/../MEMORY.md"])
    assert.equal(noteArgument(path, "/ws", "linux"), path);
  assert.equal(noteArgument("D:\\ws\\..\\a.md", "D:\\ws", "win32"), "D:\\ws\\..\\a.md");
});

test("a workspace behind a link is recognised by both of its paths", { skip: skipWithoutLinks }, (t) => {
  const folder = makeTemporaryFolder(t);
  folder.write("real/memory/tea.md", "- Oolong.\n");
  symlinkSync(folder.at("real"), folder.at("link"), "junction");
  assert.equal(noteArgument(folder.at("link/memory/tea.md"), folder.at("real")), "memory/tea.md");
  assert.equal(noteArgument(folder.at("real/memory/tea.md"), folder.at("link")), "memory/tea.md");
});

test("on Windows a glob may have backslashes, except before what they take literally", () => {
  assert.equal(globArgument("memory\\", "win32"), "memory/");
  assert.equal(globArgument("memory\\projects\\**", "win32"), "memory/projects/**");
  assert.equal(globArgument("memory\\\\[old\\]*", "win32"), "memory/\\[old\\]*");
  assert.equal(globArgument("a\\*b", "linux"), "a\\*b");
});

test("on Windows a path survives a backslash before the closing quote", () => {
  assert.equal(pathArgument('C:\\My Notes"', "win32"), "C:\\My Notes");
  assert.equal(pathArgument('.\\My Notes" ', "win32"), ".\\My Notes");
  assert.equal(pathArgument("C:\\My Notes", "win32"), "C:\\My Notes");
  assert.equal(pathArgument('C:\\My Notes" --json', "win32"), null, "it took an option with it");
  assert.equal(pathArgument('/tmp/a"', "linux"), '/tmp/a"');
});
