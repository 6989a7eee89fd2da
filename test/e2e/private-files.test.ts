import assert from "node:assert/strict";
import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { openCliFixture } from "../support/run-cli.ts";

const skip = process.platform === "win32" && "Windows has no modes";

/** Whatever the umask of the shell allows, and whichever command comes first. */
test("everything in the state folder is closed to other users", { skip }, async (t) => {
  for (const first of [["init"], ["add", "A fact."], ["search", "x", "--workspace", "."]]) {
    const fixture = openCliFixture(t);
    const env = { NODE_OPTIONS: "--import data:text/javascript,process.umask(0)" };
    for (const argv of [
      first,
      ["init", "--provider", "builtin"],
      ["add", "Another."],
      ["search", "fact"],
      ["sessions", "list"],
    ]) {
      await fixture.runWith({ env }, ...argv);
    }
    const entries = readdirSync(fixture.stateDir, { recursive: true, withFileTypes: true });
    assert.ok(entries.length > 3);
    // Notes of the default workspace are ordinary files, protected by the folder around them.
    const loose = [fixture.stateDir, ...entries.map((each) => path.join(each.parentPath, each.name))]
      .filter((file) => !file.includes(`${path.sep}workspace${path.sep}`))
      .filter((file) => (statSync(file).mode & 0o077) !== 0);
    assert.deepEqual(loose, [], first.join(" "));
  }
});

test("doctor says when a key, a token or the state folder is open to others", { skip }, async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# Facts\n");
  await fixture.run("init");
  const config = path.join(fixture.stateDir, "longhand.json5");
  const privacy = async () => {
    const { value } = await fixture.json("doctor");
    const { checks } = value as { checks: { name: string; ok: boolean; detail: string; fix: string }[] };
    return checks.find(({ name }) => name === "privacy")!;
  };
  chmodSync(config, 0o644);
  assert.equal((await privacy()).ok, true, "it holds no key");
  writeFileSync(config, JSON.stringify({ models: { providers: { openai: { apiKey: "sk-in-the-open" } } } }));
  const { ok, detail, fix } = await privacy();
  assert.equal(ok, false);
  assert.match(detail, /may read .*longhand\.json5 \(mode 644\)/);
  assert.equal(fix, `Run: chmod 600 '${config}'`);
  chmodSync(config, 0o600);
  chmodSync(fixture.stateDir, 0o777);
  assert.match((await privacy()).detail, /may put files into/);
  chmodSync(fixture.stateDir, 0o700);
  const token = path.join(fixture.stateDir, "http-token");
  writeFileSync(token, "a-token-of-some-length\n");
  chmodSync(token, 0o644);
  assert.match((await privacy()).detail, /http-token/);
  chmodSync(token, 0o600);
  assert.equal((await privacy()).ok, true);
});
