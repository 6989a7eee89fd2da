import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { hasUserServer } from "./claude-user-server.ts";

const servers = { mcpServers: { longhand: { command: "longhand" } } };

test("on Windows Claude Code may spell the folder of a project in several ways", (t) => {
  for (const folder of ["C:/src/Kiln", "c:\\src\\Kiln", "C:\\src\\Kiln"]) {
    const { dir: hostHome } = makeTemporaryFolder(t, {
      ".claude.json": JSON.stringify({ projects: { "D:/other": {}, [folder]: servers } }),
    });
    const ask = (projectDir: string) => hasUserServer({ hostHome, projectDir, platform: "win32" });
    assert.deepEqual([ask("C:\\src\\Kiln"), ask("C:\\src")], [true, false], folder);
  }
});

test("elsewhere another spelling is another project", (t) => {
  const { dir: hostHome } = makeTemporaryFolder(t, {
    ".claude.json": JSON.stringify({ projects: { "/src/kiln": servers } }),
  });
  const ask = (projectDir: string) => hasUserServer({ hostHome, projectDir, platform: "linux" });
  assert.deepEqual([ask("/src/kiln"), ask("/src/Kiln")], [true, false]);
});
