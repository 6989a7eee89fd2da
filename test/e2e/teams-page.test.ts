import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import { finish } from "../support/child-process.ts";
import { runOn } from "../support/postgres.ts";
import { cliProgram } from "../support/programs.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const root = join(import.meta.dirname, "..", "..");
const serverUrl = process.env["LONGHAND_TEST_POSTGRES_URL"];
/** A command that runs PostgreSQL's own client, such as `scripts/postgres-server.sh psql DIR`. */
const psql = process.env["LONGHAND_TEST_PSQL"];
const skip = (serverUrl === undefined || psql === undefined) && "LONGHAND_TEST_PSQL names no client";

const page = readFileSync(join(root, "docs", "teams.md"), "utf8");
/** The blocks of the page with this name, as one script. */
function blocks(name: string): string {
  const found = [...page.matchAll(new RegExp(`^\`\`\`sh ${name}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))];
  assert.ok(found.length > 0, `docs/teams.md has no block ${name}`);
  return found.map(([, text]) => text).join("\n");
}

test("every block that CI runs is on the page", () => {
  for (const name of ["git", "server", "machine", "sync"]) blocks(name);
});

describe("the commands of docs/teams.md on a real server", { skip }, () => {
  const dropAll = async () => {
    await runOn(serverUrl!, "DROP DATABASE IF EXISTS memory WITH (FORCE)");
    await runOn(serverUrl!, "DROP ROLE IF EXISTS longhand");
  };
  before(dropAll);
  after(dropAll);

  test("set up a database and two machines that share one index, and a stray note is reported", async (t) => {
    const team = openTeam(t);
    await team.run("ada", `${blocks("git")}\ngit push --quiet "${team.remote}" HEAD:main`);
    await team.run("server", blocks("server"));

    const first = await team.run("bea", blocks("machine"));
    assert.match(first, /1 note added/);
    assert.match(first, /We ship on Fridays only\./);
    assert.match(first, /agent +team\n/);
    const second = await team.run("cem", blocks("machine"));
    assert.match(second, /1 note unchanged/, "the index of the first machine is there");
    assert.match(second, /We ship on Fridays only\./);

    await team.run("bea", blocks("sync"));
    // Both were added to the note of the day.
    await team.run(
      "cem",
      blocks("sync").replace("git pull", ":").replace("git push", ":").replaceAll("staging", "billing"),
    );
    await team.run("cem", "cd ~/team-notes && git pull --quiet --rebase && git push --quiet");
    assert.doesNotMatch(await team.run("cem", "cd ~/team-notes && cat memory/*.md"), /<<<<<<</);
    await team.run("bea", "cd ~/team-notes && git pull --quiet --rebase && longhand index");
    const found = await team.run("cem", 'cd ~/team-notes && longhand search "where is staging?"');
    assert.match(found, /Helsinki/);
    assert.doesNotMatch(found, /shared index/);

    await team.run("bea", 'cd ~/team-notes && longhand add "Only Bea has this note." --to memory/bea.md');
    const told = await team.run("cem", "cd ~/team-notes && longhand index 2>&1");
    const sentence = /^removed .* from the shared index.*$/m
      .exec(page)?.[0]
      .replace("memory/2026-11-16.md", "");
    for (const part of sentence!.split("  ")) assert.ok(told.includes(part.trim()), `${part}\n${told}`);
  });
});

function openTeam(t: TestContext) {
  const folder = makeTemporaryFolder(t);
  const bin = folder.makeFolder("bin");
  const write = (name: string, text: string) =>
    chmodSync(folder.write(`bin/${name}`, `#!/bin/sh\n${text}\n`), 0o755);
  write("longhand", `exec "${process.execPath}" "${cliProgram}" "$@"`);
  // `sudo -u postgres psql …` becomes the client of this server.
  write("sudo", `shift 3\nexec ${psql} --dbname="${serverUrl}" "$@"`);
  const remote = folder.at("team-notes.git");
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", remote]);
  const { host } = new URL(serverUrl!);

  /** Each machine is a home folder of its own. */
  async function run(name: string, script: string): Promise<string> {
    const home = folder.makeFolder(`homes/${name}`);
    const here = script
      .replaceAll("git@github.com:you/team-notes.git", remote)
      .replaceAll("db.example.com/memory?sslmode=verify-full", `${host}/memory`);
    const child = spawn("bash", ["-euo", "pipefail", "-c", here], {
      cwd: root,
      env: {
        PATH: `${bin}:${process.env["PATH"]}`,
        HOME: home,
        TZ: "UTC",
        LONGHAND_DB_PASSWORD: "change-me",
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: `${name}@example.com`,
        GIT_COMMITTER_NAME: name,
        GIT_COMMITTER_EMAIL: `${name}@example.com`,
      },
    });
    const { code, stdout, stderr } = await finish(child);
    assert.equal(code, 0, `${name}: ${stdout}\n${stderr}`);
    return `${stdout}${stderr}`;
  }
  return { run, remote };
}
