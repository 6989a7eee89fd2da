import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { skipWithoutLinks } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { resolveSettings } from "../config/settings.ts";
import { distrustWorkspace, isTrustedWorkspace, listTrusted, trustWorkspace } from "./workspace-trust.ts";

function openFixture(t: TestContext) {
  const folder = makeTemporaryFolder(t);
  const project = folder.makeFolder("project");
  const stateDir = folder.at("state");
  const home = folder.makeFolder("home");
  const own = { HOME: home, USERPROFILE: home };
  const env = { ...own, LONGHAND_STATE_DIR: stateDir };
  const settingsFor = (cwd: string, more: object = {}) => resolveSettings({ cwd, env, ...more });
  const isTrusted = async (cwd: string, more: object = {}) =>
    isTrustedWorkspace(await settingsFor(cwd, more));
  const trust = async (dir: string) => {
    const { trust: fixture } = await settingsFor(dir, { workspace: dir });
    return await trustWorkspace(fixture, dir, new Date("2026-11-15T10:00:00Z"));
  };
  folder.write("project/MEMORY.md", "# Memory\n");
  return { folder, project, stateDir, own, settingsFor, isTrusted, trust };
}

test("a workspace that was found is trusted once the user says so, and until that is undone", async (t) => {
  const { project, stateDir, settingsFor, isTrusted, trust } = openFixture(t);
  assert.equal(await isTrusted(project), false);
  assert.equal(await trust(project), true);
  assert.equal(await trust(project), false, "it was trusted already");
  assert.equal(await isTrusted(project), true);
  const file = join(stateDir, "trusted-workspaces.json");
  if (process.platform !== "win32") assert.equal(statSync(file).mode & 0o777, 0o600);
  const { trust: fixture } = await settingsFor(project);
  assert.deepEqual(
    listTrusted(fixture).map(({ since, isThere }) => [since, isThere]),
    [["2026-11-15T10:00:00.000Z", true]],
  );
  assert.equal(await distrustWorkspace(fixture, project), true);
  assert.equal(await distrustWorkspace(fixture, project), false);
  assert.equal(await isTrusted(project), false);
});

test("all names of a folder are one; what is nested in it is another", {
  skip: skipWithoutLinks,
}, async (t) => {
  const { folder, project, isTrusted, trust } = openFixture(t);
  symlinkSync(project, folder.at("alias"));
  await trust(folder.at("alias"));
  assert.equal(await isTrusted(project), true);
  assert.equal(await isTrusted(folder.at("alias")), true);
  folder.write("project/vendor/clone/MEMORY.md", "# Of strangers\n");
  assert.equal(await isTrusted(join(project, "vendor", "clone")), false);
  assert.equal(await isTrusted(join(project, "vendor")), true, "it uses the workspace above");
});

test("a folder that was moved, or that took the place of a trusted one, is not trusted", async (t) => {
  const { folder, project, isTrusted, trust } = openFixture(t);
  const { birthtimeNs, ctimeNs } = statSync(project, { bigint: true });
  await trust(project);
  renameSync(project, folder.at("moved"));
  assert.equal(await isTrusted(folder.at("moved")), false);
  folder.write("project/MEMORY.md", "# Of strangers\n");
  if (birthtimeNs !== ctimeNs) assert.equal(await isTrusted(project), false);
  rmSync(project, { recursive: true });
  renameSync(folder.at("moved"), project);
  assert.equal(await isTrusted(project), true, "it came back");
});

test("the default workspace and those that the configuration names are trusted", async (t) => {
  const { folder, project, stateDir, isTrusted } = openFixture(t);
  const elsewhere = folder.makeFolder("elsewhere");
  assert.equal(await isTrusted(elsewhere), true, "the default workspace");
  const work = folder.makeFolder("work");
  folder.write("work/MEMORY.md", "# Work\n");
  mkdirSync(stateDir, { recursive: true });
  const config = { agents: { list: [{ id: "work", workspace: work }] } };
  writeFileSync(join(stateDir, "longhand.json5"), JSON.stringify(config));
  assert.equal(await isTrusted(work), true);
  assert.equal(await isTrusted(elsewhere, { agent: "work" }), true);
  assert.equal(await isTrusted(project), false);
  assert.equal(await isTrusted(elsewhere, { workspace: project }), false, "a flag trusts nothing");
});

test("nothing inside a workspace can make it trusted", async (t) => {
  const { folder, project, isTrusted, trust, own } = openFixture(t);
  const named = JSON.stringify({ agents: { defaults: { workspace: project } } });
  const config = folder.write("project/longhand.json5", named);
  const stateDir = join(project, ".longhand");
  folder.write("project/.longhand/longhand.json5", named);
  folder.write("project/.longhand/workspace/MEMORY.md", "# Of strangers\n");
  folder.write(
    "project/.longhand/trusted-workspaces.json",
    JSON.stringify({ version: 1, workspaces: [{ dir: project, since: "2026-11-15T10:00:00Z" }] }),
  );
  const empty = folder.makeFolder("project/src");
  for (const cwd of [project, empty]) {
    assert.equal(await isTrusted(cwd, { config }), false);
    assert.equal(await isTrusted(cwd, { stateDir, workspace: project }), false);
  }
  assert.equal(await isTrusted(project, { stateDir, workspace: join(stateDir, "workspace") }), false);
  assert.equal(await isTrusted(project, { env: own }), false);
  await trust(project);
  assert.equal(await isTrusted(project, { stateDir, workspace: project }), false);
  const settings = await resolveSettings({
    cwd: project,
    env: own,
    stateDir,
    workspace: project,
  });
  assert.equal(
    settings.trust.recordDir,
    join(own.HOME, ".longhand"),
    "the record is kept in the user's own folder",
  );
  await trustWorkspace(settings.trust, project, new Date());
  assert.equal(await isTrusted(project, { env: own, stateDir, workspace: project }), true);
});

test("a record that cannot be read trusts nothing, says so, and is left alone", async (t) => {
  const { project, stateDir, settingsFor, isTrusted, trust } = openFixture(t);
  await trust(project);
  const file = join(stateDir, "trusted-workspaces.json");
  for (const text of [
    "{ broken",
    "[]",
    '{"version": 2, "workspaces": []}',
    '{"version": 1, "workspaces": [7]}',
  ]) {
    writeFileSync(file, text);
    assert.equal(await isTrusted(project), false);
    await assert.rejects(trust(project), { code: "trust-unusable", hint: /longhand trust/ });
    const { trust: fixture } = await settingsFor(project);
    assert.throws(() => listTrusted(fixture), { code: "trust-unusable" });
    assert.equal(readFileSync(file, "utf8"), text);
  }
});

test("workspaces that are trusted at the same moment are all recorded", async (t) => {
  const { folder, settingsFor } = openFixture(t);
  const dirs = Array.from({ length: 8 }, (_, index) => folder.makeFolder(`many/${index}`));
  const { trust: fixture } = await settingsFor(dirs[0]!);
  await Promise.all(dirs.map((dir) => trustWorkspace(fixture, dir, new Date())));
  assert.equal(listTrusted(fixture).length, 8);
});
