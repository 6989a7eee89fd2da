import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { test } from "node:test";
import { finish, startProgram } from "../../test/support/child-process.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Check } from "./check.ts";

/** In a separate process, because permissions depend on the user, and root has them all. */
const program = `
  const { resolveSettings } = await import(${JSON.stringify(new URL("../config/settings.ts", import.meta.url).href)});
  const { checkNotes } = await import(${JSON.stringify(new URL("./notes-checks.ts", import.meta.url).href)});
  if (process.getuid() === 0) process.setuid(65534);
  const [workspace, stateDir] = process.argv.slice(1);
  const settings = await resolveSettings({ workspace, stateDir, env: {} });
  console.log(JSON.stringify(checkNotes({ settings })));
`;

test("a workspace that is not writable is reported, with the affected files", {
  skip: process.platform === "win32" && "Windows has no modes",
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/MEMORY.md": "Notes.\n", "ws/memory/a.md": "More.\n" });
  for (const name of ["", "ws", "ws/memory", "ws/MEMORY.md"]) chmodSync(folder.at(name), 0o777);
  const check = async (): Promise<Check> => {
    const { stdout, stderr } = await finish(startProgram(t, program, [folder.at("ws"), folder.at("state")]));
    assert.equal(stderr, "");
    return JSON.parse(stdout)[0];
  };
  assert.deepEqual(await check(), { name: "workspace", ok: true, detail: folder.at("ws"), fix: null });
  for (const name of ["ws", "ws/memory", "ws/MEMORY.md"]) {
    chmodSync(folder.at(name), 0o555);
    const { ok, detail, fix } = await check();
    chmodSync(folder.at(name), 0o777);
    assert.equal(ok, false, name);
    assert.equal(detail, `${folder.at(name)} can be searched, but not written to (EACCES)`);
    assert.match(fix ?? "", /writable/);
  }
});
